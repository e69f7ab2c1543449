"""A model of each parameter: its type, hints and success rates; and values before they are terms.

Invariant: the model of a parameter learns only through its records, hints and firsts; no record
overrules a declared type.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Display, DisplayKind, refs_in
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.explore.plausibility.argument_burdens import SEEDS
from unitcraft.explore.plausibility.argument_fit import STAND_IN, needs_stand_in
from unitcraft.explore.plausibility.parameter_evidence import Evidence
from unitcraft.explore.search.values.object_pool import Composer, ObjectHistory
from unitcraft.subject.ducktypes.kind_support import has_attribute
from unitcraft.subject.known_types import NONE, union
from unitcraft.subject.model import Parameter
from unitcraft.subject.values.stdlib_values import VALUES

#: Candidates of the ladder that are tried in turn; later ones have little for them.
#: Halved: no site of 153, 2 % fewer runs.
MAX_HINTS: Final = 4


@dataclass(slots=True)
class Record:
    """How often a kind of value was tried for a parameter and how often the run was sensible."""

    tried: int = 0
    good: int = 0

    @property
    def rate(self) -> float:
        """Success rate with one virtual success in two tries."""
        return (self.good + 1) / (self.tried + 2)


@dataclass(slots=True)
class ParameterModel:
    """The model of one parameter: hinted types, learned kinds, values to try first (mutable).

    ``weights`` are those of the hints, ``turns`` how often each had its turn.
    """

    parameter: Parameter
    scope: str
    declared: TypeExpr = ANY
    evidence: Evidence | None = None
    hints: list[TypeExpr] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    firsts: list[Arg] = field(default_factory=list)
    records: dict[str, Record] = field(default_factory=lambda: defaultdict(Record))

    def add_hint(self, hint: TypeExpr, weight: int | None = None) -> None:
        """Add a type to try, as heavy as the heaviest of those there are; known ones stay."""
        if hint not in self.hints:
            self.hints.append(hint)
            self.weights.append(max(self.weights, default=1) if weight is None else weight)
            self.turns.append(0)

    def try_first(self, value: Arg) -> None:
        """Try ``value`` before others, unless it refers to a Call or is known."""
        if not refs_in(value) and value not in self.firsts:
            self.firsts.append(value)

    def next_hint(self) -> tuple[TypeExpr, int]:
        """The hint whose turn it is, and how often it had one: turns are shared by weight.

        The method of highest averages, which serves any number of turns.
        """
        shares = [weight / (had + 1) for weight, had in zip(self.weights, self.turns, strict=True)]
        place = shares.index(max(shares))
        self.turns[place] += 1
        return self.hints[place], self.turns[place] - 1


def model_of(parameter: Parameter, scope: str, evidence: Evidence | None = None) -> ParameterModel:
    """The model of a parameter; what is no annotation is a hint only, the loudest first."""
    if evidence is not None and not evidence.is_declared:
        firsts: list[Arg] = [Build(STAND_IN)] if _only_a_stand_in_serves(evidence) else []
        model = ParameterModel(parameter, scope, evidence=evidence, firsts=firsts)
        takes_none = evidence.takes_none and parameter.default != Const(None)
        for one in evidence.candidates[: MAX_HINTS - takes_none]:
            model.add_hint(one.type, one.weight)
        if model.hints and takes_none:
            model.add_hint(NONE, min(model.weights))
        return model
    if parameter.origin in ("docstring", "default"):
        model = ParameterModel(parameter, scope)
        model.add_hint(parameter.type)
        return model
    return ParameterModel(parameter, scope, _plain_type(parameter))


def models_of(
    parameters: Iterable[Parameter], scope: str, known: Mapping[str, Evidence], *, mocks: bool
) -> list[ParameterModel]:
    """The models of ``parameters``, of which evidence is ``known`` by name.

    ``mocks``: a stand-in may be made where nothing else serves.
    """
    found = [model_of(one, scope, known.get(one.name)) for one in parameters]
    for model in found if not mocks else ():
        model.firsts[:] = [one for one in model.firsts if one != Build(STAND_IN)]
    return found


def _plain_type(parameter: Parameter) -> TypeExpr:
    """The declared type; of what seeds chance, and may be a number, a number or None.

    Texts and bytes seed as well, and nobody reads in them what they lead to.
    """
    kinds = [one for one in parameter.type.args if one.name in ("int", "none")]
    is_seed = parameter.name in SEEDS and parameter.type.name == "union"
    return union(*kinds) if is_seed and any(one.name == "int" for one in kinds) else parameter.type


def _only_a_stand_in_serves(evidence: Evidence) -> bool:
    """Does the code ask for attributes that no class has of which values are at hand?"""
    path = evidence.parameter.name
    asked = [use.operand for use in evidence.uses
             if use.operation == "attribute" and use.path == path]  # fmt: skip
    return needs_stand_in(evidence) and not any(
        all(has_attribute(home, name) for name in asked) for home in VALUES
    )


@dataclass(frozen=True, slots=True)
class Compound:
    """A container display whose items may be Seeds."""

    kind: DisplayKind
    items: tuple[Value, ...]


Value = Arg | ObjectHistory | Compound


@dataclass(frozen=True, slots=True)
class Choice:
    """A value for a parameter, and the kind it was drawn from ('' if typed)."""

    value: Value
    kind: str = ""


def realise(value: Value, composer: Composer) -> Arg:
    """The term of ``value``; the calls of its Seeds are appended to ``composer``."""
    if isinstance(value, ObjectHistory):
        return composer.add(value)
    if isinstance(value, Compound):
        return Display(value.kind, tuple(realise(item, composer) for item in value.items))
    return value
