"""Look-ups in a Subject: its classes, the Invocable that a Call calls, the class of its result.

Invariant: answers come from the Subject's description alone; an unknown id is
answered with None or an empty value, never with a guess.
"""

from __future__ import annotations

import re
from typing import Final

from unitcraft.core.outcomes import Raised
from unitcraft.core.sequences import Arg, Build, Call, Ref, Sequence, Symbol, is_heir
from unitcraft.subject.model import ClassInfo, Invocable, Subject

#: Roles of constants for which the code asks.
_ASKING: Final = ("compare", "member", "key")


class SubjectIndex:
    """Look-ups in one Subject."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.invocables = {invocable.id: invocable for invocable in subject.invocables}
        self._returned = {invocable.id: invocable for invocable in subject.returned}
        self.classes = {info.id: info for info in subject.classes}
        self.defines_inequality = any(item.name == "__ne__" for item in subject.invocables)
        texts = [one for one in subject.constants if isinstance(one.value, str)]
        self.texts = frozenset(one.value for one in texts)
        self.asked_for = frozenset(one.value for one in texts if one.role in _ASKING)
        self._homes = {f"{info.module}:{info.qualname}": info.id for info in subject.classes}
        self._constructed = {
            invocable.id: invocable.owner or invocable.id
            for invocable in subject.invocables
            if invocable.kind == "constructor"
        }

    def invocable(self, identity: str) -> Invocable | None:
        """The Invocable of this id."""
        return self.invocables.get(identity)

    def class_made_by(self, call: Call, sequence: Sequence) -> str:
        """The id of the class of which ``call`` returns an instance; '' when that is not known."""
        if call.kind == "function" and call.name in self.classes:
            return call.name
        if call.kind == "function" and call.name in self._constructed:
            return self._constructed[call.name]
        if call.kind == "define":
            return ""
        if call.kind == "operator" and call.name == "call":
            return self._class_written(call.args[0], sequence)
        if call.kind == "operator" and call.name == "itself":
            return self.class_of(call.args[0], sequence)
        called = self.called(call, sequence)
        if called is None:
            return ""
        if called.kind == "constructor":
            return called.owner
        if called.returns.name == "class" and called.returns.cls:
            return self._homes.get(called.returns.cls, called.returns.cls)
        return called.owner if called.kind == "classmethod" and not called.returns.cls else ""

    def _class_written(self, called: Arg, sequence: Sequence) -> str:
        """The base of the class ``called``, if the test wrote that; ''."""
        written = sequence.calls[called.index] if isinstance(called, Ref) else None
        bases = written.args[:1] if written is not None and is_heir(written) else ()
        ids = [f"{one.module}:{one.qualname}" for one in bases if isinstance(one, Symbol)]
        return next((one for one in ids if one in self.classes), "")

    def called(self, call: Call, sequence: Sequence) -> Invocable | None:
        """The Invocable behind a function, method, get or set Call, or a Call of its answer.

        Of an object that is called it is its ``__call__``.
        """
        if call.kind == "function":
            return self.invocables.get(call.name)
        made = call.args[0] if (call.kind, call.name) == ("operator", "call") else None
        if isinstance(made, Ref):
            found = self.function_made_by(sequence.calls[made.index], sequence)
            return found or self.invocables.get(f"{self.class_of(made, sequence)}.__call__")
        if call.kind == "operator" or not call.args:
            return None
        return self.member(self.class_of(call.args[0], sequence), call.name)

    def function_made_by(self, call: Call, sequence: Sequence) -> Invocable | None:
        """The function that ``call`` returns, where its code defines one."""
        maker = self.called(call, sequence)
        return None if maker is None else self._returned.get(f"{maker.id}()")

    def member(self, class_id: str, name: str) -> Invocable | None:
        """Member ``name`` of a class, or the only member of that name in the Subject."""
        found = self.invocables.get(f"{class_id}.{name}")
        if found is not None:
            return found
        named = [item for item in self.subject.invocables if item.name == name and item.owner]
        return named[0] if len(named) == 1 else None

    def class_of(self, arg: Arg, sequence: Sequence) -> str:
        """The id of the class of ``arg``, or ''."""
        if isinstance(arg, Ref):
            return self.class_made_by(sequence.calls[arg.index], sequence)
        if isinstance(arg, Build):
            name = f"{arg.callee.module}:{arg.callee.qualname}"
            return name if name in self.classes else ""
        return ""

    def exception(self, raised: Raised) -> Symbol | None:
        """The importable class of ``raised``; None when it is local to a function."""
        module, _, qualname = self._homes.get(raised.type, raised.type).partition(":")
        return None if "<locals>" in qualname else Symbol(module, qualname)

    def info(self, class_id: str) -> ClassInfo | None:
        """The ClassInfo of this id."""
        return self.classes.get(class_id)


def words(name: str) -> str:
    """``CamelCase`` and ``mixedCase`` as snake_case; other names in lower case."""
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name.replace(".", "_"))
    name = re.sub(r"([a-z\d])([A-Z])", r"\1_\2", name)
    return re.sub(r"\W+|__+", "_", name).strip("_").lower()


def simple_name(identity: str) -> str:
    """The last part of ``module:qualname``."""
    return identity.rpartition(":")[2].rpartition(".")[2]
