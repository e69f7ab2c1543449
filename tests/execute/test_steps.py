"""The step budget, by probes and by events."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

from unitcraft.execute.steps import CHUNK, MAX_SWALLOWED, STEPS_STATUS, Counter, StepsExhausted


def test_a_bound_tick_is_counted_and_ends():
    counter, namespace = Counter(), {"__name__": "m"}
    counter.bind(namespace, "tick")
    idle = namespace["tick"]
    counter.start(3)
    for _ in range(3):
        namespace["tick"]()
    assert not counter.exhausted
    for _ in range(5):
        with pytest.raises(StepsExhausted):
            namespace["tick"]()
    assert counter.exhausted
    counter.stop()
    assert namespace["tick"] is idle
    for _ in range(100):
        idle()
    counter.start(3)
    assert not counter.exhausted


@pytest.mark.parametrize("taken", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1])
def test_the_steps_that_were_taken_are_known(taken):
    counter, namespace = Counter(), {}
    counter.bind(namespace, "tick")
    counter.start(2 * CHUNK)
    for _ in range(taken):
        namespace["tick"]()
    assert counter.taken() == taken


def test_a_limit_beyond_one_chunk_is_counted_exactly():
    counter, namespace = Counter(), {}
    counter.bind(namespace, "tick")
    for limit in (CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK + 7, 0, 5):
        counter.start(limit)
        for _ in range(limit):
            namespace["tick"]()
        with pytest.raises(StepsExhausted):
            namespace["tick"]()


def test_namespaces_share_one_tick_that_never_changes():
    counter = Counter()
    first, second = {}, {}
    counter.bind(first, "tick")
    counter.start(2)
    counter.bind(second, "tick")
    assert first["tick"] is second["tick"]
    first["tick"]()
    second["tick"]()
    with pytest.raises(StepsExhausted):
        second["tick"]()


def test_exhaustion_is_told_once():
    counter, told = Counter(), []
    counter.on_exhausted = lambda: told.append(1)
    namespace = {}
    counter.bind(namespace, "tick")
    counter.start(0)
    for _ in range(3):
        with pytest.raises(StepsExhausted):
            namespace["tick"]()
    assert told == [1]


def run(program):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        check=False,
    )


def test_swallowing_ends_the_process():
    done = run("""
        from unitcraft.execute.steps import COUNTER
        COUNTER.bind(globals(), "tick")
        COUNTER.start(10)
        n = 0
        while True:
            try:
                tick()
            except BaseException:
                n += 1
                print(n, flush=True)
        """)
    assert done.returncode == STEPS_STATUS
    assert done.stdout.split()[-1] == str(MAX_SWALLOWED)


def test_traced_steps_are_the_same_each_time():
    done = run('''
        from unitcraft.execute.steps import COUNTER, OURS, StepsExhausted
        COUNTER.trace()
        def work(n):
            total = 0
            for i in range(n):
                if i % 2:
                    total += i
            return total
        counts = []
        for n in (10, 10, 1000):
            COUNTER.start(100_000)
            work(n)
            counts.append(100_000 - COUNTER.tracer.left)
            COUNTER.stop()
        assert counts[0] == counts[1], counts
        assert counts[2] > 50 * counts[0], counts
        guard = """
        COUNTER.start(500)
        try:
            work(10**9)
        except StepsExhausted:
            COUNTER.stop()
        """
        exec(compile(__import__("textwrap").dedent(guard), OURS + "guard.py", "exec"))
        assert COUNTER.exhausted
        print("ended")
        ''')
    assert done.stdout == "ended\n", done.stderr
