"""Profiles of Hypothesis, for a loaded machine and no database; runs of pytest without it."""

import fcntl
import functools
import gc
import os
import pickle
import sys
from pathlib import Path

import pytest

#: Where PYTHONDONTWRITEBYTECODE is set each run would rewrite the asserts of all test files anew,
#: and of the ninety modules of Hypothesis, which is a plug-in: 0.6 s of each process.
_WRITES_NO_BYTE_CODE = sys.dont_write_bytecode
sys.dont_write_bytecode = False

from hypothesis import HealthCheck, settings  # noqa: E402 - see above

from unitcraft.execute.command import guarded_command  # noqa: E402
from unitcraft.execute.pool import fork_server  # noqa: E402

settings.register_profile(
    "suite", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", settings.get_profile("suite"), max_examples=2_000)
settings.load_profile("suite")


HERE = Path(__file__).parent
#: Objects that are made before the youngest are looked through for garbage, some 10 MB of them:
#: with the 700 of the interpreter that is a tenth of the CPU time of a test process.
YOUNG_OBJECTS = 100_000
#: The folders whose tests take long, dealt to the test processes in turn.
LONG = ("hostile", "app", "quality", "infer", "self", "explore")


class FromTheEnd(pytest.Dir):
    """A folder whose files are collected from the last to the first."""

    def collect(self):
        return reversed(list(super().collect()))


def pytest_collect_directory(path, parent):
    """Every second process begins at the other end, and finds the last half compiled.

    Where no byte code is kept yet, each would rewrite the asserts of all files: 8 s of CPU time.
    """
    odd = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]) % 2
    return FromTheEnd.from_parent(parent, path=path) if odd else None


def pytest_collection_modifyitems(items):
    """Each of several processes begins with whole folders of long tests and ends with short ones.

    What is begun last leaves the other processes idle until it ends; and the tests of a folder
    wait for each other, and start the same servers, where several processes have a part of it.
    """
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if processes == 1:
        return
    items.sort(key=lambda item: item.path)  # however the folders were gone through
    rest = [item for item in items if folder_of(item.path) not in LONG]
    parts = []
    for first in range(processes):
        names = LONG[first::processes]
        part = [item for name in names for item in items if folder_of(item.path) == name]
        short = max(0, len(items) // processes - len(part))
        parts += [*part, *rest[:short]]
        del rest[:short]
    items[:] = [*parts, *rest]


@functools.cache
def folder_of(path):
    """The folder of tests in which a file is; '' for those of others."""
    return path.relative_to(HERE).parts[0] if path.is_relative_to(HERE) else ""


def pytest_collection_finish():
    """What was collected stays: nothing looks through it for garbage or for live functions."""
    sys.dont_write_bytecode = _WRITES_NO_BYTE_CODE
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, 50, 50)


#: Importing Hypothesis takes three times as long as all else that a small run of pytest does.
LEAN = {"PYTEST_ADDOPTS": "-p no:hypothesispytest"}


@pytest.fixture(autouse=True, scope="session")
def runs_of_pytest_without_the_plugin_of_hypothesis():
    """Those that tests start, and those that unitcraft does."""
    plain = guarded_command.host_environment
    with pytest.MonkeyPatch.context() as patch:
        for name, value in LEAN.items():
            patch.setenv(name, value)
        patch.setattr(
            guarded_command, "host_environment", lambda *details: {**plain(*details), **LEAN}
        )
        yield


@pytest.fixture(autouse=True, scope="session")
def fork_servers_that_stay():
    """The tests use more kinds of guarded processes than any command; each start takes 0.2 s."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fork_server, "MAX_SERVERS", 40)
        yield


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """A function from a name and what makes a value to the value, made once for all processes.

    The processes of one run of these tests see each other's files; the second to ask waits.
    """
    base = tmp_path_factory.getbasetemp()
    folder = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    known = {}

    def value_of(name, make):
        kept = folder / f"{name}.pickle"
        if name not in known:
            with (folder / f"{name}.lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if not kept.exists():
                    kept.write_bytes(pickle.dumps(make()))
                known[name] = pickle.loads(kept.read_bytes())
        return known[name]

    return value_of
