"""What classes state themselves (stated_contracts), written again (specs_docstrings); small sorts.

The classes are a tank with contracts, a door of three states and lengths that take each other.
"""

from __future__ import annotations

import ast

import pytest

from unitcraft.infer.class_request import ClassToSpecify
from unitcraft.infer.infer_class import infer_specification, open_host
from unitcraft.infer.output.specs_docstrings import as_docstrings

SOURCE = '''
class Tank:
    """A tank.

    inv: self.level() >= 0
    inv: self.level() <= 3
    """

    def __init__(self, capacity: int = 5):
        self.capacity = max(0, capacity)
        self._level = 0

    def fill(self, amount: int) -> int:
        """Fill it.

        pre: amount >= 0
        post: __return__ == self.level()
        post: self.level() > __old__.self.level()
        post: not (amount == 0) or (self.level() == __old__.self.level())
        post: the tank is fuller
        """
        assert self.level() + amount <= self.capacity
        self._level += amount
        return self._level

    def level(self) -> int:
        return self._level


class Door:
    def __init__(self) -> None:
        self._state = "closed"

    def open(self) -> None:
        if self._state != "closed":
            raise RuntimeError("not closed")
        self._state = "open"

    def close(self) -> None:
        if self._state != "open":
            raise RuntimeError("not open")
        self._state = "closed"

    def lock(self) -> None:
        if self._state == "closed":
            self._state = "locked"

    def state(self) -> str:
        return self._state

    def is_open(self) -> bool:
        return self._state == "open"


class Length:
    def __init__(self, metres: int = 0, unit: str = "m") -> None:
        self.metres = metres
        self.unit = unit

    def __add__(self, other: "Length") -> "Length":
        if self.unit != other.unit:
            raise ValueError("units")
        return Length(self.metres + other.metres, self.unit)

    def __neg__(self) -> "Length":
        return Length(-self.metres, self.unit)

    def times(self, number: int) -> "Length":
        return Length(self.metres * number, self.unit)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Length) and vars(self) == vars(other)

    __hash__ = None
'''


def texts(found):
    return [text for one in found.laws for text in one.said]


def test_a_class_states_laws_and_which_calls_are_meant(specify):
    found = specify("Tank")
    assert found.assumed == ("fill: (amount >= 0) and (level() + amount <= capacity())",)
    stated = {one.text: one.confirmed.witness for one in found.checked}
    assert list(stated) == [
        "0 <= level(S)",
        "level(S) <= 3",
        "fill(S, amount).result == level(fill(S, amount)) if fill(S, amount) returns",
        "level(S) < level(fill(S, amount)) if fill(S, amount) returns",
        "level(fill(S, amount)) == level(S) if amount == 0 and fill(S, amount) returns",
    ]
    broken = [text for text, witness in stated.items() if witness is not None]
    assert broken == [list(stated)[1], list(stated)[3]]
    assert not any("raises" in law for law in texts(found))


def test_the_lines_for_docstrings_are_read_back_as_laws(specify, tmp_path):
    """Written, put into a class without others, and confirmed there."""
    lines = as_docstrings(specify("Tank"))
    assert "Tank\n    inv: 0 <= self.level()\n" in lines
    assert "Tank.fill\n    post: __return__ == __old__.self.level() + amount\n" in lines
    tree = ast.parse(SOURCE)
    (tank,) = [one for one in tree.body if getattr(one, "name", "") == "Tank"]
    by_name = {part.partition("\n")[0]: part for part in lines.split("\n\n")}
    for node, name in ((tank, "Tank"), (tank.body[2], "Tank.fill")):
        said = "pre: amount >= 0\n" + by_name[name].partition("\n")[2]
        node.body[0] = ast.parse(repr(said)).body[0]
    (tmp_path / "stated.py").write_text(ast.unparse(tank))
    with open_host(ClassToSpecify("stated", "", paths=(str(tmp_path),))) as host:
        request = ClassToSpecify("stated", "Tank", paths=(str(tmp_path),))
        stated = infer_specification(host, request).checked
    assert len(stated) == lines.count("inv:") + lines.count("post:")
    assert all(one.confirmed.witness is None for one in stated)


def test_texts_name_the_states_of_a_small_machine(specify):
    """Three states are all that there are: one row of a kind is enough."""
    laws = texts(specify("Door"))
    assert "is_open(S) == (state(S) == 'open')" in laws
    assert "open(S) raises RuntimeError if state(S) != 'closed'" in laws


@pytest.mark.parametrize(
    "law",
    [
        "(S + other) raises ValueError if unit(S) != unit(other)",
        "metres((S + other)) == metres(S) + metres(other) if unit(S) == unit(other)",
        "metres(-S) == -metres(S)",
        "-(-S) == S",
        "metres(times(S, number)) == metres(S) * number",
    ],
)
def test_objects_that_are_passed_are_asked_too(specify, law):
    assert law in texts(specify("Length"))
