"""Looking at objects without running their code: look-ups, ids, literals, types, signatures."""

from __future__ import annotations

import abc
import ast
import enum
import json
import pathlib
import types

import pytest

from unitcraft.core.sequences import Const, Display, Symbol
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject import static_lookup
from unitcraft.subject.annotations import AnnotationReader
from unitcraft.subject.description.field_effects import assigned_fields, effects_of
from unitcraft.subject.description.signatures import (
    native_parameters,
    parameters_of,
    result_of,
)
from unitcraft.subject.import_paths import ImportPaths
from unitcraft.subject.known_types import BOOL, CONTAINERS, FLOAT, INT, NONE, SIMPLE, STR, union
from unitcraft.subject.literal_args import MAX_ITEMS, MAX_TEXT, literal_in, literal_of
from unitcraft.subject.runtime_types import type_of_class
from unitcraft.subject.source_files import trivial_functions


class Meta(type):
    def __getattribute__(cls, name):
        raise RuntimeError(name)


class Guarded(metaclass=Meta):
    """Nobody may ask this class."""

    def method(self):
        """A method."""


class Liar:
    __class__ = int

    def __getattr__(self, name):
        raise RuntimeError(name)


class Colour(enum.Enum):
    RED = 1


class Base(abc.ABC):
    @abc.abstractmethod
    def need(self): ...


HERE = ImportPaths(__name__, globals())


def test_no_code_of_the_object_runs():
    assert static_lookup.is_class(Guarded)
    assert static_lookup.qualname(Guarded) == "Guarded"
    assert static_lookup.module_name(Guarded) == __name__
    assert static_lookup.mro(Guarded) == (Guarded, object)
    assert static_lookup.lookup(Guarded, "method")[1] is Guarded
    assert static_lookup.lookup(Guarded, "missing") is None
    assert static_lookup.doc_of(Guarded) == "Nobody may ask this class."


def test_a_lying_class_attribute_changes_no_answer():
    liar = Liar()
    assert isinstance(liar, int)
    assert not static_lookup.is_instance(liar, int)
    assert static_lookup.own_dict(liar) == {}


def test_abstract_classes_and_c_types():
    assert static_lookup.is_abstract(Base)
    assert not static_lookup.is_abstract(Colour)
    assert static_lookup.module_name(int) == "builtins"


def test_paths_are_resolved_in_loaded_modules():
    assert static_lookup.resolve("json.decoder", "JSONDecoder.decode") is json.JSONDecoder.decode
    assert static_lookup.resolve("json", "decoder.JSONDecoder") is json.JSONDecoder
    assert static_lookup.resolve("json", "missing") is None
    assert static_lookup.resolve("not_loaded", "x") is None
    assert static_lookup.top_package("a.b.c") == "a"


def test_ids_lead_to_the_identical_object():
    def local():
        pass

    assert HERE.id_of(Colour) == f"{__name__}:Colour"
    assert HERE.symbol(json.dumps) == Symbol("json", "dumps")
    assert HERE.id_of(pathlib.PurePath) == "pathlib:PurePath"
    assert HERE.id_of(local) == ""
    assert HERE.id_of(types.ModuleType) == "types:ModuleType"
    assert HERE.id_of(types.CodeType) == ""
    paths = ImportPaths(__name__, globals())
    paths.of_class(Colour)
    paths.of_class(int)
    assert paths.asked == [Colour]
    paths.assign(local, "shop:made")
    assert paths.id_of(local) == "shop:made"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (7, Const(7)),
        (..., Const(...)),
        ({"a": (1,)}, Display("dict", (Const("a"), Display("tuple", (Const(1),))))),
        ({2, 1}, Display("set", (Const(1), Const(2)))),
        (Colour.RED, Symbol(__name__, "Colour.RED")),
        (json.dumps, Symbol("json", "dumps")),
        (object(), None),
        ("x" * (MAX_TEXT + 1), None),
        ([0] * (MAX_ITEMS + 1), None),
        ([[[[1]]]], None),
        (type("I", (int,), {})(1), None),
    ],
)
def test_literals(value, expected):
    assert literal_of(value, HERE) == expected


