"""What a test writes or sets, with the Evidence for it: types of members and of variables.

Invariant: only members that the base declares have Evidence, others may answer anything; of the
variables only those that Python itself sets.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from unitcraft.core.sequences import Arg, Call, Const, Symbol
from unitcraft.core.types import ANY
from unitcraft.explore.plausibility.parameter_evidence import Evidence
from unitcraft.subject.known_types import COMMAND_LINE
from unitcraft.subject.model import Parameter, Subject
from unitcraft.subject.source_files import parse

#: The command line, which is a list of texts to all code that reads it.
_COMMAND_LINE: Final = Evidence(Parameter("argv", "positional_only", COMMAND_LINE))


class WrittenMembers:
    """The declared answers of the members that tests write (immutable once made)."""

    def __init__(self, subject: Subject) -> None:
        self._declared = {
            (info.id, one.name): Evidence(Parameter(one.name, "positional_only", one.returns))
            for info in subject.classes
            for one in info.unimplemented[1:]
            if one.returns != ANY
        }

    def given(self, call: Call) -> list[tuple[Evidence, Arg]]:
        """The answers in the class that ``call`` defines, or the command line that it sets."""
        if call.kind == "arrange" and call.args[0] == Const("sys.argv"):
            return [(_COMMAND_LINE, call.args[-1])]
        base = call.args[0] if call.kind == "define" and call.args else None
        if not isinstance(base, Symbol):
            return []
        home = f"{base.module}:{base.qualname}"
        pairs = [(self._declared.get((home, name)), at) for name, at in _answered(call.name)]
        return [(evidence, call.args[at]) for evidence, at in pairs if evidence is not None]


def _answered(text: str) -> Iterator[tuple[str, int]]:
    """(member, place of its answer): ``{1}``, which is a set to a parser, is the argument 1."""
    for body in [node.body for node in parse(text).body if isinstance(node, ast.ClassDef)]:
        for statement in body:
            match statement:
                case (
                    ast.FunctionDef(
                        name=name, body=[*_, ast.Return(ast.Set([ast.Constant(place)]))]
                    )
                    | ast.AsyncFunctionDef(
                        name=name, body=[*_, ast.Return(ast.Set([ast.Constant(place)]))]
                    )
                    | ast.Assign([ast.Name(name)], ast.Set([ast.Constant(place)]))
                ) if isinstance(place, int):
                    yield name, place
