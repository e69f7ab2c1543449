"""Values become terms that rebuild them, or Opaque."""

import dataclasses
import datetime as dt
import enum
import math
import re
import sys
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unitcraft.core.encoding import encode, encode_sequence
from unitcraft.core.outcomes import Opaque
from unitcraft.core.sequences import Build, Call, Const, Display, Sequence, Symbol
from unitcraft.execute.guest import arg_of_value, interpret
from unitcraft.execute.guest.arg_of_value import (
    MAX_PATTERN,
    is_simple_float,
    is_stable_text,
    to_arg,
)
from unitcraft.execute.guest.interpret import compile_argument
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.agents.answers import AfterAnswer

ATOMS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=20)
    | st.binary(max_size=20)
)
VALUES = st.recursive(
    ATOMS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(ATOMS, inner, max_size=3)
        | st.frozensets(ATOMS, max_size=3)
    ),
    max_leaves=12,
)


def rebuilt(value):
    return compile_argument(encode(to_arg(value)))([])


@given(VALUES)
def test_plain_values_are_rebuilt_with_their_classes(value):
    term = to_arg(value)
    if not isinstance(term, Opaque):
        made = compile_argument(encode(term))([])
        assert repr_of(made) == repr_of(value)


def repr_of(value):
    return sorted(map(repr, value)) if isinstance(value, frozenset) else (type(value), value)


class Colour(enum.Enum):
    RED = 1


@dataclasses.dataclass
class Point:
    x: int
    y: list = dataclasses.field(default_factory=list)


class Span:
    def __init__(self, start, step=None, /, stop=None, width=1):
        self.start, self.step, self.stop, self.width = start, step, stop, width

    def __eq__(self, other):
        return vars(self) == vars(other)

    __hash__ = None


class Plain:
    pass


class Liar:
    def __eq__(self, other):
        return False

    __hash__ = None

    def __repr__(self):
        return "Liar()"


class Rude:
    def __repr__(self):
        raise RuntimeError

    def __eq__(self, other):
        raise RuntimeError

    __hash__ = None


def test_members_and_texts_of_the_classes_of_a_test_have_no_term():
    class Local(enum.Enum):
        RED = 1

    assert to_arg(Local.RED) == Opaque(f"{__name__}:{Local.__qualname__}")
    assert not is_stable_text("<class 'test_module.test.<locals>.Person'>")
    assert is_stable_text("<class 'test_module.Person'>")


def test_enum_members_and_functions_are_symbols():
    assert to_arg(Colour.RED) == Symbol(__name__, "Colour.RED")
    assert to_arg(math.sqrt) == Symbol("math", "sqrt")


def test_dataclasses_are_rebuilt_from_their_fields():
    assert to_arg(Point(1, [2])) == Build(
        Symbol(__name__, "Point"), (), (("x", Const(1)), ("y", Display("list", (Const(2),))))
    )


@dataclasses.dataclass
class Column:
    title: str = ""
    width: int | None = None
    cells: list = dataclasses.field(default_factory=list)
    step: float = 1


@pytest.mark.parametrize("own", [False, True])
def test_defaults_of_dataclasses_of_other_projects_are_left_out(monkeypatch, own):
    if own:
        monkeypatch.setitem(interpret.AT_IMPORT, __name__, {})
    every = {"title": Const(""), "width": Const(None), "cells": Display("list", ())}
    given = {**every, "step": Const(1)} if own else {}
    column = Symbol(__name__, "Column")
    assert to_arg(Column()) == Build(column, (), tuple(given.items()))
    shown = (
        {**every, "width": Const(2), "step": Const(1.0)}
        if own
        else {"width": Const(2), "step": Const(1.0)}
    )
    assert repr(to_arg(Column(width=2, step=1.0))) == repr(Build(column, (), tuple(shown.items())))


def test_arguments_of_a_constructor_that_have_the_default_are_left_out():
    span = Symbol(__name__, "Span")
    width = ("width", Const(2))
    assert to_arg(Span(1, 2)) == Build(span, (Const(1), Const(2)))
    assert to_arg(Span(1, 2, width=2)) == Build(span, (Const(1), Const(2)), (width,))
    assert to_arg(Span(None, None, width=2)) == Build(span, (Const(None), Const(None)), (width,))


def test_objects_without_equality_lying_or_raising_are_opaque():
    assert to_arg(Plain()) == Opaque(f"{__name__}:Plain", equatable=False)
    assert to_arg(Liar()) == Opaque(f"{__name__}:Liar", equatable=True)
    assert isinstance(to_arg(Rude()), Opaque)
    assert isinstance(to_arg([Plain()]), Opaque)


def test_texts_with_addresses_are_opaque():
    assert isinstance(to_arg(repr(object())), Opaque)
    assert to_arg("0x1f") == Const("0x1f")


def test_cycles_and_depth_are_opaque():
    loop = []
    loop.append(loop)
    assert isinstance(to_arg(loop), Opaque)


