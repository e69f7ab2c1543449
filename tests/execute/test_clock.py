"""The shifted clock: every way of asking agrees, classes stay themselves."""

from __future__ import annotations

import subprocess
import sys

import pytest

from unitcraft.execute.sandbox import clock
from unitcraft.execute.steps import COUNTER, StepsExhausted

PROGRAM = """
import datetime as dt, time, pickle, copy
real_date, real_datetime, before = dt.date, dt.datetime, time.time()
def asked_before():
    return dt.datetime.now()
for _ in range(50):
    asked_before()
from unitcraft.execute.sandbox import clock
DAYS = 400 * 86400
clock.shift(DAYS)
from datetime import date, datetime
assert abs(time.time() - before - DAYS) < 60
began = time.perf_counter()
assert 0.01 <= time.perf_counter() - began < 1
began = time.monotonic_ns()
assert 10_000_000 <= time.monotonic_ns() - began < 10 ** 9
assert abs(time.time_ns() / 1e9 - before - DAYS) < 60
assert time.gmtime().tm_year == time.gmtime(time.time()).tm_year
assert time.localtime(0).tm_year in (1969, 1970)
assert time.ctime() == time.ctime(time.time())
assert time.strftime("%Y") == str(time.localtime().tm_year)
assert abs(datetime.now().timestamp() - time.time()) < 60
assert abs(datetime.now(dt.timezone.utc).timestamp() - time.time()) < 60
assert date.today() == datetime.now().date() == real_date.fromtimestamp(time.time())
assert datetime.today().date() == date.today()
assert datetime is real_datetime and date is real_date
assert type(datetime.now()) is datetime and type(datetime.today()) is datetime
assert abs(datetime.utcnow().timestamp() - dt.datetime(*time.gmtime()[:6]).timestamp()) < 60
assert abs(asked_before().timestamp() - time.time()) < 60
assert type(datetime.strptime("2023-01-01", "%Y-%m-%d").date()) is date
assert isinstance(real_date(2020, 1, 1), date) and isinstance(real_datetime(2020, 1, 1), date)
assert isinstance(datetime(2020, 1, 1), real_datetime)
assert issubclass(real_datetime, datetime) and issubclass(datetime, date)
assert datetime(2020, 1, 1) == real_datetime(2020, 1, 1)
assert datetime(2020, 1, 1) + dt.timedelta(1) == datetime(2020, 1, 2)
assert repr(datetime(2020, 1, 1)) == "datetime.datetime(2020, 1, 1, 0, 0)"
assert copy.deepcopy(datetime(2020, 1, 1)) == datetime(2020, 1, 1)
for asked in (time.monotonic, time.perf_counter_ns, time.time, time.time_ns):
    assert pickle.loads(pickle.dumps(asked)) is asked
class Mine(datetime):
    pass
assert type(Mine.now()) is type(Mine.utcnow()) is type(Mine.today()) is Mine
class Meta(type): ...
class Date(date, metaclass=Meta): ...
assert not isinstance(datetime(2020, 1, 1), Mine)
clock.CLOCK.start()
time.monotonic(), datetime(2020, 1, 1)
assert not clock.CLOCK.was_read()
assert abs(time.clock_gettime(time.CLOCK_REALTIME) - time.time()) < 60
assert abs(time.clock_gettime_ns(time.CLOCK_MONOTONIC) / 1e9 - time.monotonic()) < 60
assert time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID) < 600
by_number = lambda: time.clock_gettime(time.CLOCK_REALTIME)
every = (time.time, time.time_ns, time.localtime, time.ctime, datetime.now, date.today, by_number)
for ask in every:
    clock.CLOCK.start()
    ask()
    assert clock.CLOCK.was_read(), ask
moments = []
for moment in range(clock.MOMENTS + 1):
    clock.CLOCK.go_to(moment)
    moments.append(datetime.now())
    assert abs(datetime.now().timestamp() - time.time()) < 60
    assert time.localtime().tm_yday == date.today().timetuple().tm_yday
assert {at.weekday() for at in moments} == set(range(7))
assert len({at.hour // 3 for at in moments}) == 8
assert len({at.month for at in moments}) > 5
print("agreed")
"""


