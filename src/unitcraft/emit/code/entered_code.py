"""The code of Calls whose result is entered or iterated by a statement of its own.

``with``, and a local coroutine function around ``async with`` and ``async for``.

Invariant: the lines mean what ``execute.guest.interpret`` did with the result.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from unitcraft.core.sequences import Call
from unitcraft.emit.code.call_code import expression
from unitcraft.emit.code.imports import Imports
from unitcraft.emit.code.literal_code import Naming

#: One level of indentation.
_IN = "    "


@dataclass(frozen=True, slots=True)
class Entered:
    """``manager`` is what a ``with`` statement enters, ``run`` the expression otherwise.

    ``before`` are the lines that define what ``run`` calls.  ``keyword``: the statement.
    """

    indent: str
    manager: str = ""
    run: str = ""
    before: list[str] = field(default_factory=list)
    keyword: str = "with"

    def lines(self, name: str) -> list[str]:
        """The lines; the result is bound to ``name`` if that is not empty."""
        if self.manager:
            target = f" as {name}" if name else ""
            head = f"{self.indent}{self.keyword} {self.manager}{target}:"
            return [head, f"{self.indent}{_IN}pass"]
        return [*self.before, f"{self.indent}{name} = {self.run}" if name else self._effect()]

    def raising(self) -> list[str]:
        """The body of a ``with pytest.raises``; ``manager`` and ``before`` stand outside it."""
        return [f"{self.indent}{_IN}pass" if self.manager else f"{_IN}{self._effect()}"]

    def _effect(self) -> str:
        return f"{self.indent}{self.run}"


def entered(step: Call, naming: Naming, imports: Imports, indent: str) -> Entered:
    """The code of a Call with one of the continuations ``core.sequences.ENTERED``."""
    inner = expression(step, naming, imports).text
    if step.then == "enter":
        return Entered(indent, manager=inner)
    if naming.in_coroutine and step.then == "collect":
        return Entered(indent, run=f"[item async for item in {inner}]")
    if naming.in_coroutine:
        return Entered(indent, manager=inner, keyword="async with")
    imports.module("asyncio")
    if step.then == "collect":
        name, body = "collect", [f"return [item async for item in {inner}]"]
    else:
        name, body = "enter", [f"async with {inner} as value:", f"{_IN}return value"]
    head = [f"{indent}async def {name}():", *[f"{indent}{_IN}{line}" for line in body], ""]
    return Entered(indent, run=f"asyncio.run({name}())", before=head)
