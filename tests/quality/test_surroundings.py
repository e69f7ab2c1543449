"""Code that lives on its surroundings gets tests with the fixtures of pytest."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from unitcraft.app.generate.generate_module import generate
from unitcraft.app.generate.generated_suite import Options
from unitcraft.core.events import SilentListener
from unitcraft.subject.locate import locate

SOURCES = {
    "shout": '''
import sys


def greet(name: str, loud: bool = False) -> None:
    """Greet on standard output."""
    if loud:
        print(f"HELLO {name.upper()}!")
    else:
        print(f"hello {name}")


def report(count: int) -> int:
    """The number of files, which is printed too."""
    if count < 0:
        print("negative count", file=sys.stderr)
        raise SystemExit(2)
    sys.stdout.write(f"{count} files\\n")
    return count
''',
    "located": '''
import os
import re


def expand(location: str) -> str:
    """The location with the variables in it that are named by ``${NAME}``."""
    names = re.findall(r"\\$\\{(\\w+)\\}", location)
    missing = [name for name in names if name not in list(os.environ)]
    if missing:
        raise ValueError(f"not set: {missing[0]}")
    for name in names:
        location = location.replace("${" + name + "}", os.environ[name])
    return location
''',
    "storage": '''
import json
import os


def load_settings(path: str) -> dict:
    """The settings in a file of JSON; defaults when there is none."""
    if not os.path.exists(path):
        return {"debug": False}
    with open(path) as file:
        data = json.load(file)
    if "version" not in data:
        raise ValueError("no version")
    return data


def save_lines(path, items: list[str]) -> None:
    with open(path, "w") as file:
        for item in items:
            file.write(item + "\\n")


def python_files(folder: str) -> list[str]:
    return sorted(os.path.join(folder, one) for one in os.listdir(folder) if one.endswith(".py"))
''',
    "orders": """
class OrderError(Exception):
    def __init__(self, status, detail, retry=False):
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.retry = retry


def check(code):
    if code >= 500:
        raise OrderError(code, "shop is closed", retry=True)
    if code >= 400:
        raise OrderError(code, "no such order")
    return code
""",
    "memory": """
def memoize(function):
    known = {}

    def remembered(argument):
        found = known.get(argument)
        if found is not None:
            return found
        made = function(argument)
        known[argument] = made
        return made

    return remembered
""",
    "regions": """
import os


def user(default="nobody"):
    return os.environ.get("APP_USER", default)


def region():
    name = os.environ["REGION"]
    if name.startswith("eu-"):
        return "europe"
    return name.upper()
""",
    "modes": """
import os


def set_mode(mode: str, simple: bool = False) -> None:
    os.environ["SHOP_MODE"] = "auto" if simple else mode


def home(folder: str) -> str:
    os.environ.setdefault("SHOP_HOME", folder)
    return os.environ["SHOP_HOME"]
""",
    "tool": """
import argparse
import sys


def main(argv=None):
    parser = argparse.ArgumentParser(prog="tool")
    parser.add_argument("name")
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--shout", action="store_true")
    args = parser.parse_args(argv)
    if args.count < 0:
        print("count must not be negative", file=sys.stderr)
        return 1
    for _ in range(args.count):
        print(args.name.upper() if args.shout else args.name)
    return 0


def first_word():
    if len(sys.argv) < 2:
        sys.exit("usage: tool WORD")
    return sys.argv[1].title()


def ask(question):
    answer = input(question + " [y/n] ").strip().lower()
    if answer == "y":
        return True
    if answer == "n":
        return False
    raise ValueError(f"no answer: {answer}")
""",
    "release": """
import subprocess
from urllib.request import urlopen


def upload(name: str, quiet: bool = False) -> int:
    'Upload a file; the number of words in the answer.'
    words = ["send", name]
    if quiet:
        words.append("--quiet")
    done = subprocess.run(words, capture_output=True)
    if done.returncode != 0:
        raise RuntimeError("upload failed")
    return len(done.stdout)


def is_known(name: str) -> bool:
    return name in urlopen("https://example.org/names").read()
