"""Tries to break the laws that ``specs`` shows: ``python benchmarks/break_laws.py FILE[:CLASS]``.

Objects are made by random constructor arguments and random calls, apart from all that inference
does; each law is evaluated as the Python expression that JSON has, on one object after the other,
until the seconds are over.  Values are drawn from few, so that they meet, and from their
neighbours; their kinds are those of the domain that JSON names, and where it names none those of
the signature.  An object that a call left changed when it raised is no object that laws speak of.
The code of FILE runs here, unguarded but for a bound of time.  Exit code 1 when a law is false.
"""

from __future__ import annotations

import argparse
import copy
import importlib
import inspect
import json
import random
import signal
import sys
import types
import typing
from collections.abc import Callable
from enum import Enum
from pathlib import Path
from time import perf_counter
from typing import Any

from unitcraft.app.config import load
from unitcraft.app.exploration.specs_command import SpecsRequest, render_specs, run_specs

#: Calls of one random history.
MAX_CALLS = 12
#: Objects of the class that a parameter may take.
MAX_NESTING = 2
#: Seconds of all that is done with one object; then what runs is ended, as if it were refused.
MAX_SECONDS = 3.0
#: Of so many values one is of no few: odd texts, integers beyond all sizes.
ODD = 25
INTEGERS = (1000, -1000, 2**31, -(2**63), 10**18)
TEXTS = ("", "a", "b", "ab", "B", " ", "x y", "0", "-1", "yellow")
ODD_TEXTS = ("\u00e9", "\u00df", "a\n", "\t", "A" * 40, "\U0001f600", "%s", "None", "\x00")
#: Containers by the names of their sorts and types, in small letters.
CONTAINERS: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("list", "iterable", "sequence", "collection"), list),
    **dict.fromkeys(("set", "frozenset", "abstractset", "mutableset"), set),
    **dict.fromkeys(("tuple", "vartuple"), tuple),
}


class Values:
    """Random values of a class and of the types of its parameters.

    ``domain`` has the sort of each parameter that laws give values to, by method.
    """

    def __init__(
        self,
        cls: type,
        chance: random.Random,
        domain: dict[str, dict[str, str]],
        state: Callable[[Any], Any],
    ) -> None:
        self._cls = cls
        self._chance = chance
        self._domain = domain
        self._state = state
        self.few = [chance.randint(-6, 12) for _ in range(4)]

    def renew(self) -> None:
        """Choose other integers to draw from."""
        spread = self._chance.choice([2, 5, 12, 120])
        self.few = [self._chance.randint(-spread, spread) for _ in range(4)]

    def of_sort(self, sort: str, depth: int = 0) -> Any:
        """A value of a sort, as JSON names it."""
        chance = self._chance
        kind, _, inner = sort.partition("[")
        match kind.lower():
            case "union" | "optional":
                return self.of_sort(chance.choice(_members(inner.removesuffix("]"))), depth)
            case "own":
                return self.made(depth + 1)
            case "none" | "nonetype" | "bool":
                return chance.choice([False, True]) if kind == "bool" else None
            case "str":
                return chance.choice(TEXTS if chance.randrange(ODD) else ODD_TEXTS)
            case "float":
                return chance.choice([*self.few, 0.5, -2.5, 1e16, 0.1, float("nan"), float("inf")])
            case "callable":
                return chance.choice([lambda *a: a[-1], lambda *a: not a[-1], lambda *_: None])
            case known if known in CONTAINERS:
                items = [self.of_sort(_item_sort(inner)) for _ in range(chance.randint(0, 5))]
                items += items[:2] if not chance.randrange(3) else []  # items that are there twice
                return CONTAINERS[known](items)
            case "dict" | "mapping":
                first, _, second = inner.removesuffix("]").partition("|")
                return {
                    self.of_sort(first or "int"): self.of_sort(second or "int")
                    for _ in range(chance.randint(0, 3))
                }
        return self._other(sort) if ":" in sort else self._integer()

    def _integer(self) -> int:
        chance = self._chance
        if not chance.randrange(ODD):
            return chance.choice(INTEGERS)
        return chance.choice(self.few) + chance.choice([0, 0, 0, 1, -1])

    def _other(self, sort: str) -> Any:
        """A member of an enumeration, or an object of another class of the module."""
        module, _, name = sort.partition(":")
        cls = getattr(sys.modules[module], name)
        if issubclass(cls, Enum):
            return self._chance.choice(list(cls))
        other = Values(cls, self._chance, {}, self._state)
        other.few = self.few
        return other.made(MAX_NESTING)

    def arguments(self, function: Any, depth: int) -> tuple[list[Any], dict[str, Any]]:
        """Arguments for ``function``: the required ones and some others."""
        args: list[Any] = []
        named: dict[str, Any] = {}
        known = self._domain.get(function.__name__, {})
        try:
            hints = typing.get_type_hints(function)
        except Exception:  # noqa: BLE001 - a name that is not there
            hints = {}
        for name, one in list(inspect.signature(function).parameters.items()):
            if name == "self" or one.kind in (one.VAR_POSITIONAL, one.VAR_KEYWORD):
                continue
            if one.default is not one.empty and not self._chance.randrange(3):
                continue
            sort = known.get(name) or self._sort(hints.get(name, type(one.default)))
            value = self.of_sort(sort, depth)
            if one.default is one.empty and one.kind is not one.KEYWORD_ONLY:
                args.append(value)
            else:
                named[name] = value
        return args, named

    def _sort(self, hint: Any) -> str:
        """The sort that a type means; one of the members of a union."""
        origin = typing.get_origin(hint) or hint
        if self._cls in (hint, origin):
            return "own"
        if origin in (typing.Union, types.UnionType):
            return self._sort(self._chance.choice(typing.get_args(hint)))
        if isinstance(origin, type) and origin.__module__ == self._cls.__module__:
            return f"{origin.__module__}:{origin.__name__}"
        return origin.__name__ if isinstance(origin, type) else "int"

    def made(self, depth: int = 0) -> Any:
        """An object after random calls; None when its constructor raised too often."""
        for _ in range(20):
            try:
                args, named = self.arguments(self._cls.__init__, depth)
                found = self._cls(*args, **named)
            except Exception:  # noqa: BLE001 - the class refuses these
                continue
            if depth >= MAX_NESTING or self._change(found, depth):
                return found
        return None

    def _change(self, found: Any, depth: int) -> bool:
        """Make random calls; False when one raised and left the object changed."""
        names = [
            name
            for name in sorted(dir(self._cls))
            if (not name.startswith("_") or name in ("__setitem__", "__delitem__"))
            and inspect.isfunction(inspect.getattr_static(self._cls, name))
        ]
        favourite = self._chance.choice(names) if names else ""
        for _ in range(self._chance.randint(0, MAX_CALLS)):
            name = self._chance.choice([favourite, *names])
            if not name:
                return True
            method = getattr(found, name)
            before = self._state(copy.deepcopy(found))
            try:
                args, named = self.arguments(getattr(self._cls, name), depth)
                method(*args, **named)
            except TimeoutError:
                raise
            except Exception:  # noqa: BLE001 - a call that is refused
                if self._state(found) != before:
                    return False
        return True


