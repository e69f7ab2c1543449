"""Classes whose calls take two arguments of one sort: pairs are dear, conditions are many."""

from __future__ import annotations

import pytest

from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import SilentListener
from unitcraft.infer.algebraic.confirmation import Confirmation
from unitcraft.infer.algebraic.law_terms import law_variables
from unitcraft.infer.class_request import ClassToSpecify
from unitcraft.infer.derivation.rewriting import follows
from unitcraft.infer.infer_class import SMALL, Inference, open_host
from unitcraft.infer.learning import order_of
from unitcraft.infer.output.law_parsing import LawParser
from unitcraft.infer.universe.profiles import profiles_of

SOURCE = """
class Registry:
    def __init__(self) -> None:
        self._listeners: dict[str, list[str]] = {}
        self._muted: set[str] = set()

    def subscribe(self, event: str, listener: str) -> bool:
        if self.has(event, listener):
            return False
        self._listeners.setdefault(event, []).append(listener)
        return True

    def unsubscribe(self, event: str, listener: str) -> None:
        if not self.has(event, listener):
            raise KeyError(listener)
        self._listeners[event].remove(listener)
        if not self._listeners[event]:
            del self._listeners[event]

    def has(self, event: str, listener: str) -> bool:
        return listener in self._listeners.get(event, ())

    def listeners(self, event: str) -> list[str]:
        return list(self._listeners.get(event, ()))

    def events(self) -> list[str]:
        return sorted(self._listeners)

    def mute(self, event: str) -> None:
        self._muted.add(event)

    def unmute(self, event: str) -> None:
        self._muted.discard(event)

    def is_muted(self, event: str) -> bool:
        return event in self._muted

    def emit(self, event: str) -> int:
        return 0 if event in self._muted else len(self.listeners(event))

    def __len__(self) -> int:
        return sum(map(len, self._listeners.values()))


class Counts:
    def __init__(self, rows: int, columns: int) -> None:
        if rows < 1 or columns < 1:
            raise ValueError("no cells")
        self.rows = rows
        self.columns = columns
        self._cells = [[0] * columns for _ in range(rows)]

    def count(self, row: int, column: int) -> int:
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise IndexError((row, column))
        return self._cells[row][column]

    def add(self, row: int, column: int) -> None:
        self.count(row, column)
        self._cells[row][column] += 1

    def row_total(self, row: int) -> int:
        self.count(row, 0)
        return sum(self._cells[row])

    def column_total(self, column: int) -> int:
        self.count(0, column)
        return sum(row[column] for row in self._cells)

    def total(self) -> int:
        return sum(map(sum, self._cells))
"""


def test_what_calls_of_two_texts_do_is_found_with_few_pairs(specify):
    laws = {text for one in specify("Registry").laws for text in one.said}
    assert "len(subscribe(S, event, listener)) == len(S) + 1 if not has(S, event, listener)" in laws
    assert "has(subscribe(S, event, listener), event, listener) == True" in laws


def test_limits_of_both_arguments_are_one_condition(specify):
    laws = {text for one in specify("Counts").laws for text in one.said}
    assert (
        "count(S, row, column) raises IndexError if row >= rows(S) or column >= columns(S)" in laws
    )


@pytest.fixture(scope="module")
def counts(tmp_path_factory):
    """What reads laws of Counts, rows to try them on, and the order of its terms."""
    folder = tmp_path_factory.mktemp("counts")
    (folder / "counted.py").write_text(SOURCE)
    request = ClassToSpecify("counted", "Counts", paths=(str(folder),))
    with open_host(request) as host:
        run = Inference(request, host.subject, host.pool, SilentListener())
        run.prepare(host.spec)
        profiles = profiles_of(run.table, run.equality)
        parser = LawParser(run.table.operations, profiles, run.table.values)
        yield parser, Confirmation(run.larger_universe(SMALL, seed=1)), order_of(profiles)


def test_what_is_shown_where_that_returns_is_shown_after_a_call_that_returns(counts):
    parser, confirmation, order = counts
    after, before = "row_total(add(S, row, column), row)", "row_total(S, row) + 1"
    shown = parser.law(f"{after} == {before} if {after} returns")
    stated = parser.law(f"{after} == {before} if add(S, row, column) returns")
    assert follows(stated, [shown], confirmation.rows_for(law_variables(stated)), order)


def test_a_name_may_have_its_kind_from_the_condition(counts):
    parser, _, _ = counts
    law = parser.law("(n != 0) == True if 0 <= row_total(S, n)")
    assert [one.sort for one in law_variables(law)][:1] == ["int"]
    with pytest.raises(UnitcraftError, match="n stands in no call"):
        parser.law("(n != 0) == True if 0 <= total(S)")