VIRTUAL = """
import asyncio, datetime as dt, queue, time
real = time.time()
from unitcraft.execute.sandbox import clock
clock.virtualise()
assert time.clock_gettime(time.CLOCK_MONOTONIC) < 1_001
assert abs(time.clock_gettime(time.CLOCK_REALTIME) - clock.FIRST_MOMENT) < 1
clock.VIRTUAL.restart()
from time import monotonic
class Mine(dt.datetime):
    pass
def readings():
    clock.VIRTUAL.restart()
    return (
        time.time(), time.time_ns(), monotonic(), time.monotonic_ns(), time.perf_counter(),
        time.process_time(), time.thread_time_ns(), time.localtime(), time.gmtime(), time.ctime(),
        time.strftime("%H:%M:%S"), dt.datetime.now(), dt.datetime.now(dt.timezone.utc),
        dt.datetime.utcnow(), dt.datetime.today(), dt.date.today(), Mine.now(), Mine.today(),
    )
assert readings() == readings()
first, *_ = readings()
assert dt.datetime.fromtimestamp(first, dt.timezone.utc).isoformat()[:19] == "2026-06-15T12:00:00"
assert dt.date.today() == dt.datetime.now().date() == dt.date.fromtimestamp(first)
assert type(Mine.now()) is type(Mine.utcnow()) is type(Mine.today()) is Mine
assert dt.datetime.utcnow().tzinfo is None and dt.datetime.now(dt.timezone.utc).tzinfo is not None
assert monotonic() < monotonic() < time.monotonic_ns() / 1e9
assert (monotonic.__module__, monotonic.__qualname__) == ("time", "monotonic")
assert time.monotonic is monotonic
asyncio.run(asyncio.sleep(0.01))
try:
    queue.Queue().get(timeout=0.01)
except queue.Empty:
    print("agreed", time.time() - real > 60 or time.time() < real)
"""


SHIFTED = """
import datetime as dt, logging, time
from unitcraft.execute.sandbox import clock
DAYS = 400 * 86400
clock.virtualise(DAYS)
class Mine(dt.datetime):
    pass
def readings():
    clock.VIRTUAL.restart()
    return (
        time.time(), time.time_ns(), time.monotonic(), time.perf_counter_ns(), time.gmtime(),
        time.ctime(), dt.datetime.now(), dt.datetime.utcnow(), dt.date.today(), Mine.now(),
        logging.makeLogRecord({}).created,
    )
assert readings() == readings()
first, _, *others, logged = readings()
assert 0 < first - clock.FIRST_MOMENT - DAYS < 1
assert 0 < logged - first < 1
assert abs(dt.datetime.now().timestamp() - time.time()) < 1
before = time.monotonic()
assert 0.009 < time.monotonic() - before < 0.011
clock.CLOCK.start()
time.monotonic()
assert not clock.CLOCK.was_read()
for moment in range(clock.MOMENTS + 1):
    clock.CLOCK.go_to(moment)
    clock.CLOCK.start()
    assert 0 < time.time() - first - moment * clock.STEP < 10
    assert clock.CLOCK.was_read()
    assert time.localtime().tm_yday == dt.date.today().timetuple().tm_yday
print("agreed")
"""


def test_moments_meet_every_third_hour_and_all_weekdays_whenever_they_begin():
    for begin in range(0, 7 * 86_400, 600):
        moments = [begin + moment * clock.STEP for moment in range(clock.MOMENTS + 1)]
        assert len({at % 86_400 // 10_800 for at in moments}) == 8, begin
        assert len({at // 86_400 % 7 for at in moments}) == 7, begin


def run(program):
    words = [sys.executable, "-W", "ignore", "-c", program]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)


def test_all_ways_of_asking_agree():
    done = run(PROGRAM)
    assert done.stdout == "agreed\n", done.stderr


def test_virtual_time_begins_anew_in_each_run_and_the_library_waits_by_the_real_clock():
    done = run(VIRTUAL)
    assert done.stdout == "agreed True\n", done.stderr


def test_virtual_time_can_be_shifted_and_its_date_moved_on():
    done = run(SHIFTED)
    assert done.stdout == "agreed\n", done.stderr


def test_what_waits_busily_runs_out_of_steps():
    virtual = clock.VirtualTime()
    COUNTER.start(10 * clock.STEPS_OF_READING)
    try:
        read = [virtual.read() for _ in range(10)]
        with pytest.raises(StepsExhausted):
            virtual.read()
    finally:
        COUNTER.stop()
    assert read == [clock.TICK * number for number in range(1, 11)]