""",
    "mirror": """
from urllib.error import HTTPError
from urllib.request import urlopen


class Mirror:
    def __init__(self, log, options):
        self.log = log
        self.options = options

    def fetch_all(self, pages):
        'How many pages came; a page that is missing is left out, unless it is the first.'
        found = 0
        for number, page in enumerate(pages):
            try:
                status, body = self.read(page["url"])
            except HTTPError as error:
                if number == 0:
                    self.log.report(f"no first page: {error.code}")
                    return 0
                continue
            except ConnectionError:
                self.log.report("gave up")
                break
            if status == 200:
                found += len(body)
        return found

    def read(self, url):
        with urlopen(url) as answer:
            return answer.status, answer.read()


def status_of(client):
    try:
        return client.get("/status")
    except TimeoutError:
        return "late"
""",
    "registry": """
_handlers = {}
history = []
_total = 0
level = 1


class Shape:
    count = 0

    def __init__(self, name: str) -> None:
        Shape.count += 1
        self.name = name


class Config:
    def __init__(self) -> None:
        self.words = []


config = Config()
_squares = {}


def register(name: str, handler: str) -> None:
    if name in _handlers:
        raise ValueError("already registered: " + name)
    _handlers[name] = handler


def remember(item: int) -> None:
    history.append(item)
    if len(history) > 3:
        del history[0]


def add(amount: int) -> None:
    global _total
    _total += amount


def total() -> int:
    return _total


def set_level(number: int) -> None:
    global level
    level = number


def add_word(word: str) -> int:
    config.words.append(word)
    return len(config.words)


def square(number: int) -> int:
    if number not in _squares:
        _squares[number] = number * number
    return _squares[number]
""",
    "naming": """
_used = set()
_count = 0


def numbered(word: str) -> str:
    global _count
    name = f"{word}_{_count}"
    _count += 1
    return name


def is_first(word: str) -> bool:
    if word in _used:
        return False
    _used.add(word)
    return True
""",
    "ageing": """
import json
import warnings


def old_name(text: str) -> str:
    warnings.warn("old_name is deprecated, use new_name", DeprecationWarning, stacklevel=2)
    return text.upper()


def check(level: int) -> None:
    if level > 10:
        warnings.warn(f"level {level} is high")


def strict(flag: bool) -> int:
    if flag:
        warnings.warn("first")
        raise ValueError("no flag")
    return 1


class Old:
    def __init__(self, size: int = 3) -> None:
        warnings.warn("Old is going away", PendingDeprecationWarning)
        self.size = size

    def double(self) -> int:
        return self.size * 2


