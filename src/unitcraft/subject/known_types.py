"""The TypeExprs of well-known classes and typing constructs.

Invariant: keys are names without a module, so that one table serves classes, typing aliases
and names in source text; a name absent here is a class of its own or unknown.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from unitcraft.core.sequences import Const
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject.scopes import word_set

#: The first parameter of a callable whose parameters are not known (``Callable[..., R]``).
ANY_PARAMETERS: Final = TypeExpr("any", literals=(Const(...),))

NONE: Final = TypeExpr("none")
#: What a coroutine function answers: only of results of callables is it told.
AWAITABLE: Final = TypeExpr("awaitable")
BOOL: Final = TypeExpr("bool")
INT: Final = TypeExpr("int")
FLOAT: Final = TypeExpr("float")
COMPLEX: Final = TypeExpr("complex")
STR: Final = TypeExpr("str")
BYTES: Final = TypeExpr("bytes")
#: The words of a command line.
COMMAND_LINE: Final = TypeExpr("list", (STR,))
FRACTION: Final = TypeExpr("class", cls="fractions:Fraction")
DECIMAL: Final = TypeExpr("class", cls="decimal:Decimal")
PATH: Final = TypeExpr("class", cls="pathlib:Path")


def union(*members: TypeExpr) -> TypeExpr:
    """The union of ``members`` without repeats, flattened, in order; ANY if one member is ANY."""
    flat: list[TypeExpr] = []
    for member in members:
        for part in member.args if member.name == "union" else (member,):
            if part not in flat:
                flat.append(part)
    if not flat or ANY in flat:
        return ANY
    return flat[0] if len(flat) == 1 else TypeExpr("union", tuple(flat))


#: Class name -> (TypeExpr name, number of type arguments that it keeps).
CONTAINERS: Final[Mapping[str, tuple[str, int]]] = MappingProxyType(
    {
        **dict.fromkeys(("list", "MutableSequence"), ("list", 1)),
        **dict.fromkeys(("set", "MutableSet", "Set", "AbstractSet"), ("set", 1)),
        **dict.fromkeys(("frozenset",), ("frozenset", 1)),
        **dict.fromkeys(("dict", "MutableMapping"), ("dict", 2)),
        "Mapping": ("mapping", 2),
        **dict.fromkeys(
            ("Iterable", "Container", "KeysView", "ValuesView", "MappingView"), ("iterable", 1)
        ),
        **dict.fromkeys(("Iterator", "Generator"), ("iterator", 1)),
        **dict.fromkeys(("Sequence", "Collection", "Reversible", "Sized"), ("sequence", 1)),
    }
)

_NUMBER: Final = union(INT, FLOAT, FRACTION, DECIMAL)

#: Names of ``typing``, ``collections.abc``, ``numbers``, ``os`` and builtins -> their TypeExpr.
SIMPLE: Final[Mapping[str, TypeExpr]] = MappingProxyType(
    {
        "NoneType": NONE,
        "None": NONE,
        "bool": BOOL,
        "int": INT,
        "float": FLOAT,
        "complex": COMPLEX,
        "str": STR,
        "LiteralString": STR,
        "Text": STR,
        "bytes": BYTES,
        "AnyStr": union(STR, BYTES),
        "Buffer": BYTES,
        "ByteString": BYTES,
        "ReadableBuffer": BYTES,
        "object": ANY,
        "Any": ANY,
        "Never": ANY,
        "NoReturn": ANY,
        "Incomplete": ANY,
        "Number": _NUMBER,
        "Complex": union(INT, FLOAT, COMPLEX),
        "Real": union(INT, FLOAT, FRACTION),
        "Rational": union(INT, FRACTION),
        "Integral": INT,
        "SupportsInt": union(INT, FLOAT, STR),
        "SupportsFloat": union(FLOAT, INT),
        "SupportsIndex": INT,
        "SupportsAbs": union(INT, FLOAT),
        "SupportsRound": union(FLOAT, INT),
        "SupportsComplex": union(COMPLEX, FLOAT),
        "SupportsBytes": BYTES,
        "SupportsRichComparison": union(INT, STR),
        "SupportsLessThan": union(INT, STR),
        "Hashable": union(INT, STR, TypeExpr("tuple", (INT, STR))),
        "PathLike": PATH,
        "StrPath": union(STR, PATH),
        "slice": TypeExpr("class", cls="builtins:slice"),
        "tuple": TypeExpr("vartuple"),
        "type": TypeExpr("type"),
        "Callable": TypeExpr("callable"),
        "IO": TypeExpr("class", cls="io:StringIO"),
        "TextIO": TypeExpr("class", cls="io:StringIO"),
        "BinaryIO": TypeExpr("class", cls="io:BytesIO"),
        "TextIOBase": TypeExpr("class", cls="io:StringIO"),
        "IOBase": TypeExpr("class", cls="io:StringIO"),
        "TextIOWrapper": TypeExpr("class", cls="io:StringIO"),
        "RawIOBase": TypeExpr("class", cls="io:BytesIO"),
        "BufferedIOBase": TypeExpr("class", cls="io:BytesIO"),
        "BufferedReader": TypeExpr("class", cls="io:BytesIO"),
        "BufferedWriter": TypeExpr("class", cls="io:BytesIO"),
        "FileIO": TypeExpr("class", cls="io:BytesIO"),
        "FunctionType": TypeExpr("callable"),
        "LambdaType": TypeExpr("callable"),
        "BuiltinFunctionType": TypeExpr("callable"),
        "MethodType": TypeExpr("callable"),
    }
)

#: Modules whose names stand in the tables above.
KNOWN_MODULES: Final = frozenset(
    [
        "builtins",
        "typing",
        "typing_extensions",
        "collections.abc",
        "_collections_abc",
        "numbers",
        "os",
        "io",
        "_io",
        "types",
        "_typeshed",
        "contextlib",
        "abc",
    ]
)

#: Subscripted forms that mean their first argument.
TRANSPARENT: Final = word_set(
    "Annotated Final ClassVar Required NotRequired ReadOnly InitVar Unpack"
)

#: Results of functions that are awaited.
AWAITED: Final = word_set("Awaitable Coroutine")
#: Forms whose values we never build: awaitables and asynchronous iterators.
UNBUILT: Final = frozenset(
    [
        "Awaitable",
        "Coroutine",
        "AsyncIterator",
        "AsyncIterable",
        "AsyncGenerator",
        "Concatenate",
        "TypeGuard",
        "TypeIs",
        "AsyncContextManager",
        "AbstractAsyncContextManager",
        "ContextManager",
        "AbstractContextManager",
    ]
)
