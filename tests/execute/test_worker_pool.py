"""The pool: order, isolation, damage, determinism, and nothing left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from unitcraft.core.containment import TimeGuard
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.outcomes import Exhausted, Rejected
from unitcraft.execute.policy import Policy
from unitcraft.execute.pool.host_process import HostProcess
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec

HERE = Path(__file__).parent


def values(replies):
    return [reply.value for reply in replies]


def is_running(pid):
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("jobs", [1, 3])
@pytest.mark.parametrize("batch", [1, 7, 64])
def test_replies_come_in_order(pool_of, jobs, batch):
    items = [(number, str(number), None, 1.5, b"x") for number in range(200)]
    assert values(pool_of(jobs=jobs).map("echo", items, batch=batch)) == items


def test_no_items_no_replies(pool_of):
    assert list(pool_of().map("echo", [])) == []


def test_one(pool_of):
    assert pool_of().one("echo", {"a": [1, 2]}).value == {"a": [1, 2]}


def test_after_its_guard_struck_a_pool_answers_without_running(pool_of):
    guard = TimeGuard(3600.0)
    pool = pool_of(guard=guard)
    assert pool.one("echo", 1).value == 1
    guard.struck = True
    assert values(pool.map("echo", [1, 2, 3])) == [None, None, None]


def test_large_messages_pass(pool_of):
    items = ["x" * 3_000_000, "y" * 3_000_000] * 3
    assert values(pool_of(jobs=2).map("echo", items, batch=1)) == items


def test_isolated_items_have_their_own_workers(pool_of):
    pool = pool_of(jobs=2)
    pids = values(pool.map("whoami", range(6), isolate=True))
    assert len(set(pids)) == 6
    assert len(set(values(pool.map("whoami", range(6))))) <= 2


def test_workers_are_kept_between_maps(pool_of):
    pool = pool_of()
    assert len({pool.one("whoami", None).value for _ in range(5)}) == 1


def test_a_map_may_be_left_and_another_begun(pool_of):
    pool = pool_of(jobs=2)
    first = pool.map("echo", range(1000), batch=4)
    assert next(first).value == 0
    assert values(pool.map("echo", range(10))) == list(range(10))
    assert next(first).value == 1
    first.close()
    assert values(pool.map("echo", range(10))) == list(range(10))


def test_our_own_mistakes_are_errors_not_failures(pool_of):
    pool = pool_of()
    reply = pool.one("broken", None)
    assert reply.failure is None
    assert "LookupError: our own mistake" in reply.error
    mixed = list(pool.map("unplain", [1])) + list(pool.map("echo", [1]))
    assert "object" in mixed[0].error
    assert mixed[1].value == 1


def test_memory_error_retires_the_worker(pool_of):
    pool = pool_of()
    before = pool.one("whoami", None).value
    assert pool.one("hungry", None).failure == Exhausted("memory", "MemoryError")
    assert pool.one("whoami", None).value != before


def test_a_crash_costs_only_its_item(pool_of):
    pool = pool_of(jobs=2)
    items = [
        "answer = 1",
        "import os; os._exit(3)",
        "answer = 2",
        "import os; os.abort()",
        "answer = 3",
    ] * 4
    replies = list(pool.map("run", items, batch=8))
    assert [reply.value for reply in replies] == [1, None, 2, None, 3] * 4
    assert replies[1].failure == Exhausted("exit", "exit status 3")
    assert replies[3].failure.reason == "crash"
    assert replies[3].failure.detail.startswith("SIGABRT")


def test_a_hang_costs_only_its_item(pool_of):
    items = ["answer = 1", "import re; re.match('(a+)+$', 'a' * 50 + 'b')", "answer = 2"]
    replies = list(pool_of().map("run", items, seconds=0.3))
    assert [reply.value for reply in replies] == [1, None, 2]
    assert replies[1].failure == Exhausted("time")


def test_a_slow_batch_of_quick_items_is_not_late(pool_of):
    items = [0.1] * 8
    assert values(pool_of().map("slow", items, seconds=0.3)) == items


def test_waiting_for_nobody_spends_the_budget_at_once(pool_of):
    wait = "import threading; threading.Event().wait(60)"
    began = time.monotonic()
    assert pool_of().map("run", [wait], seconds=0.2).__next__().failure == Exhausted("steps")
    assert time.monotonic() - began < 10


def test_state_is_reset_between_items(pool_of):
    pool = pool_of("LOG = []\ndef log():\n    LOG.append(1)\n    return len(LOG)\n")
    items = ["answer = m.log()"] * 20
    assert values(pool.map("run", items)) == [1] * 20


def test_patched_builtins_do_not_reach_the_neighbours(pool_of):
    items = ["answer = len([1])", "import builtins; builtins.len = lambda _: 9; answer = len([])"]
    assert values(pool_of().map("run", items * 8, batch=8)) == [1, 9] * 8


def test_patched_standard_modules_do_not_reach_the_neighbours(pool_of):
    pool = pool_of("import json\n")
    patch = "m.json.dumps = lambda _: 'lie'; answer = m.json.dumps(1)"
    items = ["answer = m.json.dumps(1)", patch, "answer = m.json.dumps(1)"] * 6
    assert values(pool.map("run", items, batch=9)) == ["1", "lie", "1"] * 6


def test_refusals_are_reported_even_when_swallowed(pool_of):
    source = "import os\ndef quiet():\n  try:\n    os.remove('/x')\n  except OSError:\n    pass\n"
    reply = pool_of(source).one("run", "m.quiet()")
    assert reply.failure == Rejected("os.remove:/x", "subject.py:4")


def test_refusals_name_no_random_folder(pool_of):
    reply = pool_of().one("run", "import os\nopen(os.path.join(os.getcwd(), 'x'), 'w')")
    assert reply.failure.event == "open:<scratch>/cwd/x"
    remembers = pool_of("import os\nHOME = os.environ['HOME']")
    reply = remembers.one("run", "open(m.HOME + '/x', 'w')")
    assert reply.failure.event == "open:<scratch>/x"


def test_a_refusal_does_not_stick_to_the_next_item(pool_of):
    items = ["import os\nos.system('x')", "answer = 5"]
    replies = list(pool_of().map("run", items))
    assert replies[0].failure.event == "os.system:x"
    assert replies[1].value == 5


def test_allowed_events_pass_the_kernel_too(pool_of, tmp_path):
    target = tmp_path / "out" / "file"
    target.parent.mkdir()
    policy = Policy("standard", (("open", f"{tmp_path}/out/*"),))
    pool = pool_of(policy=policy)
    assert pool.one("run", f"answer = open({str(target)!r}, 'w').write('abc')").value == 3
    assert target.read_text() == "abc"
    other = tmp_path / "other"
    assert pool.one("run", f"open({str(other)!r}, 'w')").failure is not None
    assert not other.exists()


def test_steps_end_an_instrumented_loop(pool_of):
    source = """
    from unitcraft.execute import steps
    space = {"__name__": "loop"}
    steps.bind(space, "tick")
    exec("def loop():\\n  n = 0\\n  while True:\\n    tick(); n += 1", space)
    space["loop"]()
    """
    reply = pool_of().one("run", textwrap.dedent(source))
    assert reply.failure == Exhausted("steps")


def test_traced_steps_end_a_plain_loop(pool_of):
    pool = pool_of("def loop(n):\n    while n:\n        n -= 1\n    return 'done'\n", traced=True)
    items = ["m.loop(-1)", "answer = m.loop(10)"] * 3
    replies = list(pool.map("run", items, steps=1000))
    assert [reply.value for reply in replies] == [None, "done"] * 3
    assert {reply.failure for reply in replies} == {Exhausted("steps"), None}


def test_hash_seed_and_environment_are_the_host_s_own(pool_of, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "x")
    first, again, other = (pool_of(hash_seed=seed).ready for seed in (1, 1, 2))
    assert first["hash"] == again["hash"] != other["hash"]
    assert "SECRET_TOKEN" not in first["environment"]


def test_the_clock_is_shifted_for_the_subject(pool_of):
    source = """
