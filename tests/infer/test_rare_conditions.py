"""Each of two conditions joined by or is tried on objects for which the other one does not hold."""

from __future__ import annotations

from unitcraft.core.events import SilentListener
from unitcraft.infer.algebraic.confirmation import Confirmation
from unitcraft.infer.class_request import ClassToSpecify
from unitcraft.infer.infer_class import SMALL, Inference, open_host
from unitcraft.infer.output.law_parsing import LawParser
from unitcraft.infer.universe.profiles import profiles_of

SOURCE = """
class Notes:
    def __init__(self) -> None:
        self._lines: list[str] = []
        self._undone: list[str] = []

    def write(self, line: str) -> None:
        self._lines.append(line)
        self._undone.clear()

    def undo(self) -> None:
        if self._lines:
            self._undone.append(self._lines.pop())

    def redo(self) -> None:
        if self._undone:
            self._lines.append(self._undone.pop())

    def can_redo(self) -> bool:
        return bool(self._undone)

    def last(self) -> str | None:
        return self._lines[-1] if self._lines else None
"""


def test_a_condition_that_is_there_by_chance_is_tried_alone(tmp_path):
    (tmp_path / "noted.py").write_text(SOURCE)
    request = ClassToSpecify("noted", "Notes", paths=(str(tmp_path),))
    with open_host(request) as host:
        run = Inference(request, host.subject, host.pool, SilentListener())
        run.prepare(host.spec)
        profiles = profiles_of(run.table, run.equality)
        parser = LawParser(run.table.operations, profiles, run.table.values)
        universe = run.larger_universe(SMALL, seed=1)
        state = universe.starts[0]
        for name, *args in (("write", ""), ("write", "a"), ("write", "b"), ("undo",), ("undo",)):
            given = tuple(run.table.values.of_plain(one) for one in args)
            place = [one.name for one in run.table.operations].index(name)
            (entry,) = universe.steps([(state, run.table.call(place, given))])
            state = entry.after
        confirmation = Confirmation(universe)
        chance = parser.law("can_redo(redo(S)) == False if not can_redo(S) or last(S) == ''")
        meant = parser.law("undo(redo(S)) == S if can_redo(S) or last(S) == None")
        refuted = confirmation.check_where_met(chance)
        held = confirmation.check_where_met(meant)
    assert refuted is not None
    assert refuted.witness is not None
    assert held is not None
    assert held.witness is None
