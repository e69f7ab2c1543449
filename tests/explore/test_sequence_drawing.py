"""Candidate sequences by chance: what is drawn can run, and every call may influence the target."""

from __future__ import annotations

import pytest
from source_lab import rng

from unitcraft.core.sequences import Call, Ref, Sequence
from unitcraft.explore.execution import Execution
from unitcraft.explore.influence.data_flow import is_executable
from unitcraft.explore.influence.influence_analysis import analyse_influence
from unitcraft.explore.influence.seen_effects import SeenEffects
from unitcraft.explore.influence.sequence_drawing import SequenceDrawing

BOARD = """
    from __future__ import annotations


    class Cell:
        def __init__(self) -> None:
            self.guest: Guest | None = None


    class Guest:
        def __init__(self) -> None:
            self.cell: Cell | None = None

        def occupy(self, cell: Cell) -> None:
            assert cell.guest is None
            self.cell = cell
            cell.guest = self

        def look(self) -> bool:
            return self.cell is not None

        def where(self) -> Cell | None:
            return self.cell


    class Wall(Guest):
        pass


    class Move:
        def __init__(self, guest: Guest, target: Cell) -> None:
            assert guest.cell is not None, "it is on the board"
            self.guest = guest
            self.target = target

        def possible(self) -> bool:
            if self.target.guest is None:
                return True
            return not isinstance(self.target.guest, Wall)


    class Alone:
        pass
    """


@pytest.fixture
def drawing(lab):
    subject = lab(BOARD).subject
    return SequenceDrawing(analyse_influence(subject), subject)


def names(drawing, numbers):
    return [drawing.matrix.rows[one].invocable.id.partition(":")[2] for one in numbers]


def test_what_is_drawn_can_run_and_ends_in_the_target(drawing):
    target = drawing.number_of("sample:Move.possible")
    random = rng("drawing")
    drawn = [drawing.draw(target, count, random) for count in range(1, 6) for _ in range(8)]
    for one in drawn:
        assert is_executable(drawing.matrix, one)
        assert names(drawing, one)[-1] == "Move.possible"
        assert not {"Alone", "Guest.look"} & {*names(drawing, one)}
    assert any("Guest.where" in names(drawing, one) for one in drawn)
    before = [names(drawing, one).index("Move") for one in drawn]
    assert any("Guest.occupy" in names(drawing, one)[:place]
               for one, place in zip(drawn, before, strict=True))  # fmt: skip


def test_another_class_may_stand_in_its_place(drawing):
    guest = drawing.matrix.returns(drawing.number_of("sample:Guest"))
    assert names(drawing, drawing.others_like(guest)) == ["Wall"]
    alone = drawing.matrix.returns(drawing.number_of("sample:Alone"))
    assert drawing.others_like(alone) == []
    changing = drawing.changing(drawing.number_of("sample:Move.possible"))
    assert names(drawing, changing) == ["Guest.occupy", "Wall.occupy"]


POOL = """
    class Link:
        def __init__(self):
            self.open = True

        def shut(self):
            self.open = False


    class Pool:
        def __init__(self, factory):
            self.factory = factory

        def take(self):
            return self.factory()
    """


def test_what_runs_saw_calls_answer_makes_objects(lab):
    """No source says what a factory that was handed in answers."""
    subject = lab(POOL).subject
    pool, link = (f"{subject.module}:{name}" for name in ("Pool", "Link"))
    take = f"{pool}.take"
    seen = SeenEffects(subject, lambda _invocable, _name: ())

    def answered(runs):
        drawing = seen.drawing({take: runs})
        return drawing, drawing.matrix.returns(drawing.number_of(take))

    before, nothing = answered([])
    assert (nothing, answered([])[0]) == (0, before)
    calls = (Call("function", pool), Call("method", "take", (Ref(0),)))
    rows = ((0, pool, b"a", b"a"), (1, link, b"b", b"b"))
    run = Execution(take, Sequence(calls), None, "", (), (), (), rows)
    after, found = answered([run])
    assert after is not before
    assert found == after.matrix.of_class(link)