import time, datetime
def now():
    return time.time(), datetime.datetime.now().timestamp()
"""
    seconds = pool_of(source, clock_shift=1e7).one("run", "answer = m.now()").value
    assert all(abs(second - time.time() - 1e7) < 100 for second in seconds)


@pytest.mark.parametrize(
    ("source", "slug", "text"),
    [
        ("x = 1 / 0", "import-failed", "ZeroDivisionError: division by zero"),
        ("def f(:\n", "import-failed", "SyntaxError"),
        ("import nowhere_to_be_found", "import-failed", "ModuleNotFoundError"),
        ("import sys; sys.exit(1)", "import-exit", "SystemExit"),
        ("import os; os._exit(1)", "import-exit", "exit status 1"),
        ("import os; os.abort()", "import-crashed", "SIGABRT)"),
        ("import os; os.abort()", "import-crashed", "cause: subject.py:1"),
        ("import os; os.remove('/x')", "import-blocked", "os.remove '/x' at subject.py:1"),
    ],
)
def test_a_failed_import_is_explained(pool_of, source, slug, text):
    with pytest.raises(UnitcraftError) as caught:
        pool_of(source)
    assert caught.value.slug == slug
    assert text in str(caught.value)


def test_an_endless_import_is_ended(pool_of):
    with pytest.raises(UnitcraftError) as caught:
        pool_of("while True: pass", import_seconds=0.5)
    assert caught.value.slug == "import-hang"


@pytest.mark.parametrize("level", ["standard", "strict"])
def test_the_standard_library_imports_without_a_refusal(pool_of, level):
    names = (
        "argparse array ast asyncio base64 calendar collections concurrent.futures contextlib csv"
        " ctypes dataclasses datetime decimal difflib email.message enum fractions functools"
        " hashlib heapq html.parser http.client inspect io ipaddress itertools json locale logging"
        " logging.handlers math multiprocessing operator os pathlib pickle platform pprint queue"
        " random re secrets selectors shelve shlex shutil signal socket sqlite3 ssl statistics"
        " string subprocess tempfile textwrap threading time typing unicodedata unittest.mock"
        " urllib.request uuid warnings weakref xml.etree.ElementTree zipfile zoneinfo"
    )
    source = "\n".join(f"import {name}" for name in names.split())
    pool = pool_of(
        source + "\nNAME = uuid.uuid5(uuid.NAMESPACE_DNS, 'x').hex\n", policy=Policy(level)
    )
    assert pool.notes["refused"] == ()
    assert pool.notes["complete"] is True
    ask = "answer = m.datetime.datetime(2020, 1, 1, tzinfo=m.zoneinfo.ZoneInfo('UTC')).hour"
    assert values(pool.map("run", ["answer = m.NAME", ask]))[1] == 0


def test_layers_are_told(pool_of):
    notes = pool_of().notes
    assert notes["layers"][:2] == ("audit", "limits")
    assert notes["complete"] is True
    assert pool_of(policy=Policy("off")).notes["layers"] == ("limits",)


def test_off_lets_calls_have_effects_but_not_on_files_outside(pool_of, tmp_path):
    source = f"import os\nPLACE = {str(tmp_path)!r}\nopen(PLACE + '/import.txt', 'w').close()\n"
    pool = pool_of(source, policy=Policy("off", (("open", "*/let.txt"),)))
    tries = [
        "open(m.PLACE + '/a.txt', 'w')", "m.os.mkdir(m.PLACE + '/d')",
        "open(m.PLACE + '/let.txt', 'w')", "m.os.system('true')",
    ]  # fmt: skip
    refused = [reply.failure is not None for reply in pool.map("run", tries)]
    assert refused == [True, True, False, False]
    assert sorted(path.name for path in tmp_path.glob("*.txt")) == ["import.txt", "let.txt"]


def test_strict_reads_only_python_and_the_subject(pool_of, tmp_path):
    policy = Policy("strict")
    pool = pool_of("VALUE = 3\n", policy=policy)
    (tmp_path / "subject.py").read_text()
    read = "open('/etc/hostname').read()"
    assert pool.one("run", f"try:\n  {read}\nexcept PermissionError: answer = 1").value == 1
    assert pool.one("run", "import json, decimal, email; answer = m.VALUE").value == 3


def test_a_killed_worker_is_replaced(pool_of):
    pool = pool_of()
    os.kill(pool.one("whoami", None).value, signal.SIGKILL)
    assert values(pool.map("echo", range(5))) == list(range(5))


def test_a_killed_host_is_replaced(pool_of):
    pool = pool_of(jobs=2)
    assert pool.one("echo", 1).value == 1
    for _ in range(2):
        os.kill(pool._workers._host._process.pid, signal.SIGKILL)
        assert values(pool.map("echo", range(100), batch=5)) == list(range(100))


def test_a_host_that_cannot_be_kept_is_an_error(pool_of):
    pool = pool_of("import os, threading\nthreading.Timer(0.05, os._exit, (1,)).start()\n")
    with pytest.raises(UnitcraftError) as caught:
        list(pool.map("slow", [0.2] * 50, batch=1))
    assert caught.value.slug == "host-died"


def test_closing_leaves_nothing(pool_of):
    pool = pool_of(jobs=2)
    workers = values(pool.map("whoami", range(200), batch=1))
    host, folder = pool._workers._host._process.pid, pool._workers._host._folder.path
    pool.close()
    pool.close()
    assert not any(is_running(pid) for pid in {host, *workers})
    assert not Path(folder).exists()


def test_a_killed_parent_leaves_no_process(tmp_path):
    (tmp_path / "subject.py").write_text("")
    program = f"""
