"""Judges arguments by the evidence for their parameters.

Invariant: a judgement depends on the Sequence and the Subject only; no evidence overrules a
declared type.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    Display,
    Ref,
    Sequence,
    Symbol,
    arg_key,
)
from unitcraft.core.types import TypeExpr
from unitcraft.explore.declared_types import may_be
from unitcraft.explore.execution import weight
from unitcraft.explore.plausibility.argument_burdens import (
    BURDENS,
    CONTAINERS,
    PLAIN_KINDS,
    burden_of_call,
    wraps_unfit,
)
from unitcraft.explore.plausibility.common_numbers import burden_of_numbers
from unitcraft.explore.plausibility.evidence_ladder import (
    EvidenceLadder,
    missing_attributes,
    type_of_arg,
)
from unitcraft.explore.plausibility.item_kinds import (
    ITEM_OPERATORS,
    is_listed_text,
    is_of_other_kind,
    items_in,
    parts_agree,
    refused_uses,
)
from unitcraft.explore.plausibility.named_values import burden_of_names
from unitcraft.explore.plausibility.object_classes import ObjectClasses, as_made, stood_for
from unitcraft.explore.plausibility.parameter_evidence import Evidence
from unitcraft.explore.plausibility.written_members import WrittenMembers
from unitcraft.subject.ducktypes.kind_support import (
    kind_of,
    kind_of_type,
    takes_arguments,
)
from unitcraft.subject.model import ENTRY, Invocable, Subject
from unitcraft.subject.scopes import word_set
from unitcraft.subject.values.stdlib_values import VALUES, makes_object

#: What a value costs that others pass: less than ``"abc"``, ``1`` or ``[1, 2]``, which say less.
FAMILIAR_WEIGHTS: Final = {"str": 4, "bytes": 4, "int": 0, "float": 3}
FAMILIAR_WEIGHT: Final = 5
#: What there is to read in such a value; a longer one is hard to read all the same.
MAX_FAMILIAR: Final = 90
#: The class of stand-ins, which have the attributes that a test states.
STAND_IN: Final = Symbol("types", "SimpleNamespace")


class Fit(IntEnum):
    """How an argument agrees with the evidence for its parameter; a greater one is worse."""

    FITS = 0
    UNKNOWN = 1
    ODD = 2
    """Nothing is known, and few would pass it."""
    DOUBTFUL = 3
    CONTRADICTED = 4


#: Fit -> what an argument adds to the cost of reading a test: a doubtful one costs more than any
#: value that a search finds is long (texts of a solver have some 100 characters).
PENALTIES: Final = {
    Fit.FITS: 0, Fit.UNKNOWN: 3, Fit.ODD: 1000, Fit.DOUBTFUL: 1000, Fit.CONTRADICTED: 3000,
}  # fmt: skip
#: What each further kind of values costs among several arguments of which nothing is known.
MIXED_BURDEN: Final = 6
#: What it costs that methods are called on a container that could have been given items and was
#: not: more than the text of a list of numbers.
UNFILLED_BURDEN: Final = 18
#: Kinds that a caller also passes where another one is meant: an integer where a float is.
_ALSO: Final = {
    "float": word_set("int"), "int": word_set("bool"),
    "list": word_set("tuple"), "tuple": word_set("list"),
    "frozenset": word_set("set"), "set": word_set("frozenset list"),
    "complex": word_set("int float"), "function": word_set("type"),
}  # fmt: skip


class Plausibility:
    """Judges the arguments in Sequences of one Subject (mutable: a cache)."""

    def __init__(self, subject: Subject) -> None:
        self.ladder = EvidenceLadder(subject)
        self._objects = ObjectClasses(subject)
        self._written = WrittenMembers(subject)
        self._classes = {info.id: info for info in subject.classes}
        self._shown: dict[str, set[tuple[str, str]]] = {}
        for one in subject.callers:
            pair = (one.parameter, arg_key(one.value))
            self._shown.setdefault(one.invocable, set()).add(pair)
        self.keys = {one.path: one.operand for one in subject.uses if one.operation == ENTRY}
        self._numbers = frozenset(one.value for one in subject.constants if type(one.value) is int)
        self._evidence: dict[str, dict[str, Evidence]] = {}
        self._known: dict[str, tuple[Fit, int]] = {}

    def evidence(self, invocable: Invocable) -> dict[str, Evidence]:
        """The Evidence for each parameter, by name.

        Those that ``*args`` and ``**kwargs`` are meant for are among them.
        """
        if invocable.id not in self._evidence:
            known = self._evidence[invocable.id] = {
                one.name: self.ladder.evidence(invocable, one) for one in invocable.parameters
            }
            if any(one.kind.startswith("var_") for one in invocable.parameters):
                for parent in self._objects.handed_on(invocable):
                    known.update(self.evidence(parent) | known)
        return self._evidence[invocable.id]

    def fit_of_sequence(self, sequence: Sequence) -> Fit:
        """The worst Fit of an argument in the Sequence."""
        return self._judge(sequence)[0]

    def penalty_of(self, sequence: Sequence, *, is_refused: bool = False) -> int:
        """What the arguments in the Sequence add to the cost of reading it.

        Where the Subject refuses one itself, any of another kind would do.
        """
        worst, penalty = self._judge(sequence)
        if is_refused and worst is Fit.CONTRADICTED:
            return penalty - PENALTIES[worst] + PENALTIES[Fit.ODD]
        return penalty

    def _judge(self, sequence: Sequence) -> tuple[Fit, int]:
        """(the worst Fit, the sum of the penalties)."""
        if sequence.key not in self._known:
            worst = Fit.ODD if wraps_unfit(sequence.calls) else Fit.FITS
            penalty = PENALTIES[worst]
            for position, call in enumerate(sequence.calls):
                penalty += UNFILLED_BURDEN * (self.items_left_out(sequence, position) is not None)
                for evidence, arg in (given := self._given(sequence, call)):
                    fit = self.fit(evidence, arg, sequence)
                    worst = max(worst, fit)
                    penalty += PENALTIES[fit]
                    if fit <= Fit.UNKNOWN:
                        penalty += BURDENS[fit](evidence, arg)
                penalty += MIXED_BURDEN * self._kinds_mixed(sequence, call)
                penalty += MIXED_BURDEN * any(
                    is_of_other_kind(arg, self.items_beside(sequence, call))
                    for arg in self.items_given(sequence, call)
                )
                penalty += burden_of_call(call, given)
                for arg in (*call.args, *dict(call.kwargs).values()):
                    penalty += burden_of_names(arg, self.keys) + burden_of_numbers(
                        arg, self._numbers
                    )
                penalty -= self._familiarity(sequence, call)
            self._known[sequence.key] = (worst, penalty)
        return self._known[sequence.key]

    def items_left_out(self, sequence: Sequence, position: int) -> Evidence | None:
        """The Evidence for items that a collection may be made of and is not, before other Calls.

        A test of the empty container is one beside those of what it does with items.  So it is of
        what a class method makes of items that are none by default.
        """
        call = sequence.calls[position]
        is_empty = all(isinstance(arg, Display) and not arg.items for arg in call.args)
        made = self.called(sequence, call)
        if not is_empty or made is None or position == len(sequence) - 1:
            return None
        first = next(iter(made.parameters), None)
        if first is None or first.required or not first.kind.startswith("positional"):
            return None
        if first.name in dict(call.kwargs):
            return None
        is_factory = made.kind == "classmethod" and isinstance(first.default, Display)
        if not is_factory and not self._is_collection(made.returns.cls):
            return None
        evidence = self.evidence(made)[first.name]
        wanted = [one.type.name for one in evidence.candidates[:1]]
        return evidence if wanted and wanted[0] in CONTAINERS else None

    def items_beside(self, sequence: Sequence, call: Call) -> tuple[Arg, ...]:
        """The items that the collection was made of whose method ``call`` is; () if unknown."""
        receiver = call.args[0] if call.args else None
        likely = self._objects.likely_class_of(sequence, receiver)
        if not isinstance(receiver, Ref) or not self._is_collection(likely):
            return ()
        made = sequence.calls[receiver.index]
        maker = self.called(sequence, made)
        given = (*made.args, *dict(made.kwargs).values())
        return items_in(given, alone=maker is not None and takes_any_number(maker))

    def items_given(self, sequence: Sequence, call: Call) -> list[Arg]:
        """The arguments of a method that may be items, or containers of them."""
        if call.kind == "operator":
            return list(call.args[1:]) if call.name in ITEM_OPERATORS else []
        return [
            arg for evidence, arg in self._given(sequence, call)
            if not evidence.candidates or evidence.candidates[0].type.name in CONTAINERS
        ] if call.kind == "method" else []  # fmt: skip

    def _is_collection(self, cls: str) -> bool:
        """Has the class a length or items to iterate over?"""
        members = self._classes[cls].members if cls in self._classes else ()
        return any(one.rpartition(".")[2] in ("__len__", "__iter__") for one in members)

    def _kinds_mixed(self, sequence: Sequence, call: Call) -> int:
        """The further kinds among the arguments of ``*args`` and those of which nothing is known.

        They mostly are items of one collection; none of them says as little as of three kinds.
        """
        invocable, names = self.called(sequence, call), self.parameter_names(sequence, call)
        is_alias = names != self.names_given(sequence, call)
        if is_alias or invocable is None or not takes_any_number(invocable):
            return 0
        known = self.evidence(invocable)
        kinds = {
            kind_of(arg) for place, arg in enumerate(call.args)
            if place >= len(names) or (names[place] and not known[names[place]].candidates)
        }  # fmt: skip
        return max(0, len(kinds) - 1) if len(call.args) > len(names) else 2

    def _familiarity(self, sequence: Sequence, call: Call) -> int:
        """What the arguments of ``call`` that others pass, too, cost beside a familiar value."""
        shown = self._shown.get(self._objects.id_called(sequence, call))
        if shown is None:
            return 0
        named = [*zip(self.parameter_names(sequence, call), call.args, strict=False), *call.kwargs]
        return sum(
            max(0, weight(arg) - FAMILIAR_WEIGHTS.get(kind_of(arg), FAMILIAR_WEIGHT))
            for name, arg in named
            if (name, arg_key(arg)) in shown and weight(arg) <= MAX_FAMILIAR
        )

    def parameter_names(self, sequence: Sequence, call: Call) -> tuple[str, ...]:
        """The names of the parameters that ``args`` are given to; '': unknown, or the receiver."""
        invocable = self.called(sequence, call)
        found = invocable.parameters if invocable is not None else ()
        names = [one.name for one in found if one.kind.startswith("positional")]
        return (*([] if call.kind == "function" else [""]), *names)

    def names_given(self, sequence: Sequence, call: Call) -> tuple[str, ...]:
        """``parameter_names``, or those that ``*args`` alone is meant for."""
        names = self.parameter_names(sequence, call)
        invocable = self.called(sequence, call)
        if any(names) or invocable is None or not takes_any_number(invocable):
            return names
        parents = self._objects.handed_on(invocable)[:1]
        return (*names, *[one.name for parent in parents for one in parent.parameters
                          if one.kind.startswith("positional")])  # fmt: skip

    def _given(self, sequence: Sequence, call: Call) -> list[tuple[Evidence, Arg]]:
        """The arguments of ``call``, each with the Evidence for its parameter."""
        invocable = self.called(sequence, call)
        if invocable is None:
            return self._written.given(call)
        known = self.evidence(invocable)
        names = self.names_given(sequence, call)
        pairs = [(known[name], arg) for name, arg in zip(names, call.args, strict=False) if name]
        return pairs + [(known[name], arg) for name, arg in call.kwargs if name in known]

    def called(self, sequence: Sequence, call: Call) -> Invocable | None:
        """The Invocable that ``call`` calls, if it is known."""
        return self._objects.maker(sequence, call)

    def fit(self, evidence: Evidence, arg: Arg, sequence: Sequence | None = None) -> Fit:
        """How ``arg`` agrees with the evidence; ``sequence`` is where its Refs point."""
        arg = stood_for(arg, sequence)
        if isinstance(arg, Build) and arg.callee == STAND_IN:
            return Fit.UNKNOWN if needs_stand_in(evidence) else Fit.ODD
        kind = kind_of(arg)
        if kind == "NoneType" and evidence.takes_none:
            return Fit.FITS
        if evidence.is_declared:
            return self._fit_of_declared(evidence, arg, sequence)
        if isinstance(arg, Ref):
            return self._fit_of_object(evidence, arg, sequence)
        agreed = [one.type for one in evidence.strong if _agrees(arg, kind, one.type)]
        if agreed:
            if any(parts_agree(arg, one) for one in agreed):
                return Fit.FITS
            asks = any(item.cls in self._classes for item in agreed[0].args)
            return Fit.ODD if asks else Fit.UNKNOWN
        if kind == "str" and evidence.is_unsettled:
            return Fit.FITS
        if not evidence.is_open and (refused := _refusal(evidence, arg, kind)):
            return refused
        if evidence.strong and not evidence.is_open:
            stated = "docstring" in evidence.strong[0].rungs
            return Fit.CONTRADICTED if stated and kind else Fit.DOUBTFUL
        return self._fit_by_guess(evidence, arg, kind)

    def _fit_of_declared(self, evidence: Evidence, arg: Arg, sequence: Sequence | None) -> Fit:
        """The Fit where an annotation says what is passed.

        A value of a builtin class stands for no object of another class, a list of numbers for none
        of texts; few pass a datetime for the date that it is, or a text for the letters in it.
        """

        def is_of_class(value: Arg, declared: TypeExpr) -> bool:
            made = self._objects.class_of_arg(value, sequence)
            return not made or self._objects.is_instance(made, declared.cls)

        declared = evidence.parameter.type
        is_none = self._objects.answers_nothing(arg, sequence)
        if is_none or not may_be(as_made(arg, sequence), declared, is_of_class):
            return Fit.DOUBTFUL
        made = {one.callee for one in VALUES.get(declared.cls, ()) if isinstance(one, Build)}
        is_other = made and isinstance(arg, Build) and arg.callee not in made
        is_text = declared.name in ("iterable", "sequence") and kind_of(arg) in ("str", "bytes")
        if is_other:
            return Fit.ODD
        return Fit.UNKNOWN if is_text else Fit.FITS

    def _fit_by_guess(self, evidence: Evidence, arg: Arg, kind: str) -> Fit:
        """The Fit where only guesses speak for a type: those that share the best one fit."""
        if any(_agrees(arg, kind, one.type) for one in evidence.candidates[:1]):
            return Fit.FITS if parts_agree(arg, evidence.candidates[0].type) else Fit.UNKNOWN
        if any(_agrees(arg, kind, one.type) for one in evidence.candidates):
            return Fit.ODD if is_listed_text(evidence, kind) else Fit.UNKNOWN
        takes_objects = any(one.type.cls in self._classes for one in evidence.candidates[:1])
        if kind not in PLAIN_KINDS or (kind and takes_objects):
            return Fit.ODD
        takes_any = evidence.parameter.origin == "annotation" and not evidence.candidates
        return Fit.FITS if takes_any else Fit.UNKNOWN

    def _fit_of_object(self, evidence: Evidence, arg: Ref, sequence: Sequence | None) -> Fit:
        is_none = self._objects.answers_nothing(arg, sequence)
        if is_none or self._objects.is_misplaced(evidence.candidates, sequence, arg):
            return Fit.DOUBTFUL
        owner = self._objects.class_of(sequence, arg) if sequence is not None else ""
        info = self._classes.get(owner)
        if info is None:
            return Fit.UNKNOWN
        kinds = {owner, *info.bases}
        if kinds.intersection(evidence.classes):
            is_other = evidence.is_operand and evidence.owner not in kinds
            return Fit.UNKNOWN if is_other else Fit.FITS
        path = evidence.parameter.name
        certain = [use for use in evidence.uses if use.certain]
        if missing_attributes(info, certain, path):
            return Fit.CONTRADICTED
        if missing_attributes(info, evidence.uses, path) or evidence.candidates:
            return Fit.DOUBTFUL
        return Fit.UNKNOWN


def takes_any_number(invocable: Invocable) -> bool:
    """Has the Invocable ``*args``?"""
    return any(one.kind == "var_positional" for one in invocable.parameters)


def needs_stand_in(evidence: Evidence) -> bool:
    """Does the code read attributes that no known type has?"""
    path = evidence.parameter.name
    asked = [use for use in evidence.uses if use.operation == "attribute" and use.path == path]
    return bool(asked) and not evidence.candidates and not evidence.is_declared


def _refusal(evidence: Evidence, arg: Arg, kind: str) -> Fit | None:
    """The Fit of a value whose class cannot do what the code does; None if it can."""
    refused = list(refused_uses(evidence, arg, kind))
    if not refused:
        return None
    return Fit.CONTRADICTED if any(use.certain for use in refused) else Fit.DOUBTFUL


def _agrees(arg: Arg, kind: str, type_: TypeExpr) -> bool:
    """Is the argument of the type, by its outermost constructor?"""
    if type_.name in ("iterable", "sequence", "iterator"):
        is_text = kind == "str" and type_.name != "iterator"
        return is_text or kind in ("list", "tuple", "set", "dict", "iterator")
    wanted = kind_of_type(type_)
    if wanted:
        agrees = kind == wanted or kind in _ALSO.get(wanted, ())
        return agrees and takes_arguments(arg, type_)
    if type_.name == "literal":
        return arg in type_.literals
    if type_.name == "class":
        if isinstance(arg, Symbol):
            return f"{arg.module}:{arg.qualname}".rpartition(".")[0] == type_.cls
        return type_of_arg(arg) == TypeExpr("class", cls=type_.cls) or (
            isinstance(arg, Build) and makes_object(arg.callee, type_.cls)
        )
    return isinstance(arg, Display) and type_.name == arg.kind