def test_literals_in_source():
    assert literal_in(ast.parse("-1", mode="eval").body) == Const(-1)
    assert literal_in(ast.parse("x", mode="eval").body) is None
    assert literal_of(Colour.RED) is None


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        ((INT, NONE, INT), TypeExpr("union", (INT, NONE))),
        ((INT,), INT),
        ((INT, ANY), ANY),
        ((), ANY),
        ((union(INT, STR), FLOAT), TypeExpr("union", (INT, STR, FLOAT))),
    ],
)
def test_unions_are_flat(members, expected):
    assert union(*members) == expected


def test_known_names():
    assert SIMPLE["SupportsIndex"] == INT
    assert CONTAINERS["MutableMapping"] == ("dict", 2)
    assert not set(SIMPLE) & set(CONTAINERS)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("builtins:int", INT),
        ("builtins:NoneType", NONE),
        ("builtins:tuple", TypeExpr("vartuple", (ANY,))),
        ("collections.abc:Mapping", TypeExpr("mapping")),
        ("numbers:Real", FLOAT),
        ("shop:Mapping", TypeExpr("class", cls="shop:Mapping")),
        ("builtins:object", TypeExpr("class", cls="builtins:object")),
    ],
)
def test_types_of_classes_tested_at_run_time(name, expected):
    assert type_of_class(name) == expected


def described(function, **options):
    return parameters_of(function, AnnotationReader(HERE, (globals(),), "", {}), **options)


def test_parameters_come_from_the_code_object():
    def f(a, /, b: int, c="x", *rest, d=True, **more) -> str:
        """A function.

        :param float a: first
        """

    f.__signature__ = "a lie"
    found = described(f)
    assert [(one.name, one.kind, one.required) for one in found] == [
        ("a", "positional_only", True),
        ("b", "positional", True),
        ("c", "positional", False),
        ("rest", "var_positional", False),
        ("d", "keyword", False),
        ("more", "var_keyword", False),
    ]
    assert [(one.type, one.origin) for one in found[:3]] == [
        (FLOAT, "docstring"),
        (INT, "annotation"),
        (STR, "default"),
    ]
    assert (found[2].default, found[4].type) == (Const("x"), BOOL)
    assert described(f, skip=1)[0].name == "b"
    assert result_of(f, AnnotationReader(HERE, (globals(),), "", {})) == STR


def test_parameters_of_c_code():
    assert [(one.name, one.default) for one in native_parameters(sorted)][1:] == [
        ("key", Const(None)),
        ("reverse", Const(value=False)),
    ]
    assert [one.kind for one in native_parameters(min)] == ["var_positional"]


CLASS = """
class Box:
    def put(self, item):
        self.items.append(item)
        self.count += 1
        self.log[0] = self.name
        self.last: int = item
        del self.old
        other.field = 1
"""


def test_fields_that_a_method_reads_and_writes():
    tree = ast.parse(CLASS).body[0]
    reads, writes = effects_of(tree.body[0])
    assert set(reads) == {"items", "count", "log", "name"}
    assert set(writes) == {"items", "count", "log", "last", "old"}
    assert set(assigned_fields(tree)) == {"count", "last"}
    assert ast.unparse(assigned_fields(tree)["last"]) == "int"
    assert assigned_fields(tree) is assigned_fields(tree), "asked for each field of each subclass"
    assert effects_of(ast.parse("def f(): x.y = 1").body[0]) == ((), ())


TRIVIAL = '''
class Whole:
    def run(self): return self._ask()
    def told(self):
        """Nothing."""
        ...
    def passed(self): pass
    def stub(self):
        """For heirs."""
        raise NotImplementedError("write it")
    def _empty(self): return ()
    def _item(self, table, key): return table[key]
    def _look(self, one, name): return getattr(one, name)
    def _text(self, key): return "." + key
    def _sum(self, numbers): return sum(numbers)
    def __len__(self): return 0
    def plain(self): return 1
class Stubs:
    def __init__(self): self.size = 1
    def _size(self): return self.size
class Heir(Whole):
    def _ask(self): return 1
def _made(): return 1
'''


def test_stubs_and_private_functions_that_hand_a_value_on_have_no_behaviour_of_their_own():
    tree = ast.parse(TRIVIAL)
    found = trivial_functions(tree)
    names = [one.name for one in ast.walk(tree) if getattr(one, "lineno", 0) in found
             and isinstance(one, ast.FunctionDef)]  # fmt: skip
    assert sorted(names) == ["_ask", "_empty", "_item", "_look", "_text", "passed", "stub", "told"]
