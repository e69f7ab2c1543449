"""Functions that a test replaces, because without them nothing behind their calls is ever run.

A call that reaches for the network or another process is refused, and one that needs a collaborator
which nobody has set ends in an exception of somebody else's code.  The next runs of that Invocable
replace the function that was called by one that answers a plain value; ``grow_stand_ins`` then
grows what it answers like any other stand-in.

Invariant: only what the Subject calls and does not define is replaced, and only after a run has
ended in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from unitcraft.core.outcomes import Position
from unitcraft.core.sequences import Arg, Build, Call, Const, Display, Symbol
from unitcraft.explore.execution import REFUSALS, Execution, RunFailure
from unitcraft.explore.search.surroundings.answer_kinds import kind_of_answer
from unitcraft.explore.search.variation.grow_stand_ins import EMPTY, RESULTS, is_replacement
from unitcraft.explore.search.variation.places import places, recording, result_of

#: The first answers: nothing, each plain kind, a file, and an object that is grown.
ANSWERS: Final = (
    Const(None),
    *RESULTS[:3],
    Display("dict", ()),
    Build(Symbol("io", "StringIO"), (Const("abc"),)),
    EMPTY,
)
#: Kind of the answer, where the name of the function tells it -> the first answers.
_OF_KIND: Final[Mapping[str, tuple[Const, ...]]] = {
    "bool": (Const(value=True), Const(value=False)),
    "str": (Const("abc"), Const("")),
    "NoneType": (Const(None),),
}
#: Runs of one Invocable with None for an argument that end in one call before what it calls is
#: replaced.  At once: 1 of 18 branches of one module (one seed), never: 6 of them, but none of 6
#: of another module, of which 5 are reached so.
MAX_NOTHING: Final = 8
#: What code says that was given no collaborator, or is one itself that a subclass completes.
_UNSET: Final = re.compile(r"^'NoneType' object (has no attribute|is not)")
#: What code says that was given a stand-in which lacks something.
_WANTING: Final = re.compile(r"^'types\.SimpleNamespace' object (has no attribute|is not)")
#: What asyncio says outside of a coroutine, where a test has no event loop.
_NO_LOOP: Final = re.compile(r"^(There is no current event loop|no running event loop)")
_INCOMPLETE: Final = "builtins:NotImplementedError"
#: How code ends the process that finds its command line, or what it was sent, wanting.
_EXIT: Final = "builtins:SystemExit"
#: Events of what tests arrange in other ways: files.
_FILES: Final = (
    "open", "os.chmod", "os.chown", "os.link", "os.listdir", "os.mkdir", "os.remove", "os.rename",
    "os.rmdir", "os.scandir", "os.symlink", "os.truncate", "os.utime", "shutil.", "tempfile.",
    "builtins.input", "sys.stdin",
)  # fmt: skip


class CallAnswers:
    """The functions that the tests of one Subject may replace (mutable: it learns).

    What reached for the network once is replaced in all runs that end in a call of it: an address
    that is none ends them too.

    ``callees`` are the positions of its calls and the dotted names of what they call, ``hooks`` the
    lines of its methods that others define, and theirs.  ``asked`` has the attributes that it reads
    from results of calls, and what was called.
    """

    def __init__(
        self,
        callees: Mapping[Position, str],
        hooks: Mapping[int, str],
        asked: Mapping[Position, tuple[str, str]] = MappingProxyType({}),
    ) -> None:
        self._callees = callees
        self._hooks = hooks
        self._asked = asked
        self._beyond: set[str] = set()
        self._given_nothing: Counter[tuple[str, str]] = Counter()

    def target_of(self, run: Execution) -> str | None:
        """What to replace, because ``run`` ended in a call of it; None for nothing."""
        failed = run.failed
        if failed is not None and failed.type == _INCOMPLETE:
            hook = self._hooks.get(failed.line, "")
            if _is_own(failed, hook) and run.invocable.replace(":", ".") != hook:
                return hook
        if failed is None or run.calling is None or any(map(_answers_nothing, run.sequence.calls)):
            return None
        target = self._callees.get(run.calling)
        if target in self._beyond and not _is_own(failed, target):
            return target
        if target is not None and _is_beyond(failed, target):
            return None if self._may_be_given(run, failed, target) else target
        name, maker = self._asked.get(run.calling, ("", None))
        return maker if failed.message == f"'NoneType' object has no attribute '{name}'" else None

    def _may_be_given(self, run: Execution, failed: RunFailure, target: str) -> bool:
        """May another argument be what is missing: one for None, a stand-in with more?

        At first, that is.
        """
        lacks = _is_wanting(failed)
        if not lacks and not _is_unset(failed):
            return False
        if not lacks and all(arg != Const(None) for arg, _ in places(run.sequence)):
            return False
        self._given_nothing[run.invocable, target] += 1
        return self._given_nothing[run.invocable, target] <= MAX_NOTHING

    def target_of_refusal(self, run: Execution | None, event: str) -> str | None:
        """What to replace, because ``run`` was refused an effect in a call of it.

        Or of a method of what it made.
        """
        if run is None or run.calling is None or not event or event.startswith(_FILES):
            return None
        _, maker = self._asked.get(run.calling, ("", None))
        target = self._callees.get(run.calling, maker)
        if target is not None:
            self._beyond.add(target)
        return target


def _is_beyond(failed: RunFailure, target: str) -> bool:
    """Does the exception come from what the call of ``target`` reached for?"""
    if failed.type in REFUSALS:
        return True
    if _is_own(failed, target):
        return False
    if failed.type == "builtins:RuntimeError" and _NO_LOOP.match(failed.message or ""):
        return True
    return failed.type in (_INCOMPLETE, _EXIT) or _is_unset(failed) or _is_wanting(failed)


def _is_wanting(failed: RunFailure) -> bool:
    """Was a stand-in asked for what it has not?"""
    kind = failed.type in ("builtins:AttributeError", "builtins:TypeError")
    return kind and _WANTING.match(failed.message or "") is not None


def _is_unset(failed: RunFailure) -> bool:
    """Was something asked of None?"""
    kind = failed.type in ("builtins:AttributeError", "builtins:TypeError")
    return kind and _UNSET.match(failed.message or "") is not None


def _is_own(failed: RunFailure, target: str) -> bool:
    """Did the module's own code raise?"""
    return target.startswith(f"{failed.module}.") and failed.inside == 2  # noqa: PLR2004 - see there


def _answers_nothing(call: Call) -> bool:
    """Does the Call let a function answer what may itself be missing something?"""
    return is_replacement(call) and result_of(call.args[1]) in (Const(None), EMPTY)


def answers_to(target: str, shaped: tuple[Arg, ...] = ()) -> tuple[Call, ...]:
    """The Calls that put a function into the place ``target``, one for each first answer.

    Those that its calls can go through, ``shaped``, come first where its name tells nothing.
    """
    plain = [one for one in ANSWERS if one not in shaped]
    values = _OF_KIND.get(kind_of_answer(target), (*shaped, *plain))
    return tuple(
        [Call("arrange", "setattr", (Const(target), recording(value))) for value in values]
    )
