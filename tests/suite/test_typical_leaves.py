"""Dates and functions that a person would rather write."""

from __future__ import annotations

import ast

import pytest

from unitcraft.core.sequences import Build, Const, Source, Symbol
from unitcraft.explore.execution import SHOWING
from unitcraft.suite.shrinking.typical_leaves import typical_dates, typical_sources


def made(text: str) -> Build:
    """``date(1, 2, 3)`` as a Build."""
    call = ast.parse(text, mode="eval").body
    args = tuple([Const(ast.literal_eval(one)) for one in call.args])
    return Build(Symbol("datetime", call.func.id), args)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("date(2024, 2, 29)", []),
        ("date(1, 2, 3)", ["date(2024, 2, 3)", "date(2023, 2, 3)", "date(2025, 2, 3)"]),
        ("datetime(2024, 2, 29, 12, 30)", ["date(2024, 2, 29)"]),
        (
            "datetime(1, 2, 3, 4)",
            [
                "date(1, 2, 3)",
                "datetime(2024, 2, 3, 4)",
                "datetime(2023, 2, 3, 4)",
                "datetime(2025, 2, 3, 4)",
            ],
        ),
        ("timedelta(1)", []),
    ],
)
def test_a_date_for_a_datetime_and_a_year_that_a_person_puts(given, expected):
    assert list(typical_dates(made(given))) == [made(one) for one in expected]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("lambda x: x", [Source("lambda x: x + 1"), SHOWING]),
        ("iter(range(99)).__next__", [Source("lambda: 'a'"), Source("lambda: 0")]),
        ("lambda: None", []),
        ("lambda x: x + 1", []),
        ("'a' * 255", [Const("abc")]),
        ("['a'] * 255", []),
    ],
)
def test_what_tells_more_or_that_a_person_would_write(given, expected):
    assert list(typical_sources(Source(given))) == expected
