"""Variables of the environment: a run that looks one up is run with it unset, and set.

What a variable holds depends on where a test runs.  So once a run has looked a variable up that the
source names, every Sequence of that Invocable says at its beginning what it holds.

Invariant: a Sequence that has been given variables sets each at most once, before all other Calls.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from collections.abc import Sequence as Lines
from types import MappingProxyType
from typing import Final

from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    Const,
    Display,
    Sequence,
    Symbol,
    renumber_call,
)
from unitcraft.execute.sandbox.audit import EVERY_VARIABLE
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.surroundings.answer_calls import answers_to
from unitcraft.explore.search.variation.places import places
from unitcraft.instrument.sites import BranchSite
from unitcraft.subject.ducktypes.answer_shapes import AnswerShapes

#: In place of a variable: the words of the command line, and standard input.
ARGUMENTS: Final = "sys.argv"
INPUT: Final = "sys.stdin"
#: The name of the program in a command line.
PROGRAM: Final = Const("prog")
#: Answers of a person.
INPUTS: Final = ("yes\n", "3\n4\n", "")
#: Events of what is refused where standard input is read.
INPUT_EVENTS: Final = ("builtins.input", "sys.stdin", "sys.stdin.buffer")
#: The one of them that asks for bytes.
BUFFER_EVENT: Final = INPUT_EVENTS[-1]
#: Values for a variable with which the source compares nothing.
VALUES: Final = ("abc", "1")
#: How a text names a variable.
_NAMED: Final = re.compile(r"\$\{?(\w+)")
#: Variables that the interpreter, the loader and pytest read.
_KEPT: Final = ("PYTHON", "LD_", "DYLD_", "MALLOC_", "PYTEST_", "COV", "TMPDIR", "__")


def arranged_variables(sequence: Sequence) -> frozenset[str]:
    """The variables that ``sequence`` sets or removes."""
    return frozenset(_variable(call) for call in sequence.calls if call.kind == "arrange")


def is_arranged(run: Execution, choice: VariableChoice) -> bool:
    """Does the test of ``run`` set what the run looked up, and the words of its process?"""
    looked = choice.names.intersection(run.variables).union(named_in_texts(run))
    if choice.reads_words(run.invocable, run.sequence):
        looked |= {ARGUMENTS}
    looked = looked.union(choice.looked_with(run))
    return not looked or looked <= arranged_variables(run.sequence)


def named_in_texts(run: Execution) -> list[str]:
    """The variables that its texts name, as ``${HOME}`` does, and at which ``run`` looked."""
    if not run.variables:
        return []
    texts = [arg.value for arg, _ in places(run.sequence) if isinstance(arg, Const)]
    named = [name for text in texts if isinstance(text, str) for name in _NAMED.findall(text)]
    seen = {*run.variables} if EVERY_VARIABLE not in run.variables else {*named}
    return [one for one in dict.fromkeys(named) if one in seen and not one.startswith(_KEPT)]


class VariableChoice:
    """The values that the variables of one Subject are given, in turn (mutable: it learns).

    ``folders`` are those of this machine that no test may name; ``shapes`` has first answers of the
    functions that are replaced.
    """

    def __init__(
        self, names: Iterable[str] = (), telling: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        kept = [name for name in names if name and not name.startswith(_KEPT)]
        self.names = frozenset(kept)
        self.folders: tuple[str, ...] = ()
        self.shapes = AnswerShapes()
        self.readers: set[str] = set()
        self._on_host: dict[int, tuple[str, ...]] = {}
        self._told: frozenset[str] = frozenset()
        self._options: dict[str, tuple[Call, ...]] = {
            name: tuple(_options(name, telling.get(name))) for name in kept
        }
        self._looked: dict[str, dict[str, int]] = {}
        self._optional: set[tuple[str, str]] = set()
        self._in_texts: set[tuple[str, str]] = set()
        self._words_given = 0

    def watch(
        self,
        module: str,
        sites: Iterable[BranchSite],
        on_host: Mapping[str, tuple[str, ...]],
        values: Mapping[str, Arg] = MappingProxyType({}),
    ) -> None:
        """Runs that enter a scope of ``module`` in ``on_host`` look at the machine by those names.

        They are functions, or have ``values``.
        """
        self._told = frozenset(values)
        for number, site in enumerate(sites):
            if site.kind == "entry" and site.module == module and site.scope in on_host:
                self._on_host[number] = on_host[site.scope]
        self._options.update({one: (_replacement(one, value),) for one, value in values.items()})

    def functions_of(self, run: Execution) -> frozenset[str]:
        """The functions and names by which ``run`` may have looked at the machine."""
        if not self._on_host:
            return frozenset()
        return frozenset(one for number in run.hits for one in self._on_host.get(number, ()))

    def looked_with(self, run: Execution) -> frozenset[str]:
        """Those of ``functions_of`` that its test has to replace.

        Functions only where it came to a path of the machine: else it called none of them, or
        its test replaces those.
        """
        named = self.functions_of(run)
        has_looked = any(not is_own for is_own, _ in run.touched)
        return named if has_looked else named & self._told

    def take_words(self, name: str, lines: Lines[Lines[str]]) -> None:
        """The Invocable ``name`` reads the words of its process, such as those of ``lines``."""
        words = [[PROGRAM, *map(Const, line)] for line in lines or ((), ("a",))]
        self._options[ARGUMENTS] = tuple(
            [_replacement(ARGUMENTS, Display("list", tuple(line))) for line in words]
        )
        self._looked.setdefault(name, {})[ARGUMENTS] = 0
        self.readers.add(name)

    def reads_words(self, name: str, sequence: Sequence) -> bool:
        """Does the Invocable ``name``, or a Call of ``sequence``, read the words of its process?"""
        called = {call.name for call in sequence.calls if call.kind == "function"}
        return bool(self.readers & {name, *called})

    def note_refusal(self, name: str, sequence: Sequence, event: str) -> list[Sequence]:
        """``sequence`` with each standard input, where a run of it was refused to read any."""
        kind = event.partition(":")[0]
        if kind not in INPUT_EVENTS:
            return []
        made = _input_with_buffer if kind == BUFFER_EVENT else _input
        self._options[INPUT] = tuple([_replacement(INPUT, made(text)) for text in INPUTS])
        self._looked.setdefault(name, {}).setdefault(INPUT, 0)
        return [with_variables(sequence, {INPUT: option}) for option in self._options[INPUT]]

    def take_function(
        self, name: str, run: Execution, target: str, *, always: bool = True
    ) -> list[Sequence]:
        """Replace the function ``target`` in what is run for ``name``, beginning with ``run``.

        None where that is done already.  Not ``always``: in every second run, because others may
        do without; one bad collaborator says little about the next.
        """
        if not always:
            self._optional.add((name, target))
        options = self.replace_function(name, target)
        return [with_variables(run.sequence, {target: option}) for option in options]

    def replace_function(self, name: str, target: str) -> tuple[Call, ...]:
        """Replace ``target`` in what is run for ``name``: the Calls that do so, once."""
        known = self._looked.setdefault(name, {})
        if target in known:
            return ()
        known[target] = 0
        if target not in self._options:
            shaped = self.shapes.of(*target.split(".")[:-3:-1])
            self._options[target] = answers_to(target, shaped)
        return self._options[target]

    def note(self, name: str, run: Execution) -> list[Sequence]:
        """Remember the variables that a run of the Invocable ``name`` looked up.

        Where one is new: ``run`` with each value of each of them, the last first.
        """
        if not run.variables:
            return []
        known = self._looked.setdefault(name, {})
        new = [one for one in run.variables if one in self.names and one not in known]
        known.update(dict.fromkeys(new, 0))
        in_texts = {(name, one) for one in named_in_texts(run)} - self._in_texts
        self._in_texts |= in_texts
        return self.variants(run)[::-1] if new or in_texts else []

    def variants(self, run: Execution) -> list[Sequence]:
        """``run`` with each value of each variable that it looked up."""
        looked = [one for one in run.variables if one in self.names]
        for one in named_in_texts(run):
            self._options.setdefault(one, tuple(_options(one, None)))
            looked += [one] if one not in looked else []
        return [
            with_variables(run.sequence, {**self._firsts(looked), one: option})
            for one in looked
            for option in self._options[one]
        ]

    def arrange(self, name: str, sequence: Sequence) -> Sequence:
        """``sequence`` with the next value of each variable that ``name`` is known to look up."""
        known = self._looked.get(name, {})
        chosen: dict[str, Call] = {}
        if ARGUMENTS not in known and self.reads_words(name, sequence):
            words = self._options[ARGUMENTS]
            chosen[ARGUMENTS] = words[self._words_given % len(words)]
            self._words_given += 1
        for one, turn in known.items():
            known[one] = turn + 1
            rounds, skips = divmod(turn, 2) if (name, one) in self._optional else (turn, 0)
            if not skips:
                options = self._options[one]
                chosen[one] = options[rounds % len(options)]
        return with_variables(sequence, chosen)

    def _firsts(self, names: Iterable[str]) -> dict[str, Call]:
        return {name: self._options[name][0] for name in names}


def _input(text: str) -> Arg:
    return Build(Symbol("io", "StringIO"), (Const(text),))


def _input_with_buffer(text: str) -> Arg:
    data = Build(Symbol("io", "BytesIO"), (Const(text.encode()),))
    return Build(Symbol("io", "TextIOWrapper"), (data,))


def _replacement(name: str, value: Arg) -> Call:
    return Call("arrange", "setattr", (Const(name), value))


def _options(name: str, telling: str | None) -> Iterable[Call]:
    yield Call("arrange", "delenv", (Const(name),))
    for value in dict.fromkeys([*([telling] if telling else []), *VALUES]):
        yield Call("arrange", "setenv", (Const(name), Const(value)))


def with_variables(sequence: Sequence, chosen: Mapping[str, Call]) -> Sequence:
    """``sequence`` with its own arrangements first, and those of ``chosen`` that it lacks."""
    old = [(at, call) for at, call in enumerate(sequence.calls) if call.kind == "arrange"]
    if not old and not chosen:
        return sequence
    first = {_variable(call): call for _, call in reversed(old)}
    setting = {name: first.get(name, chosen.get(name)) for name in (*chosen, *first)}
    arranging = [call for call in setting.values() if call is not None]
    rest = [at for at, call in enumerate(sequence.calls) if call.kind != "arrange"]
    where = {at: len(arranging) + number for number, at in enumerate(rest)}
    calls = [renumber_call(sequence.calls[at], where) for at in rest]
    return Sequence((*arranging, *calls))


def without_variables(sequence: Sequence) -> Sequence:
    """``sequence`` without what arranges its surroundings."""
    if all(call.kind != "arrange" for call in sequence.calls):
        return sequence
    rest = [at for at, call in enumerate(sequence.calls) if call.kind != "arrange"]
    where = {at: number for number, at in enumerate(rest)}
    return Sequence(tuple(renumber_call(sequence.calls[at], where) for at in rest))


def _variable(call: Call) -> str:
    name: Arg = call.args[0]
    return str(name.value) if isinstance(name, Const) else ""
