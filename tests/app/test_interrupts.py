"""A run that is interrupted or killed leaves no process, loses no finished target, and resumes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

TARGETS = ("signs.py", "bank.py")


def hear_interrupts():
    """A shell's background job, such as this suite may be, is started deaf to SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Running:
    """A run with a verbose report, read line by line until it says a word."""

    def __init__(self, directory):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "unitcraft", "generate", *TARGETS, "-v", "-j", "2"],
            cwd=directory, env={**os.environ, "PYTHONUNBUFFERED": "1"}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
            preexec_fn=hear_interrupts,  # noqa: PLW1509 - no threads run here
        )  # fmt: skip
        self.lines = []

    def until(self, *words):
        """Read on until a line holds all words."""
        for line in self.process.stderr:
            self.lines.append(line)
            if all(word in line for word in words):
                return self
        raise AssertionError("".join(self.lines))

    def below(self):
        """All processes that the run has started, the host of the workers among them."""
        return psutil.Process(self.process.pid).children(recursive=True)

    def send(self, number):
        """Signal the run; an interrupt reaches its whole group, as from a terminal."""
        if number == signal.SIGINT:
            os.killpg(self.process.pid, number)
        else:
            self.process.send_signal(number)

    def ended(self):
        """The exit code, once the run is over."""
        self.lines += self.process.stderr.readlines()
        return self.process.wait(timeout=60)


@pytest.fixture
def started(project):
    running = []

    def start():
        running.append(Running(project))
        return running[-1]

    yield start
    for one in running:
        one.process.kill()
        one.process.stderr.close()
        one.process.wait()


def gone(processes, seconds=5.0):
    """Are all processes over within some seconds?"""
    return not psutil.wait_procs(processes, timeout=seconds)[1]


def working(running):
    """The processes of the second target, once there are some."""
    deadline = time.monotonic() + 10
    while not (found := running.below()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert found
    return found


def stored(run):
    """Which targets the same command finds in the store; it finishes all of them."""
    done = run("generate", *TARGETS, "--output-format", "json")
    assert done.returncode == 0, done.stderr
    return [one["stored"] for one in json.loads(done.stdout)["targets"]]


@pytest.mark.parametrize(
    ("number", "code", "message"),
    [
        (signal.SIGINT, 130, "interrupted: finished targets are kept"),
        (signal.SIGTERM, 143, "terminated: finished targets are kept"),
        (signal.SIGKILL, -9, ""),
    ],
)
def test_ended_run_leaves_nothing_and_resumes(started, run, project, number, code, message):
    running = started().until("[2/2] bank ...")
    processes = working(running)
    running.send(number)
    assert running.ended() == code
    assert message in running.lines[-1]
    assert "Traceback" not in "".join(running.lines)
    assert gone(processes)
    assert (project / "tests" / "test_signs.py").is_file()
    assert [path.name for path in (project / "tests").iterdir()] == ["test_signs.py"]
    assert stored(run) == [True, False]
    assert (project / "tests" / "test_bank.py").is_file()


def test_killed_worker_is_replaced(started, run, project):
    running = started().until("[2/2]", "explore")
    victims = working(running)
    victims[-1].kill()
    assert running.ended() == 0, running.lines
    assert "Traceback" not in "".join(running.lines)
    assert "def test_" in (project / "tests" / "test_bank.py").read_text()
    assert gone(victims)


#: Where a signal may arrive outside of the command itself, as code that sends it to itself there.
MOMENTS = {
    "before the command": ("cli.gc.set_threshold = send", ["--version"]),
    "in the command": ("cli.importlib.import_module = send", ["check"]),
    "while an ending is told": (
        "cli.importlib.import_module = send; cli.click.echo = lambda *_, **__: send()",
        ["check"],
    ),
    "in a finalizer": (
        (
            "class Kept:\n"
            "    def __del__(self): send()\n"
            "def wait(*_):\n"
            "    Kept(); time.sleep(20)\n"
            "cli.importlib.import_module = wait"
        ),
        ["check"],
    ),
    "after the command": ("atexit.register(send)", ["--version"]),
}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_signal_leaves_no_traceback_at_any_moment(tmp_path, moment, number):
    code, words = MOMENTS[moment]
    program = (
        "import atexit, os, signal, sys, time\n"
        "from unitcraft.app import cli\n"
        f"def send(*_): os.kill(os.getpid(), {int(number)})\n"
        f"{code}\ncli.main({words!r})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=30,
        check=False, preexec_fn=hear_interrupts,
    )  # fmt: skip
    ended = 130 if number == signal.SIGINT else 143
    assert done.returncode == (-number if moment == "after the command" else ended), done.stderr
    assert "Traceback" not in done.stderr
    assert "ignored" not in done.stderr
