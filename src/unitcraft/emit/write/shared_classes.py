"""Classes that several tests write alike: defined once, at the top of the file.

Invariant: a class stands above the tests only if each test that defines it does so with the same
text and arguments, and none of them is a result of the test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from unitcraft.core.sequences import Call, Symbol, class_name, refs_of
from unitcraft.emit.code.call_code import statement
from unitcraft.emit.code.formatter import INDENT
from unitcraft.emit.code.imports import Imports, is_reserved
from unitcraft.emit.code.literal_code import Code
from unitcraft.suite.tests import Test

#: Tests that define a class alike before it stands above them.
MIN_TESTS = 2
#: How a member begins.
_MEMBER = (f"{INDENT}def ", f"{INDENT}async def ", f"{INDENT}@")


def shared_classes(tests: Iterable[Test], taken: frozenset[str]) -> dict[str, Call]:
    """Name -> the Call that defines the class, for the classes that several ``tests`` define.

    ``taken`` are the names that the file imports.
    """
    calls: dict[str, Call] = {}
    counts: Counter[str] = Counter()
    for test in tests:
        found = {repr(call): call for call in test.sequence.calls if _may_stand_above(call)}
        counts.update(found.keys())
        calls.update(found)
    named: dict[str, Call] = {}
    for key in sorted(calls, key=lambda one: (-counts[one], one)):
        name = class_name(calls[key])
        is_free = not is_reserved(name) and name not in taken and name not in named
        if counts[key] >= MIN_TESTS and is_free:
            named[name] = calls[key]
    return named


def _may_stand_above(call: Call) -> bool:
    return call.kind == "define" and not refs_of(call) and call.name.count("\n") > 0 and all(
        line.startswith((*_MEMBER, INDENT * 2)) or not line for line in call.name.splitlines()[1:]
    )  # fmt: skip


def class_lines(named: dict[str, Call], imports: Imports) -> Iterator[list[str]]:
    """The lines of each class."""
    naming = _TopNaming(imports)
    for name in sorted(named):
        yield statement(named[name], naming, "", name)


def members_of_lines(lines: list[str]) -> Iterator[tuple[str, str]]:
    """(qualified name, text without indentation) of each member of a class."""
    name = lines[0].removeprefix("class ").partition("(")[0].rstrip(":")
    for block in "\n".join(lines[1:]).split("\n\n"):
        text = "\n".join([line.removeprefix(INDENT) for line in block.splitlines()])
        head = next(line for line in text.splitlines() if "def " in line)
        yield f"{name}.{head.partition('def ')[2].partition('(')[0]}", text


@dataclass(frozen=True, slots=True)
class _TopNaming:
    """Naming for the top of a file, where there are no results."""

    imports: Imports
    in_coroutine: bool = False

    def symbol(self, symbol: Symbol) -> str:
        """The expression that reaches ``symbol``."""
        return self.imports.symbol(symbol)

    def ref(self, index: int) -> Code:
        """Raises ValueError: a class above the tests refers to no result."""
        message = f"a class of the file refers to result {index}"
        raise ValueError(message)
