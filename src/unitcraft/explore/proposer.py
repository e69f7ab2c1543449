"""Sequences to try for one Invocable: systematic rows first, then variations of what worked.

Invariant: proposals depend on the seed, the Invocable and what has been
learned from earlier answers in plan order; never on time or on worker numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from types import MappingProxyType
from typing import Final

from unitcraft.core.operators import SPECIAL_METHODS
from unitcraft.core.seeded import seeded
from unitcraft.core.terms import (
    Arg, Call, CallKind, Const, Display, DisplayKind, Ref, Sequence, Source, Symbol, Then,
    arguments,
)
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.explore.execution import Execution
from unitcraft.explore.objects import Composer, ObjectPool, Seed, pick
from unitcraft.subject.model import ClassInfo, Invocable, Parameter
from unitcraft.subject.pools import Pools

#: Kind name for objects of the Subject's own classes.
OBJECTS = "object:"
#: Operators whose result grows exponentially with an operand.
EXPLOSIVE: Final = frozenset({"**", "<<", ">>", "round2", "**=", "<<="})
#: The largest operand given to those.
LARGEST_EXPONENT: Final = 64
#: Small domains for walks: few enough to meet again, enough to order.
ALPHABETS: Final[Mapping[str, tuple[Arg, ...]]] = MappingProxyType(
    {
        "int": tuple(Const(number) for number in range(8)),
        "str": tuple(Const(letter) for letter in "abcdefg"),
    }
)
#: Calls tried on a function that was returned, and how long such a chain may grow.
FOLLOW_UPS: Final = 4
#: Returned functions of one Invocable that are followed.
MAX_FOLLOWED: Final = 120
#: Arguments for functions of unknown purpose: decorators want a function, others a value.
FOLLOWING: Final[tuple[Arg, ...]] = (
    Source("lambda x: x"), Const(1), Source("lambda *args: len(args)"), Const("a"),
    Display("list", (Const(1), Const(2))), Const(2), Source("lambda x, y: x + y"),
)  # fmt: skip
#: Chance that an argument repeats a value that the receiver has met.
ECHO = 0.3


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
class Slot:
    """What is known of one parameter: hinted types, learned kinds, values to try first."""

    parameter: Parameter
    scope: str
    declared: TypeExpr = ANY
    hints: list[TypeExpr] = field(default_factory=list)
    firsts: list[Arg] = field(default_factory=list)
    records: dict[str, Record] = field(default_factory=lambda: defaultdict(Record))


def slot_of(parameter: Parameter, scope: str) -> Slot:
    """A Slot; a type that a docstring or a default suggests is a hint, not a promise."""
    if parameter.origin in ("docstring", "default"):
        return Slot(parameter, scope, hints=[parameter.type])
    return Slot(parameter, scope, parameter.type)


@dataclass(frozen=True, slots=True)
class Compound:
    """A container display whose items may be Seeds."""

    kind: DisplayKind
    items: tuple[Value, ...]


Value = Arg | Seed | Compound


@dataclass(frozen=True, slots=True)
class Choice:
    """A value for a slot, and the kind it was drawn from ('' if typed)."""

    value: Value
    kind: str = ""


def realised(value: Value, composer: Composer) -> Arg:
    """The term of ``value``; the calls of its Seeds are appended to ``composer``."""
    if isinstance(value, Seed):
        return composer.add(value)
    if isinstance(value, Compound):
        return Display(value.kind, tuple(realised(item, composer) for item in value.items))
    return value


#: Container types and the display that stands for them.
_CONTAINERS: Final[Mapping[str, DisplayKind]] = MappingProxyType(
    {
        "list": "list", "sequence": "list", "iterable": "list", "iterator": "list",
        "vartuple": "tuple", "tuple": "tuple", "set": "set", "frozenset": "frozenset",
        "dict": "dict", "mapping": "dict",
    }
)  # fmt: skip


class Proposer:
    """Makes Sequences that end with ``invocable``; ``learn`` takes their results."""

    def __init__(
        self,
        invocable: Invocable,
        classes: dict[str, ClassInfo],
        pools: Pools,
        objects: ObjectPool,
        seed: int,
    ) -> None:
        self.invocable = invocable
        self.classes = classes
        self.pools = pools
        self.objects = objects
        self.rng = seeded(seed, "propose", invocable.id)
        scope = invocable.id.partition(":")[2]
        self.slots = [slot_of(parameter, scope) for parameter in invocable.parameters]
        self.value = Slot(Parameter("value", type=invocable.returns), scope)
        self.made: dict[Sequence, dict[str, str]] = {}
        self.followed = 0
        self.drains = invocable.is_generator and not invocable.is_async
        self.turn = 0
        self.history: list[Const] = []
        self.corpus: list[Execution] = []
        self.next_seed = 0

    # -- one proposal ---------------------------------------------------------

    def propose(self, count: int) -> list[Sequence]:
        """Up to ``count`` Sequences; the caller drops those that were run before."""
        proposals: list[Sequence] = []
        for _ in range(count * 2):
            made = self._one()
            self.turn += 1
            if made is not None:
                proposals.append(made)
            if len(proposals) >= count:
                break
        return proposals

    def _one(self) -> Sequence | None:
        composer = Composer()
        receiver = self._receiver(composer)
        if receiver is None:
            return None
        self.history = [leaf for call in composer.calls for leaf in _constants(call)]
        kinds: dict[str, str] = {}
        args: list[Arg] = []
        kwargs: list[tuple[str, Arg]] = []
        positional = True
        for position, slot in enumerate(self.slots):
            if self._omitted(slot, position):
                positional = positional and slot.parameter.kind == "var_positional"
                continue
            for choice in self._choices(slot, position):
                slot.records[choice.kind].tried += bool(choice.kind)
                arg = realised(choice.value, composer)
                kinds[slot.parameter.name] = choice.kind
                self._place(slot.parameter, arg, args, kwargs, positional=positional)
        if self.invocable.settable and self.turn % 3 == 2:  # noqa: PLR2004
            args = [realised(self._choice(self.value, 0).value, composer)]
        call = self._call(receiver, args, kwargs)
        if call is None:
            return None
        sequence = composer.finish(call)
        self.made[sequence] = kinds
        return sequence

    @staticmethod
    def _place(
        parameter: Parameter,
        arg: Arg,
        args: list[Arg],
        kwargs: list[tuple[str, Arg]],
        *,
        positional: bool,
    ) -> None:
        if parameter.kind == "var_keyword":
            kwargs.append((("key", "name", "x")[len(kwargs) % 3], arg))
        elif parameter.kind == "keyword" or not positional:
            kwargs.append((parameter.name, arg))
        else:
            args.append(arg)

    def _receiver(self, composer: Composer) -> tuple[Arg, ...] | None:
        """The receiver as a one-tuple, () where none is needed, None when there is none yet."""
        if self.invocable.kind not in ("method", "property", "field"):
            return ()
        owner = self.classes.get(self.invocable.owner)
        if owner is not None and owner.enum_members:
            member = owner.enum_members[self.turn % len(owner.enum_members)]
            return (Symbol(owner.module, f"{owner.qualname}.{member}"),)
        seeds = self.objects.seeds(self.invocable.owner)
        if not seeds:
            return None
        if self.next_seed < len(seeds) and self.turn % 2 == 0:
            seed = seeds[self.next_seed]
            self.next_seed += 1
        else:
            seed = pick(seeds, self.rng)
        return (composer.add(seed),)

    def _omitted(self, slot: Slot, position: int) -> bool:
        parameter = slot.parameter
        if parameter.required and not parameter.kind.startswith("var"):
            return False
        optional = [s for s in self.slots if not s.parameter.required or s.parameter.kind[:3] == "var"]
        if self.turn < 2 * len(optional) + 2:
            return self.turn // 2 != optional.index(slot) + 1
        del position
        return self.rng.random() < (0.6 if parameter.kind != "var_keyword" else 0.85)

    def _choices(self, slot: Slot, position: int) -> list[Choice]:
        if slot.parameter.kind == "var_positional":
            return [self._choice(slot, position) for _ in range(self.rng.randrange(4))]
        return [self._choice(slot, position)]

    def _choice(self, slot: Slot, position: int) -> Choice:
        turn = self.turn + position
        if self.history and self.rng.random() < ECHO:
            echo = self._echo(slot)
            if echo is not None:
                return Choice(echo)
        if slot.firsts and (turn % 3 == 0 or self.turn < len(slot.firsts)):
            return Choice(slot.firsts[(turn // 3 + self.turn) % len(slot.firsts)])
        declared = slot.declared
        if declared.name != "any":
            return self._typed(declared, slot, turn) or self._untyped(slot, turn)
        if slot.hints and turn % 2:
            found = self._typed(slot.hints[turn // 2 % len(slot.hints)], slot, turn // 2)
            if found is not None:
                return found
        return self._untyped(slot, turn)

    def _echo(self, slot: Slot) -> Arg | None:
        """A value that the receiver has met before, of the declared type if there is one."""
        value = self.history[self.rng.randrange(len(self.history))]
        declared = slot.declared.name
        if declared in ("any", "union") or type(value.value).__name__ == declared:
            return value
        return None

    # -- values by type and by kind ---------------------------------------------

    def _typed(self, declared: TypeExpr, slot: Slot, turn: int) -> Choice | None:
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
        return declared.cls in self.objects.bases or any(
            self._holds_objects(inner) for inner in declared.args
        )

    def _container(self, declared: TypeExpr, slot: Slot, turn: int) -> Compound:
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
        """Early values in turn, later by chance with a bias to the front."""
        if turn < len(values):
            return values[turn]
        return values[int(len(values) * self.rng.random() ** 1.5)]

    def _kinds(self, name: str) -> list[str]:
        own = [self.invocable.owner] if self.objects.seeds(self.invocable.owner) else []
        others = [cls for cls in self.objects.classes() if cls not in own]
        return [OBJECTS + cls for cls in own] + list(self.pools.kinds(name)) + [
            OBJECTS + cls for cls in others[:6]
        ]

    def _untyped(self, slot: Slot, turn: int) -> Choice:
        kinds = self._kinds(slot.parameter.name)
        fresh = [kind for kind in kinds if not slot.records[kind].tried]
        if fresh and self.turn // 2 % 2 == 0:
            kind = fresh[0]
        else:
            rates = [slot.records[k].rate ** 3 / (1 + i / 4) for i, k in enumerate(kinds)]
            kind = self.rng.choices(kinds, rates)[0]
        if kind.startswith(OBJECTS):
            return Choice(pick(self.objects.seeds(kind[len(OBJECTS) :]), self.rng), kind)
        values = self.pools.values_of_kind(kind, slot.scope, name=slot.parameter.name)
        uses = slot.records[kind].tried
        return Choice(self._among(values, uses), kind)

    # -- the call ---------------------------------------------------------------

    def _call(
        self, receiver: tuple[Arg, ...], args: list[Arg], kwargs: list[tuple[str, Arg]]
    ) -> Call | None:
        invocable = self.invocable
        then: Then = "await" if invocable.is_async else "drain" if self.drains else ""
        if invocable.kind == "property":
            kind: CallKind = "set" if args else "get"
            return Call(kind, invocable.name, (*receiver, *args))
        if invocable.kind == "field":
            return None
        if invocable.kind != "method":
            target = invocable.owner if invocable.kind == "constructor" else invocable.id
            return Call("function", target, tuple(args), tuple(kwargs), then)
        special = SPECIAL_METHODS.get(invocable.name)
        if special is None:
            return Call("method", invocable.name, (*receiver, *args), tuple(kwargs), then)
        operator, reflected = special
        if operator != "call" and (kwargs or len(args) > 2):  # noqa: PLR2004
            return None
        if operator == "round" and args:
            operator = "round2"
        if operator == "**" and len(args) > 1:
            args = args[:1]
        if operator in EXPLOSIVE and any(map(_huge, args)):
            return None
        operands = (*args, *receiver) if reflected else (*receiver, *args)
        return Call("operator", operator, operands, tuple(kwargs), then)

    def bare_call(self) -> tuple[tuple[Call, ...], Call] | None:
        """(calls that make a receiver, the Call without arguments), None when there is no receiver."""
        composer = Composer()
        receiver = self._receiver(composer)
        if receiver is None or self.invocable.kind in ("property", "field"):
            return None
        call = self._call(receiver, [], [])
        return None if call is None else (tuple(composer.calls), call)

    # -- learning -----------------------------------------------------------------

    def learn(self, execution: Execution, *, sensible: bool, kept: bool) -> None:
        """Take the result of a proposal: was the run free of misuse, did it reach a new Goal?"""
        kinds = self.made.pop(execution.sequence, {})
        self.drains = self.drains or execution.behaviour == "iterator"
        for slot in self.slots:
            kind = kinds.get(slot.parameter.name)
            if kind:
                record = slot.records[kind]
                record.good += sensible
        if kept and len(self.corpus) < 200:  # noqa: PLR2004
            self.corpus.append(execution)

    def variations(self, count: int, rng: Random) -> list[Sequence]:
        """Corpus members with one argument of the last Call, or the receiver, replaced."""
        made: list[Sequence] = []
        for _ in range(count if self.corpus else 0):
            parent = self.corpus[int(len(self.corpus) * rng.random())]
            varied = self._varied(parent.sequence, rng)
            if varied is not None:
                made.append(varied)
        return made

    def _varied(self, sequence: Sequence, rng: Random) -> Sequence | None:
        last = sequence.calls[-1]
        offset = 1 if self.invocable.kind == "method" else 0
        positions = [p for p in range(offset, len(last.args))]
        named = [s for s in self.slots if any(s.parameter.name == n for n, _ in last.kwargs)]
        if not positions and not named:
            return None
        composer = Composer()
        composer.calls = list(sequence.calls[:-1])
        args, kwargs = list(last.args), list(last.kwargs)
        which = rng.randrange(len(positions) + len(named))
        if which < len(positions):
            slot = self._slot_at(which)
            if slot is None:
                return None
            args[positions[which]] = self._fresh(slot, which, composer)
        else:
            slot = named[which - len(positions)]
            value = self._fresh(slot, which, composer)
            kwargs = [(n, value if n == slot.parameter.name else a) for n, a in kwargs]
        self.turn += 1
        return composer.finish(Call(last.kind, last.name, tuple(args), tuple(kwargs), last.then))

    def _slot_at(self, position: int) -> Slot | None:
        if position < len(self.slots):
            return self.slots[position]
        return self.slots[-1] if self.slots else None

    def follow_ups(self, run: Execution) -> list[Sequence]:
        """What to do with a function that was returned: call it, call what it carries."""
        if not run.behaviour.startswith("function") or len(run.sequence) > FOLLOW_UPS:
            return []
        self.followed += 1
        if self.followed > MAX_FOLLOWED:
            return []
        result = Ref(len(run.sequence) - 1)
        calls = [Call("method", name, (result,)) for name in run.behaviour.split()[1:]]
        for _ in range(FOLLOW_UPS):
            count = self.rng.choice((1, 1, 0, 2))
            args = [FOLLOWING[self.rng.randrange(len(FOLLOWING))] for _ in range(count)]
            calls.append(Call("operator", "call", (result, *args)))
        return [Sequence((*run.sequence.calls, call)) for call in calls]

    # -- steps of walks ------------------------------------------------------------

    def step(self, receiver: Ref, rng: Random) -> Call | None:
        """The Call on ``receiver`` with arguments from a small alphabet, for long histories."""
        args: list[Arg] = []
        for slot in self.slots:
            parameter = slot.parameter
            if not parameter.required or parameter.kind.startswith("var"):
                continue
            values = self._alphabet(slot)
            if not values or parameter.kind == "keyword":
                return None
            args.append(values[rng.randrange(len(values))])
        return self._call((receiver,), args, [])

    def _alphabet(self, slot: Slot) -> tuple[Arg, ...]:
        """A few comparable values of the kind that serves the parameter best."""
        declared = slot.declared
        if declared.name in ALPHABETS:
            return ALPHABETS[declared.name]
        if declared.name != "any":
            values = self.pools.values(declared, slot.scope, name=slot.parameter.name)
            return values[:4]
        kinds = [kind for kind in ("int", "str") if slot.records[kind].tried]
        best = max(kinds, key=lambda kind: slot.records[kind].rate, default="int")
        return ALPHABETS[best]

    def _fresh(self, slot: Slot, position: int, composer: Composer) -> Arg:
        return realised(self._choice(slot, position).value, composer)


def _huge(arg: Arg) -> bool:
    value = arg.value if isinstance(arg, Const) else 0
    return isinstance(value, (int, float)) and abs(value) > LARGEST_EXPONENT


def explosive(sequence: Sequence) -> bool:
    """Does a Call of an operator whose result may be astronomically large have a large operand?"""
    return any(
        call.kind == "operator" and call.name in EXPLOSIVE and any(map(_huge, call.args))
        for call in sequence.calls
    )


def _constants(call: Call) -> list[Const]:
    found: list[Const] = []
    stack = list(arguments(call))
    while stack:
        arg = stack.pop()
        if isinstance(arg, Const):
            found.append(arg)
        elif isinstance(arg, Display):
            stack.extend(arg.items)
    return found


def refers_only(sequence: Sequence) -> bool:
    """Does the last Call refer to an earlier result?"""
    return any(isinstance(arg, Ref) for arg in sequence.calls[-1].args)
