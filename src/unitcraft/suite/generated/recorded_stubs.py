"""Stubs that record their calls, in the place of classes that a test writes for a Protocol.

``StubPayments`` answers and forgets; ``Mock(spec=Payments, charge=Mock(return_value=True))`` says
afterwards what it was charged.

Invariant: the stub answers as the class did; what is no plain method of it stays a class.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    Const,
    Ref,
    Sequence,
    Symbol,
    refs_of,
    renumber_call,
    replace_refs,
)
from unitcraft.explore.search.variation.places import MOCK, recording

#: A class with nothing but methods that answer one value or none.
_CLASS: Final = re.compile(
    r"class \w+\(\{0\}\):\n(?:    def \w+\(self[^\n]*\):\n        (?:return \{\d+\}|pass)\n*)+"
)
_METHOD: Final = re.compile(r"    def (\w+)\(self[^\n]*\):\n        (?:return \{(\d+)\}|pass)")


def recording_stubs(sequence: Sequence) -> Sequence:
    """``sequence`` with one stub that records in place of each class that it can stand for."""
    for at, call in enumerate(sequence.calls):
        stub = _stub(call)
        made = _maker(sequence, at) if stub is not None else None
        if stub is not None and made is not None:
            return recording_stubs(_in_place(sequence, (at, made), stub))
    return sequence


def _stub(define: Call) -> Build | None:
    """The stub in place of the class that a Call defines; None where it can have none."""
    base = define.args[0] if define.kind == "define" and define.args else None
    if not isinstance(base, Symbol) or not _CLASS.fullmatch(define.name):
        return None
    members = [
        (name, recording(define.args[int(number)] if number else Const(None)))
        for name, number in _METHOD.findall(define.name)
    ]
    return Build(MOCK, (), (("spec", base), *members))


def _maker(sequence: Sequence, define: int) -> int | None:
    """The Call that makes the one object of a class, which one other Call is given."""
    users = [at for at, call in enumerate(sequence.calls) if define in refs_of(call)]
    if len(users) != 1:
        return None
    made = sequence.calls[users[0]]
    uses = [call for call in sequence.calls for index in refs_of(call) if index == users[0]]
    is_plain = made == Call("operator", "call", (Ref(define),))
    is_given = len(uses) == 1 and uses[0].kind == "function"
    return users[0] if is_plain and is_given else None


def _in_place(sequence: Sequence, gone: tuple[int, int], stub: Build) -> Sequence:
    """``sequence`` without the Calls ``gone``, the last of which made what the ``stub`` is."""
    kept = [at for at in range(len(sequence)) if at not in gone]
    where = {old: new for new, old in enumerate(kept)}

    def place(index: int) -> Arg:
        return stub if index == gone[-1] else Ref(index)

    def put(call: Call) -> Call:
        named = tuple([(name, replace_refs(arg, place)) for name, arg in call.kwargs])
        given = tuple([replace_refs(arg, place) for arg in call.args])
        return renumber_call(replace(call, args=given, kwargs=named), where)

    return Sequence(tuple([put(sequence.calls[at]) for at in kept]))
