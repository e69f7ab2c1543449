"""The choice of a value for a parameter: an earlier value, a documented one, by type, by kind.

Invariant: a declared type is respected; for a parameter without one, kinds of
value are tried in turn and then by their success rates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random
from types import MappingProxyType
from typing import Final

from unitcraft.core.sequences import Arg, Const, DisplayKind, Ref
from unitcraft.core.types import TypeExpr
from unitcraft.explore.plausibility.argument_fit import Fit, Plausibility
from unitcraft.explore.search.values.object_pool import ObjectPool, pick
from unitcraft.explore.search.values.parameter_model import Choice, Compound, ParameterModel, Value
from unitcraft.subject.values.value_pools import ValuePools

#: Kind name for objects of the Subject's own classes.
OBJECTS: Final = "object:"
#: Chance that an argument repeats an argument of an earlier call on the receiver.  Off: 2 more
#: sites of 482, within noise; none of the modules measured is a container.
ECHO_CHANCE: Final = 0.3
#: Chance that it is one from the same place, where there is any: what was stored is looked up.
#: Halved with nine others, sites of ``pellets`` (664, seed 0): +7.
SAME_PLACE_CHANCE: Final = 0.7
#: A documented value is taken once in so many turns.  Doubled: 2 sites more of 424, within noise.
DOCUMENTED_TURN: Final = 3
#: Power of the success rate of a kind of values in its chance.  1 costs 23 % more runs, for 1 site
#: more of 424.
RATE_POWER: Final = 3
#: The places after which the chance of a kind is halved, because of its place alone.  Off: 1 site
#: fewer of 424, within noise; kept because one module then had 74 in place of 76 over three seeds,
#: and was looked at because it had lost one.
HALVING_PLACES: Final = 4
#: Classes of the Subject, besides the owner, whose objects are tried for an untyped parameter: a
#: bound for modules of many classes.  Halved: no site.
MAX_OTHER_CLASSES: Final = 6
#: Of so many turns of a parameter with hints, one takes a value of any kind; no multiple of
#: DOCUMENTED_TURN, which would leave none to them.  Doubled: 5 sites fewer of 153, 20 % more runs.
HINTED_TURNS: Final = 4
#: Rounds that an Invocable waits for objects that its parameters are declared to be: as many as
#: objects are made of each other in ``pypara.accounting.ledger`` (23 sites, 33 so).
MAX_WAITS: Final = 4
#: Fit -> factor of the chance of a kind: what does not fit is tried last and seldom.
FIT_CHANCES: Final[Mapping[Fit, float]] = MappingProxyType(
    {
        Fit.FITS: 1.0, Fit.UNKNOWN: 1.0, Fit.ODD: 0.3, Fit.DOUBTFUL: 0.3, Fit.CONTRADICTED: 0.05,
    }
)  # fmt: skip
#: Small domains for walks: few enough to meet again, enough to order.  Halved: no site.
ALPHABETS: Final[Mapping[str, tuple[Arg, ...]]] = MappingProxyType(
    {
        "int": tuple(Const(number) for number in range(8)),
        "str": tuple(Const(letter) for letter in "abcdefg"),
    }
)
#: Parameter name -> the values that a history takes for it.
Domains = dict[str, tuple[Arg, ...]]
#: Container types and the display that stands for them.
_CONTAINERS: Final[Mapping[str, DisplayKind]] = MappingProxyType(
    {
        "list": "list", "sequence": "list", "iterable": "list", "iterator": "list",
        "vartuple": "tuple", "tuple": "tuple", "set": "set", "frozenset": "frozenset",
        "dict": "dict", "mapping": "dict",
    }
)  # fmt: skip


class ValueChooser:
    """Chooses values for the parameters of one Invocable; ``owner`` is its class id or ''.

    ``turn`` counts proposals; ``history`` holds the arguments of the calls that made the receiver,
    ``stored`` those of calls on it, by place (mutable).
    """

    def __init__(
        self,
        owner: str,
        pools: ValuePools,
        objects: ObjectPool,
        rng: Random,
        plausibility: Plausibility | None = None,
    ) -> None:
        self.plausibility = plausibility
        self.owner = owner
        self.pools = pools
        self.objects = objects
        self.rng = rng
        self.turn = 0
        self.history: list[Const] = []
        self.stored: dict[int, list[Const]] = {}
        self.waited = 0
        self._fits: dict[tuple[str, str], Fit] = {}

    def waits(self, slots: Iterable[ParameterModel]) -> bool:
        """Is there no object yet of a class that a parameter has to have, and may there be soon?

        What else would be passed for it is nothing that anybody passes, and makes an object that
        others are made of.
        """
        declared = [slot.declared.cls for slot in slots if slot.parameter.required]
        lacks = any(
            cls in self.objects.makeable and not self.objects.seeds(cls) for cls in declared
        )
        self.waited += lacks
        return lacks and self.waited <= MAX_WAITS

    def choice(self, slot: ParameterModel, position: int) -> Choice:
        """A value for ``slot``, which is number ``position`` among the parameters."""
        turn = self.turn + position
        if self.history and self.rng.random() < ECHO_CHANCE:
            echo = self._echo(slot, position)
            if echo is not None:
                return Choice(echo)
        if slot.firsts and (turn % DOCUMENTED_TURN == 0 or self.turn < len(slot.firsts)):
            return Choice(slot.firsts[(turn // DOCUMENTED_TURN + self.turn) % len(slot.firsts)])
        declared = slot.declared
        if declared.name != "any":
            return self._typed(declared, slot, turn) or self._untyped(slot)
        if slot.hints and turn % HINTED_TURNS:
            hint, turns = slot.next_hint()
            found = self._typed(hint, slot, turns)
            if found is not None:
                return found
        return self._untyped(slot)

    def _echo(self, slot: ParameterModel, position: int) -> Arg | None:
        """An argument of an earlier call on the receiver, of the declared type if there is one."""
        values = self.history
        if position in self.stored and self.rng.random() < SAME_PLACE_CHANCE:
            values = self.stored[position]
        value = values[self.rng.randrange(len(values))]
        declared = slot.declared.name
        if declared in ("any", "union") or type(value.value).__name__ == declared:
            return value
        return None

    # -- values by type and by kind ---------------------------------------------

    def _typed(self, declared: TypeExpr, slot: ParameterModel, turn: int) -> Choice | None:
        if declared.name == "type" and not declared.args and turn % 2:
            seeds = self.objects.seeds("builtins:type")
            if seeds:
                return Choice(seeds[turn // 2 % len(seeds)])
        if declared.name == "class":
            seeds = self.objects.seeds(declared.cls)
            given = self.pools.values(declared, slot.scope, name=slot.parameter.name)
            if seeds and not (given and turn % 2):
                return Choice(seeds[turn] if turn < len(seeds) else pick(seeds, self.rng))
        if declared.name == "union":
            order = declared.args[turn % len(declared.args) :] + declared.args
            for member in order:
                found = self._typed(member, slot, turn // len(declared.args))
                if found is not None:
                    return found
            return None
        if declared.name in _CONTAINERS and self._holds_objects(declared):
            return Choice(self._container(declared, slot, turn))
        values = self.pools.values(declared, slot.scope, name=slot.parameter.name)
        return Choice(self._among(values, turn)) if values else None

    def _holds_objects(self, declared: TypeExpr) -> bool:
        """Does the type mention a class whose objects only the search can make?"""
        known = declared.cls in self.objects.bases or bool(self.objects.seeds(declared.cls))
        return known or any(self._holds_objects(inner) for inner in declared.args)

    def _container(self, declared: TypeExpr, slot: ParameterModel, turn: int) -> Compound:
        """Empty, one, two or three items; for dictionaries keys and values alternate."""
        kind = _CONTAINERS[declared.name]
        inner = declared.args if kind in ("dict", "tuple") else declared.args[:1]
        fixed = declared.name == "tuple"
        rounds = 1 if fixed else (1, 2, 0, 3)[turn % 4]
        items: list[Value] = []
        for round_ in range(rounds):
            for member in inner:
                found = self._typed(member, slot, turn // 4 + round_)
                if found is None:
                    return Compound(kind, ())
                items.append(found.value)
        return Compound(kind, tuple(items))

    def _among(self, values: tuple[Arg, ...], turn: int) -> Arg:
        """Early values one after the other, then any by chance."""
        if turn < len(values):
            return values[turn]
        return values[self.rng.randrange(len(values))]

    def _kinds(self) -> list[str]:
        own = [self.owner] if self.objects.seeds(self.owner) else []
        others = [cls for cls in self.objects.classes() if cls not in own]
        return (
            [OBJECTS + cls for cls in own]
            + list(self.pools.kinds())
            + [OBJECTS + cls for cls in others[:MAX_OTHER_CLASSES]]
        )

    def _untyped(self, slot: ParameterModel) -> Choice:
        kinds = self._kinds()
        fits = {kind: self._fit(kind, slot) for kind in kinds}
        is_checked = slot.evidence is not None and slot.evidence.is_checked
        least = Fit.DOUBTFUL if is_checked else Fit.CONTRADICTED
        # One contradicted kind early: code that checks its arguments refuses it by a ``raise``.
        refused = next((kind for kind in self.pools.kinds() if fits[kind] >= least), None)
        kinds.sort(key=lambda kind: Fit.FITS - is_checked if kind == refused else fits[kind])
        fresh = [kind for kind in kinds if not slot.records[kind].tried]
        if fresh and self.turn // 2 % 2 == 0:
            kind = fresh[0]
        else:
            rates = [
                slot.records[kind].rate ** RATE_POWER
                / (1 + place / HALVING_PLACES)
                * FIT_CHANCES[fits[kind]]
                for place, kind in enumerate(kinds)
            ]
            kind = self.rng.choices(kinds, rates)[0]
        if kind.startswith(OBJECTS):
            return Choice(pick(self.objects.seeds(kind[len(OBJECTS) :]), self.rng), kind)
        values = self.pools.values_of_kind(kind, slot.scope, name=slot.parameter.name)
        uses = slot.records[kind].tried
        return Choice(self._among(values, uses), kind)

    def _fit(self, kind: str, slot: ParameterModel) -> Fit:
        """How the values of a kind agree with the evidence for the parameter; judged once."""
        key = (slot.parameter.name, kind)
        if key not in self._fits:
            self._fits[key] = self._judge(kind, slot)
        return self._fits[key]

    def _judge(self, kind: str, slot: ParameterModel) -> Fit:
        if slot.evidence is None or self.plausibility is None:
            return Fit.UNKNOWN
        if kind.startswith(OBJECTS):
            seed = self.objects.seeds(kind[len(OBJECTS) :])[0]
            return self.plausibility.fit(slot.evidence, Ref(seed.index), seed.sequence)
        values = self.pools.values_of_kind(kind, slot.scope, 1, name=slot.parameter.name)
        return self.plausibility.fit(slot.evidence, values[0]) if values else Fit.CONTRADICTED

    def alphabet(self, slot: ParameterModel) -> tuple[Arg, ...]:
        """A few comparable values of the likeliest type, else of the kind that serves best."""
        declared = slot.declared
        if declared.name in ALPHABETS:
            return ALPHABETS[declared.name]
        if declared.name != "any":
            values = self.pools.values(declared, slot.scope, name=slot.parameter.name)
            return values[:4]
        for hint in slot.hints[:1]:
            values = self.pools.values(hint, slot.scope, 4, name=slot.parameter.name)
            if found := ALPHABETS.get(hint.name, values):
                return found
        kinds = [kind for kind in ("int", "str") if slot.records[kind].tried]
        best = max(kinds, key=lambda kind: slot.records[kind].rate, default="int")
        return ALPHABETS[best]
