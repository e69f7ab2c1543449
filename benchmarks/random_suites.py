"""Suites of random call sequences with everything asserted that can be seen.

A test makes an object and calls up to ``LONGEST`` of its methods with small numbers.  After each
call it asserts what came of it and the whole heap below the object, as the class at hand gave them
when the suite was written; so a test sees every difference in what its calls do.
"""

from __future__ import annotations

import builtins
import importlib
import inspect
import random
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

#: Calls after the constructor, and the numbers that arguments are drawn from.
LONGEST = 6
NUMBERS = range(4)


class Subject(NamedTuple):
    """A class: how to make an object, and calls of its methods; each ``{}`` is a drawn number.

    ``project`` is the pinned project that the module comes from; '' stands for our own.
    """

    module: str
    make: str
    calls: tuple[str, ...]
    project: str = ""


#: ROSTRA, "Experimental Subjects", and two classes with an ``__eq__`` that looks at a part.
SUBJECTS = (
    Subject("int_stack", "IntStack()", ("push({})", "pop()", "is_empty()")),
    Subject(
        "ub_stack",
        "UBStack(3)",
        ("push({})", "pop()", "top()", "is_empty()", "is_full()", "is_member({})", "size()"),
    ),
    Subject(
        "shopping_cart",
        "ShoppingCart()",
        (
            *("add('p{}', {})", "add('p{}', {}, {})", "remove('p{}')", "apply_discount('ten')"),
            *("total()", "count()", "is_empty()", "clear()", "apply_discount('HALF')"),
        ),
    ),
    Subject(
        "bank_account",
        "BankAccount({}, 3)",
        (
            *("deposit({})", "withdraw({})", "freeze()", "unfreeze()", "available()"),
            *("add_interest({})", "transfer(BankAccount(), {})"),
        ),
    ),
    Subject("bin_search_tree", "BinSearchTree()", ("insert({})", "remove({})", "contains({})")),
    Subject(
        "binomial_heap", "BinomialHeap()", ("insert({})", "find_minimum()", "extract_min()",
        "delete({})"),
    ),
    Subject(
        "disj_set", "DisjSet()", ("find({})", "union({}, {})", "connected({}, {})", "count()",
        "members({})"),
    ),
    Subject(
        "fibonacci_heap", "FibonacciHeap()", ("insert({})", "is_empty()", "find_minimum()",
        "extract_min()", "decrease_key({}, {})", "delete({})"),
    ),
    Subject(
        "heap_map", "HeapMap()", ("put({}, {})", "get({})", "remove({})", "first_key()",
        "contains_key({})", "size()", "keys()"),
    ),
    Subject("linked_list", "LinkedList()", ("add({})", "remove({})", "remove_last()",
        "contains({})")),
    Subject(
        "tree_map", "TreeMap()", ("put({})", "get({})", "remove({})", "contains_key({})", "keys()"),
    ),
    Subject(
        "heapdict", "heapdict()", ("__setitem__({}, {})", "__getitem__({})", "__delitem__({})",
        "popitem()", "peekitem()", "pop({})", "clear()", "get({})"), "heapdict==1.0.1",
    ),
    Subject(
        "ordered_set", "OrderedSet([{}])", ("add({})", "append({})", "index({})", "discard({})",
        "pop()", "update([{}, {}])", "__getitem__({})", "__contains__({})", "clear()"),
        "ordered-set==4.1.0",
    ),
)  # fmt: skip


def seen(root: object) -> str:
    """The heap below ``root`` as text: objects are numbered as they are met."""
    met, parts = [root], []
    for one in met:
        words = [type(one).__name__]
        fields = getattr(one, "__dict__", None)
        if isinstance(one, dict):
            children = [part for item in dict.items(one) for part in item]
        elif isinstance(one, (list, tuple)):
            children = list(one)
        else:
            children = []
        if fields is not None:
            words += sorted(fields)
            children += [fields[name] for name in sorted(fields)]
        elif not children:
            words += [repr(one)] if not isinstance(one, (list, tuple, dict)) else []
        for child in children:
            if child is None or type(child) in (int, str, bool, float):
                words.append(repr(child))
                continue
            place = next((at for at, known in enumerate(met) if known is child), len(met))
            if place == len(met):
                met.append(child)
            words.append(f"#{place}")
        parts.append(" ".join(words))
    return "; ".join(parts)


def write_suite(subject: Subject, folder: Path, tests: int, seed: int, paths: list[str]) -> None:
    """Write the suite of a Subject into ``folder``."""
    draw = random.Random(f"{seed} {subject.module}")
    name = subject.make.partition("(")[0]
    with imported(subject.module, paths) as module:
        written = [_test(number, subject, draw, vars(module)) for number in range(tests)]
    head = f"import pytest\nfrom seen import seen\n\nfrom {subject.module} import {name}\n"
    (folder / "seen.py").write_text(f"{inspect.getsource(seen)}")
    (folder / "test_random.py").write_text("\n\n".join([head, *written]))


@contextmanager
def imported(name: str, paths: list[str]) -> Iterator[Any]:
    """The module, with ``paths`` first on the search path; forgotten afterwards."""
    sys.path[:0] = paths
    try:
        yield importlib.import_module(name)
    finally:
        del sys.path[: len(paths)]
        sys.modules.pop(name, None)


def _test(number: int, subject: Subject, draw: random.Random, names: dict[str, Any]) -> str:
    known = {**names, "seen": seen}
    lines = [f"def test_{number}():"]
    known["it"] = _told(f"it = {_drawn(subject.make, draw)}", known, lines)
    for _ in range(draw.randint(1, LONGEST)):
        call = f"it.{_drawn(draw.choice(subject.calls), draw)}"
        try:
            result = seen(eval(call, known))
        except Exception as error:  # noqa: BLE001 - whatever the class raises
            kind = type(error).__name__
            kind = kind if hasattr(builtins, kind) else "Exception"
            lines += [f"    with pytest.raises({kind}):", f"        {call}"]
        else:
            lines.append(f"    assert seen({call}) == {result!r}")
        lines.append(f"    assert seen(it) == {seen(known['it'])!r}")
    return "\n".join([*lines, ""])


def _told(line: str, known: dict[str, Any], lines: list[str]) -> Any:
    exec(line, known)
    lines += [f"    {line}", f"    assert seen(it) == {seen(known['it'])!r}"]
    return known["it"]


def _drawn(template: str, draw: random.Random) -> str:
    return template.format(*(draw.choice(NUMBERS) for _ in range(template.count("{}"))))
