"""The influence analysis: source text in, what each Invocable defines, uses and takes out."""

from __future__ import annotations

import ast
import textwrap

import pytest

from unitcraft.explore.influence.effects import Variable
from unitcraft.explore.influence.expression_types import ANY_CONTAINER
from unitcraft.explore.influence.influence_analysis import analyse_influence
from unitcraft.explore.influence.influence_matrix import InfluenceMatrix
from unitcraft.explore.influence.source_effects import Callee, read_function
from unitcraft.explore.influence.source_types import Kind, annotated_kind, read_module

MONITOR = """
    class TemperatureMonitor:
        def __init__(self) -> None:
            self._enabled = False
            self._temperature = 0

        def set_enabled(self, enabled: bool) -> None:
            self._enabled = enabled

        def update_temperature(self, temperature: int) -> None:
            if self._enabled:
                self._temperature = temperature

        def get_temperature(self) -> int:
            return self._temperature

        def warning(self) -> bool:
            return self.get_temperature() > 80
    """

GUESTS = """
    from __future__ import annotations

    LIMIT = 3
    COUNT = 0


    class Guest:
        speed: int = 1

        def __init__(self, name: str) -> None:
            self.name = name

        def move(self) -> None:
            pass


    class Player(Guest):
        def move(self) -> None:
            self.points = 1


    class Monster(Guest):
        def move(self) -> None:
            self.anger = 2


    class Cell:
        def __init__(self) -> None:
            self.guests: list[Guest] = []
            self.owner: Guest | None = None

        def enter(self, guest: Guest) -> None:
            self.guests.append(guest)
            self.owner = guest

        def first(self) -> Guest:
            guests = self.guests
            return guests[0]

        def size(self) -> int:
            return len(self.guests)

        def step(self) -> None:
            for guest in self.guests:
                guest.move()

        def holds(self, other: object) -> bool:
            return isinstance(other, Guest) and other in self.guests

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Cell) and other.owner == self.owner

        @property
        def label(self) -> str:
            return self.owner.name

        @classmethod
        def full(cls, guests: list[Guest]) -> Cell:
            made = cls()
            made.guests = guests
            return made


    def count() -> int:
        global COUNT
        COUNT += 1
        return min(COUNT, LIMIT)


    def same(one: Cell, other: Cell) -> bool:
        return one == other


    def loose(thing):
        return thing.size()
    """


def table(lab, source):
    """Path of an Invocable -> its Effects, in words."""

    def names(variables):
        return [f"{one.owner.rpartition(':')[2]}.{one.name}".lstrip(".") for one in variables]

    found = {}
    for one in analyse_influence(lab(source).subject):
        found[one.invocable.id.partition(":")[2]] = {
            "defines": names(one.defines), "uses": names(one.uses), "stores": names(one.stores),
            "loads": names(one.loads),
            "slots": [[cls.partition(":")[2] for cls in slot.classes] for slot in one.slots],
            "returns": [cls.partition(":")[2] for cls in one.returns],
        }  # fmt: skip
    return found


def test_temperature_monitor_is_the_table_of_the_thesis(lab):
    enabled, temperature = "TemperatureMonitor._enabled", "TemperatureMonitor._temperature"
    shown = {
        name.rpartition(".")[2]: (row["defines"], row["uses"], len(row["slots"]), row["returns"])
        for name, row in table(lab, MONITOR).items()
    }
    assert shown == {
        "TemperatureMonitor": ([enabled, temperature], [], 0, ["TemperatureMonitor"]),
        "set_enabled": ([enabled], [], 1, []),
        "update_temperature": ([temperature], [enabled], 1, []),
        "get_temperature": ([], [temperature], 1, []),
        "warning": ([], [temperature], 1, []),
    }


@pytest.fixture
def guests(lab):
    return table(lab, GUESTS)


