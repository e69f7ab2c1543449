"""Every report says what it is, and its schema and table are in the documents.

The fixture ``run`` checks each JSON report of the other tests against its schema.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_results import FINDINGS, failure, made, result, summary
from report_schema import SCHEMA, check_document

from unitcraft.app.cli import COMMANDS
from unitcraft.app.exploration.message_pages import page
from unitcraft.app.generate import generate_report
from unitcraft.app.json_document import render_document


def test_a_report_of_generate_fits_its_schema():
    one = summary(result(made(findings=FINDINGS)), failures=(failure(),), empty=(failure("a"),))
    text = generate_report.as_json(one, Path())
    assert json.loads(text)["format"] == "unitcraft generate 1"
    check_document(text)
    check_document(page("UC505", "json"))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("select", {"selected": []}),
        ("select", {"selected": [1], "redundant": {}}),
        ("select", {"selected": [], "redundant": {}, "more": 1}),
        ("message", {"code": "a", "title": "b", "text": None}),
    ],
)
def test_what_does_not_fit_is_noticed(name, data):
    with pytest.raises(AssertionError):
        check_document(render_document(name, data))


def test_hooks_and_the_action_run_commands_that_exist():
    root = Path(__file__).parents[2]
    text = (root / ".pre-commit-hooks.yaml").read_text() + (root / "action.yml").read_text()
    for line in ("entry: unitcraft generate --check", "entry: unitcraft check", "-m unitcraft $"):
        assert line in text
    assert {"generate", "check"} <= set(COMMANDS)


def test_every_format_has_a_row_in_the_table():
    table = (Path(__file__).parents[2] / "docs" / "json.md").read_text()
    for name, schema in SCHEMA["$defs"].items():
        assert f"| `unitcraft {name} 1` |" in table
        assert schema["properties"]["format"]["const"] == f"unitcraft {name} 1"
