from __future__ import annotations

import marshal

import pytest

from unitcraft.core.sequences import Const, Symbol
from unitcraft.core.types import TypeExpr
from unitcraft.subject.description.describe import describe
from unitcraft.subject.model import Regex
from unitcraft.subject.subject_codec import decode_subject, encode_subject


def ids(subject) -> list[str]:
    return [one.id.partition(":")[2] for one in subject.invocables]


def is_settable(one) -> bool:
    """Is it a property or field that can be assigned?"""
    return one.kind in ("property", "field") and bool(one.parameters)


def test_lists_own_functions_and_classes_in_source_order(subject) -> None:
    found = subject(
        """
        import math
        from json import dumps
        sqrt = math.sqrt
        def second(): ...
        class First:
            def method(self): ...
        twice = lambda x: 2 * x
        alias = second
        """
    )
    assert ids(found) == ["second", "First", "First.method", "twice"]
    assert not found.skipped


def test_parameters_defaults_and_lines(invocable) -> None:
    found = invocable(
        """
        def f(a, /, b, c=1, *rest, d, e="x", **more):
            if a:
                return 1
            return 2
        """,
        "f",
    )
    assert [(one.name, one.kind, one.required, one.default) for one in found.parameters] == [
        ("a", "positional_only", True, None),
        ("b", "positional", True, None),
        ("c", "positional", False, Const(1)),
        ("rest", "var_positional", False, None),
        ("d", "keyword", True, None),
        ("e", "keyword", False, Const("x")),
        ("more", "var_keyword", False, None),
    ]
    assert (found.module, found.first, found.last) == ("sample", 2, 5)


def test_kinds_of_members(subject) -> None:
    found = subject(
        """
        import functools
        class A:
            __slots__ = ("x", "_y")
            def m(self): ...
            @classmethod
            def c(cls): ...
            @staticmethod
            def s(a): ...
            @property
            def p(self) -> int: ...
            @p.setter
            def p(self, value): ...
            @functools.cached_property
            def q(self): ...
            @functools.lru_cache
            def cached(self, n): ...
            def __add__(self, other): ...
            def __init_subclass__(cls): ...
            def _private(self): ...
            def __mangled(self): ...
            constant = 3
            class Inner:
                def deep(self): ...
        """
    )
    rows = [(one.id.partition(":")[2], one.kind, is_settable(one)) for one in found.invocables]
    assert rows == [
        ("A", "constructor", False),
        ("A.m", "method", False),
        ("A.c", "classmethod", False),
        ("A.s", "staticmethod", False),
        ("A.p", "property", True),
        ("A.q", "property", False),
        ("A.cached", "method", False),
        ("A.__add__", "method", False),
        ("A._private", "method", False),
        ("A.x", "field", True),
        ("A.Inner", "constructor", False),
        ("A.Inner.deep", "method", False),
    ]
    by_id = {one.id: one for one in found.invocables}
    assert by_id["sample:A.cached"].parameters[0].name == "n"
    assert by_id["sample:A.p"].parameters[0].type == TypeExpr("int")
    assert not by_id["sample:A._private"].public


def test_flavours_of_functions(subject) -> None:
    found = subject(
        """
        import contextlib
        async def a(): ...
        def g(): yield 1
        async def ag(): yield 1
        @contextlib.contextmanager
        def manager(): yield 1
        @contextlib.asynccontextmanager
        async def lease(): yield 1
        """
    )
    rows = [(one.name, one.is_async, one.is_generator, one.manages) for one in found.invocables]
    assert rows == [
        ("a", True, False, False),
        ("g", False, True, False),
        ("ag", True, True, False),
        ("manager", False, False, True),
        ("lease", True, False, True),
    ]


def test_a_function_that_a_decorator_made_an_object_of_is_named(subject) -> None:
    found = subject(
        """
        class Command:
            def __init__(self, callback): self.callback = callback
        def command(f): return Command(f)
        @command
        def main(): ...
        @command
        def _hidden(): ...
        """
    )
    assert [(name, code) for name, code, _ in found.skipped] == [("sample:main", "UC501")]
    assert "an object of sample.Command" in found.skipped[0][2]


