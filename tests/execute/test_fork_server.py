"""Fork servers: what they start is as if it had been started for its request alone."""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from unitcraft.execute.command import fork_service
from unitcraft.execute.pool import fork_server
from unitcraft.execute.pool.fork_server import ForkedProcess, ForkServer, ForkServers, Launch
from unitcraft.execute.pool.host_process import BEGIN, FLAGS, OURS

#: Says what a process can see of its start, then ends with status 3.
MAIN = """\
import os, sys, time

def main(parent, words, descriptors):
    here = [os.getppid() == parent, os.getsid(0) == os.getpid(), os.getcwd(), time.tzname[0]]
    seen = [word for word in words if word == sys.argv[-1]]
    print(here, seen, sorted(os.environ), hash("x"), "LOADED", "decimal" in sys.modules, flush=True)
    for one in descriptors:
        os.write(one, b"given")
    sys.exit(3)

def wait(parent, words, descriptors):
    time.sleep(60)
"""


@pytest.fixture
def servers():
    opened = ForkServers()
    yield opened
    opened.close()


@pytest.fixture
def launch(tmp_path):
    """A Launch of ``said:main``, whose output goes to the file ``out``."""
    place = tmp_path / "ours"
    place.mkdir()
    (place / "said.py").write_text(MAIN)
    begin = f"{BEGIN}\nsys.path.append({str(place)!r})\n"
    with (tmp_path / "out").open("wb") as out:
        yield Launch(
            command=(sys.executable, *FLAGS),
            begin=begin,
            ours=OURS,
            main="said:main",
            words=("a", "b"),
            cwd=str(tmp_path),
            environment={"PYTHONHASHSEED": "7", "TZ": "XYZ-05:30", "COLOUR": "red"},
            stdout=out.fileno(),
            stderr=out.fileno(),
            modules=("said", "decimal", "no_such_module"),
        )


def forked(servers: ForkServers, launch: Launch) -> ForkedProcess:
    process = servers.server_for(launch).fork(launch)
    assert process is not None
    return process


def test_a_forked_process_differs_from_its_own_in_loaded_modules_only(servers, launch):
    out, into = os.pipe()
    given = dataclasses.replace(launch, descriptors=(into,))
    assert fork_server._start_alone(given).wait(20) == 3
    assert forked(servers, given).wait(20) == 3
    first, second = Path(launch.cwd, "out").read_text().splitlines()
    assert first.replace("LOADED False", "LOADED True") == second != first
    assert f"[True, True, {launch.cwd!r}, 'XYZ'] ['b']" in second
    assert os.read(out, 100) == b"givengiven"
    os.close(out)
    os.close(into)


def test_one_server_forks_all_that_agree_in_what_an_interpreter_reads(servers, launch):
    first = servers.server_for(launch)
    same = {"PYTHONHASHSEED": "7", "HOME": "/"}
    assert servers.server_for(dataclasses.replace(launch, environment=same)) is first
    for other in ({"PYTHONHASHSEED": "8"}, {"PYTHONHASHSEED": "7", "LC_ALL": "C"}):
        assert servers.server_for(dataclasses.replace(launch, environment=other)) is not first
    assert servers.server_for(dataclasses.replace(launch, modules=())) is None


def test_a_module_of_the_subject_is_not_taken_for_a_loaded_one(servers, launch, tmp_path):
    (tmp_path / "said.py").write_text("")  # the first module, which any process would have loaded
    assert servers.server_for(dataclasses.replace(launch, paths=(str(tmp_path),))) is not None
    (tmp_path / "decimal.py").write_text("")
    assert servers.server_for(dataclasses.replace(launch, paths=(str(tmp_path),))) is None


def test_a_wait_has_an_end_and_a_killed_process_a_status(servers, launch):
    process = forked(servers, dataclasses.replace(launch, main="said:wait"))
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    assert process.wait(20) == -signal.SIGKILL
    assert process.wait() == -signal.SIGKILL


def test_what_a_server_forked_ends_with_it_and_the_next_launch_opens_another(servers, launch):
    server = servers.server_for(launch)
    process = forked(servers, dataclasses.replace(launch, main="said:wait"))
    server.process.kill()
    assert process.wait(20) == -signal.SIGKILL
    assert server.fork(launch) is None
    assert forked(servers, launch).wait(20) == 3


