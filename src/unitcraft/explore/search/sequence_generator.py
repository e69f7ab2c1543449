"""Sequences to try for one Invocable: systematic rows first, then variations of what worked.

Invariant: proposals depend on the seed, the Invocable and what has been
learned from earlier answers in plan order; never on time or on worker numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from random import Random
from typing import Final

from unitcraft.core.randomness import seeded_random
from unitcraft.core.sequences import Arg, Call, Ref, Sequence, Source, Symbol, arguments, refs_in
from unitcraft.core.types import ANY
from unitcraft.explore.calls import (
    call_of,
    chain_length,
    constants,
    constants_on,
    is_reflected,
    other_blocks,
    passed_to,
)  # fmt: skip
from unitcraft.explore.execution import Execution
from unitcraft.explore.plausibility.argument_fit import Fit, Plausibility
from unitcraft.explore.search.surroundings.set_variables import without_variables
from unitcraft.explore.search.surroundings.written_classes import decorator_uses, descriptor_uses
from unitcraft.explore.search.values.object_pool import Composer, ObjectHistory, ObjectPool
from unitcraft.explore.search.values.parameter_model import (
    Choice,
    Compound,
    ParameterModel,
    models_of,
    realise,
)
from unitcraft.explore.search.values.receiver_choice import ReceiverChoice
from unitcraft.explore.search.values.returned_calls import ReturnedCalls, shape_of_arguments
from unitcraft.explore.search.values.value_choice import Domains, ValueChooser
from unitcraft.subject.known_types import COMMAND_LINE
from unitcraft.subject.model import ClassInfo, Invocable, Parameter
from unitcraft.subject.values.value_pools import ValuePools

#: Calls in a chain, each on the result of the one before; a longer chain is not continued.  Halved
#: with nine others, sites of ``pellets`` (664, seed 0): +7.
MAX_CHAIN: Final = 3
#: Returned functions of one Invocable that are followed, of each path of each depth of the chain.
#: Half of it is not reached in five searches of 20,000 runs.
MAX_FOLLOWED: Final = 40
#: The same for arguments of new kinds.  40: 3 of 49 sites fewer, 4 of 390 of another module more.
MAX_SHAPES: Final = 160
#: Kinds of arguments with which a descriptor is made that is put into a class and used there.  No
#: run comes to it in five searches of 20,000 runs.
MAX_DESCRIPTORS: Final = 24
#: Chance that an optional parameter is left out, once each was left out and given in turn.
#: Halved: 3 sites more of 361, within noise, for 16 % more runs.
OMITTED_CHANCE: Final = 0.6
#: The same for ``**kwargs``.  As OMITTED_CHANCE: no site of 93 of one module, 14 % more runs.
OMITTED_KEYWORDS_CHANCE: Final = 0.85
#: Chance that a history gives ``*args`` a value.  Halved: no site of 759, 0.2 % more runs.
GIVEN_CHANCE: Final = 0.5
#: Values for ``*args``, fewer than this.  Halved with eleven such bounds, sites of ``pellets``
#: (664, seed 0): +3.
MAX_VARIADIC: Final = 4


class Proposer:
    """Makes Sequences that end with ``invocable``; ``learn`` takes their results."""

    def __init__(
        self,
        invocable: Invocable,
        classes: dict[str, ClassInfo],
        pools: ValuePools,
        objects: ObjectPool,
        seed: int,
        plausibility: Plausibility | None = None,
    ) -> None:
        self.invocable = invocable
        self.classes = classes
        self.objects = objects
        self.rng = seeded_random(seed, "propose", invocable.id)
        self.drawer = ValueChooser(invocable.owner, pools, objects, self.rng, plausibility)
        self.returned = ReturnedCalls(self.drawer, plausibility)
        scope = invocable.id.partition(":")[2]
        known = plausibility.evidence(invocable) if plausibility is not None else {}
        self._block_errors = pools.block_errors.get(scope, ())
        self.slots = models_of(passed_to(invocable), scope, known, mocks=pools.mocks)
        self.made: dict[Sequence, tuple[dict[str, str], ObjectHistory | None]] = {}
        self.followed: Counter[tuple[int, tuple[object, ...]]] = Counter()
        self.described: list[str] = []
        self.drains = invocable.is_generator and not invocable.is_async
        self.gives_plain = False
        self.corpus: list[Execution] = []
        self.receivers = ReceiverChoice()
        self.receiver: ObjectHistory | None = None

    # -- one proposal ---------------------------------------------------------

    def propose(self, count: int) -> list[Sequence]:
        """Up to ``count`` Sequences; the caller drops those that were run before."""
        proposals: list[Sequence] = []
        if self.drawer.waits(self.slots):
            return proposals
        for _ in range(count * 2):
            made = self._sequence()
            self.drawer.turn += 1
            if made is not None:
                proposals.append(made)
            if len(proposals) >= count:
                break
        return proposals

    def _sequence(self) -> Sequence | None:
        composer = Composer()
        receiver = self._receiver(composer)
        if receiver is None:
            return None
        self.drawer.history = [leaf for call in composer.calls for leaf in constants(call)]
        self.drawer.stored = constants_on(receiver[0], composer.calls) if receiver else {}
        kinds: dict[str, str] = {}
        args: list[Arg] = []
        kwargs: list[tuple[str, Arg]] = []
        positional = True
        for position, slot in enumerate(self._given()):
            if self._is_omitted(slot):
                positional = positional and slot.parameter.kind == "var_positional"
                continue
            for choice in self._choices(slot, position):
                slot.records[choice.kind].tried += bool(choice.kind)
                arg = realise(choice.value, composer)
                kinds[slot.parameter.name] = choice.kind
                self._place(slot.parameter, arg, args, kwargs, positional=positional)
        call = self._call(receiver, args, kwargs)
        if call is None:
            return None
        sequence = composer.finish(call, self.rng)
        self.made[without_variables(sequence)] = kinds, self.receiver
        return sequence

    def _given(self) -> list[ParameterModel]:
        """The parameters of this turn: a property is read twice for each time it is set."""
        if self.invocable.kind == "property" and (self.drawer.turn + 1) % 3:
            return []
        return self.slots

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
            given = dict(kwargs)
            free = [name for name in ("key", "name", "x") if name not in given]
            kwargs += [(name, arg) for name in free[:1]]
        elif parameter.kind == "var_positional":
            args += [arg] if positional else []
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
            member = owner.enum_members[self.drawer.turn % len(owner.enum_members)]
            return (Symbol(owner.module, f"{owner.qualname}.{member}"),)
        seeds = self.objects.seeds(self.invocable.owner)
        if not seeds:
            return None
        self.receiver = self.receivers.choose(seeds, self.drawer.turn, self.rng)
        return (composer.add(self.receiver),)

    def _is_omitted(self, slot: ParameterModel) -> bool:
        parameter = slot.parameter
        if parameter.required and not parameter.kind.startswith("var"):
            return False
        optional = [
            s for s in self.slots if not s.parameter.required or s.parameter.kind[:3] == "var"
        ]
        if self.drawer.turn < 2 * len(optional) + 2:
            return self.drawer.turn // 2 != optional.index(slot) + 1
        keywords = parameter.kind == "var_keyword"
        return self.rng.random() < (OMITTED_KEYWORDS_CHANCE if keywords else OMITTED_CHANCE)

    def _choices(self, slot: ParameterModel, position: int) -> list[Choice]:
        if slot.parameter.kind == "var_positional":
            return [
                self.drawer.choice(slot, position) for _ in range(self.rng.randrange(MAX_VARIADIC))
            ]
        return [self.drawer.choice(slot, position)]

    def parameter_slots(self) -> tuple[ParameterModel, ...]:
        """The parameters in their order."""
        return tuple(self.slots)

    def known_receivers(self) -> list[ObjectHistory]:
        """Ways to the objects on which it can be called."""
        bound = self.invocable.kind in ("method", "property")
        return self.objects.seeds(self.invocable.owner) if bound else []

    def takes_any_keyword(self) -> bool:
        """Has the Invocable ``**kwargs``?"""
        return any(slot.parameter.kind == "var_keyword" for slot in self.slots)

    def draw_plain(self, number: int) -> Arg | None:
        """A value for parameter ``number``; None when it would refer to other Calls."""
        self.drawer.turn += 1
        value = self.drawer.choice(self.slots[number], 0).value
        if isinstance(value, (ObjectHistory, Compound)) or refs_in(value):
            return None
        return value

    def _call(
        self, receiver: tuple[Arg, ...], args: list[Arg], kwargs: list[tuple[str, Arg]]
    ) -> Call | None:
        return call_of(self.invocable, receiver, args, kwargs, drains=self.drains)

    def bare_call(self) -> tuple[tuple[Call, ...], Call] | None:
        """(calls that make a receiver, the Call without arguments), None without a receiver."""
        composer = Composer()
        receiver = self._receiver(composer)
        if receiver is None or self.invocable.kind in ("property", "field"):
            return None
        call = self._call(receiver, [], [])
        return None if call is None else (tuple(composer.calls), call)

    def suggest(self, parameter: str, values: Iterable[Arg]) -> None:
        """Try ``values``, lists of texts, for a parameter before others like them."""
        for slot in self.slots:
            if slot.parameter.name == parameter:
                slot.firsts += values
                slot.declared = COMMAND_LINE if slot.declared == ANY else slot.declared

    # -- learning -----------------------------------------------------------------

    def learn(self, execution: Execution, *, sensible: bool, kept: bool) -> None:
        """Take the result of a proposal: was the run free of misuse, did it reach a new Goal?"""
        kinds, receiver = self.made.pop(without_variables(execution.sequence), ({}, None))
        if receiver is not None:
            self.receivers.note(receiver, sensible=sensible, kept=kept)
        if execution.failed is None and not self.drains:
            lazy = execution.behaviour == "iterator"
            self.drains = lazy and not self.gives_plain
            self.gives_plain = self.gives_plain or not lazy
        for slot in self.slots:
            kind = kinds.get(slot.parameter.name)
            if kind:
                record = slot.records[kind]
                record.good += sensible
        if kept:
            self.corpus.append(execution)

    def variations(self, count: int, rng: Random) -> list[Sequence]:
        """Corpus members with one argument of the last Call, or the receiver, replaced."""
        made: list[Sequence] = []
        for _ in range(count if self.corpus else 0):
            parent = self.corpus[int(len(self.corpus) * rng.random())]
            varied = self._vary(parent.sequence, rng)
            if varied is not None:
                made.append(varied)
        return made

    def _vary(self, sequence: Sequence, rng: Random) -> Sequence | None:
        last = sequence.calls[-1]
        if self.described and last.kind != "function":
            return None  # a descriptor is used, and nothing of that is its argument
        first, final = (1, 0) if self.invocable.kind == "method" else (0, 0)
        if is_reflected(self.invocable):
            first, final = 0, 1
        positions = range(first, len(last.args) - final)
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
            args[positions[which]] = self._draw(slot, which, composer)
        else:
            slot = named[which - len(positions)]
            value = self._draw(slot, which, composer)
            kwargs = [(n, value if n == slot.parameter.name else a) for n, a in kwargs]
        self.drawer.turn += 1
        return composer.finish(Call(last.kind, last.name, tuple(args), tuple(kwargs), last.then))

    def _slot_at(self, position: int) -> ParameterModel | None:
        if position < len(self.slots):
            return self.slots[position]
        return self.slots[-1] if self.slots else None

    def follow_ups(self, run: Execution) -> list[Sequence]:
        """Calls of a function that was returned, and of its public attributes.

        A descriptor is used in a class; the block of a ``with`` raises, or has calls in it.
        """
        *before, last = run.sequence.calls
        blocks = other_blocks(last, len(before), self._block_errors)
        if blocks:  # a block that was not entered leads nowhere
            self.followed[0, ()] += run.failed is None
            goes_on = run.failed is None and self.followed[0, ()] <= MAX_FOLLOWED
            return [Sequence((*before, *block)) for block in blocks if goes_on]
        if tags := self._descriptor_tags(run):
            return self._descriptor_uses(run, tags)
        depth = chain_length(run.sequence)
        returns_function = run.behaviour.startswith("function")
        path = depth, (*run.last_hits, is_odd := self.is_odd(run))
        shape = depth, tuple(map(shape_of_arguments, run.sequence.calls[-1 - depth :]))
        most = MAX_SHAPES if shape not in self.followed and not is_odd else MAX_FOLLOWED
        if depth > MAX_CHAIN or self.followed[path] >= most:
            return []
        self.followed[shape] += 1
        again = [] if returns_function else list(self.returned.again(run))
        self.followed[path] += returns_function or bool(again)
        if not returns_function:
            return again
        return list(self.returned.of_result(run.sequence, run.behaviour.split()[1:]))

    def is_odd(self, run: Execution) -> bool:
        """Has the run an argument that few would pass?"""
        judge = self.drawer.plausibility
        return judge is not None and judge.fit_of_sequence(run.sequence) >= Fit.ODD

    def _descriptor_tags(self, run: Execution) -> tuple[str, ...]:
        """The tags of the class of descriptors of which ``run`` makes one; () for other runs."""
        made = self.classes.get(run.behaviour)
        last = run.sequence.calls[-1]
        if made is None or last.kind != "function" or last.then:
            return ()
        return tuple([tag for tag in made.tags if tag in ("descriptor", "setter")])

    def _descriptor_uses(self, run: Execution, tags: tuple[str, ...]) -> list[Sequence]:
        """Uses of the descriptor that ``run`` made of what one passes, once for their classes."""
        last = run.sequence.calls[-1]
        given = arguments(last)
        kinds = " ".join(sorted({type(getattr(arg, "value", arg)).__name__ for arg in given}))
        is_full = len(self.described) >= MAX_DESCRIPTORS
        if self.is_odd(run) or kinds in self.described or is_full:
            return []
        self.described.append(kinds)
        decorated = decorator_uses(last.name, tags) if len(self.described) == 1 else []
        of_one = self.invocable.kind == "function" and len(given) == 1
        if of_one and isinstance(given[0], (Source, Symbol)):
            return decorated  # a function of one function is a decorator
        return [*decorated, *descriptor_uses(run.sequence)]

    # -- steps of walks ------------------------------------------------------------

    def step(self, receiver: Ref, rng: Random, domains: Domains | None = None) -> Call | None:
        """The Call on ``receiver`` with arguments from a small alphabet, for long histories.

        What is stored can be found again only where parameters of one name have one alphabet:
        ``domains`` has those of a history, and takes those that are new.
        """
        return self.step_with({"self": receiver}, rng, domains)

    def step_with(
        self, given: Mapping[str, Arg], rng: Random, domains: Domains | None = None
    ) -> Call | None:
        """The Call with ``given`` arguments by name, others from a small alphabet."""
        args: list[Arg] = []
        kwargs: list[tuple[str, Arg]] = []
        for slot in self.slots:
            parameter = slot.parameter
            if parameter.kind.startswith("var"):
                if parameter.kind == "var_positional" and rng.random() < GIVEN_CHANCE:
                    known = [given[parameter.name]] if parameter.name in given else []
                    found = known or list(self.drawer.alphabet(slot))
                    args += [found[rng.randrange(len(found))]] if found and not kwargs else []
                continue
            if not parameter.required:
                if parameter.name in given and rng.random() >= OMITTED_CHANCE:
                    kwargs.append((parameter.name, given[parameter.name]))
                continue
            if parameter.name in given and parameter.kind != "keyword":
                args.append(given[parameter.name])
                continue
            values = self.drawer.alphabet(slot)
            if domains is not None and slot.declared.name == "any":
                values = domains.setdefault(parameter.name, values)
            if not values or parameter.kind == "keyword":
                return None
            args.append(values[rng.randrange(len(values))])
        bound = self.invocable.kind in ("method", "property", "field")
        return self._call((given["self"],) if bound else (), args, kwargs)

    def _draw(self, slot: ParameterModel, position: int, composer: Composer) -> Arg:
        return realise(self.drawer.choice(slot, position).value, composer)
