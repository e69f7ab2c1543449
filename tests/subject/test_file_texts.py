"""Contents for files: what the parsers that a source names accept."""

from __future__ import annotations

import configparser
import json

import pytest

from unitcraft.subject.model import Constant, Subject
from unitcraft.subject.values.texts.file_texts import MAX_CONTENTS, FileTexts


def texts(source, *constants):
    subject = Subject("m", "m.py", constants=tuple(Constant(one, "f") for one in constants))
    return FileTexts(subject, source)


def test_documents_have_the_keys_of_the_code():
    found = texts("import json", "name", "age")
    assert json.loads(found.contents("f")[0].value) == {"name": 1, "age": 2}
    assert found.name("f") == "data.json"


def test_a_configuration_can_be_parsed():
    parser = configparser.ConfigParser()
    parser.read_string(texts("import configparser", "server").contents("f")[0].value)
    assert parser.sections() == ["server"]


@pytest.mark.parametrize("source", ["", "import json, csv, yaml, configparser"])
def test_contents_are_few_and_differ(source):
    found = texts(source, "#", "=", "log.txt").contents("f")
    assert len(found) == len({one.value for one in found}) <= MAX_CONTENTS


def test_a_file_that_the_code_names_gives_the_name():
    assert texts("", "key", "settings.ini").name("f") == "settings.ini"
    assert texts("").name("f") == "notes.txt"


def test_texts_that_are_parsed_are_documents():
    source = (
        "import json\ndef f(text):\n    return json.loads(text)\ndef g(text):\n    return text\n"
    )
    found = texts(source, "name")
    assert json.loads(found.documents("f")[0].value) == {"name": 1}
    assert found.documents("g") == ()
