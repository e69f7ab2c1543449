"""The surroundings in which tests have to hold: two environments, and the variables that matter.

Invariant: what a test asserts was the same under both; names that the guard or the interpreter
needs are never given other values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from unitcraft.core.encoding import decode_call
from unitcraft.core.sequences import Call, Const, Sequence, renumber_call
from unitcraft.explore.agents.answers import SURROUNDINGS, AfterAnswer

Environment = tuple[tuple[str, str], ...]

#: Variables in which the second process differs from the first, whatever the Subject reads:
#: language, time zone, terminal, user.  No language needs to be installed.  The time zone is near
#: enough that a clock half a day ahead is half a day ahead there too.
OTHER_ENVIRONMENT: Final[Environment] = (
    ("COLUMNS", "57"),
    ("LANG", "de_DE.UTF-8"),
    ("LANGUAGE", "de"),
    ("LC_ALL", "C"),
    ("LINES", "19"),
    ("LOGNAME", "other"),
    ("TERM", "vt100"),
    ("TZ", "XYZ-01:30"),
    ("USER", "other"),
)

#: Values that a variable which the Subject reads has in the second process, tried in this order
#: until the Subject can be imported: a word, a number, a folder.
OTHER_VALUES: Final = ("other", "7", "/")

#: Variables that keep their values: folders of the guarded process, and those set above.
_KEPT: Final = frozenset({"HOME", "PATH", "TEMP", "TMP", "TMPDIR", *dict(OTHER_ENVIRONMENT)})
#: Beginnings of names that the interpreter, the loader, pytest and coverage.py read.
_KEPT_PREFIXES: Final = ("PYTHON", "LD_", "DYLD_", "LC_", "MALLOC_", "PYTEST_", "COV", "__")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """``variables`` that the Subject reads, and the ``other`` environment, in which it imports."""

    variables: tuple[str, ...] = ()
    other: Environment = OTHER_ENVIRONMENT

    def values_in(self, environment: Mapping[str, str]) -> dict[str, str]:
        """The values that the variables have in ``environment``."""
        return {name: environment[name] for name in self.variables if name in environment}


def free_variables(names: Iterable[str]) -> tuple[str, ...]:
    """Those of ``names`` that may be given any value, sorted."""
    return tuple(
        sorted(
            name
            for name in dict.fromkeys(names)
            if name and name not in _KEPT and not name.startswith(_KEPT_PREFIXES)
            if "=" not in name and "\0" not in name
        )
    )


def other_environments(
    variables: tuple[str, ...], telling: Mapping[str, str]
) -> Iterator[Environment]:
    """Other environments to try, from the one that tells most to none.

    ``telling`` has values that the source compares variables with.
    """
    if variables:
        told = {name: telling[name] for name in variables if telling.get(name)}
        if told:
            rest = dict.fromkeys(variables, OTHER_VALUES[0])
            yield (*OTHER_ENVIRONMENT, *(rest | told).items())
        for value in OTHER_VALUES:
            yield (*OTHER_ENVIRONMENT, *((name, value) for name in variables))
    yield OTHER_ENVIRONMENT
    yield ()


#: What reads a variable of the environment from ``os``.
_READ: Final = re.compile(r'environ\["(\w+)"\]')


def variables_set(answer: AfterAnswer | None) -> tuple[str, ...]:
    """The names of the variables that a run was seen to set."""
    calls = [
        decode_call(call)
        for index, _, pairs in (answer.focus if answer is not None else ())
        if index == SURROUNDINGS
        for call, _ in pairs
    ]
    found = [_READ.fullmatch(call.name) for call in calls if call.kind == "get"]
    return tuple([one[1] for one in found if one is not None])


def with_own_variables(sequence: Sequence, names: Iterable[str]) -> Sequence:
    """``sequence`` after the variables ``names`` are set to nothing, unless it sets them itself.

    pytest puts back what a test sets by ``monkeypatch``, and not what the code sets: a variable
    that the test sets first is as it was in the end.
    """
    known = [call.args[0] for call in sequence.calls if (call.kind, call.name) == _SETTING]
    new = [Call(*_SETTING, (Const(name), Const(""))) for name in names if Const(name) not in known]
    where = {at: at + len(new) for at in range(len(sequence.calls))}
    return Sequence((*new, *[renumber_call(call, where) for call in sequence.calls]))


#: Kind and name of the Call that sets a variable.
_SETTING: Final = ("arrange", "setenv")
