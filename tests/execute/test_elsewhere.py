"""A second place: what a process is told about user, machine and files differs there."""

from __future__ import annotations

import os
from pathlib import Path

from unitcraft.execute.sandbox.elsewhere import watch_environment

READ = """
import os, platform, shutil, socket, sys, tempfile
FOUND = os.environ.get("APP_ONE"), os.getenv("APP_TWO"), "APP_THREE" in os.environ
HOST = socket.gethostname()
def look():
    mask = os.umask(0)
    os.umask(mask)
    home = os.path.expanduser("~")
    handle, temporary = tempfile.mkstemp()
    os.close(handle)
    os.remove(temporary)
    return (
        len(sys.argv), os.getuid(), os.cpu_count(), platform.node(), HOST, mask,
        os.environ.get("LANG"), os.path.basename(home), os.path.basename(os.getcwd()),
        os.path.exists(home + "/.apprc"), os.path.isfile("setup.cfg"), os.path.exists(temporary),
        os.path.isdir("missing"),
    )
"""


def test_user_machine_folders_and_files_differ_elsewhere(pool_of):
    here = pool_of(READ).one("run", "answer = m.look()").value
    there = pool_of(READ, elsewhere=True, environment=(("LANG", "de"),))
    there = there.one("run", "answer = m.look()").value
    assert here[:2] == (1, os.getuid())
    assert [one == other for one, other in zip(here, there, strict=True)] == [False] * 11 + [
        True, True,
    ]  # fmt: skip
    assert (here[5:], there[5:]) == (
        (0o022, "C.UTF-8", "home", "cwd", False, False, False, False),
        (0o077, "de", "person", "place", True, True, False, False),
    )


MACHINE = """
import mimetypes, os, pathlib, shutil, sys
def zone():
    import zoneinfo
    return zoneinfo.__name__
def look(name, own):
    missing, there = f"/{name}/a", "/etc/passwd"
    return (
        os.path.isfile(missing), os.path.isdir(missing), pathlib.Path(missing).is_dir(),
        os.path.exists(there), os.access(there, os.R_OK), shutil.which("sh") is None,
        os.path.isdir("/etc"), os.path.isdir(sys.prefix), os.path.isdir(own),
        os.path.isfile(own + "/subject.py"), mimetypes.guess_type("a.html"),
    )
def has(program):
    return shutil.which(program) is not None
"""


def test_what_the_machine_has_is_missing_elsewhere_and_the_other_way_round(pool_of, tmp_path):
    call = f"answer = m.look('nowhere', {str(tmp_path)!r})"
    here = pool_of(MACHINE).one("run", call).value
    there = pool_of(MACHINE, elsewhere=True).one("run", call).value
    stays = (True, True, True, True, ("text/html", None))
    assert here == (False, False, False, True, True, False, *stays)
    assert there == (True, True, True, False, False, True, *stays)


CONTENT = """
import codecs, io, os, pathlib, zoneinfo
def read(path):
    return open(path).readline()
def ways(path):
    return [
        bool(way(path)) for way in (
            lambda path: read(path), lambda path: pathlib.Path(path).read_text(),
            lambda path: codecs.open(path).read(), lambda path: io.open(path).read(),
            lambda path: os.read(os.open(path, os.O_RDONLY), 9),
        )
    ]
def own():
    return read(__file__), read(os.__file__), zoneinfo.ZoneInfo("UTC").key
"""


def test_no_file_of_the_machine_can_be_opened_elsewhere(pool_of):
    """Its content is that of no other machine: a name of process 1, a list of users."""
    here, there = pool_of(CONTENT), pool_of(CONTENT, elsewhere=True)
    call = "answer = m.ways('/etc/passwd')"
    assert here.one("run", call).value == [True] * 5
    failed = "try: m.{}('/etc/passwd')\nexcept FileNotFoundError: answer = True"
    assert there.one("run", failed.format("ways")).value is True
    assert there.one("run", failed.format("read")).value is True
    assert here.one("run", "answer = m.own()").value == there.one("run", "answer = m.own()").value


def test_a_call_imports_what_asks_for_the_settings_of_the_system(pool_of):
    there = pool_of(MACHINE, elsewhere=True)
    assert there.one("run", "answer = m.zone()").value == "zoneinfo"


def test_a_program_that_is_missing_here_is_there_elsewhere(pool_of):
    call = "answer = m.has('no-such-program')"
    assert pool_of(MACHINE).one("run", call).value is False
    assert pool_of(MACHINE, elsewhere=True).one("run", call).value is True


def test_what_an_import_asks_the_environment_for_is_told(pool_of):
    found = pool_of(READ).notes["variables"]
    assert {"APP_ONE", "APP_TWO", "APP_THREE"} <= set(found)
    assert sorted(found) == list(found)


def test_watching_ends_and_changes_nothing():
    kind = type(os.environ)
    before = (kind.__getitem__, kind.__contains__)
    end = watch_environment()
    assert os.environ.get("UNITCRAFT_NEVER") is None
    assert "UNITCRAFT_OTHER" not in os.environ
    assert {"UNITCRAFT_NEVER", "UNITCRAFT_OTHER"} <= set(end())
    assert (kind.__getitem__, kind.__contains__) == before
    assert Path(os.environ["PATH"].split(os.pathsep)[0]).name
