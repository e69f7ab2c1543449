"""Runs encoded Calls inside a worker, as the written test would run them.

Invariant: a Call means the same here as its source text does in the emitted
test; containers and ``Source`` expressions are made anew for each run, so no
run can change the arguments of the next.
"""

from __future__ import annotations

import copy
import functools
import itertools
import marshal
import math
import operator
import pickle
from collections.abc import Callable, Coroutine
from importlib import import_module  # held here: a test may replace it in its module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from unitcraft.core.sequences import EACH, MAX_KEYS_TOLD, SHARING
from unitcraft.execute.guest.continuations import MAX_ITEMS_DRAINED, continued, enter

if TYPE_CHECKING:
    from unitcraft.core.encoding import Plain
    from unitcraft.execute.guest.run_world import RunWorld

Results = list[Any]
Step = Callable[[Results], Any]

#: Kind of container -> its constructor from a list of items; concolic execution replaces them.
DISPLAYS: Final[dict[str, Callable[[list[Any]], Any]]] = {
    "list": list, "tuple": tuple, "set": set, "frozenset": frozenset, "dict": dict,
}  # fmt: skip
#: "call" (given the function, too) or an operator -> what concolic execution runs; else empty.
STAND_INS: Final[dict[str, Callable[..., Any]]] = {}
#: What each module of the Subject held under its names when it was imported, before any run.
AT_IMPORT: Final[dict[str, dict[str, Any]]] = {}
#: The symbolic inputs of the current run, to which ``("x", n)`` refers in place of a constant.
INPUTS: Final[list[Any]] = []
#: Classes of nested Calls whose objects nobody can see to live longer: they end without a trace.
INERT: Final = (("types", "SimpleNamespace"), ("argparse", "Namespace"), ("unittest.mock", "Mock"))


class MadeArguments:
    """What the nested Calls and containers of the current run made, in the order of evaluation.

    Those inside classes that the test writes are left out: they may run at any time.  ``items`` has
    None for what must not be kept: its end may be seen.  Off but for searches, and emptied after
    each run, so that what a run left ends with it.
    """

    __slots__ = ("active", "items")

    def __init__(self) -> None:
        self.active = False
        self.items: list[Any] = []

    def begin(self) -> None:
        """Note what is made from now on."""
        self.items.clear()
        self.active = True

    def end(self) -> None:
        """Note nothing more, and let go of what was made."""
        self.active = False
        self.items.clear()

    def number_of(self, value: Any) -> int | None:
        """The number of the newest item that is ``value``; None if there is none."""
        found = [number for number, one in enumerate(self.items) if one is value]
        return found[-1] if found and value is not None else None


MADE: Final = MadeArguments()
#: The RunWorld of this process, once a worker has made it.
WORLDS: Final[list[RunWorld]] = []
#: The module of classes that a test writes.
TEST_MODULE: Final = "test_module"
#: The function around such a class.
MAKER: Final = "test"
#: Compiled Calls kept; the table is emptied when it is full (a Call costs some 500 bytes).
MAX_COMPILED: Final = 50_000


def _enter_and_raise(manager: Any, error: BaseException) -> None:
    with manager:
        raise error


def _itself(value: Any) -> Any:
    return value


def _each(value: Any) -> list[Any]:
    return list(itertools.islice(value, MAX_ITEMS_DRAINED + 1))


def _listed(value: Any) -> list[Any]:
    if not STAND_INS:  # a proxy would have to name its length
        operator.length_hint(value)  # as ``list`` does
    return _each(value)


#: Operator of a Call -> its function.
_ACTIONS: Final[dict[str, Callable[..., Any]]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "@": operator.matmul,
    "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "+=": operator.iadd, "-=": operator.isub,
    "*=": operator.imul, "/=": operator.itruediv, "//=": operator.ifloordiv, "%=": operator.imod,
    "**=": operator.ipow, "@=": operator.imatmul, "<<=": operator.ilshift, ">>=": operator.irshift,
    "&=": operator.iand, "|=": operator.ior, "^=": operator.ixor, "in": operator.contains,
    "neg": operator.neg, "pos": operator.pos, "invert": operator.invert, "[]": operator.getitem,
    "[]=": operator.setitem, "del[]": operator.delitem, "getattr": getattr, "setattr": setattr,
    "del.": delattr, "call": operator.call, "with": enter, "with raise": _enter_and_raise,
    "len": len, "str": str, "repr": repr, "bytes": bytes, "bool": bool, "int": int, "float": float,
    "complex": complex, "hash": hash, "abs": abs, "list": _listed, "tuple": tuple, "set": set,
    "dict": dict, "sorted": sorted, "reversed": reversed, "iter": iter, "next": next, "dir": dir,
    "round": round, "divmod": divmod, "round2": round, "format": format, "trunc": math.trunc,
    "floor": math.floor, "ceil": math.ceil, "items": lambda value: list(value.items()),
    "each": _each, "isinstance": isinstance, "itself": _itself, "async with": _itself,
    "async for": _itself, "copy": copy.copy, "deepcopy": copy.deepcopy,
    "pickle": lambda value: pickle.loads(pickle.dumps(value)),  # noqa: S301 - it has just made it
}  # fmt: skip


