"""Arbitrary commands under the guard."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from unitcraft.execute.command.guarded_command import run_guarded
from unitcraft.execute.policy import Policy


def script(folder, text):
    path = folder / "script.py"
    path.write_text(text)
    return str(path)


def test_a_command_runs_with_arguments_and_paths(tmp_path):
    (tmp_path / "helper.py").write_text("VALUE = 42")
    path = script(tmp_path, "import sys, helper; print(sys.argv[1:], helper.VALUE)")
    done = run_guarded([path, "a", "b"], paths=[str(tmp_path)])
    assert (done.returncode, done.stdout, done.timed_out) == (0, "['a', 'b'] 42\n", False)


def test_what_every_run_loads_is_loaded_by_the_server(tmp_path):
    path = script(tmp_path, "import sys; print('wave' in sys.modules, 'pytest' in sys.modules)")
    assert run_guarded([path], loads=("wave", "no_such_module")).stdout == "True True\n"
    assert run_guarded([path]).stdout == "False True\n"


def test_pytest_runs_and_its_failures_show(tmp_path):
    test = tmp_path / "test_it.py"
    test.write_text(
        "def test_good(tmp_path):\n    (tmp_path / 'x').write_text('y')\n"
        "def test_bad():\n    assert 1 == 2\n"
    )
    done = run_guarded(["-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)])
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["test_it.py"]


@pytest.mark.parametrize(
    "text",
    [
        "open({path!r}, 'w')",
        "import os; os.remove({path!r})",
        "import subprocess; subprocess.run(['touch', {path!r}])",
        "import os; os.system('rm ' + {path!r})",
        "import socket; socket.socket()",
        "import os; os.fork()",
    ],
)
def test_effects_are_refused(tmp_path, text):
    keep = tmp_path / "keep"
    keep.write_text("kept")
    done = run_guarded([script(tmp_path, text.format(path=str(keep)))])
    assert done.returncode == 1
    assert "unitcraft refused" in done.stderr
    assert keep.read_text() == "kept"


def test_writable_folders_are_writable(tmp_path):
    path = script(tmp_path, f"open({str(tmp_path / 'new')!r}, 'w').write('x')")
    assert run_guarded([path], writable=[str(tmp_path)]).returncode == 0
    assert (tmp_path / "new").read_text() == "x"


def test_a_command_that_hangs_is_ended(tmp_path):
    done = run_guarded([script(tmp_path, "while True: pass")], timeout=0.8)
    assert done.timed_out
    assert done.returncode == -9


def test_output_is_cut_in_the_middle(tmp_path):
    path = script(tmp_path, "print('first'); print('x' * 100000); print('last')")
    done = run_guarded([path], capture_bytes=1000)
    assert len(done.stdout) < 1100
    assert done.stdout.startswith("first")
    assert done.stdout.endswith("last\n")


def test_seed_clock_and_environment_are_set(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "x")
    text = "import os, time; print(hash('a'), int(time.time()), 'SECRET_TOKEN' in os.environ)"
    path = script(tmp_path, text)
    first = run_guarded([path], hash_seed=1).stdout.split()
    second = run_guarded([path], hash_seed=1, clock_shift=1e6).stdout.split()
    third = run_guarded([path], hash_seed=2).stdout.split()
    assert first[0] == second[0] != third[0]
    assert int(second[1]) - int(first[1]) > 900_000
    assert first[2] == "False"


def test_off_refuses_nothing_but_ends_stragglers(tmp_path):
    target = tmp_path / "new"
    text = f"""
import subprocess, sys
open({str(target)!r}, 'w').write('x')
print(subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)']).pid)
"""
    done = run_guarded([script(tmp_path, text)], policy=Policy("off"))
    assert target.read_text() == "x"
    deadline = time.monotonic() + 2
    while is_running(int(done.stdout)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not is_running(int(done.stdout))


def is_running(pid):
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] not in "ZX"
