"""Suites of modules that read their surroundings pass in other surroundings, and touch nothing.

The corpus has twenty readers in four modules, one for each kind of place where the reading happens;
each module also has a function that reads nothing, which must keep its test.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from in_process import run_here

from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.explore.agents.answers import SURROUNDINGS, AfterAnswer
from unitcraft.suite.surroundings import (
    OTHER_ENVIRONMENT,
    OTHER_VALUES,
    Surroundings,
    free_variables,
    other_environments,
    variables_set,
    with_own_variables,
)

NEUTRAL = '''

def double(number: int) -> int:
    """Twice the number."""
    return 2 * number
'''

CORPUS = {
    "at_import": """
import json
import os
import sys
import time

MODE = os.environ.get("APP_MODE", "production")
PORT = int(os.environ.get("APP_PORT", "8080"))
HOME = os.path.expanduser("~")
HERE = os.getcwd()
IS_QUIET = "APP_QUIET" in os.environ
ZONE = time.tzname[0]
USER = os.environ.get("USER", "nobody")
WIDTH = int(os.environ.get("COLUMNS", "80"))


def mode() -> str:
    return MODE


def url(path: str) -> str:
    return "http://localhost:%d/%s" % (PORT, path)


def data_file(name: str) -> str:
    return HOME + "/.app/" + name


def is_local(path: str) -> bool:
    return path.startswith(HERE)


def talk(text: str) -> str:
    return "" if IS_QUIET else text + "!"


def stamp(text: str) -> str:
    return text + " " + ZONE


def greet(word: str) -> str:
    return word + ", " + USER


def rule(sign: str) -> int:
    return len(sign * WIDTH)
""",
    "in_calls": '''
import os


def level() -> int:
    if os.getenv("APP_DEBUG"):
        return 10
    return 20


def token() -> str:
    if "APP_TOKEN" not in os.environ:
        raise KeyError("no token")
    return os.environ["APP_TOKEN"]


def is_ci() -> bool:
    value = os.environ.get("APP_CI", "").lower()
    return value in ("true", "yes")


def clean() -> int:
    """Remove the files that a variable names."""
    names = [name for name in os.environ.get("APP_GARBAGE", "").split(":") if name]
    for name in names:
        os.remove(name)
    return len(names)


def search_path() -> list:
    return os.environ.get("APP_PATH", "a:b").split(":")
''',
    "places": """
import os
import pathlib
import tempfile


def config() -> str:
    return str(pathlib.Path.home() / ".apprc")


def has_config() -> bool:
    return pathlib.Path("~/.apprc").expanduser().exists()


def absolute(name: str) -> str:
    return os.path.abspath(name)


def mode_of_new_file() -> int:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "x")
        path.write_text("x")
        return path.stat().st_mode & 0o777


def lines_in_temporary_file(text: str) -> int:
    with tempfile.TemporaryFile("w+") as stream:
        stream.write(text)
        stream.seek(0)
        return len(stream.readlines())
""",
    "machine": """
import getpass
import locale
import os
import shutil
import time


def hour() -> int:
    return time.localtime(0).tm_hour


def width() -> int:
    return shutil.get_terminal_size().columns


def language() -> str:
    return os.environ.get("LANG", "C")[:2]


def user() -> str:
    return getpass.getuser()


def is_root() -> bool:
    return os.getuid() == 0


def separators() -> tuple:
    return locale.getlocale(locale.LC_TIME), os.cpu_count()
