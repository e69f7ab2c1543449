"""Terms over a receiver, values and operations, and the laws between them.

Invariant: terms are frozen and hashable; what a variable may stand for is its sort, and the order
of terms is total: fewer calls first, then fewer variables, then by text of their structure.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.infer.universe.class_operations import Operation

#: Terms of which is kept what is asked most: one class has some ten thousand.
_KEPT: Final = 1 << 16
#: The sort of receivers.
STATE: Final = "state"

Part = Literal["state", "value", "outcome"]


class Var(NamedTuple):
    """A variable; those of one sort are numbered from 0, the receiver is number 0 of STATE."""

    sort: str
    number: int = 0


class Constant(NamedTuple):
    """The value with that number."""

    value: int


class Apply(NamedTuple):
    """An operation on a receiver and arguments.

    ``part``: the state that it leaves (or the object of the class that it returns), the value that
    it returns, or its outcome, which is an exception or that it returned.
    """

    operation: int
    args: tuple[Term, ...]
    part: Part


class Compute(NamedTuple):
    """Builtin computation: ``+``, ``-``, or an operator of ``computed_values``."""

    left: Term
    operator: str
    right: Term


class Test(NamedTuple):
    """A comparison of values, itself a truth value: ``==``, ``!=``, ``<``, ``<=`` or ``in``."""

    left: Term
    operator: str
    right: Term


Term = Var | Constant | Apply | Compute | Test

#: The receiver of every law.
RECEIVER: Final = Var(STATE)


class Atom(NamedTuple):
    """A condition: ``left`` has the value of ``right`` (``==``), or is less (``<``).

    ``negated``: it does not.
    """

    left: Term
    operator: str
    right: Term
    negated: bool = False


class Guard(NamedTuple):
    """All of ``atoms`` hold (``and``), or one of them (``or``); no atoms: always."""

    atoms: tuple[Atom, ...] = ()
    joined: Literal["and", "or"] = "and"


ALWAYS: Final = Guard()


class Law(NamedTuple):
    """``left == right`` where ``guard`` holds."""

    left: Term
    right: Term
    guard: Guard = ALWAYS


def is_state(term: Term) -> bool:
    """Is it the receiver, or the object that a call leaves or returns?"""
    if isinstance(term, Apply):
        return term.part == "state"
    return isinstance(term, Var) and term.sort == STATE


def parts(term: Term) -> tuple[Term, ...]:
    """The terms directly inside ``term``."""
    if isinstance(term, Apply):
        return term.args
    if isinstance(term, Var | Constant):
        return ()
    return (term.left, term.right)


@lru_cache(maxsize=_KEPT)
def size(term: Term) -> int:
    """The number of calls in ``term``."""
    own = 1 if isinstance(term, Apply) else 0
    return own + sum(map(size, parts(term)))


def weight(term: Term) -> int:
    """The number of symbols in ``term``."""
    return 1 + sum(map(weight, parts(term)))


@lru_cache(maxsize=_KEPT)
def variables(term: Term) -> tuple[Var, ...]:
    """The variables of ``term``, each once, in the order of their first mention."""
    if isinstance(term, Var):
        return (term,)
    return tuple(dict.fromkeys(one for part in parts(term) for one in variables(part)))


@lru_cache(maxsize=_KEPT)
def subterms(term: Term) -> tuple[Term, ...]:
    """``term`` and all terms inside it, inner ones first."""
    found: list[Term] = []
    _add_subterms(term, found)
    return tuple(found)


def _add_subterms(term: Term, found: list[Term]) -> None:
    for part in parts(term):
        _add_subterms(part, found)
    found.append(term)


def substitute(term: Term, by: dict[Var, Term]) -> Term:
    """``term`` with its variables replaced."""
    if isinstance(term, Var):
        return by.get(term, term)
    if isinstance(term, Apply):
        return Apply(term.operation, tuple(substitute(a, by) for a in term.args), term.part)
    if isinstance(term, Compute | Test):
        kind = type(term)
        return kind(substitute(term.left, by), term.operator, substitute(term.right, by))
    return term


def match(pattern: Term, term: Term, found: dict[Var, Term]) -> bool:
    """Is ``term`` an instance of ``pattern``?  ``found`` takes what the variables stand for."""
    if isinstance(pattern, Var):
        return found.setdefault(pattern, term) == term
    if isinstance(pattern, Apply):
        return (
            isinstance(term, Apply)
            and (pattern.operation, pattern.part) == (term.operation, term.part)
            and all(match(p, t, found) for p, t in zip(pattern.args, term.args, strict=True))
        )
    if isinstance(pattern, Compute | Test):
        return (
            type(term) is type(pattern)
            and pattern.operator == term.operator
            and match(pattern.left, term.left, found)
            and match(pattern.right, term.right, found)
        )
    return pattern == term


class TermOrder:
    """Which of two equal terms is the smaller: fewer calls, then fewer that change an object.

    Computed values count as their parts, so that ``size(S) + 1`` is smaller than any call of a
    mutator; the order of equally large terms is that of their structure.
    """

    def __init__(self, changing: Sequence[bool]) -> None:
        self._changing = tuple(changing)
        self._known: dict[Term, tuple[int, int, int, int, str]] = {}

    def is_changing(self, operation: int) -> bool:
        """Does the operation lead to another state?"""
        return self._changing[operation]

    def __call__(self, term: Term) -> tuple[int, int, int, int, str]:
        """The key of ``term``."""
        key = self._known.get(term)
        if key is None:
            changes = sum(
                self._changing[one.operation] for one in subterms(term) if isinstance(one, Apply)
            )
            key = (size(term), changes, weight(term), len(variables(term)), repr(term))
            self._known[term] = key
        return key

    def of_law(self, law: Law) -> tuple[object, ...]:
        """The key of ``law``: its sides, then how many conditions it has."""
        return self(law.left), self(law.right), len(law.guard.atoms)


def is_canonical(term: Term) -> bool:
    """Are the variables of each sort numbered in the order of their first mention?"""
    following: dict[str, int] = {}
    for one in variables(term):
        expected = following.get(one.sort, 0)
        if one.number != expected:
            return False
        following[one.sort] = expected + 1
    return True


def guard_terms(guard: Guard) -> tuple[Term, ...]:
    """The terms that a guard compares."""
    return tuple(side for atom in guard.atoms for side in (atom.left, atom.right))


def law_variables(law: Law) -> tuple[Var, ...]:
    """The variables of a law, those of its left side first."""
    terms = (law.left, law.right, *guard_terms(law.guard))
    return tuple(dict.fromkeys(one for term in terms for one in variables(term)))


def substitute_guard(guard: Guard, by: dict[Var, Term]) -> Guard:
    """``guard`` with its variables replaced."""
    atoms = tuple(
        Atom(substitute(a.left, by), a.operator, substitute(a.right, by), a.negated)
        for a in guard.atoms
    )
    return Guard(atoms, guard.joined)


def outer(term: Term, operations: Sequence[Operation]) -> str:
    """The name of the outermost operation; '' for a variable, a constant or an observer's bound.

    An order of what calls show is about the call inside.
    """
    if isinstance(term, Compute):
        return outer(term.left, operations)
    if isinstance(term, Test):
        inner = [one for side in (term.left, term.right) for one in subterms(side)]
        calls = [one for one in inner if isinstance(one, Apply)
                 and (one.part == "state" or len(one.args) > 1)]  # fmt: skip
        return operations[calls[0].operation].name if calls else ""
    if isinstance(term, Apply):
        return operations[term.operation].name
    return ""


def is_swap(law: Law) -> bool:
    """Does it say that two calls on any object may change places, each with its own arguments?"""
    left = law.left
    inner = left.args[0] if isinstance(left, Apply) and left.part == "state" else None
    if not isinstance(left, Apply) or not isinstance(inner, Apply) or inner.args[0] != RECEIVER:
        return False
    turned = Apply(left.operation, (RECEIVER, *left.args[1:]), "state")
    return law.right == Apply(inner.operation, (turned, *inner.args[1:]), "state")


def calls_in(term: Term) -> tuple[int, ...]:
    """The operations in ``term``, each once."""
    found = [one.operation for one in subterms(term) if isinstance(one, Apply)]
    return tuple(dict.fromkeys(found))


def is_nested(term: Apply) -> bool:
    """Is the value of a call passed to another?"""
    receiver, *given = term.args
    inside = isinstance(receiver, Apply) and is_nested(receiver)
    return inside or any(isinstance(arg, Apply) for arg in given)