def test_a_function_of_elsewhere_that_an_import_took_the_place_of_is_named(subject) -> None:
    described = subject("""
        try:
            from math import hypot
        except ImportError:
            def hypot(x, y):
                return x + y
        """)
    (name, code, why) = described.skipped[0]
    assert (name, code) == ("sample:hypot", "UC501")
    assert why.startswith("the module holds a builtin_function_or_method of that name")


def test_decorated_functions_show_what_is_inside(subject) -> None:
    found = subject(
        """
        import functools
        def plain(f):
            def wrapper(*args): return f(*args)
            return wrapper
        def polite(f):
            @functools.wraps(f)
            def wrapper(*args): return f(*args)
            return wrapper
        @plain
        def first(a, b): ...
        @polite
        def second(a, b): ...
        third = functools.partial(second, 1)
        @functools.singledispatch
        def fourth(a): ...
        """
    )
    rows = {one.name: [part.name for part in one.parameters] for one in found.invocables}
    assert rows["first"] == rows["second"] == ["a", "b"]
    assert rows["third"] == ["b"]
    assert rows["fourth"] == ["a"]
    assert {one.name: one.first for one in found.invocables}["first"] == 10


@pytest.mark.parametrize(
    ("head", "kinds"),
    [
        ("*args", ["positional_only", "positional_only"]),
        ("*args, **kwargs", ["positional", "positional"]),
        ("a, b", ["positional", "positional"]),
    ],
)
def test_a_wrapper_that_knows_no_names_takes_arguments_by_place(subject, head, kinds) -> None:
    given = head.replace("a, b", "a=a, b=b")
    found = subject(
        f"""
        import functools

        def plain(f):
            @functools.wraps(f)
            def wrapper({head}):
                return f({given})
            return wrapper

        @plain
        def area(a, b):
            return a * b
        """
    )
    area = next(one for one in found.invocables if one.name == "area")
    assert [one.kind for one in area.parameters] == kinds


def test_inherited_members_count_once_and_keep_their_lines(subject) -> None:
    found = subject(
        """
        class Base:
            def shared(self): ...
            def replaced(self): ...
        class Derived(Base):
            def replaced(self): ...
        """
    )
    rows = [(one.id, one.first) for one in found.invocables if one.owner == "sample:Derived"]
    assert rows == [
        ("sample:Derived", 0),
        ("sample:Derived.replaced", 6),
        ("sample:Derived.shared", 3),
    ]


def test_mixin_methods_of_collections_are_members(class_info) -> None:
    info = class_info(
        """
        from collections.abc import MutableMapping
        class D(MutableMapping):
            def __init__(self): self.d = {}
            def __getitem__(self, k): return self.d[k]
            def __setitem__(self, k, v): self.d[k] = v
            def __delitem__(self, k): del self.d[k]
            def __iter__(self): return iter(self.d)
            def __len__(self): return len(self.d)
        """,
        "D",
    )
    names = {member.partition(".")[2] for member in info.members}
    assert {"pop", "update", "setdefault", "keys", "__contains__", "__getitem__"} <= names
    assert {"__repr__", "__hash__", "__class_getitem__"}.isdisjoint(names)
    assert info.fields == (("d", TypeExpr("any")),)


def test_dataclass(subject) -> None:
    found = subject(
        """
        from __future__ import annotations
        from dataclasses import dataclass, field
        @dataclass
        class P:
            x: int
            tags: list[str] = field(default_factory=list)
            def __post_init__(self):
                self.x += 1
        @dataclass(frozen=True)
        class Q:
            y: P = None
        """
    )
    rows = [(one.id.partition(":")[2], one.kind, is_settable(one)) for one in found.invocables]
    assert rows == [
        ("P", "constructor", False),
        ("P.x", "field", True),
        ("P.tags", "field", True),
        ("Q", "constructor", False),
        ("Q.y", "field", False),
    ]
    made = found.invocables[0]
    assert [(one.name, one.type.name, one.required) for one in made.parameters] == [
        ("x", "int", True),
        ("tags", "list", False),
    ]
    assert (made.first, made.last) == (8, 9)
    assert "dataclass" in found.classes[0].tags