@pytest.mark.parametrize(
    ("name", "column", "expected"),
    [
        ("Guest", "defines", ["Guest.speed", "Guest.name"]),
        ("Player", "defines", ["Guest.speed", "Guest.name"]),
        ("Cell.enter", "stores", ["Cell.guests"]),
        ("Cell.enter", "loads", []),
        ("Cell.enter", "defines", ["Cell.owner"]),
        ("Cell.enter", "uses", ["Cell.guests"]),
        ("Cell.enter", "slots", [["Cell"], ["Guest"]]),
        ("Cell.first", "loads", ["Cell.guests"]),
        ("Cell.first", "returns", ["Guest"]),
        ("Cell.size", "loads", ["Cell.guests"]),
        ("Cell.step", "defines", ["Guest.points", "Guest.anger"]),
        ("Cell.holds", "slots", [["Cell"], ["Guest"]]),
        ("Cell.__eq__", "uses", ["Cell.owner"]),
        ("Cell.label", "uses", ["Cell.owner", "Guest.name"]),
        ("Cell.full", "defines", ["Cell.guests", "Cell.owner"]),
        ("Cell.full", "returns", ["Cell"]),
        ("Cell.full", "slots", [["Guest"]]),
        ("count", "defines", ["COUNT"]),
        ("same", "uses", ["Cell.owner"]),
        ("loose", "slots", [["Cell"]]),
        ("loose", "loads", ["Cell.guests"]),
    ],
)
def test_effects_go_through_calls_overrides_and_containers(guests, name, column, expected):
    assert guests[name][column] == expected


def test_a_variable_of_a_module_is_shared(lab):
    effects = {one.invocable.name: one for one in analyse_influence(lab(GUESTS).subject)}
    assert [(one.name, one.is_shared) for one in effects["count"].uses] == [
        ("COUNT", True), ("LIMIT", True),
    ]  # fmt: skip


SHARED = """
class Unit:
    known = {}
    count = 0
    factor = 1
    speed = 2

    def __new__(cls, name):
        made = super().__new__(cls)
        cls.known[name] = made
        Unit.count += 1
        return made

    def scale(self, factor):
        self.factor = factor


def find(name):
    return Unit.known.get(name)


def total():
    return Unit.count * Unit.factor * Unit.speed
"""


def test_what_a_class_holds_and_code_changes_is_shared_unless_objects_have_their_own(lab):
    found = analyse_influence(lab(SHARED).subject)
    effects = {one.invocable.name: one for one in found}
    assert [one.name for one in effects["Unit"].defines if one.is_shared] == ["count"]
    assert [one.name for one in effects["Unit"].stores if one.is_shared] == ["known"]
    assert {one.name: one.is_shared for one in effects["total"].uses} == {
        "count": True, "factor": False, "speed": False,
    }  # fmt: skip
    matrix = InfluenceMatrix(found, {})
    names = [one.invocable.name for one in found]
    linked = [matrix.are_linked_by_shared(names.index("Unit"), names.index(one))
              for one in ("find", "total", "scale")]  # fmt: skip
    assert linked == [True, True, False]


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        ("Cell", Kind("m:Cell")),
        ("'Cell'", Kind("m:Cell")),
        ("Cell | None", Kind("m:Cell")),
        ("Optional[Cell]", Kind("m:Cell")),
        ("list[Cell]", Kind("", "m:Cell")),
        ("dict[str, list[Cell]]", Kind("", "m:Cell")),
        ("int", Kind()),
    ],
)
def test_annotations_name_classes(annotation, kind):
    assert annotated_kind(ast.parse(annotation, mode="eval").body, {"Cell": "m:Cell"}) == kind


def test_a_method_of_an_unknown_receiver_may_be_that_of_any_class():
    text = textwrap.dedent("""
        class A:
            def go(self): ...

        def use(thing):
            thing.go()
            thing.field = 1
            return thing[0]
        """)
    module = read_module("m", ast.parse(text), package=False)
    classes = {made.id: made for made in module.classes.values()}
    facts = read_function(module.functions["use"], module, None, "", classes)
    assert list(facts.callees) == [Callee("method", "", "go")]
    assert list(facts.foreign) == [Variable("", "field")]
    assert ANY_CONTAINER in facts.loads
    assert facts.touched == {"thing": ["go", "field"]}