def test_sets_are_written_in_one_order():
    assert to_arg({3, 1, 2}) == Display("set", (Const(1), Const(2), Const(3)))


def test_simple_floats_are_exact_in_few_digits():
    assert [is_simple_float(x) for x in (0.5, 0.1, math.inf, math.nan)] == [
        True,
        False,
        True,
        False,
    ]


def test_utc_has_a_name():
    assert to_arg(dt.UTC) == Symbol("datetime", "timezone.utc")


def test_a_stand_in_is_written_as_the_class_whose_name_it_bears():
    moment = dt.datetime(2024, 1, 2, tzinfo=dt.UTC)
    names = {"__module__": "datetime", "__qualname__": "datetime"}
    stand_in = type("datetime", (dt.datetime,), names)
    assert to_arg(stand_in(2024, 1, 2, tzinfo=dt.UTC)) == to_arg(moment)
    other = type("Moment", (dt.datetime,), {})
    assert isinstance(to_arg(other(2024, 1, 2)), Opaque)


def test_a_text_with_a_folder_of_imports_is_not_stable(monkeypatch):
    monkeypatch.setattr(sys, "path", ["/srv/project/src", "", "/usr", None, *sys.path])
    assert not is_stable_text("cannot import name 'x' from 'm' (/srv/project/src/m.py)")
    assert is_stable_text("/usr/share/x and /srv/other")
    assert is_stable_text("no folder at all")


def test_a_text_with_the_version_of_what_is_installed_is_not_stable(monkeypatch):
    module = ModuleType("sturdy_ship")
    module.__version__ = "2.34.2"
    monkeypatch.setitem(sys.modules, "sturdy_ship", module)
    assert not is_stable_text("agent sturdy-ship/2.34.2")
    assert not is_stable_text(f"Python {sys.version.split()[0]}")
    assert is_stable_text("2.34.2")
    assert is_stable_text("sturdy-ship/2.34.1")


def test_a_text_that_names_this_machine_is_not_stable(monkeypatch):
    monkeypatch.setattr(arg_of_value, "_OF_MACHINE", ("Debian GNU/Linux 12 (bookworm)",))
    assert not is_stable_text('{"name": "Debian GNU/Linux 12 (bookworm)"}')
    assert is_stable_text("Debian GNU/Linux")
    assert all(any(map(str.isdigit, one)) for one in arg_of_value.texts_of_machine())


def test_a_regular_expression_that_nobody_can_check_has_no_term():
    assert not isinstance(to_arg(re.compile("a" * MAX_PATTERN)), Opaque)
    assert isinstance(to_arg(re.compile("a" * (MAX_PATTERN + 1))), Opaque)


class Zone:
    """A class without an equality of its own."""


UTC_ZONE = Zone()
_HIDDEN_ZONE = Zone()


def test_an_object_that_a_module_has_held_since_import_has_its_name(monkeypatch):
    held = dict(vars(sys.modules[__name__]))
    monkeypatch.setitem(interpret.AT_IMPORT, __name__, held)
    assert to_arg(UTC_ZONE) == Symbol(__name__, "UTC_ZONE")
    assert isinstance(to_arg(_HIDDEN_ZONE), Opaque)
    monkeypatch.setattr(sys.modules[__name__], "LATE_ZONE", late := Zone(), raising=False)
    assert isinstance(to_arg(late), Opaque)


def test_a_singleton_is_returned_as_itself(tmp_path):
    (tmp_path / "zones.py").write_text(
        "class Zone:\n    pass\n\n\nUTC = Zone()\nLATEST = None\n\n\n"
        "def known():\n    return UTC\n\n\n"
        "def made():\n    global LATEST\n    LATEST = Zone()\n    return LATEST\n"
    )
    spec = HostSpec("unitcraft.explore.agents.search_agent", {"module": "zones", "rewrite": False},
                    paths=(str(tmp_path),), focus=("zones",))  # fmt: skip
    calls = [encode_sequence(Sequence((Call("function", f"zones:{name}", ()),)))
             for name in ("known", "made")]  # fmt: skip
    with Pool(spec, 1) as pool:
        known, made = (AfterAnswer(*one.value).shown for one in pool.map("after", calls))
    assert known == encode(Symbol("zones", "UTC"))
    assert made[0] == "o"


@pytest.mark.parametrize(
    "value",
    [
        re.IGNORECASE | re.MULTILINE,
        re.IGNORECASE | re.MULTILINE | re.DOTALL,
        re.IGNORECASE,
        re.RegexFlag(0),
    ],
)
def test_flags_are_told_by_their_members(value):
    found = to_arg(value)
    if value in (re.IGNORECASE, re.RegexFlag(0)):
        assert not isinstance(found, Build)
    else:
        assert rebuilt(value) == value


def test_what_no_member_has_is_no_flag_of_members():
    assert isinstance(to_arg(re.IGNORECASE | re.RegexFlag(1 << 20)), Opaque)
