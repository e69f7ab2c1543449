"""Process-wide state is put back; deaths of workers and hosts are read; first code of processes."""

from __future__ import annotations

import asyncio
import builtins
import decimal
import json
import os
import signal
import subprocess
import sys
import threading
import time
import types
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from unitcraft.core.outcomes import Exhausted, Rejected
from unitcraft.execute.command.guarded_main import main, run_as_main
from unitcraft.execute.isolation.holders import NamesHolder
from unitcraft.execute.isolation.process_holders import (
    EnvironmentHolder,
    HandlersHolder,
    ModulesHolder,
    WarningsHolder,
    environment_holders,
    slow_holders,
)
from unitcraft.execute.isolation.process_state import ProcessState, empty_folder
from unitcraft.execute.policy import Policy
from unitcraft.execute.pool import host_process
from unitcraft.execute.pool.batch_runner import BatchRunner, MapRequest
from unitcraft.execute.pool.host_process import (
    HostGone,
    HostProcess,
    describe_status,
    fault_place,
    host_environment,
)
from unitcraft.execute.pool.worker_death import SWALLOWED, outcome_of_death, reply_of
from unitcraft.execute.sandbox import private_builtins
from unitcraft.execute.sandbox.audit import Journal
from unitcraft.execute.sandbox.blocking_waits import refuse_endless_waits
from unitcraft.execute.sandbox.streams import Streams
from unitcraft.execute.spec import HostSpec, Reply
from unitcraft.execute.steps import STEPS_STATUS

FAULT = """x
Fatal Python error: Segmentation fault

  File "/a/b.py", line 7 in f
  File "/c.py", line 1 in g"""

# -- holders --------------------------------------------------------------------------


def test_the_environment_of_python_and_of_c_is_put_back(monkeypatch):
    monkeypatch.setenv("UNITCRAFT_KEPT", "1")
    holder = EnvironmentHolder()
    os.environ["UNITCRAFT_NEW"] = "2"
    os.environ["UNITCRAFT_KEPT"] = "changed"
    assert holder.restore()
    assert "UNITCRAFT_NEW" not in os.environ
    shown = subprocess.run(["/usr/bin/env"], capture_output=True, text=True, check=True).stdout
    assert "UNITCRAFT_KEPT=1\n" in shown
    assert "UNITCRAFT_NEW" not in shown


def test_filters_handlers_and_names_are_put_back(monkeypatch):
    holders = [WarningsHolder(), HandlersHolder()]
    before = list(warnings.filters), signal.getsignal(signal.SIGUSR1)
    warnings.simplefilter("error")
    signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    assert all(holder.restore() for holder in holders)
    assert (list(warnings.filters), signal.getsignal(signal.SIGUSR1)) == before
    space = {"a": 1, "b": 2}
    names = NamesHolder(space, ["a", "missing"])
    space.update(a=5, b=6)
    names.restore()
    assert space == {"a": 1, "b": 6}


def test_new_modules_of_the_subject_are_forgotten_and_others_stay(monkeypatch):
    holder = ModulesHolder(("subject_x",))
    monkeypatch.setitem(sys.modules, "other_x", types.ModuleType("other_x"))
    sys.modules["subject_x.part"] = types.ModuleType("subject_x.part")
    assert [list(view) for view in holder.views()][1] == ["subject_x.part"]
    holder.restore()
    assert "subject_x.part" not in sys.modules
    assert "other_x" in sys.modules


def test_what_is_compared_after_items_and_after_batches():
    assert [type(one).__name__ for one in environment_holders()] == [
        "EnvironmentHolder",
        "SequenceHolder",
        "WarningsHolder",
    ]
    assert len(slow_holders(("m",))) == 4


# -- the state between items ----------------------------------------------------------


class SoundStreams(Streams):
    """Streams that are always as they were."""

    def reset(self):
        return True


@pytest.fixture
def state(tmp_path):
    streams = SoundStreams(None)
    made = ProcessState(Journal(Policy(), (), ()), streams, str(tmp_path), str(tmp_path))
    made.save(["decimal"])
    return made


def test_trace_functions_on_the_frames_of_the_worker_are_taken_off(state):
    here = sys._getframe()

    def item():
        here.f_trace = sys._getframe().f_trace = lambda *_: None
        return state.after_item()

    assert item()
    assert here.f_trace is None


def test_precision_and_the_recursion_limit(state):
    limit = sys.getrecursionlimit()
    precision = decimal.getcontext().prec
    decimal.getcontext().prec = 3
    sys.setrecursionlimit(limit + 100)
    assert state.after_item()
    assert (decimal.getcontext().prec, sys.getrecursionlimit()) == (precision, limit)