def test_named_tuple_enum_exception_and_builtin_subclass(subject) -> None:
    found = subject(
        """
        import enum, typing, collections
        class N(typing.NamedTuple):
            a: int
            b: str = "x"
        class C(enum.Enum):
            RED = "r"
            BLUE = "b"
            def hex(self): ...
        class E(ValueError): ...
        class L(list):
            def first(self): return self[0]
        """
    )
    tags = {info.qualname: set(info.tags) for info in found.classes}
    assert "namedtuple" in tags["N"]
    assert "enum" in tags["C"]
    assert "exception" in tags["E"]
    by_id = {one.id.partition(":")[2]: one for one in found.invocables}
    assert [one.type.name for one in by_id["N"].parameters] == ["int", "str"]
    assert not is_settable(by_id["N.a"])
    assert by_id["C"].parameters[0].type.literals == (Const("r"), Const("b"))
    assert found.classes[1].enum_members == ("RED", "BLUE")
    assert [name for name in by_id if name.startswith("C.")] == ["C.hex"]
    assert by_id["L"].parameters[0].type == TypeExpr("iterable")
    assert "L.append" in by_id
    assert by_id["L.append"].module == ""


def test_data_of_a_class_is_among_its_names(subject) -> None:
    found = subject(
        """
        class Op:
            cost = 1
            _hidden = 2
            names = ()
            def run(self): self.done = True
        class Jump(Op):
            code = 7
        """
    )
    own = ("cost", "names")
    assert [info.variables for info in found.classes] == [own, ("code", *own)]
    assert {"run", "done", "code", "cost"} <= found.classes[1].names()


def test_abstract_classes_and_protocols_name_their_stand_ins(subject) -> None:
    found = subject(
        """
        import abc, typing
        class Shape(abc.ABC):
            @abc.abstractmethod
            def area(self): ...
        class Square(Shape):
            def area(self): return 1
        class Sized(typing.Protocol):
            def area(self): ...
        class Lonely(abc.ABC):
            @abc.abstractmethod
            def f(self): ...
        """
    )
    concrete = {info.qualname: info.concrete for info in found.classes}
    assert concrete["Shape"] == concrete["Sized"] == ("sample:Square",)
    assert found.skipped == ()
    (lonely,) = [info for info in found.classes if info.qualname == "Lonely"]
    assert [one.id for one in lonely.unimplemented] == ["sample:Lonely", "sample:Lonely.f"]
    assert "Shape" not in ids(found)


def test_classes_beside_a_protocol_elsewhere_stand_in_for_it(load, write) -> None:
    write("pkg/__init__.py")
    write(
        "pkg/accounts.py",
        """
import dataclasses, typing
class Account(typing.Protocol):
    owner: str
    @property
    def code(self): ...
@dataclasses.dataclass
class Root:
    owner: str
    code: str
@dataclasses.dataclass
class Nameless:
    code: str
class _Hidden(Root): ...
""",
    )
    module = load("from . import accounts\ndef open_(one: accounts.Account): ...", "pkg.bank")
    found = {info.id: info for info in describe(module).classes}
    assert found["pkg.accounts:Account"].concrete == ("pkg.accounts:Root",)
    assert sorted(found) == ["pkg.accounts:Account", "pkg.accounts:Root"]


def test_collaborators_come_with_their_members(load, write) -> None:
    write("pkg/__init__.py")
    write("pkg/parts.py", "class Wheel:\n    def __init__(self, size: int): ...\nclass Other: ...")
    module = load("from .parts import Wheel\ndef ride(wheel: Wheel): ...", "pkg.car")
    found = describe(module)
    assert [(info.id, info.tags[-1]) for info in found.classes] == [
        ("pkg.parts:Wheel", "collaborator")
    ]
    assert found.invocables[0].parameters[0].type.cls == "pkg.parts:Wheel"


def test_classes_of_other_distributions_lend_their_constructors(load, write) -> None:
    write(
        "lib/__init__.py",
        """
        class Tyre:
            def __init__(self, size: int): ...
        class Wheel:
            def __init__(self, tyre: Tyre): ...
            def turn(self): ...
        class Unasked: ...
        """,
    )
    text = "import lib, threading\ndef ride(wheel: lib.Wheel, lock: threading.Thread): ..."
    found = describe(load(text))
    assert [(info.id, info.tags[-1]) for info in found.classes] == [
        ("lib:Wheel", "collaborator"), ("lib:Tyre", "collaborator"),
    ]  # fmt: skip
    assert ids(found) == ["ride", "Wheel", "Tyre"]


def test_what_a_package_imports_is_not_its_own(load, write) -> None:
    write("pkg/impl.py", "def work(): ...")
    assert not describe(load("from .impl import work", "pkg.__init__")).invocables


