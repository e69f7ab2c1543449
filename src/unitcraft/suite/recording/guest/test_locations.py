"""The location of a test's function, and the rows of ``parametrize`` that the test uses.

Invariant: a location has plain values only; a test without a function (a doctest) has none.
"""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any

import pytest


def location_of(item: pytest.Item) -> tuple[str, int, tuple[tuple[str, int], ...]] | None:
    """File, first line (decorators included) and (parameter, row) pairs; None for a doctest."""
    function: Any = getattr(item, "function", None)
    try:
        function = inspect.unwrap(function)
        inner = getattr(getattr(function, "hypothesis", None), "inner_test", None)
        function = inspect.unwrap(inner) if inner is not None else function
    except ValueError:
        return None
    if type(function) is not FunctionType:
        return None
    indices = getattr(getattr(item, "callspec", None), "indices", {})
    rows = tuple(sorted((str(name), int(row)) for name, row in indices.items()))
    return function.__code__.co_filename, function.__code__.co_firstlineno, rows