def test_no_event_loop_is_the_current_one_before_and_after(state):
    assert state.after_item()
    with pytest.raises(RuntimeError, match="no current event loop"):
        asyncio.get_event_loop()
    left = asyncio.new_event_loop()
    asyncio.set_event_loop(left)
    assert state.after_item()
    assert left.is_closed()
    before = asyncio.get_event_loop_policy()
    asyncio.set_event_loop_policy(asyncio.DefaultEventLoopPolicy())
    assert state.after_item()
    assert asyncio.get_event_loop_policy() is before
    with pytest.raises(RuntimeError, match="no current event loop"):
        asyncio.get_event_loop()


def test_a_thread_that_stays_spoils_the_process(state):
    ended = threading.Event()
    thread = threading.Thread(target=ended.wait)
    thread.start()
    try:
        assert not state.after_item()
        assert state.left_thread == "?"
    finally:
        ended.set()
        thread.join()


def test_a_daemon_thread_that_stays_costs_the_process_and_not_the_outcome(state):
    ended = threading.Event()

    def work():
        while not ended.is_set():
            time.sleep(0.001)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        assert not state.after_item()
        assert state.left_thread == ""
    finally:
        ended.set()
        thread.join()


def test_idle_threads_of_a_pool_end_as_they_do_at_exit(state):
    pool = ThreadPoolExecutor(max_workers=2)
    assert pool.submit(len, "abc").result() == 3
    assert state.after_item()
    assert state.left_thread == ""
    later = ThreadPoolExecutor(max_workers=1)  # the next item may use pools
    assert later.submit(len, "ab").result() == 2
    later.shutdown()


def test_files_of_an_item_are_removed(tmp_path):
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to("/nowhere")
    empty_folder(str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("left", ["nothing", "file", "link", "locked"])
def test_a_folder_that_an_item_removed_or_replaced_is_made_again(tmp_path, left):
    folder = tmp_path / "of_the_worker"
    if left == "file":
        folder.write_text("x")
    elif left == "link":
        folder.symlink_to("/nowhere")
    elif left == "locked":
        folder.mkdir()
        (folder / "inside").write_text("x")
        folder.chmod(0)
    empty_folder(str(folder))
    assert folder.is_dir()
    assert not folder.is_symlink()
    assert list(folder.iterdir()) == []


# -- deaths ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "tail", "expected"),
    [
        (STEPS_STATUS, "", SWALLOWED),
        (3, "", Exhausted("exit", "exit status 3")),
        (-signal.SIGXCPU, "", Exhausted("time", "SIGXCPU")),
        (-signal.SIGKILL, FAULT, Exhausted("crash", "SIGKILL")),
        (-signal.SIGSEGV, FAULT, Exhausted("crash", "SIGSEGV at b.py:7")),
    ],
)
def test_a_death_is_never_an_answer(status, tail, expected):
    assert outcome_of_death(status, tail) == expected


def test_replies_of_items():
    assert reply_of(7, None) == Reply(7)
    assert reply_of(None, ("error", "oops")) == Reply(error="oops")
    assert reply_of(None, ("reject", "open", "m.py:3")).failure == Rejected("open", "m.py:3")
    assert "not a failure" in reply_of(None, ("ok", None)).error


def test_statuses_and_places_in_words():
    assert (describe_status(2), describe_status(-9), describe_status(-999)) == (
        "exit status 2",
        "SIGKILL",
        "signal 999",
    )
    assert fault_place(FAULT) == "b.py:7"
    assert fault_place("nothing") == ""


def test_hosts_see_a_scrubbed_environment():
    found = host_environment("/scratch", 5)
    assert (found["HOME"], found["PYTHONHASHSEED"], found["TZ"]) == ("/scratch", "5", "UTC")
    assert "PYTHONPATH" not in found


def test_a_host_forks_reaps_and_closes(tmp_path):
    here = str(Path(__file__).parent)
    host = HostProcess(HostSpec("worker_agent", {}, paths=(str(tmp_path),), entry_paths=(here,)))
    try:
        host.prepare()
        child = host.fork(0)
        assert child.pid > 0
        assert host.reap(child) == -signal.SIGKILL
    finally:
        host.close()
    with pytest.raises(HostGone):
        host.fork(1)