def _item_sort(inner: str) -> str:
    """The sort of the items of a container, integers where it is not said."""
    first = inner.removesuffix("]").partition("|")[0]
    return first if first in ("int", "str", "float", "bool") else "int"


def _members(inner: str) -> list[str]:
    """The sorts between the bars of a union that are in no brackets."""
    found, depth = [""], 0
    for sign in inner:
        depth += (sign == "[") - (sign == "]")
        if sign == "|" and not depth:
            found.append("")
        else:
            found[-1] += sign
    return found


def break_laws(cls: type, page: dict[str, Any], seconds: float, seed: int) -> dict[str, str]:
    """The laws of ``page`` that are false, each with an object and values that say so."""
    names: dict[str, Any] = {}
    exec(page["prelude"], names)
    names = {**vars(sys.modules[cls.__module__]), **names, cls.__name__: cls}
    chance = random.Random(seed)
    values = Values(cls, chance, page["domain"], names["state"])
    laws = [
        (law, compile(law["expression"], "law", "eval"),
         compile(law["guard"], "guard", "eval") if law["guard"] else None)
        for law in page["laws"]
    ]  # fmt: skip
    found: dict[str, str] = {}
    signal.signal(signal.SIGALRM, _end_call)
    end = perf_counter() + seconds
    while perf_counter() < end:
        signal.setitimer(signal.ITIMER_REAL, MAX_SECONDS, MAX_SECONDS)
        values.renew()
        _ENDED.clear()
        try:
            made = values.made()
            if made is None:
                break
            _try_laws(made, values, laws, names, found)
        except TimeoutError:
            continue
    signal.setitimer(signal.ITIMER_REAL, 0)
    return found


def _try_laws(
    made: Any,
    values: Values,
    laws: list[tuple[dict[str, Any], Any, Any]],
    names: dict[str, Any],
    found: dict[str, str],
) -> None:
    """Evaluate the laws on one object; ``found`` takes those that do not hold."""
    for law, expression, guard in laws:
        if law["law"] in found:
            continue
        here = {name: values.of_sort(sort) for name, sort in law["variables"].items()}
        shown = f"{getattr(made, '__dict__', made)} {here}"
        scope = {**names, **here, "S": copy.deepcopy(made)}
        try:
            if guard is not None and not eval(guard, scope):
                continue
            holds = eval(expression, scope) is True
        except Exception as error:  # noqa: BLE001
            if _is_misuse(error):
                continue
            holds, shown = False, f"{shown} {error!r}"
        if _ENDED:
            return
        if not holds:
            found[law["law"]] = shown


#: Has the time of this object ended?  A law about exceptions takes that for one of its call.
_ENDED: list[bool] = []


def _end_call(*_: object) -> None:
    _ENDED.append(True)
    raise TimeoutError


def _is_misuse(error: Exception) -> bool:
    """Values of types that the class does not take, and objects in each other without end."""
    kinds = (TypeError, RecursionError, MemoryError, OverflowError, TimeoutError)
    return isinstance(error, kinds)


def main(arguments: list[str] | None = None) -> int:
    """Print the laws that are false; 1 when there are some."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", help="FILE or FILE:CLASS")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each class")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    file = Path(chosen.target.partition(":")[0]).resolve()
    config = load(file.parent)
    request = SpecsRequest(chosen.target, (), (0, 1, 2), {}, (), (), 1, 0, config)
    document = json.loads(render_specs(run_specs(request, file.parent), "json"))
    wrong = 0
    for page in document["classes"]:
        name, _, qualname = page["target"].partition(":")
        sys.path.insert(0, str(file.parents[name.count(".") + (file.name == "__init__.py")]))
        cls = getattr(importlib.import_module(name), qualname)
        false = break_laws(cls, page, chosen.seconds, chosen.seed)
        wrong += len(false)
        print(f"{page['target']:40}{len(page['laws']):4} laws{len(false):4} false")
        for text, witness in false.items():
            print(f"  FALSE {text}\n        {witness[:150]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