def test_private_names_are_public_when_there_is_nothing_else(subject) -> None:
    assert [one.public for one in subject("def _only(): ...").invocables] == [True]


def test_defaults_may_be_members_and_functions(invocable) -> None:
    found = invocable(
        """
        import enum
        class C(enum.Enum):
            RED = 1
        def f(a=C.RED, b=len, c=C, d=object()): ...
        """,
        "f",
    )
    assert [one.default for one in found.parameters] == [
        Symbol("sample", "C.RED"),
        Symbol("builtins", "len"),
        Symbol("sample", "C"),
        None,
    ]


def test_effects_on_fields(invocable) -> None:
    found = invocable(
        """
        class S:
            def push(self, x):
                self.items.append(x)
                self.count += 1
                self.table[x] = self.size
        """,
        "S.push",
    )
    assert set(found.reads) == {"items", "count", "table", "size"}
    assert set(found.writes) == {"items", "count", "table"}


@pytest.mark.parametrize(
    "body",
    [
        "self.__dict__.update(options)",
        "self.__dict__.update(**options)",
        "vars(self).update(options)",
        "for name, value in options.items(): setattr(self, name, value)",
    ],
)
def test_keywords_that_become_attributes_are_those_that_the_class_annotates(invocable, body):
    text = f"""
class Settings:
    size: int = 3
    _seen: bool = False
    def __init__(self, home, **options):
        {body}
"""
    home, size, options = invocable(text, "Settings").parameters
    assert (home.name, options.name, options.kind) == ("home", "options", "var_keyword")
    assert (size.name, size.kind, size.type.name, size.required) == (
        "size",
        "keyword",
        "int",
        False,
    )
    other = invocable(text.replace(body, "self.options = options"), "Settings")
    assert [one.name for one in other.parameters] == ["home", "options"]


def test_functions_mention_tables_regexes_and_callees(subject) -> None:
    found = subject(
        """
        import re
        TABLE = {"alpha": 1}
        WORD = re.compile("[a-z]+", re.I)
        class K:
            LIMIT = 77
            def over(self, n): return n > self.LIMIT
        def inner(x): return WORD.match(x)
        def outer(x): return inner(TABLE[x])
        """
    )
    assert any(one.value == "alpha" and one.scope == "outer" for one in found.constants)
    assert any(one.value == 77 and one.scope == "K.over" for one in found.constants)
    assert [one.pattern for one in found.regexes if one.scope == "inner"] == ["[a-z]+"]
    assert dict(found.calls)["outer"] == ("inner",)
    assert isinstance(found.regexes[0], Regex)