def test_byte_code_is_kept_of_the_agent_and_never_of_the_subject(tmp_path, monkeypatch):
    agent, subject = tmp_path / "agent", tmp_path / "subject"
    for folder in (agent, subject):
        folder.mkdir()
    (agent / "small_agent.py").write_text(
        "SERVICES = {}\ndef prepare(_, import_subject):\n    import_subject('m')\n"
    )
    (subject / "m.py").write_text("")
    ours = "bytecode = True" in host_process.BEGIN
    spec = HostSpec("small_agent", {}, paths=(str(subject),), entry_paths=(str(agent),))
    for forbidden in (True, False):
        text = host_process.BEGIN.replace(f"bytecode = {ours}", f"bytecode = {forbidden}")
        monkeypatch.setattr(host_process, "BEGIN", text)
        ours = forbidden
        host = HostProcess(spec)
        try:
            host.prepare()
        finally:
            host.close()
        assert (agent / "__pycache__").exists() is not forbidden
    assert not (subject / "__pycache__").exists()


def test_replies_come_in_the_order_of_the_items(pool_of):
    pool = pool_of(jobs=2)
    request = MapRequest(
        "run", [f"answer = {n}" for n in range(7)], 2, isolate=False, seconds=5, steps=10**6
    )
    runner = BatchRunner(pool._workers, request)
    assert [reply.value for reply in runner.replies()] == list(range(7))


# -- first code -----------------------------------------------------------------------


def test_a_daemon_that_waits_is_ended_where_it_waits():
    code = (
        "import queue, threading\n"
        "from unitcraft.execute.sandbox.blocking_waits import (\n"
        "    end_waiting_daemons, refuse_endless_waits)\n"
        "refuse_endless_waits(lambda: None)\n"
        "items, late, other = queue.Queue(), threading.Event(), threading.Event()\n"
        "def work():\n"
        "    try: items.get()\n"
        "    finally: late.set()\n"
        "threads = [threading.Thread(target=work, daemon=True),\n"
        "           threading.Thread(target=other.wait, args=(60,), daemon=True)]\n"
        "for thread in threads: thread.start()\n"
        "while not (items.not_empty._waiters and other._cond._waiters): pass\n"
        "end_waiting_daemons()\n"
        "items.put(1)\n"
        "print([thread.is_alive() for thread in threads], late.is_set(), items.qsize())\n"
    )
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert shown.stdout == "[False, False] True 1\n", shown.stderr
    assert shown.stderr == ""


def test_a_wait_that_nobody_can_end_is_refused():
    code = (
        "import threading\n"
        "from unitcraft.execute.sandbox.blocking_waits import refuse_endless_waits\n"
        "class Refused(Exception): pass\n"
        "def refuse(): raise Refused\n"
        "refuse_endless_waits(refuse)\n"
        "assert threading.Event().wait(0.01) is False\n"
        "try: threading.Event().wait()\n"
        "except Refused: print('refused')\n"
        "done = threading.Event()\n"
        "threading.Timer(0.05, done.set).start()\n"
        "print(done.wait(60))\n"
    )
    assert refuse_endless_waits.__module__.endswith("blocking_waits")
    shown = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert shown.stdout.split() == ["refused", "True"], shown.stderr


def test_modules_of_unitcraft_get_private_builtins():
    find = private_builtins.PrivateFinder.find_spec
    assert find("json") is None
    spec = find("unitcraft")
    assert type(spec.loader) is private_builtins.PrivateLoader
    module = types.ModuleType("unitcraft")
    spec.loader.exec_module(module)
    assert module.__dict__["__builtins__"] is private_builtins.PRIVATE
    assert private_builtins.PRIVATE["len"] is builtins.len


def test_a_command_line_runs_as_main(tmp_path, monkeypatch, capsys):
    script = tmp_path / "script.py"
    script.write_text("import sys\nprint(__name__, sys.argv[1:])\n")
    monkeypatch.setattr(sys, "argv", ["x"])
    run_as_main([str(script), "a"])
    assert capsys.readouterr().out == "__main__ ['a']\n"


def test_layers_are_in_force_before_the_command(tmp_path):
    script, kept = tmp_path / "script.py", tmp_path / "kept"
    script.write_text(f"print('began')\nopen({str(kept)!r}, 'w')\n")
    settings = {
        "level": "standard",
        "allow": [],
        "writable": [],
        "paths": [],
        "forks": False,
        "lent": [],
        "clock_shift": 0,
        "memory_mb": 2048,
    }
    code = (
        f"import os, sys; from {main.__module__} import main; main(os.getppid(), sys.argv[1:], [])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, json.dumps(settings), str(script)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "began\n"), done.stderr
    assert "unitcraft refused open" in done.stderr
    assert not kept.exists()


def test_only_a_process_that_may_fork_does(tmp_path):
    code = (
        "import os\n"
        "from unitcraft.execute.command import forking\n"
        "pid = forking.fork(again=True)\n"
        "if pid == 0: forking.exit_now(7)\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))\n"
        "forking.kill(pid)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "7\n"), done.stderr
