"""Code that needs inputs with structure gets them, as a person would write them."""

from __future__ import annotations

import pytest

from unitcraft.app.generate.engine import Options
from unitcraft.app.generate.generate_module import generate
from unitcraft.core.events import SilentListener
from unitcraft.subject.locate import locate

SOURCES = {
    "wire": '''
import json


def answer(text):
    """The answer to a request in JSON."""
    request = json.loads(text)
    command = request["command"]
    if command == "add":
        left, right = request["numbers"]
        return left + right
    if command.startswith("say_"):
        return request.get("word", "hello")
    raise ValueError("unknown command")


def tidy(body: str) -> str:
    """Sorted JSON; any other text as it is."""
    try:
        data = json.loads(body)
    except ValueError:
        return body
    return json.dumps(data, sort_keys=True)


class Painter:
    """Paints with options that it was given by name."""

    def __init__(self, **options):
        self.options = options
        self.width = options["size"]["width"]

    def paint(self, text):
        if self.options["loud"]:
            text = text.upper()
        return text * self.width
''',
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    """The text of the suite of a module of ``SOURCES``, by its name."""
    folder = tmp_path_factory.mktemp("subjects")

    def text(name):
        path = folder / f"{name}.py"
        path.write_text(SOURCES[name], encoding="utf-8")
        return generate(locate(path.name, folder)[0], Options(jobs=1), SilentListener())

    return text


def test_documents_and_named_options_have_what_is_looked_up(suite):
    found = suite("wire")
    assert found.branches_covered == found.branches
    assert '"command": "add", "numbers": [' in found.text
    assert 'match=r"^unknown command$"' in found.text
    assert '"size": {"width": ' in found.text or 'size={"width": ' in found.text