def test_an_interrupted_request_gives_the_server_up(servers, launch, monkeypatch):
    server = servers.server_for(launch)

    def interrupt(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(fork_server.ForkServer, "_answer", interrupt)
    with pytest.raises(KeyboardInterrupt):
        server.fork(launch)
    monkeypatch.undo()
    assert server.is_lost
    assert forked(servers, launch).wait(20) == 3


def bases(servers: ForkServers, launch: Launch) -> list[ForkServer]:
    """The living bases of ``launch``: that of its server, and that of all."""
    keys = [dataclasses.replace(launch, modules=stage).key for stage in reversed(launch.stages)]
    return [servers._bases[key] for key in keys if key in servers._bases]


def test_servers_of_one_interpreter_have_a_base_that_loads_later_modules_for_none(servers, launch):
    first, second = (
        servers.server_for(dataclasses.replace(launch, modules=("said", name)))
        for name in ("decimal", "fractions")
    )
    other = dataclasses.replace(launch, environment={"PYTHONHASHSEED": "8"})
    assert servers.server_for(other) is not None
    (base, root) = bases(servers, launch)
    assert len(servers._bases) == 4
    assert base.loaded == root.loaded == frozenset()
    assert (base.alive, root.alive) == (2, 1)
    assert "decimal" in first.loaded
    assert "fractions" in second.loaded - first.loaded
    base.end()
    assert first.process.wait(20) == second.process.wait(20) == -signal.SIGKILL
    assert forked(servers, launch).wait(20) == 3


def test_servers_share_as_many_modules_as_their_launches_say(servers, launch, tmp_path):
    shared = dataclasses.replace(launch, modules=("said", "decimal"), shared=2)
    more = dataclasses.replace(launch, modules=("said", "decimal", "fractions"), shared=2)
    first, second = servers.server_for(shared), servers.server_for(more)
    (base, root) = bases(servers, more)
    assert (base.alive, root.alive) == (2, 1)
    assert "decimal" in first.loaded & second.loaded & base.loaded
    assert "fractions" in second.loaded - base.loaded
    (tmp_path / "decimal.py").write_text("")  # the base has loaded another one
    assert servers.server_for(dataclasses.replace(more, paths=(str(tmp_path),))) is None


def test_a_base_ends_after_the_last_server_that_it_forked(servers, launch, monkeypatch):
    monkeypatch.setattr(fork_server, "MAX_SERVERS", 1)
    first = servers.server_for(launch)
    (base, root) = bases(servers, launch)
    assert servers.server_for(dataclasses.replace(launch, modules=("said", "fractions")))
    assert first.is_lost
    assert not base.is_lost
    assert servers.server_for(dataclasses.replace(launch, environment={"PYTHONHASHSEED": "8"}))
    assert base.is_lost
    assert root.is_lost
    assert len(servers._bases) == 2


def test_servers_end_before_their_bases_so_that_each_has_a_status(servers, launch):
    opened = [
        servers.server_for(dataclasses.replace(launch, modules=("said", name)))
        for name in ("decimal", "fractions")
    ] + bases(servers, launch)
    servers.close()
    assert [one.process.returncode for one in opened] == [0, 0, 0, 0]
    assert not servers._bases


def test_a_server_that_cannot_start_is_done_without(servers, launch):
    broken = dataclasses.replace(launch, begin="import sys\nsys.exit(1)\n")
    assert servers.server_for(broken) is None


def test_few_servers_live_and_none_with_a_living_child_is_ended(servers, launch, monkeypatch):
    monkeypatch.setattr(fork_server, "MAX_SERVERS", 1)
    other = dataclasses.replace(launch, environment={"PYTHONHASHSEED": "8"})
    process = forked(servers, dataclasses.replace(launch, main="said:wait"))
    assert servers.server_for(other) is None
    os.kill(process.pid, signal.SIGKILL)
    process.wait(20)
    assert servers.server_for(other) is not None
    assert not servers.server_for(launch).is_lost


def test_a_server_ends_with_its_planner(launch):
    text = f"""
import time
from unitcraft.execute.pool.fork_server import Launch, SERVERS
server = SERVERS.server_for(Launch({launch.command!r}, {launch.begin!r}, {OURS!r}, "said:wait", (),
    "/", {{}}, 1, 2, (), ("decimal",)))
print(server.process.pid, flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE) as planner:
        pid = int(planner.stdout.readline())
        planner.kill()
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not Path(f"/proc/{pid}").exists()


def test_descriptors_of_a_request_fit():
    assert fork_service.MAX_DESCRIPTORS == 4
    assert (fork_service.START_BYTE, fork_service.REAP_BYTE, fork_service.SERVER) == (
        fork_server.START_BYTE,
        fork_server.REAP_BYTE,
        fork_server.SERVE,
    )
