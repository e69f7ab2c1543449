"""A universe: the states from which laws begin, the values of each sort, and steps between them.

Invariant: the states are those of a breadth-first exploration, thinned out evenly where there are
too many, then those of long walks; all of it follows from the description, the options and the
seed.

Source: ROSTRA, "Test Generation Algorithm"; differs: levels are thinned out, walks go on from
them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any, Final

from unitcraft.core.randomness import seeded_random
from unitcraft.core.sequences import Const
from unitcraft.infer.universe.preconditions import Precondition, evaluate_condition
from unitcraft.infer.universe.profiles import Profile, profiles_of
from unitcraft.infer.universe.state_equality import StateEquality
from unitcraft.infer.universe.transition_table import NOT_MEANT, Entry, TransitionTable
from unitcraft.infer.universe.values import NoPlainValue

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from random import Random

#: Pairs that are run to go on from one level to the next.
MAX_LEVEL: Final = 700
#: Calls of a burst, the same operation again and again: a capacity of this much is met.
MAX_BURST: Final = 70
#: Constructor configurations from which bursts start.
MAX_BURSTS: Final = 4
#: States that are in every choice: the first ones, empty objects of each configuration, which are
#: few and break laws that all others keep.
MAX_KEPT: Final = 20
#: Calls of a random walk, and walks from each constructor configuration.
MAX_WALK: Final = 24
MAX_WALKS: Final = 3
#: Walks over few values of each sort: what one call puts in, others then find.
MAX_MEETING: Final = 24
FEW: Final = 3
#: States of a walk from which laws begin: after so many calls.
WALK_STOPS: Final = (5, 9, 16, 24, 34, 50, 66, 70)
#: The first integer of the fresh ones that a burst passes.
FRESH: Final = 101


@dataclass(frozen=True, slots=True)
class Size:
    """How far a universe reaches: calls, states kept of each level and in all, Calls tried."""

    depth: int
    level: int
    states: int
    calls: int
    walks: bool = False


class Universe:
    """States to begin from, values to pass, and the steps between states."""

    def __init__(
        self,
        table: TransitionTable,
        equality: StateEquality,
        pools: Mapping[str, tuple[int, ...]],
        preconditions: Sequence[Precondition] = (),
    ) -> None:
        self.table = table
        self.equality = equality
        self.pools = pools
        self.starts: list[int] = []
        self.configs: list[int] = []
        #: States of a larger universe, which observers have to tell apart too.
        self.beside: tuple[int, ...] = ()
        self._preconditions = {one.name: one for one in preconditions}
        self._by_name: dict[str, int] = {}
        self._of_pools: dict[int, bool] = {}
        for place, one in enumerate(table.operations):
            self._by_name.setdefault(one.name, place)

    def steps(self, pairs: Sequence[tuple[int, int]]) -> Sequence[Entry]:
        """The entries of ``pairs`` (state, Call), each run unless it has run before."""
        if not self._preconditions:
            self.table.fill(pairs)
            self.equality.update()
            return self.equality.entries(pairs)
        meant = [pair for pair in dict.fromkeys(pairs) if self._is_meant(*pair)]
        self.table.fill(meant)
        self.equality.update()
        known = dict(zip(meant, self.equality.entries(meant), strict=True))
        return [known.get(pair, NOT_MEANT) for pair in pairs]

    def is_partial(self, operation: int, profile: Profile) -> bool:
        """Are there calls of it that raise, or that are not meant?"""
        return bool(profile.raises) or self.table.operations[operation].name in self._preconditions

    def is_of_pools(self, state: int) -> bool:
        """Were the calls that made ``state`` given values of the pools?"""
        known = self._of_pools.get(state)
        if known is None:
            values = {number for pool in self.pools.values() for number in pool}
            calls = self.table.states[state].calls[1:]
            given = [arg for call in calls for arg in call.args if isinstance(arg, Const)]
            known = self._of_pools[state] = all(
                self.table.values.of_arg(arg) in values for arg in given
            )
        return known

    def state_of(self, value: int) -> int:
        """The state of an object that is passed as an argument; UNKNOWN where it has none."""
        state = self.table.state_of(value) if value >= 0 else value
        if state >= 0:
            self.equality.update()
            return self.equality.representative(state)
        return state

    def calls(self) -> list[int]:
        """The Calls of all operations over the pools."""
        found = []
        for place, operation in enumerate(self.table.operations):
            if self.table.is_called(place):
                columns = [self.pools.get(sort, ()) for sort in operation.sorts]
                found += [self.table.call(place, args) for args in product(*columns)]
        return found

    def class_calls(self) -> list[int]:
        """The Calls over the pools of class methods that make objects."""
        return [
            self.table.call(place, args)
            for place, one in enumerate(self.table.operations)
            if one.invocable.kind == "classmethod"
            for args in product(*[self.pools.get(sort, ()) for sort in one.sorts])
        ]

    def explore(self, initial: Iterable[int], size: Size, seed: int = 0) -> None:
        """Add the states that ``size`` allows to ``starts``."""
        self.equality.update()
        self.configs = [self.equality.representative(state) for state in initial]
        seen = dict.fromkeys(self.configs)
        frontier = list(seen)
        for _ in range(size.depth):
            calls = drawn(self.calls(), size.calls)
            pairs = drawn([(state, call) for state in frontier for call in calls], MAX_LEVEL)
            found = self.steps(pairs)
            reached = [state for entry in found for state in _states_of(entry)]
            new = [state for state in dict.fromkeys(reached) if state >= 0 and state not in seen]
            frontier = drawn(new, size.level)
            seen.update(dict.fromkeys(frontier))
            if not frontier:
                break
        self.starts = drawn(list(seen), size.states, MAX_KEPT)
        if size.walks:
            self.starts = list(dict.fromkeys([*self.starts, *self._walk(seed)]))

    def _walk(self, seed: int) -> list[int]:
        """States of bursts of each operation and of random walks, some calls apart."""
        found: list[int] = []
        configs = list(dict.fromkeys(self.configs))
        changing = [
            place
            for place, profile in enumerate(profiles_of(self.table, self.equality))
            if profile.is_mutator and self.table.is_called(place)
        ]
        for config in configs[:MAX_BURSTS]:
            for place in changing:
                if self.table.operations[place].sorts:
                    found += self._follow(config, self._burst(place))
        calls = [one for one in self.calls() if self.table.called[one][0] in changing]
        for config in configs if calls else ():
            for number in range(MAX_WALKS):
                chance = seeded_random(seed, f"walk {config} {number}")
                found += self._follow(config, [chance.choice(calls) for _ in range(MAX_WALK)])
        for turn in range(MAX_MEETING if calls else 0):
            chance = seeded_random(seed, f"meeting {turn}")
            config = configs[turn % len(configs)]
            found += self._follow(config, self._meeting(calls, chance))
        return found

    def _meeting(self, calls: Sequence[int], chance: Random) -> list[int]:
        """Calls of some operations over so few values that they meet, each as often as any other.

        Source: SWARM, features left out of each test: a call that throws everything away is in
        some walks only.
        """
        some: dict[str, list[int]] = {}
        for sort, pool in sorted(self.pools.items()):
            some[sort] = chance.sample(pool, min(FEW, len(pool)))
        by_place: dict[int, list[int]] = {}
        for one in calls:
            place, args = self.table.called[one]
            sorts = self.table.operations[place].sorts
            if all(arg in some.get(sort, ()) for arg, sort in zip(args, sorts, strict=True)):
                by_place.setdefault(place, []).append(one)
        places = sorted(by_place)
        places = [one for one in places if chance.random() < 0.5] or places  # noqa: PLR2004 - a coin
        return [chance.choice(by_place[chance.choice(places)]) for _ in range(MAX_WALK)]

    def _burst(self, place: int) -> list[int]:
        """Calls of one operation, with fresh integers where it takes some."""
        sorts = self.table.operations[place].sorts
        columns = [self.pools.get(sort, ()) for sort in sorts]
        if not all(columns):
            return []
        values = self.table.values
        calls = []
        for turn in range(MAX_BURST):
            args = tuple(
                values.of_arg(Const(FRESH + turn)) if sort == "int" else column[turn % len(column)]
                for sort, column in zip(sorts, columns, strict=True)
            )
            calls.append(self.table.call(place, args))
        return calls

    def _follow(self, state: int, calls: Sequence[int]) -> list[int]:
        """The states at the stops of a walk; a call that raises is passed over."""
        found, idle = [], 0
        for turn, call in enumerate(calls, 1):
            if not self._preconditions:
                self.table.look_ahead(state, calls[turn - 1 :])
            (entry,) = self.steps([(state, call)])
            onward = entry.value if entry.kind == "s" else entry.after
            idle = idle + 1 if onward in (state, -1, -2) else 0
            state = onward if onward >= 0 else state
            if turn in WALK_STOPS:
                found.append(state)
            if idle > len(self.table.operations) + 2 and turn not in WALK_STOPS:
                break
        return found

    def _is_meant(self, state: int, call: int) -> bool:
        """Does the precondition of the operation, if there is one, hold?"""
        operation, args = self.table.called[call]
        given = self.table.operations[operation]
        precondition = self._preconditions.get(given.name)
        if precondition is None or state < 0:
            return True
        try:
            names = {
                parameter.name: self.table.values.plain(arg)
                for parameter, arg in zip(given.given, args, strict=True)
            }
            asked = lambda name, values: self._ask(state, name, values)  # noqa: E731
            return bool(evaluate_condition(precondition.condition, names, asked))
        except (NoPlainValue, KeyError, TypeError):
            return False

    def _ask(self, state: int, name: str, values: Sequence[Any]) -> Any:
        """The plain value of an operation on ``state``.  Raises KeyError or NoPlainValue."""
        args = tuple(self.table.values.of_plain(value) for value in values)
        call = self.table.call(self._by_name[name], args)
        (entry,) = self.steps([(state, call)])
        if entry.kind != "v":
            raise NoPlainValue
        return self.table.values.plain(entry.value)


def _states_of(entry: Entry) -> tuple[int, ...]:
    return (entry.after, entry.value) if entry.kind == "s" else (entry.after,)


def evenly(items: Sequence[Any], most: int) -> list[Any]:
    """At most ``most`` of ``items``, evenly spread, the first among them."""
    if len(items) <= most:
        return list(items)
    return [items[place * len(items) // most] for place in range(most)]


def drawn(items: Sequence[Any], most: int, kept: int = 1) -> list[Any]:
    """At most ``most`` of ``items`` in their order, the first ``kept`` among them, drawn at random.

    States and Calls come in patterns, which an even choice may fall in step with.
    """
    if len(items) <= most:
        return list(items)
    chance = seeded_random(len(items), "drawn", most)
    kept = min(kept, most)
    return [*items[:kept], *(items[place] for place in
            sorted(chance.sample(range(kept, len(items)), most - kept)))]  # fmt: skip