HOSTILE = {
    "raising getattr of a module": "def __getattr__(name): raise RuntimeError\ndef f(): ...",
    "lying class": """
        class A:
            @property
            def __class__(self): return int
        a = A()
        def f(): ...
        """,
    "metaclass that raises": """
        class M(type):
            def __getattribute__(cls, name): raise RuntimeError(name)
            def __dir__(cls): raise RuntimeError
            def __instancecheck__(cls, x): raise RuntimeError
            def __eq__(cls, other): raise RuntimeError
            def __hash__(cls): raise RuntimeError
        class A(metaclass=M):
            def m(self): ...
        def f(x: A): ...
        """,
    "signature that raises": """
        class S:
            def __get__(self, *a): raise RuntimeError
        def f(x): ...
        f.__signature__ = property(lambda self: 1 / 0)
        class A:
            odd = S()
            __signature__ = S()
            def m(self): ...
        """,
    "annotations that are objects": """
        class Bad:
            def __getattr__(self, name): raise RuntimeError
            def __eq__(self, other): raise RuntimeError
            def __repr__(self): raise RuntimeError
        def f(x: Bad() = Bad(), y: [Bad()] = 1): ...
        """,
    "wrapped in itself": "def f(): ...\nf.__wrapped__ = f",
    "odd names": "def f(): ...\nf.__module__ = 3\nf.__doc__ = 4\n__all__ = 7",
    "replaced by an object": """
        import sys
        def f(): ...
        globals()["x"] = type(sys)("y")
        """,
    "no source file": "__file__ = 5\ndef f(): ...",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_modules_are_described(subject, text: str) -> None:
    found = subject(text)
    if "__file__ = 5" not in text:
        assert any(one.name in ("f", "m") for one in found.invocables)
    assert found.module == "sample"


@pytest.mark.parametrize(
    "name",
    [
        "fractions",
        "textwrap",
        "configparser",
        "heapq",
        "shlex",
        "string",
        "statistics",
        "datetime",
        "collections",
        "ipaddress",
        "enum",
        "typing",
        "argparse",
        "abc",
    ],
)
def test_standard_modules_survive_the_journey(name: str) -> None:
    found = describe(__import__(name))
    there = decode_subject(marshal.loads(marshal.dumps(encode_subject(found))))
    assert repr(there) == repr(found)
    assert found.invocables


def test_plain_refuses_what_it_did_not_make() -> None:
    for plain in (None, ("record", "Popen", ()), ("atom", 1), ("nonsense",)):
        with pytest.raises(ValueError, match="not an encoded"):
            decode_subject(plain)


def test_concrete_class_of_a_protocol_needs_no_arguments(invocable) -> None:
    text = """
        from typing import Protocol
        class P(Protocol):
            def f(self): ...
        class C(P):
            def f(self): ...
        """
    assert invocable(text, "C").parameters == ()


def test_models_with_a_foreign_constructor_take_their_fields(load, write) -> None:
    write("framework.py", "class Model:\n    def __init__(self, **data): ...")
    module = load("from framework import Model\nclass M(Model):\n    x: int\n    y: str = 'a'")
    found = describe(module).invocables[0].parameters
    assert [(one.name, one.type.name, one.required) for one in found] == [
        ("x", "int", True), ("y", "str", False),
    ]  # fmt: skip


def test_constants_of_inherited_code_are_known(load, write) -> None:
    write("pkg/__init__.py")
    write("pkg/base.py", "class Base:\n    def over(self, n): return n > 4711")
    module = load("from .base import Base\nclass D(Base): ...", "pkg.derived")
    found = describe(module)
    assert [one.value for one in found.constants] == [4711]
    assert "Base.over" in dict(found.calls)["D.over"]


def test_inherited_members_that_use_own_names_are_marked(load, write) -> None:
    write("pkg/__init__.py")
    write(
        "pkg/base.py",
        """
        class Base:
            KIND = "base"
            def describe(self): return f"<{self.title()}>"
            def title(self): return self.KIND.title()
            def count(self): return 1
            @classmethod
            def kind(cls): return cls.KIND
        """,
    )
    source = """
        from .base import Base
        class Child(Base):
            KIND = 'child'
            def own(self): ...
        class Heir(Child):
            def other(self): ...
        class _Hidden(Base):
            KIND = 'hidden'
        class Shown(_Hidden):
            def other(self): ...
        """
    found = describe(load(source, "pkg.child"))
    marked = [one.id.partition(":")[2] for one in found.invocables if one.uses_own]
    children = [name for name in marked if not name.startswith("_Hidden")]
    assert children == [
        "Child.describe", "Child.title", "Child.kind", "Shown.describe", "Shown.title", "Shown.kind"
    ]  # fmt: skip


def test_a_class_may_name_the_package_that_re_exports_it(write, subject) -> None:
    write("outer/__init__.py", "from outer._inner import Box\nBox.__module__ = 'outer'\n")
    found = subject(
        """
        class Box:
            def __init__(self):
                self.size: int = 0
            def grow(self): ...
        """,
        "outer._inner",
    )
    assert [one.id for one in found.classes] == ["outer:Box"]
    assert found.classes[0].tags == ("hashable",)
    assert [one.id for one in found.invocables] == ["outer:Box", "outer:Box.grow"]
    assert found.invocables[1].module == "outer._inner"
    assert found.classes[0].fields == (("size", TypeExpr("int")),)


def test_a_dictionary_has_no_order(class_info) -> None:
    found = class_info("class Table(dict):\n    pass\n", "Table")
    names = {member.rpartition(".")[2] for member in found.members}
    assert {"__getitem__", "pop", "__or__"} <= names
    assert not {"__lt__", "__le__", "__gt__", "__ge__"} & names


def test_a_class_describes_what_its_constructor_takes(invocable):
    text = '''
        class Version:
            """A version.

            :param build: an optional build string
            """

            def __init__(self, build=None):
                self.build = build
    '''
    assert ":param build: an optional build string" in invocable(text, "Version").doc


def test_heirs_at_hand_stand_in_for_a_class_that_leaves_methods_to_them(load, write) -> None:
    write("pkg/__init__.py")
    write(
        "pkg/fields.py",
        """
        class Field:
            def validate(self, value):
                \"\"\"Check it.\"\"\"
                raise NotImplementedError()
        class Text(Field):
            def validate(self, value): return str(value)
        class _Hidden(Field): ...
        class Whole: ...
        class Part(Whole): ...
        class Either:
            def is_left(self):
                \"\"\"Is it?\"\"\"
            def note(self): pass
        class Left(Either):
            def is_left(self): return True
        class Right(Either):
            def is_left(self): return False
            def note(self): return 1
        class Hooked:
            def note(self): pass
        class Noting(Hooked):
            def note(self): return 1
        """,
    )
    module = load(
        "from .fields import Either, Field, Hooked, Whole\ndef check(field: Field): return field",
        "pkg.forms",
    )
    tags = {info.qualname: info.tags for info in describe(module).classes}
    assert set(tags) == {"Either", "Field", "Hooked", "Left", "Right", "Text", "Whole"}
    assert [name for name, found in tags.items() if "template" in found] == ["Field", "Either"]


def test_a_file_in_memory_takes_what_the_library_says(invocable) -> None:
    made = invocable("import io\nclass Reader(io.BytesIO): ...", "Reader")
    assert [(one.name, one.type.name, one.required) for one in made.parameters] == [
        ("initial_bytes", "bytes", False)
    ]


@pytest.mark.parametrize(
    ("member", "names"),
    [
        ("__setitem__", ["key", "value"]),
        ("__delitem__", ["key"]),
        ("__iadd__", ["other"]),
        ("__call__", ["args"]),
        ("__contains__", ["other"]),
        ("refuse", ["args"]),
    ],
)
def test_operators_of_a_method_that_takes_anything_have_their_operands(member, names, invocable):
    """A frozen class refuses all changes by one function."""
    text = "class Frozen(dict):\n    def refuse(self, *args): raise TypeError\n"
    text += "".join(f"    __{name}__ = refuse\n" for name in ("setitem", "delitem", "iadd", "call"))
    text += "    __contains__ = refuse\n"
    found = invocable(text, f"Frozen.{member}")
    assert [one.name for one in found.parameters] == names


@pytest.mark.parametrize(
    ("length", "acts"),
    [
        ("return len(self.items)", False),
        ("self.clean()\n                return len(self.items)", True),
        ("self.items = self.items[:9]\n                return len(self.items)", True),
        ("return sum(1 for _ in self)", False),
    ],
)
def test_iteration_beside_a_length_that_acts_is_marked(invocable, length, acts) -> None:
    shelf = f"""
        class Shelf:
            def __init__(self):
                self.items = []

            def clean(self):
                self.items = [one for one in self.items if one]

            def __len__(self):
                {length}

            def __iter__(self):
                return iter(self.items)
        """
    assert invocable(shelf, "Shelf.__iter__").beside_length is acts
    assert invocable(shelf, "Shelf.__len__").beside_length is False


@pytest.mark.parametrize(
    ("body", "result"),
    [
        ("p.append(1)", "none"),
        ("if p:\n        return\n    p.append(1)", "none"),
        ("try:\n        p()\n    finally:\n        p.close()", "none"),
        ("return p", "any"),
        ("if p:\n        return None\n    return 1", "any"),
        ("yield p", "any"),
        ("raise ValueError(p)", "any"),
        ("pass", "any"),
        ("...", "any"),
    ],
)
def test_a_procedure_answers_none(invocable, body, result) -> None:
    assert invocable(f"def f(p):\n    {body}\n", "f").returns.name == result


def test_an_annotated_result_is_that_of_the_annotation(invocable) -> None:
    assert invocable("def f(p) -> int:\n    p.append(1)\n", "f").returns == TypeExpr("int")


def test_what_a_named_tuple_brings_along_is_not_its_own(subject):
    found = subject("""
        import collections, typing
        Row = collections.namedtuple("Row", "a b")

        class Point(typing.NamedTuple):
            x: int

            def norm(self):
                return abs(self.x)
    """)
    methods = [one.id for one in found.invocables if one.kind not in ("constructor", "field")]
    assert [name.partition(":")[2] for name in methods] == ["Point.norm"]
