"""What the agents answer, by field: read by planners, filled in by workers.

Invariant: an answer crosses the process boundary as a plain tuple (``marshal`` takes no subclass),
whose items stand in the order of the fields; only atoms, names and encoded terms are in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Self

from unitcraft.core.encoding import Plain, encode
from unitcraft.core.outcomes import Opaque, Position
from unitcraft.explore.agents.known_results import held_in_dict
from unitcraft.instrument.sites import BranchSite, DefUsePair, RaiseLines

#: In place of the number of a result: what the whole run left in its surroundings.
SURROUNDINGS: Final = -1
#: The same: the module's own state that the last Call changed.
OWN_STATE: Final = -2
#: The same: the warnings that the module's own code issued in the last Call, and the classes of
#: others.
WARNED: Final = -3
IGNORED: Final = -4
#: The end of the name of an observer of the arguments of a recorded call.
_RECORDED: Final = "call_args.args"


class SearchReady(NamedTuple):
    """What ``search_agent.prepare`` answers about rewritten code.

    ``raises`` are the raise statements; ``guards`` the sites of comparisons that decide a branch,
    ``folders`` where this machine has the code, which no test may name, ``imported`` the sites that
    importing the Subject hit.
    """

    sites: list[BranchSite]
    raises: list[RaiseLines]
    guards: frozenset[int]
    pairs: tuple[DefUsePair, ...]
    folders: tuple[str, ...] = ()
    imported: tuple[int, ...] = ()

    @classmethod
    def read(cls, ready: Mapping[str, Plain]) -> Self:
        """The answer of a host, with its rows as records."""
        return cls(
            [BranchSite(*row) for row in ready["sites"]],
            [RaiseLines(*row) for row in ready["raises"]],
            frozenset(ready["guards"]),
            tuple(
                DefUsePair(defined, used, tuple(lines), title)
                for defined, used, lines, title in ready["pairs"]
            ),
            tuple(ready.get("folders", ())),
            tuple(ready.get("imported", ())),
        )


#: What lacks an attribute or a key: the number of the nested Call or container of the run that made
#: it, a tuple of the atom that it is, or None for neither.
Owner = int | tuple[Any] | None


class TouchedObject(NamedTuple):
    """The state of an object that the last Call made or was given: result number ``result``.

    ``digest`` stands for the state, ``shape`` for the state with atoms replaced by their kinds.
    """

    result: int
    type: str
    digest: bytes
    shape: bytes


class RunAnswer(NamedTuple):
    """The answer of ``run``.

    ``position`` is the index of the Call that raised, or -1.  ``outcome`` is a behaviour, or the
    tuple of ``describe_failure``.  ``before`` are the sites that the Calls before the last one hit,
    ``last`` those of the last one, with its ``comparisons`` and the ``objects`` that it touched.
    ``touched`` are (in the test's own folder?, name) of the paths that it looked at or
    changed, ``variables`` those of the environment that it looked up.
    ``calling`` is the call in the module under test that raised or was refused an effect, in its
    own code or in what it called.
    Where fields are probed, ``pairs`` and ``defined`` are the def-use pairs and the definitions of
    the last Call.  ``drew``: the run drew from chance that nothing in it seeds.  ``steps``: those
    that it took.
    """

    position: int
    outcome: Plain
    before: tuple[int, ...]
    last: tuple[int, ...]
    comparisons: tuple[Plain, ...]
    objects: tuple[TouchedObject, ...]
    touched: tuple[tuple[bool, str], ...] = ()
    variables: tuple[str, ...] = ()
    pairs: tuple[tuple[int, int], ...] = ()
    defined: tuple[int, ...] = ()
    calling: Position | None = None
    drew: bool = False
    steps: int = 0


class RaisedCall(NamedTuple):
    """How Call number ``position`` raised: its position and the tuple of ``describe_raise``."""

    position: int
    type: str
    message: str | None
    inside: int
    line: int
    module: str


class ObjectBefore(NamedTuple):
    """A row of the answer of ``before``: what observers showed of a result before the last Call."""

    result: int
    observations: tuple[tuple[Plain, Plain], ...]


class ObservedObject(NamedTuple):
    """What observers showed of result number ``result``: (encoded Call, encoded term) pairs.

    SURROUNDINGS stands for what the run printed and wrote, OWN_STATE for the names of the module
    that the last Call changed, WARNED and IGNORED for warnings.
    ``changed``: the last Call changed it.
    """

    result: int
    changed: bool
    observations: tuple[tuple[Plain, Plain], ...]


class AfterAnswer(NamedTuple):
    """The answer of ``after``: what a whole Sequence came to.

    ``outcome`` is None when the last Call returned; then ``shown`` is its encoded result, ``type``
    the result's class, and ``same`` the number of an earlier result that it is identical to, or -1.
    ``focus`` are the objects given to the last Call, and the result when it has no literal.
    """

    outcome: RaisedCall | None
    shown: Plain
    type: str
    same: int
    focus: tuple[ObservedObject, ...]

    @classmethod
    def read(cls, answer: Plain) -> Self | None:
        """The answer of a worker; None when an earlier Call raised or a repetition differs."""
        if answer is None:
            return None
        outcome, shown, type_, same, focus = answer
        raised = None if outcome is None else RaisedCall(*outcome)
        return cls(raised, shown, type_, same, tuple(ObservedObject(*row) for row in focus))


def by_place(one: AfterAnswer, other: AfterAnswer) -> AfterAnswer:
    """``one`` with the arguments of a recorded call apart, where ``other`` has some others.

    The number of a process differs from run to run, the signal that it was sent does not.
    """
    seen = {row.result: dict(row.observations) for row in other.focus}
    rows = []
    for row in one.focus:
        known = seen.get(row.result, {})
        parts = [part for pair in row.observations for part in _places(*pair, known.get(pair[0]))]
        rows.append(row._replace(observations=tuple(parts)))
    return one._replace(focus=tuple(rows))


def _places(call: Plain, term: Plain, known: Plain) -> list[tuple[Plain, Plain]]:
    """The observation, or one for each argument where ``known`` are as many others."""
    is_recorded = call[1].endswith(_RECORDED) and term[:2] == ("d", "tuple")
    are_alike = is_recorded and known is not None and known[:2] == term[:2]
    if not are_alike or len(known[2]) != len(term[2]) or repr(known) == repr(term):
        return [(call, term)]
    return [((call[0], f"{call[1]}[{at}]", *call[2:]), item) for at, item in enumerate(term[2])]


def agree(one: Plain, other: Plain) -> Plain:
    """An ``AfterAnswer`` without the observations in which two differ; None where more differs."""
    if one is None or other is None or repr(one[:4]) != repr(other[:4]):
        return None
    seen = {index: (changed, dict(found)) for index, changed, found in other[4]}
    looks = []
    for index, changed, found in one[4]:
        also_changed, known = seen.get(index, (False, {}))
        same = tuple(pair for pair in found if repr(known.get(pair[0])) == repr(pair[1]))
        looks.append(tuple(ObservedObject(index, changed and also_changed, same)))
    return (*one[:4], tuple(looks))


def without_result(one: Plain, other: Plain, last: int) -> Plain:
    """``one`` with only the class of its result, where ``other`` has another one of that class.

    What a dictionary, result number ``last``, holds is observed in its place: the two may agree on
    its keys and on some values.
    """
    if one is None or other is None or one[2] != other[2] or repr(one[1]) == repr(other[1]):
        return one
    held = tuple(held_in_dict(one[1], last)) if one[0] is None else ()
    looks = (tuple(ObservedObject(last, changed=True, observations=held)),) if held else ()
    return (one[0], encode(Opaque(one[2])), one[2], -1, (*one[4], *looks))


def is_dict(answer: Plain) -> bool:
    """Is the result of an ``AfterAnswer`` a dictionary that a test can write?"""
    return answer is not None and answer[0] is None and answer[1][:2] == ("d", "dict")
