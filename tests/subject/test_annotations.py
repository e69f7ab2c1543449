from __future__ import annotations

import importlib
import sys

import pytest

from unitcraft.core.sequences import Const
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject.description.describe import describe
from unitcraft.subject.model import Parameter

INT, STR, NONE, FLOAT = (TypeExpr(name) for name in ("int", "str", "none", "float"))


def union(*members: TypeExpr) -> TypeExpr:
    return TypeExpr("union", members)


def own(name: str, *args: TypeExpr) -> TypeExpr:
    return TypeExpr("class", args, cls=f"sample:{name}")


HEAD = """
import collections.abc as cabc, datetime, io, numbers, os, threading, types, typing as t, enum
from typing import *
class Node: pass
class Color(enum.Enum):
    RED = 1
class Movie(TypedDict):
    title: str
    year: NotRequired[int]
T = TypeVar("T", bound=int)
S = TypeVar("S", int, str)
P = ParamSpec("P")
UserId = NewType("UserId", int)
Alias = dict[str, "Alias"]
Number = int | float
"""

CASES = [
    ("int", INT),
    ("None", NONE),
    ("Optional[int]", union(INT, NONE)),
    ("Union[int, str, None]", union(INT, STR, NONE)),
    ("int | str", union(INT, STR)),
    ("Number", union(INT, FLOAT)),
    ("Any", ANY),
    ("object", ANY),
    ("Literal['r', 1]", TypeExpr("literal", literals=(Const("r"), Const(1)))),
    ("list[int]", TypeExpr("list", (INT,))),
    ("List[int]", TypeExpr("list", (INT,))),
    ("List", TypeExpr("list")),
    ("Dict[str, int]", TypeExpr("dict", (STR, INT))),
    ("t.Mapping[str, int]", TypeExpr("mapping", (STR, INT))),
    ("cabc.Sequence[str]", TypeExpr("sequence", (STR,))),
    ("Iterable[int]", TypeExpr("iterable", (INT,))),
    ("Iterator[int]", TypeExpr("iterator", (INT,))),
    ("Generator[int, None, None]", TypeExpr("iterator", (INT,))),
    ("AbstractSet[int]", TypeExpr("set", (INT,))),
    ("FrozenSet[str]", TypeExpr("frozenset", (STR,))),
    ("tuple[int, str]", TypeExpr("tuple", (INT, STR))),
    ("Tuple[int, ...]", TypeExpr("vartuple", (INT,))),
    ("tuple[()]", TypeExpr("tuple")),
    ("Callable[[int, str], float]", TypeExpr("callable", (INT, STR, FLOAT))),
    ("Callable[[], int]", TypeExpr("callable", (INT,))),
    ("Callable", TypeExpr("callable")),
    ("types.ModuleType", TypeExpr("class", cls="types:ModuleType")),
    ("types.MappingProxyType", TypeExpr("class", cls="types:MappingProxyType")),
    ("types.FunctionType", TypeExpr("callable")),
    ("types.MethodType", TypeExpr("callable")),
    ("threading.Lock", TypeExpr("class", cls="threading:Lock")),
    ("threading.RLock", TypeExpr("class", cls="threading:RLock")),
    ("io.BufferedReader", TypeExpr("class", cls="io:BytesIO")),
    ("T", INT),
    ("S", union(INT, STR)),
    ("UserId", INT),
    ("Annotated[int, 'positive']", INT),
    ("Final[int]", INT),
    ("ClassVar[str]", STR),
    ("Type[Node]", TypeExpr("type", (own("Node"),))),
    ("type[int]", TypeExpr("type", (INT,))),
    ("Node", own("Node")),
    ("Color", own("Color")),
    ("list['Node']", TypeExpr("list", (own("Node"),))),
    ("datetime.date", TypeExpr("class", cls="datetime:date")),
    ("numbers.Integral", INT),
    ("SupportsIndex", INT),
    ("os.PathLike[str]", TypeExpr("class", cls="pathlib:Path")),
    (
        "Movie",
        TypeExpr(
            "dict",
            (TypeExpr("literal", literals=(Const("title"),)), union(STR, INT), STR, INT),
            literals=(Const("title"), Const("year")),
        ),
    ),
    ("Awaitable[int]", ANY),
]