def resolve(module: str, qualname: str) -> Any:
    """The object ``qualname`` of ``module`` ('': itself).  Raises ImportError or AttributeError."""
    found: Any = import_module(module)
    for name in filter(None, qualname.split(".")):
        found = getattr(found, name)
    return found


def type_name(cls: type) -> str:
    """``module:qualname`` of a class, as it names itself: what ``resolve`` is given."""
    return f"{cls.__module__}:{cls.__qualname__}"


def _constant(value: Any) -> Step:
    return lambda _results: value


def _display(kind: str, parts: list[Step]) -> Step:
    if kind == "dict":
        pairs = list(zip(parts[::2], parts[1::2], strict=True))
        return lambda results: DISPLAYS["dict"](
            [(key(results), value(results)) for key, value in pairs]
        )
    return lambda results: DISPLAYS[kind]([part(results) for part in parts])


def compile_argument(plain: Plain) -> Step:
    """The Step that makes the encoded Arg ``plain``.  Raises KeyError on an unknown tag."""
    tag = plain[0]
    if tag == "c":
        return _constant(plain[1])
    if tag == "r":
        index = plain[1]
        return lambda results: results[index]
    if tag == "x":
        number = plain[1]
        return lambda _results: INPUTS[number]
    if tag == "y":
        return _constant(resolve(plain[1], plain[2]))
    if tag == "s":
        code = compile(plain[1], "<argument>", "eval")
        return lambda _results: eval(code, {})  # noqa: S307 - a Source is ours, not the Subject's
    if tag == "d":
        made = _display(plain[1], [compile_argument(item) for item in plain[2]])
        return _numbered(made, plain)
    if tag == "p":
        return _path(*plain[1:])
    if tag == "b":
        made = _build(_application(_with_stand_in(resolve(*plain[1])), plain[2], plain[3]))
        return _numbered(made, plain)
    raise KeyError(tag)


def _numbered(step: Step, plain: Plain) -> Step:
    is_kept = _is_inert(plain)

    def make(results: Results) -> Any:
        value = step(results)
        if MADE.active:
            MADE.items.append(value if is_kept else None)
        return value

    return make


def _is_inert(plain: Plain) -> bool:
    """Is nothing in the encoded Arg an object whose end may be seen?"""
    if plain[0] == "d":
        return all(map(_is_inert, plain[2]))
    if plain[0] == "b":
        inside = (*plain[2], *[value for _, value in plain[3]])
        return tuple(plain[1]) in INERT and all(map(_is_inert, inside))
    return True


def _path(name: str, content: Plain, is_text: bool) -> Step:  # noqa: FBT001 - as encoded
    """The Step that puts ``content`` at a path of the current RunWorld and returns the path."""
    make = _constant(None) if content is None else compile_argument(content)
    kind = str if is_text else Path
    return lambda results: kind(WORLDS[0].place(name, make(results)))


class ArgumentFailedError(Exception):
    """A nested Call that makes an argument raised: the call itself never began."""


def _build(step: Step) -> Step:
    def build(results: Results) -> Any:
        try:
            return step(results)
        except Exception as error:
            raise ArgumentFailedError from error

    return build


def _unnumbered(step: Step, results: Results) -> Any:
    """``step(results)``, whose nested Calls do not count."""
    known = len(MADE.items)
    value = step(results)
    del MADE.items[known:]
    return value


def _with_stand_in(function: Callable[..., Any]) -> Callable[..., Any]:
    call = STAND_INS.get("call")
    return function if call is None else functools.partial(call, function)


def _application(function: Callable[..., Any], args: Plain, kwargs: Plain) -> Step:
    """``function`` applied to encoded arguments; the common constant case is precomputed."""
    if not kwargs and all(arg[0] == "c" for arg in args):
        values = tuple([arg[1] for arg in args])
        return lambda _results: function(*values)
    steps = [compile_argument(arg) for arg in args]
    if not kwargs:
        return lambda results: function(*[step(results) for step in steps])
    named = [(name, compile_argument(arg)) for name, arg in kwargs]
    return lambda results: function(
        *[step(results) for step in steps], **{name: step(results) for name, step in named}
    )


