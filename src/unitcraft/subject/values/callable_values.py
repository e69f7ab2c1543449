"""Callables to pass as arguments, chosen by arity and result type.

Invariant: every callable is pure, defined for common values of its type, and one short line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Source, Symbol
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject.known_types import AWAITABLE
from unitcraft.subject.literal_args import literal_text
from unitcraft.subject.model import Invocable, Subject
from unitcraft.subject.scopes import word_set


def _sources(*texts: str) -> tuple[Arg, ...]:
    return tuple([Source(text) for text in texts])


def _builtins(names: str) -> tuple[Arg, ...]:
    return tuple([Symbol("builtins", name) for name in names.split()])


#: Answers line after line, at last an empty one, as the ``readline`` of a file does.
READER: Final = Source("iter(['a = 1\\n', 'b\\n', '']).__next__")
#: Answers None, and says what it is given.
PRINT: Final = Symbol("builtins", "print")
#: Raises whatever it is given: what a retry, a guard or a decorator is there for.
RAISING: Final = Source("lambda *args: 1 / 0")
#: Callables for any number of arguments.
_ANY_ARITY: Final = _sources("lambda *args: len(args)", "lambda *args: None", "lambda *args: args")

#: Number of positional arguments -> callables.
BY_ARITY: Final[Mapping[int, tuple[Arg, ...]]] = MappingProxyType(
    {
        0: (
            *_sources("lambda: 0", "lambda: None", "iter(range(99)).__next__", "lambda: 'a'"),
            READER,
            *_builtins("list dict int"),
        ),
        1: (
            *_sources("lambda x: x", "lambda x: x + 1", "lambda x: x > 1", "lambda x: None"),
            *_builtins("str len bool"),
            *_sources("lambda x: [x]", "lambda x: -x", "lambda x: x % 2 == 0"),
            *_builtins("int list sum"),
        ),
        2: (
            *_sources("lambda x, y: x + y", "lambda x, y: x", "lambda x, y: (x, y)"),
            *_sources("lambda x, y: x < y", "lambda x, y: y", "lambda x, y: x == y"),
            *_builtins("max"),
        ),
        3: (
            *_sources("lambda x, y, z: x + y + z", "lambda x, y, z: z + 1", "lambda x, y, z: x"),
            *_sources("lambda x, y, z: (x, y, z)", "lambda x, y, z: z", "lambda x, y, z: y"),
        ),
    }
)

#: Name of the result type -> number of arguments -> callables.
_BY_RESULT: Final[Mapping[str, Mapping[int, tuple[Arg, ...]]]] = MappingProxyType(
    {
        "bool": {
            1: (*_sources("lambda x: x > 1", "lambda x: True", "lambda x: False"),
                *_builtins("bool")),
            2: _sources("lambda x, y: x < y", "lambda x, y: x == y", "lambda x, y: True"),
            0: _sources("lambda: True", "lambda: False"),
        },
        "int": {
            1: (
                *_builtins("len"), *_sources("lambda x: 1", "lambda x: x + 1"),
                *_builtins("int hash"),
            ),
            2: _sources("lambda x, y: 1", "lambda x, y: (x > y) - (x < y)"),
            0: _sources("lambda: 0", "iter(range(99)).__next__", "lambda: 1"),
        },
        "float": {
            1: _sources("lambda x: 0.5", "lambda x: float(x)"),
            0: _sources("lambda: 1.5", "iter(range(99)).__next__", "lambda: 0.0"),
            2: _sources("lambda x, y: 0.5"),
        },
        "str": {
            1: (*_builtins("str repr"), *_sources("lambda x: 'a'", "lambda x: str(x).upper()")),
            2: _sources("lambda x, y: f'{x}{y}'"),
            0: (*_sources("lambda: 'a'", "lambda: ''"), READER),
        },
        "none": {
            0: (*_sources("lambda: None"), *_builtins("print")),
            1: (*_sources("lambda x: None"), *_builtins("print")),
            2: (*_sources("lambda x, y: None"), *_builtins("print")),
        },
        "list": {
            1: _sources("lambda x: [x]", "lambda x: []"),
            0: _sources("lambda: []", "lambda: [1]"),
        },
        "iterable": {1: _sources("lambda x: [x]", "lambda x: []"), 0: _sources("lambda: [1, 2]")},
        "dict": {0: _sources("lambda: {}"), 1: _sources("lambda x: {x: 1}")},
        "tuple": {1: _sources("lambda x: (x, x)"), 0: _sources("lambda: ()")},
    }
)  # fmt: skip


#: Callables that fail on texts and containers.
_ARITHMETIC: Final = (
    "lambda x: x + 1", "lambda x: x > 1", "lambda x: -x", "lambda x: x % 2 == 0", "sum", "int",
)  # fmt: skip

#: Type of the first parameter -> callables that fail on it.
_UNFIT: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        **dict.fromkeys(("int", "float"), frozenset(("len", "list", "sum"))),
        **dict.fromkeys(
            ("str", "list", "tuple", "vartuple", "dict", "sequence", "iterable", "bytes"),
            frozenset(_ARITHMETIC),
        ),
    }
)


_ASYNC_MOCK: Final = Symbol("unittest.mock", "AsyncMock")
#: Coroutine functions that return, and that raise.
COROUTINE_FUNCTIONS: Final[tuple[Arg, ...]] = (
    Build(_ASYNC_MOCK, (), (("return_value", Const("abc")),)),
    Build(_ASYNC_MOCK, (), (("side_effect", Symbol("builtins", "ValueError")),)),
)

#: Ids of classes that are called with whatever the code passes.
_MAKERS: Final = ("contextlib:nullcontext",)
#: The last words of the names of what makes objects.
_FACTORIES: Final = word_set("factory class cls klass kind maker builder constructor creator")
#: Functions of the module, and classes, that are passed for one type.
MAX_FUNCTIONS: Final = 2
#: Arguments by whose number alone a function is known to be meant.
MIN_ALIKE: Final = 3


def is_factory(name: str) -> bool:
    """Does the name of a parameter say that it makes objects?"""
    return name.rstrip("_").rpartition("_")[2] in _FACTORIES


def function_values(
    type_: TypeExpr, subject: Subject, answers: tuple[Arg, ...], *, name: str, mocks: bool
) -> tuple[Arg, ...]:
    """Values of ``type_``, a ``callable`` TypeExpr, for a parameter of that name.

    Classes and functions of the module come first, then functions that give ``answers``, and what
    is usual.  ``mocks``: may they be mocks?
    """
    known = subject.invocables
    classes = own_classes(known, type_) if is_factory(name) else ()
    own = (*islice(classes, MAX_FUNCTIONS), *islice(own_functions(known, type_), MAX_FUNCTIONS))
    usual = callables(type_, mocks=mocks)
    awaitable = awaitable_callables(known, subject.module) if mocks else ()
    said = (*own, *answering(type_, answers))
    return (*said, *usual[:MAX_FUNCTIONS], *awaitable, *usual[MAX_FUNCTIONS:])


def own_classes(known: Iterable[Invocable], type_: TypeExpr) -> Iterator[Arg]:
    """The public classes of the module whose objects are made of as many arguments."""
    count = len(type_.args) - 1 if type_.args and not type_.args[0].literals else 0
    for one in known:
        taken = [part for part in one.parameters if part.kind.startswith("positional")]
        needed = sum(part.required for part in one.parameters)
        if one.kind == "constructor" and one.public and needed <= count <= len(taken):
            yield Symbol(*one.owner.split(":"))


def awaitable_callables(known: Iterable[Invocable], module: str) -> tuple[Arg, ...]:
    """Functions whose result can be awaited, if ``module`` has coroutine functions itself."""
    has_some = any(one.is_async and one.module == module for one in known)
    return COROUTINE_FUNCTIONS if has_some else ()


def own_functions(known: Iterable[Invocable], type_: TypeExpr) -> Iterator[Arg]:
    """Functions of the module that take as many arguments and have that result.

    Of three arguments or more no other function is as likely.
    """
    count, result = len(type_.args) - 1, type_.args[-1] if type_.args else ANY
    for one in known if count > 0 and not type_.args[0].literals else ():
        taken = [part for part in one.parameters if part.kind.startswith("positional")]
        fits = sum(part.required for part in one.parameters) <= count <= len(taken)
        pairs = zip(taken, type_.args, strict=False)
        fits = fits and all(ANY in (part.type, want) or part.type == want for part, want in pairs)
        told = one.returns != ANY and one.returns == result
        alike = count >= MIN_ALIKE and ANY in (one.returns, result)
        if one.kind == "function" and fits and (told or alike) and one.name[:1] != "_":
            yield Symbol(*one.id.split(":"))


def answering(type_: TypeExpr, answers: tuple[Arg, ...]) -> tuple[Arg, ...]:
    """Callables of the arity of ``type_``, a ``callable`` TypeExpr, that return ``answers``."""
    unknown = not type_.args or type_.args[0].literals
    names = ("*args", "**kwargs") if unknown else tuple("xyz"[: len(type_.args) - 1])
    head = f"lambda {', '.join(names)}: " if names else "lambda: "
    fits = unknown or len(names) == len(type_.args) - 1
    return tuple([Source(head + literal_text(one)) for one in answers if fits])


def callables(type_: TypeExpr, *, mocks: bool = True) -> tuple[Arg, ...]:
    """Callables that fit ``type_``, a ``callable`` TypeExpr; of all arities if it is unknown.

    ``mocks``: may they be mocks?  Without them no other coroutine function is known than
    ``asyncio.sleep``.
    """
    if type_.args and type_.args[-1] == AWAITABLE:
        return COROUTINE_FUNCTIONS if mocks else (Symbol("asyncio", "sleep"),)
    if type_.args and type_.args[-1].name == "class" and type_.args[-1].cls in _MAKERS:
        return (Symbol(*type_.args[-1].cls.split(":")),)
    if not type_.args or type_.args[0].literals:
        result = type_.args[-1] if len(type_.args) > 1 else ANY
        return _unknown_arity(result)
    arity, answer = len(type_.args) - 1, type_.args[-1]
    members = answer.args if answer.name == "union" else (answer,)
    known = [_BY_RESULT.get(member.name, {}).get(arity, ()) for member in members]
    fitting = tuple([one for found in known for one in found if len(known) == 1 or one != PRINT])
    others = BY_ARITY.get(arity, ()) if type_.args[-1] == ANY or not fitting else ()
    found = (*fitting, *others, *(() if fitting and not others else _ANY_ARITY))
    unfit = _UNFIT.get(type_.args[0].name, frozenset()) if arity else frozenset()
    return tuple([one for one in found if _text(one) not in unfit])


def _text(one: Arg) -> str:
    match one:
        case Source(text):
            return text
        case Symbol(_, name):
            return name
    return ""


def _unknown_arity(result: TypeExpr) -> tuple[Arg, ...]:
    by_arity = _BY_RESULT.get(result.name, BY_ARITY)
    columns = [by_arity.get(arity, ()) for arity in (1, 0, 2)]
    mixed = [column[at] for at in range(4) for column in columns if at < len(column)]
    return (*mixed, *_ANY_ARITY, RAISING)