import sys
sys.path.insert(0, {str(HERE)!r})
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
spec = HostSpec("worker_agent", {{"module": "subject"}}, paths=({str(tmp_path)!r},),
                entry_paths=({str(HERE)!r},), item_seconds=60)
pool = Pool(spec, 2)
pids = [pool.ready["pid"], *(r.value for r in pool.map("whoami", range(4), batch=1))]
print(*pids, flush=True)
list(pool.map("slow", [60, 60], batch=1))
"""
    command = [sys.executable, "-c", program]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as parent:
        pids = [int(word) for word in parent.stdout.readline().split()]
        assert all(is_running(pid) for pid in pids[:1])
        parent.kill()
    deadline = time.monotonic() + 5
    while any(is_running(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(is_running(pid) for pid in pids)


def test_replies_do_not_depend_on_the_number_of_workers(pool_of):
    source = """
    TABLE, NAMES = {}, set()
    def add(key):
        TABLE[key] = len(TABLE)
        NAMES.add(str(key))
        return sorted(TABLE.items()), list(NAMES)
    """
    kinds = [
        "answer = m.add({0})",
        "import os; os._exit({0} % 5)",
        "m.add({0}); answer = m.add(0)",
        "import builtins; builtins.print = {0}; answer = print",
        "m.TABLE = None",
    ]
    items = [kinds[number * 7 % 5].format(number) for number in range(60)]
    found = [
        [(reply.value, reply.failure) for reply in pool.map("run", items, batch=8)]
        for pool in (pool_of(textwrap.dedent(source), jobs=jobs) for jobs in (1, 2, 4))
    ]
    assert found[0] == found[1] == found[2]


def test_what_is_alive_between_batches_is_looked_at_once(pool_of):
    pool = pool_of("kept = []")
    count = "import gc; answer = len(gc.get_objects())"
    garbage = "import gc; a = []; a.append(a); answer = len(gc.get_objects())"
    first = [reply.value for reply in pool.map("run", [garbage] * 3, batch=3)]
    second = [reply.value for reply in pool.map("run", [count] * 3, batch=3)]
    assert max(second) < min(first) / 2


def test_a_host_that_was_started_before_serves_a_pool(tmp_path):
    (tmp_path / "subject.py").write_text("x = 7")
    spec = HostSpec(
        "worker_agent", {"module": "subject"}, paths=(str(tmp_path),), entry_paths=(str(HERE),)
    )
    host = HostProcess(spec)
    with Pool(spec, host=host) as pool:
        assert pool.one("run", "answer = m.x").value == 7
    assert not Path(host.scratch).exists()


def test_a_host_started_before_that_cannot_import_is_an_error(tmp_path):
    (tmp_path / "subject.py").write_text("1 / 0")
    spec = HostSpec(
        "worker_agent", {"module": "subject"}, paths=(str(tmp_path),), entry_paths=(str(HERE),)
    )
    host = HostProcess(spec)
    with pytest.raises(UnitcraftError, match="subject"):
        Pool(spec, host=host)
    assert not Path(host.scratch).exists()
