"""A Test before it is text: a Sequence, the Outcome of its last Call, and Checks.

Invariant: everything that a Test expects was observed in a fresh process that ran
only this Test on the original code, in the order in which the written test
evaluates it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from unitcraft.core.goals import Goal
from unitcraft.core.outcomes import Raised, Returned, Warned
from unitcraft.core.sequences import Arg, Call, Ref, Sequence, renumber_call, renumber_refs

#: The hash seed of the second process: what both processes agree on can be asserted.
OTHER_HASH_SEED = 4242
#: Seconds by which the clock of the second process is ahead: another year, date, weekday and half
#: of the day, also of the local day in the time zone of the other environment.
OTHER_CLOCK_SHIFT = 400 * 86_400.0 + 11 * 3_600.0 + 945

#: ``==`` equality with a literal; ``is`` identity (None, booleans, enum members, classes, or a
#: Ref: the same object); ``approx`` a float or a container of floats; ``nan`` a NaN;
#: ``isinstance`` of a class (expected is a Symbol): only where nothing better exists;
#: ``startswith`` of a long text.
Relation = Literal["==", "is", "approx", "nan", "isinstance", "startswith"]


@dataclass(frozen=True, slots=True)
class Check:
    """One assertion: ``observed`` (a result, or an observer call on results) against ``expected``.

    ``observed`` refers to the Sequence's calls by index; evaluated after the last Call.
    """

    observed: Ref | Call
    relation: Relation
    expected: Arg


@dataclass(frozen=True, slots=True)
class Test:
    """One test case about ``invocable`` (an Invocable id): the last Call of ``sequence``.

    When ``outcome`` is Raised the last Call is expected to raise and the Checks show
    the state afterwards.  ``goals`` are the Goals that it is kept for.  ``clarity`` is the share of
    the mutants that it kills by a Check; the others it kills by an exception.  ``note`` is a
    comment above its first line, '' for none.  ``acts``: the last Call was seen to change what it
    was given.  ``warns`` are the warnings that the last Call is expected to issue, ``ignores`` the
    classes (``module:qualname``) of others that are let pass.  ``took`` are the branch sites of its
    last Call,
    ``circumstances`` the conditions that decided it, the last decided first: (words, names in it,
    is one a local variable?, the variable whose class it asks for, the words for the contrary, does
    it decide that the Call raises?),
    ``share`` the share of the lines of its function that these let run, 0 if not known.  ``idle``
    are Calls that arrange what changes nothing it expects.  ``undecided`` are the parameters whose
    arguments do not decide that the last Call raises, ``classless`` those whose classes do not.
    ``resets`` are Calls that arrange what any test of the file begins with.  ``holds``: what it
    passes on has names, since nothing else keeps it.
    """

    invocable: str
    sequence: Sequence
    outcome: Returned | Raised
    checks: tuple[Check, ...] = ()
    goals: tuple[Goal, ...] = ()
    warns: tuple[Warned, ...] = ()
    ignores: tuple[str, ...] = ()
    clarity: float = field(default=0.5, compare=False, repr=False)
    note: str = field(default="", compare=False, repr=False)
    acts: bool = field(default=False, compare=False, repr=False)
    took: tuple[int, ...] = field(default=(), compare=False, repr=False)
    idle: frozenset[Call] = field(default=frozenset(), compare=False, repr=False)
    circumstances: tuple[tuple[str, frozenset[str], bool, str, str, bool], ...] = field(
        default=(), compare=False, repr=False
    )
    share: float = field(default=0.0, compare=False, repr=False)
    undecided: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    classless: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    resets: frozenset[Call] = field(default=frozenset(), compare=False, repr=False)
    holds: bool = field(default=False, compare=False, repr=False)


def expected_message(test: Test) -> str | None:
    """The message of what the last Call raises or warns of, if it is stable and the only one."""
    if isinstance(test.outcome, Raised):
        return test.outcome.message
    return test.warns[0].message if len(test.warns) == 1 else None


def exit_code(test: Test) -> Arg | None:
    """The number by which a command of click is expected to end; None where nothing is."""
    if test.sequence.calls[-1].kind != "invoke":
        return None
    looks = [(one.observed, one.expected) for one in test.checks]
    return next((code for look, code in looks if getattr(look, "name", "") == "exit_code"), None)


def renumber_check(check: Check, where: dict[int, int]) -> Check:
    """``check`` with every Ref renumbered by ``where``."""
    observed = check.observed
    seen = (
        Ref(where[observed.index]) if isinstance(observed, Ref) else renumber_call(observed, where)
    )
    return replace(check, observed=seen, expected=renumber_refs(check.expected, where))
