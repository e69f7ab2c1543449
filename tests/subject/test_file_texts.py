"""Contents for files: what the parsers that a source names accept."""

from __future__ import annotations

import configparser
import csv
import json

import pytest

from unitcraft.subject.model import Constant, Subject
from unitcraft.subject.values.texts import table_texts
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


IMPORTER = """
import csv

REQUIRED = ["email", "full name"]
KINDS = {"DE", "FR"}

def load(path):
    with open(path) as file:
        for row in csv.DictReader(file, delimiter=";"):
            check(row)

def check(row):
    return [name for name in REQUIRED if not row[name]], row["created_at"]
"""


def test_a_table_has_the_columns_that_the_code_lists_and_looks_up():
    constants = (Constant("created_at", "check", "key"), Constant(";", "load"))
    subject = Subject("m", "m.py", constants=constants, calls=(("load", ("check",)),))
    first, marked, *_ = [one.value for one in FileTexts(subject, IMPORTER).contents("load")]
    assert first == (
        "email,full name,created_at\n"
        "test@example.com,apple,2024-01-31\n"
        "user@example.com,pear,2024-02-29\n"
    )
    assert marked == first.replace(",", ";")
    rows = list(csv.DictReader(marked.splitlines(), delimiter=";"))
    assert [row["full name"] for row in rows] == ["apple", "pear"]


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("%Y-%m-%d", "2024-01-31"), ("%d.%m.%Y", "31.01.2024"), ("%H:%M", "12:30"),
        ("%Y-%m-%dT%H:%M:%S", "2024-01-31T12:30:00"),
        ("%d%% of %s", ""), ("%s (HTTP %d)", ""), ("%Y", ""), ("plain", ""), (7, ""),
    ],
)  # fmt: skip
def test_a_moment_is_written_in_a_format_of_the_code(text, moment):
    assert table_texts.moment_in(text) == moment