""",
}

#: Three environments of users; ``{at}`` is a folder of their own.
ENVIRONMENTS = {
    "plain": {},
    "busy": {
        "APP_MODE": "debug", "APP_PORT": "99", "APP_QUIET": "1", "APP_DEBUG": "1", "APP_TOKEN": "t",
        "APP_CI": "True", "APP_GARBAGE": "{at}/precious", "APP_PATH": "x", "TZ": "Asia/Tokyo",
        "COLUMNS": "33", "LANG": "fr_FR.UTF-8", "LC_ALL": "C.UTF-8", "USER": "ann",
        "LOGNAME": "ann",
    },
    "bare": {"TERM": "dumb", "LANG": "POSIX", "TZ": "EST5EDT", "LINES": "2", "COLUMNS": "200",
             "LOGNAME": "root", "USER": "root", "APP_MODE": ""},
}  # fmt: skip


@pytest.fixture(scope="module")
def suites(tmp_path_factory, shared):
    """The folder with the modules, and the suites in ``out`` of it."""
    return shared("environments", lambda: make_suites(tmp_path_factory.mktemp("environments")))


def make_suites(folder):
    for name, source in CORPUS.items():
        (folder / f"{name}.py").write_text(source.lstrip() + NEUTRAL)
    words = ("generate", *[f"{name}.py" for name in CORPUS], "-o", "out", "-j", "2", "--seed", "1")
    done = run_here(folder, *words, APP_MODE="debug", APP_TOKEN="mine")
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return folder


def test_what_reads_nothing_keeps_its_test(suites):
    for name in CORPUS:
        assert "double(" in (suites / "out" / f"test_{name}.py").read_text()
    places = (suites / "out" / "test_places.py").read_text()
    assert "lines_in_temporary_file(" in places
    assert "mode_of_new_file() ==" not in places


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_suites_pass_in_other_environments_and_touch_nothing(suites, tmp_path, name):
    home = tmp_path / "home"
    home.mkdir()
    precious = tmp_path / "precious"
    precious.write_text("kept")
    given = {key: text.replace("{at}", str(tmp_path)) for key, text in ENVIRONMENTS[name].items()}
    (home / ".apprc").write_text("x") if name == "busy" else None
    kept = ("PATH", "PYTHONPATH", "TMPDIR", "PYTEST_ADDOPTS")
    environment = {key: os.environ[key] for key in kept if key in os.environ}
    umask = os.umask(0o027 if name == "bare" else 0o022)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(suites / "out")],
            cwd=home, env={**environment, "HOME": str(home), "PYTHONDONTWRITEBYTECODE": "1",
                           "PYTHONPATH": f"{suites}:{environment.get('PYTHONPATH', '')}", **given},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
    finally:
        os.umask(umask)
    assert done.returncode == 0, done.stdout
    assert precious.read_text() == "kept"
    assert [path.name for path in Path(home).iterdir()] == ([".apprc"] if name == "busy" else [])


def test_variables_that_the_guard_needs_keep_their_values():
    assert free_variables(["APP", "HOME", "PYTHONPATH", "LC_TIME", "TZ", "", "a=b", "APP"]) == (
        "APP",
    )


def test_other_environments_go_from_most_to_nothing():
    tried = list(other_environments(("APP",), {}))
    assert [dict(one).get("APP") for one in tried] == [*OTHER_VALUES, None, None]
    assert tried[-2:] == [OTHER_ENVIRONMENT, ()]
    assert list(other_environments((), {})) == tried[-2:]
    telling = next(other_environments(("APP", "ONE"), {"APP": "true", "TWO": "x"}))
    assert dict(telling) == {**dict(OTHER_ENVIRONMENT), "APP": "true", "ONE": "other"}


def test_only_variables_that_are_set_are_handed_on():
    assert Surroundings(("A", "B")).values_in({"B": "1", "C": "2"}) == {"B": "1"}


def test_what_sets_a_variable_sets_it_first_unless_it_does_so_itself():
    call = Call("function", "m:f", (Const(1),))
    told = Call("method", "g", (Ref(0),))
    own = with_own_variables(Sequence((call, told)), ["A", "B"])
    assert [one.args[0].value for one in own.calls[:2]] == ["A", "B"]
    assert own.calls[3].args == (Ref(2),)
    assert with_own_variables(own, ["A", "B"]) == own
    read = ("get", 'environ["A"]', (("y", "os", ""),), (), "")
    printed = ("output", "out", (), (), "")
    focus = ((SURROUNDINGS, True, ((printed, ("c", "x")), (read, ("c", "y")))),)
    assert variables_set(AfterAnswer(None, None, "", -1, focus)) == ("A",)
    assert variables_set(None) == ()