def quiet(text: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("nobody sees this")
    return text.strip()
""",
    "machine": """
import os


def memory(module):
    'Free megabytes of two commands, of which each has its own form.'
    rc, out, err = module.run_command("vmstat | tail -1")
    pages = int(out.split(" ")[3])
    rc, out, err = module.run_command("getconf PAGESIZE")
    if rc != 0:
        raise RuntimeError("no page size")
    return pages * int(out)


def product(load):
    'What the machine is, by its vendor and its family.'
    if load.content("/sys/vendor") == "Red Hat":
        if load.content("/sys/family") == "RHV":
            return "rhv"
        return "red hat"
    return "unknown"


def manager():
    if os.path.exists("/run/systemd") and not os.path.exists("/sbin/openrc"):
        return "systemd"
    return "other"


def first_word(line):
    'The word before the first blank, of lines with a mark.'
    if line.startswith("#"):
        return ""
    return line.strip().partition(" ")[0]
""",
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory, shared):
    """The text of the suite of a module of ``SOURCES``, by its name: generated once."""
    folder = tmp_path_factory.mktemp("subjects")

    def made(name, options):
        path = folder / f"{name}.py"
        path.write_text(SOURCES[name], encoding="utf-8")
        return generate(
            locate(path.name, folder)[0], Options(jobs=1, **options), SilentListener()
        ).text

    def text(name, **options):
        words = "-".join(["surroundings", name, *options])
        return shared(words, lambda: made(name, options))

    return text


def test_what_is_printed_is_asserted(suite):
    text = suite("shout")
    assert 'capsys.readouterr().out == "hello ' in text
    assert 'capsys.readouterr().out == "HELLO ' in text
    assert 'capsys.readouterr().err == "negative count\\n"' in text
    assert 'capsys.readouterr().out == "0 files\\n"' in text


def test_a_variable_that_an_argument_names_is_set_and_taken_away(suite):
    text = suite("located")
    name = r'"([A-Za-z]\w*)"'
    unset = rf"delenv\({name}, raising=False\)\n    with pytest.raises\(ValueError.*\1"
    assert re.search(unset, text, re.DOTALL)
    assert re.search(rf'setenv\({name}, "(\w+)"\)\n    assert expand\(.*\1.* == ".*\2', text)


def test_files_are_arranged_below_tmp_path_and_what_is_written_is_asserted(suite):
    text = suite("storage")
    assert 'assert load_settings(str(tmp_path / "data.json")) == {"debug": False}' in text
    assert '"version": ' in text
    assert 'match=r"^no version$"' in text
    assert ".read_text() == " in text
    assert "== [str(tmp_path / " in text
    calls = [line for line in text.splitlines() if "load_settings(" in line or "_files(" in line]
    own = ("(str(path))", "(str(tmp_path", "def ")
    assert all(any(mark in line for mark in own) for line in calls)


def test_what_an_exception_holds_is_asserted(suite):
    text = suite("orders")
    assert re.search(
        r'match=r"\^no such order\$"\) as excinfo:\n\s+check\(400\)\n'
        r"\s+assert excinfo\.value\.status == 400",
        text,
    )
    assert "assert excinfo.value.retry is True" in text
    assert "excinfo.value.detail" not in text  # the message says it


def test_what_a_cache_asked_for_is_asserted_unless_stand_ins_are_not_wanted(suite):
    text, plain = suite("memory"), suite("memory", mocks=False)
    assert re.search(r"assert \w+ is \w+|call_count == 1|call_args_list", text)
    assert "memoize(" in plain
    assert "Mock" not in plain


def test_variables_that_are_read_are_set_or_removed(suite):
    text = suite("regions")
    assert 'monkeypatch.delenv("APP_USER", raising=False)\n    assert user() == "nobody"' in text
    set_here = r'setenv\("REGION", "eu-'
    from_a_row = r'parametrize\([^@]*"eu-[^@]*setenv\("REGION", \w+\)'
    assert re.search(f"{set_here}|{from_a_row}", text)
    assert text.count("monkeypatch.") >= text.count(" region()") + text.count("user()")


def test_variables_that_are_set_are_asserted_and_are_the_tests_own(suite):
    text = suite("modes")
    assert re.search(
        r'monkeypatch.setenv\("SHOP_MODE", ""\)\n    set_mode\(.*True\)\n'
        r'    assert os.environ\["SHOP_MODE"\] == "auto"',
        text,
    )
    assert text.count('setenv("SHOP_MODE", "")') == text.count("    set_mode(") == 2
    assert 'monkeypatch.setenv("SHOP_HOME", "")\n    monkeypatch.delenv("SHOP_HOME"' in text


def test_command_lines_and_answers_are_given(suite):
    text = suite("tool")
    assert '"--count", "-1"]) == 1' in text
    assert 'capsys.readouterr().err == "count must not be negative\\n"' in text
    assert 'monkeypatch.setattr("sys.argv", ["prog"])\n    with pytest.raises(SystemExit' in text
    # one in upper case, as the code changes the case of what is answered
    accepted = r'Y\\n"\)\)\n    assert ask\(.*\) is True'
    refused = r'YES\\n"\)\)\n    with pytest.raises\(ValueError, match=r"\^no answer: yes\$"'
    assert re.search(rf'"sys.stdin", StringIO\("(?:{accepted}|{refused})', text)
    assert 'StringIO("n\\n"))' in text


def test_processes_and_the_network_are_replaced_and_what_they_were_asked_is_asserted(suite):
    text = suite("release")
    assert 'monkeypatch.setattr("release.subprocess.run", run)' in text
    assert 'run.call_args.args == (["send", ' in text
    assert '"--quiet"]' in text
    assert 'match=r"^upload failed$"' in text
    assert 'monkeypatch.setattr("release.urlopen", ' in text
    assert {"True),", "False),"} <= set(text.split()), "rows of a table"
    assert "assert is_known(name) is expected" in text
    assert 'urlopen.call_args.args == ("https://example.org/names",)' in text


def test_without_mocks_nothing_is_replaced(suite):
    text = suite("release", mocks=False)
    assert "Mock" not in text
    assert "SimpleNamespace" not in text
    assert "monkeypatch" not in text


def test_what_the_code_catches_is_raised_by_what_it_calls(suite):
    text = suite("mirror")
    assert "get=Mock(side_effect=TimeoutError(" in text
    assert '== "late"' in text
    assert "HTTPError(" in text
    assert "no first page: 404" in text
    assert "gave up" in text


def test_commands_that_are_asked_in_turn_each_get_an_answer_of_their_form(suite):
    text = suite("machine")
    words, number = r'\(0, "[\d ]*\d *", ""\)', r'\(0, "\d+", ""\)'
    pair = rf'"vmstat \| tail -1": {words},\s*"getconf PAGESIZE": {number},?\s*}}.get\b'
    assert re.search(pair, text)
    assert 'match=r"^no page size$"' in text


def test_one_run_is_answered_differently_by_what_it_asks(suite):
    text = suite("machine")
    assert '"/sys/family": "RHV"' in text or '"/sys/vendor": "Red Hat"' in text
    assert '== "rhv"' in text or '"rhv",' in text
    assert 'path == "/run/systemd"' in text or 'path != "/sbin/openrc"' in text
    assert '== "systemd"' in text


def test_what_has_the_methods_of_texts_only_is_a_text(suite):
    text = suite("machine")
    assert "startswith" not in text
    assert "strip=" not in text
    assert "first_word(" in text


def test_what_a_call_changed_in_its_module_is_asserted_and_put_back(suite):
    text = suite("registry")
    # what was changed by earlier Calls alone is asserted by no test
    for place, assertion in (
        ("registry._handlers", r"assert registry\._handlers == \{\"\w+\": \"\w+\"\}"),
        ("registry.history", r"assert registry\.history == \["),
        ("registry._total", r"add\((\d+)\)\n    assert total\(\) == \1\n"),
        ("registry.level", r"assert registry\.level == "),
        ("registry.Shape.count", r"assert Shape\.count == 1"),
        ("registry.config.words", r"assert registry\.config\.words == \["),
    ):
        assert re.search(
            f'monkeypatch.setattr\\("{re.escape(place)}", .*\n(?:.+\n)*.*{assertion}', text
        )
    assert "assert registry._squares" not in text  # how a result is found is nobody's affair
    assert "import registry\nfrom registry import " in text


def test_warnings_are_expected_and_the_suite_passes_where_they_are_errors(suite, tmp_path):
    text = suite("ageing")
    expected = (
        'with pytest.warns(DeprecationWarning, match=r"^old_name is deprecated, use new_name$")'
    )
    assert expected in " ".join(text.split()).replace("( ", "(").replace(" )", ")")
    assert "_warns():\n    with pytest.warns(UserWarning, match=" in text
    assert 'with pytest.warns(UserWarning), pytest.raises(ValueError, match=r"^no flag$"):' in text
    ignored = '@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")\ndef test_double'
    assert ignored in text
    assert text.count("pytest.warns") + text.count("filterwarnings") < text.count("def test_")
    (tmp_path / "ageing.py").write_text(SOURCES["ageing"], encoding="utf-8")
    (tmp_path / "test_ageing.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_second_call_shows_what_the_first_one_left(suite):
    text = suite("naming")
    assert re.search(r"    (numbered\(.+\))\n    assert \1 == \"\w+_1\"\n", text)
    assert text.count("assert is_first(") == 2
    assert text.count("is_first(word)") == 0
