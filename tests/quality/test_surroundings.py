"""Code that lives on its surroundings gets tests with the fixtures of pytest."""

from __future__ import annotations

import pytest

from unitcraft.app.generate.engine import Options
from unitcraft.app.generate.generate_module import generate
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
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    """The text of the suite of a module of ``SOURCES``, by its name."""
    folder = tmp_path_factory.mktemp("subjects")

    def text(name):
        path = folder / f"{name}.py"
        path.write_text(SOURCES[name], encoding="utf-8")
        return generate(locate(path.name, folder)[0], Options(jobs=1), SilentListener()).text

    return text


def test_what_is_printed_is_asserted(suite):
    text = suite("shout")
    assert 'capsys.readouterr().out == "hello ' in text
    assert 'capsys.readouterr().out == "HELLO ' in text
    assert 'capsys.readouterr().err == "negative count\\n"' in text
    assert 'capsys.readouterr().out == "0 files\\n"' in text