def _method(name: str, args: Plain, kwargs: Plain) -> Step:
    receiver = compile_argument(args[0])
    call: Callable[..., Any] = STAND_INS.get("call", operator.call)
    if call is operator.call and not kwargs and all(arg[0] == "c" for arg in args[1:]):
        values = tuple([arg[1] for arg in args[1:]])
        return lambda results: getattr(receiver(results), name)(*values)
    steps = [compile_argument(arg) for arg in args[1:]]
    named = [(key, compile_argument(arg)) for key, arg in kwargs]
    if len(steps) == 1 and not named:  # most calls on proxies
        only = steps[0]
        return lambda results: call(getattr(receiver(results), name), only(results))
    return lambda results: call(
        getattr(receiver(results), name),
        *[step(results) for step in steps],
        **{key: step(results) for key, step in named},
    )


def _base_step(kind: str, name: str, args: Plain, kwargs: Plain) -> Step:
    if kind == "function":
        module, _, qualname = name.partition(":")
        return _application(_with_stand_in(resolve(module, qualname)), args, kwargs)
    if kind == "method":
        return _method(name, args, kwargs)
    if kind == "operator":
        return _application(STAND_INS.get(name) or _ACTIONS[name], args, kwargs)
    if kind == "define":
        return _definition(name, [compile_argument(arg) for arg in args])
    if kind == "invoke":
        run, command = resolve("click.testing", "CliRunner")().invoke, resolve(*name.split(":"))
        return _application(functools.partial(run, command, catch_exceptions=False), args, kwargs)
    if kind == "arrange":
        values = [compile_argument(arg) for arg in args]
        return lambda results: WORLDS[0].arrange(name, *[value(results) for value in values])
    receiver = compile_argument(args[0])
    if kind == "get":
        read = _path_reader(name)
        return lambda results: read(receiver(results))
    value = compile_argument(args[1])
    return lambda results: setattr(receiver(results), name, value(results))


def _definition(text: str, steps: list[Step]) -> Step:
    """The Step that makes the class of a ``define`` Call, inside a function as a test does."""
    names = [f"_{number}" for number in range(len(steps))]
    lines = text.format(*[f"{name}()" for name in names]).splitlines()
    head = f"def {MAKER}({', '.join(names)}):"
    head_line = next(line for line in lines if line.startswith("class "))
    name = head_line.removeprefix("class ").partition(":")[0].partition("(")[0]
    body = [f"    {line}" for line in (*lines, f"return {name}")]
    found: dict[str, Any] = {"__name__": TEST_MODULE}
    code = compile("\n".join([head, *body]), "<class>", "exec", dont_inherit=True)
    exec(code, found)  # noqa: S102 - the text is ours, not the Subject's
    make = found[MAKER]
    return lambda results: make(*[functools.partial(_unnumbered, step, results) for step in steps])


def _path_reader(path: str) -> Callable[[Any], Any]:
    """What reads ``path`` from an object: attributes, and where EACH stands those of all items."""
    head, each, rest = path.partition(EACH)
    if not each:
        return _reader(path)
    held, read = _reader(head), _reader(rest)
    most = MAX_ITEMS_DRAINED + 1 if rest else MAX_KEYS_TOLD
    return lambda value: [read(item) for item in itertools.islice(held(value), most)]


def _reader(path: str) -> Callable[[Any], Any]:
    """The same of a path without EACH: attributes, and items under keys between quotes."""
    if "[" not in path:
        return operator.attrgetter(path) if path else _itself
    text = f"lambda value: value.{path}".replace("value.[", "value[")
    reader: Callable[[Any], Any] = eval(text)  # noqa: S307 - our text
    return reader


def _finish(coroutine: Coroutine[Any, Any, Any]) -> Any:
    import asyncio  # noqa: PLC0415 - half of the start of a host, and few Subjects need it

    return WORLDS[0].finish(coroutine) if WORLDS else asyncio.run(coroutine)


def compile_call(call: Plain) -> Step:
    """The Step of an encoded Call.  Raises ImportError, AttributeError or KeyError."""
    kind, name, args, kwargs, then = call
    if then.startswith(SHARING):
        first = compile_call((*call[:4], then.removeprefix(SHARING)))
        return lambda results: ([one.share_loop() for one in WORLDS], first(results))[1]
    return continued(_base_step(kind, name, args, kwargs), then, _finish)


class Interpreter:
    """Compiled Calls by their encoding (by bytes: 1, True and 1.0 are different Calls)."""

    __slots__ = ("_steps",)

    def __init__(self) -> None:
        self._steps: dict[bytes, Step] = {}

    def step(self, call: Plain) -> Step:
        """The Step of ``call``, compiled once."""
        key = marshal.dumps(call, 2)
        found = self._steps.get(key)
        if found is None:
            if len(self._steps) >= MAX_COMPILED:
                self._steps.clear()
            found = self._steps[key] = compile_call(call)
        return found

    def run(self, calls: Plain) -> Results:
        """The results of all ``calls``; whatever one of them raises passes through."""
        results: Results = []
        for call in calls:
            results.append(self.step(call)(results))
        return results
