"""What kept runs passed: plain arguments by Invocable and parameter, and all of their texts.

Invariant: values come in the order of the runs, each once; none refers to another Call.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from random import Random
from typing import Final

from unitcraft.core.sequences import Arg, Call, Const, Display, Ref, refs_in
from unitcraft.explore.calls import constants, passed_to
from unitcraft.explore.execution import Execution
from unitcraft.subject.model import Invocable

#: Characters of a text that is made of two.  Halved with eleven such bounds, sites of ``pellets``
#: (664, seed 0): +3.
MAX_TEXT: Final = 120
#: Chance that a value is one of a callee to which the parameter is handed on, that a text gets a
#: part of another, and that this is one that was passed for the same parameter.
EVEN_CHANCE: Final = 0.5


class KeptArguments:
    """Abstract state: the values by parameter and the texts, and which runs were looked at.

    ``handed`` is what Invocables hand on to others (``Subject.handed``): what went well there goes
    on from here as well.
    """

    def __init__(self, handed: Iterable[tuple[str, str, str, str]] = ()) -> None:
        self._handed: defaultdict[tuple[str, str], list[tuple[bool, str, str]]] = defaultdict(list)
        for invocable, path, callee, taken in handed:
            as_item, name = path.endswith("[]"), path.removesuffix("[]")
            self._handed[invocable, name].append((as_item, callee, taken))
        self._values: defaultdict[tuple[str, str], dict[Arg, None]] = defaultdict(dict)
        self._texts: dict[str, None] = {}
        self._seen: set[str] = set()

    def take(self, runs: Iterable[Execution], invocables: Mapping[str, Invocable]) -> None:
        """Learn what those of ``runs`` passed that are new and went well."""
        for run in runs:
            if run.failed is not None or run.sequence.key in self._seen:
                continue
            self._seen.add(run.sequence.key)
            *calls, last = run.sequence.calls
            for call in calls:
                maker = call.args[0] if call.kind == "method" and call.args else None
                owner = f"{calls[maker.index].name}." if isinstance(maker, Ref) else ""
                self._note(call, invocables.get(f"{owner}{call.name}"))
            self._note(last, invocables.get(run.invocable))

    def _note(self, call: Call, called: Invocable | None) -> None:
        for one in constants(call):
            if isinstance(one.value, str) and one.value:
                self._texts[one.value] = None
        if called is None:
            return
        first = 1 if call.kind == "method" else 0
        names = [one.name for one in passed_to(called)]
        for name, arg in [*zip(names, call.args[first:], strict=False), *call.kwargs]:
            if not refs_in(arg):
                self._values[called.id, name][arg] = None

    def draw(self, invocable: str, parameter: str, rng: Random) -> Arg | None:
        """A value for a parameter; in texts, now and then, with a part of another text."""
        values = list(self._values.get((invocable, parameter), ()))
        others = self._values_handed(invocable, parameter)
        if others and (not values or rng.random() < EVEN_CHANCE):
            return others[rng.randrange(len(others))]
        if not values:
            return None
        value = values[rng.randrange(len(values))]
        if isinstance(value, Display) and value.items and value.kind == "list":
            at = rng.randrange(len(value.items))
            changed = self._spliced(value.items[at], (), rng)
            return Display("list", (*value.items[:at], changed, *value.items[at + 1 :]))
        return self._spliced(value, values, rng)

    def _values_handed(self, invocable: str, parameter: str) -> list[Arg]:
        """The values with which those went well that the parameter is handed on to."""
        return [
            Display("list", (value,)) if as_item else value
            for as_item, callee, taken in self._handed.get((invocable, parameter), ())
            for value in self._values.get((callee, taken), ())
        ]

    def _spliced(self, value: Arg, near: Iterable[Arg], rng: Random) -> Arg:
        """A text with a part of another: as often of ``near`` as of any that was passed."""
        text = value.value if isinstance(value, Const) else None
        if not isinstance(text, str) or not self._texts or rng.random() >= EVEN_CHANCE:
            return value
        texts = [one.value for one in near if isinstance(one, Const)]
        donors = [one for one in texts if isinstance(one, str) and one]
        if not donors or rng.random() >= EVEN_CHANCE:
            donors = list(self._texts)
        donor = donors[rng.randrange(len(donors))]
        at, start = rng.randint(0, len(text)), rng.randrange(len(donor))
        end = rng.randint(start + 1, len(donor))
        return Const((text[:at] + donor[start:end] + text[at:])[:MAX_TEXT])