@pytest.fixture(scope="module", params=[False, True], ids=["objects", "texts"])
def annotated(request, tmp_path_factory) -> dict[str, Parameter]:
    """Annotation -> the parameter that has it: one module has a function for each."""
    future = "from __future__ import annotations\n" if request.param else ""
    functions = [f"def f{place}(x: {text}): ..." for place, (text, _) in enumerate(CASES)]
    folder = tmp_path_factory.mktemp("annotated")
    (folder / "sample.py").write_text("\n".join([future + HEAD, *functions]))
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        patch.delitem(sys.modules, "sample", raising=False)
        found = {one.id: one for one in describe(importlib.import_module("sample")).invocables}
        del sys.modules["sample"]
    texts = enumerate([text for text, _ in CASES])
    return {text: found[f"sample:f{place}"].parameters[0] for place, text in texts}


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_annotation(annotated, text: str, expected: TypeExpr) -> None:
    found = annotated[text]
    assert (found.type, found.origin) == (expected, "annotation")


def test_callable_with_any_parameters_keeps_its_result(invocable) -> None:
    found = invocable(f"{HEAD}\ndef f(x: Callable[..., int]): ...", "f").parameters[0].type
    assert (found.name, found.args[0].name, found.args[1]) == ("callable", "any", INT)


def test_a_protocol_that_asks_for_a_call_alone_is_a_callable(invocable) -> None:
    text = """
        from typing import Protocol
        class Read(Protocol):
            def __call__(self, name: str, /, size: int) -> "int": ...
        class Named(Protocol):
            name: str
            def __call__(self): ...
        class Both(Protocol):
            def __call__(self): ...
            def __len__(self): ...
        def f(read: Read, named: Named, both: Both): ...
        """
    read, named, both = [one.type for one in invocable(text, "f").parameters]
    assert read == TypeExpr("callable", (STR, INT, INT))
    assert (named, both) == (own("Named"), own("Both"))


def test_recursive_alias_ends(invocable) -> None:
    assert invocable(f"{HEAD}\ndef f(x: Alias): ...", "f").parameters[0].type.name == "dict"


def test_self_and_forward_reference_mean_the_class(invocable) -> None:
    text = "from typing import Self\nclass A:\n    def f(self, x: 'A') -> Self: ..."
    found = invocable(text, "A.f")
    assert (found.parameters[0].type, found.returns) == (own("A"), own("A"))


def test_names_only_imported_for_checking_are_found_when_loaded(load, write) -> None:
    write("pkg/__init__.py", "from pkg import b")
    write("pkg/b.py", "class B: ...")
    module = load(
        """
        from __future__ import annotations
        from typing import TYPE_CHECKING
        if TYPE_CHECKING:
            from .b import B
            from nowhere import C
        def f(x: B, y: C, z: Optional[int]): ...
        """,
        "pkg.a",
    )
    types = [one.type for one in describe(module).invocables[0].parameters]
    assert types == [TypeExpr("class", cls="pkg.b:B"), ANY, union(INT, NONE)]


@pytest.mark.parametrize(
    "text", ["1 +", "unknown", "lambda: 0", "[int]", "1 / 0", "f(3)", "x.y.z", "''"]
)
def test_nonsense_is_any(invocable, text: str) -> None:
    assert invocable(f"def f(x: {text!r}): ...", "f").parameters[0].type == ANY


def test_a_docstring_may_state_the_type_of_all_arguments_together(invocable) -> None:
    text = """
        def f(*parts, **sizes):
            '''Do.

            :type parts: list of str
            :type sizes: dict
            '''
        """
    parts, sizes = invocable(text, "f").parameters
    assert (parts.type, sizes.type) == (STR, ANY)


def test_docstring_types_are_hints(invocable) -> None:
    text = '''
        def f(a, b, c, d, e=0, g=None):
            """Do.

            :param int a: first
            :type b: list of str

            Args:
                c (float, optional): third
            Parameters
            ----------
            d : dict or None
            """
        '''
    found = invocable(text, "f").parameters
    assert [(one.type, one.origin) for one in found] == [
        (INT, "docstring"),
        (TypeExpr("list", (STR,)), "docstring"),
        (FLOAT, "docstring"),
        (union(TypeExpr("dict"), NONE), "docstring"),
        (INT, "default"),
        (ANY, ""),
    ]


def test_type_parameters_of_pep_695(invocable) -> None:
    if sys.version_info < (3, 12):
        text = "from typing import TypeVar\nT = TypeVar('T', bound=int)\ndef f(x: T): ..."
    else:
        text = "type Whole = int\ndef f[T: Whole](x: T): ..."
    assert invocable(text, "f").parameters[0].type == INT
