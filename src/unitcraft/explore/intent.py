"""Whether an exception was meant by whoever wrote the Subject, or fell out of other code.

A ``raise`` of the Subject says what a caller did wrong; an IndexError of a list that the caller
does not know says that nobody thought of the case.  A reader wants a test of the first, and at
most one of the second for a function.

Invariant: the answer follows from the run, the Subject's description and its raise statements.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from enum import IntEnum
from typing import Final

from unitcraft.core.goals import FILLED, Family, Goal
from unitcraft.core.sequences import (
    Arg,
    Build,
    Const,
    Ref,
    Sequence,
    TempPath,
    arguments,
    children,
)
from unitcraft.explore.calls import CALLED
from unitcraft.explore.execution import Execution, RunFailure
from unitcraft.instrument.sites import RaiseLines
from unitcraft.subject.model import Invocable, Subject

#: Characters by which a run with an incidental exception is dearer than its text: more than any
#: site is worth, so that it is kept only for what no other run reaches.
INCIDENTAL_BURDEN: Final = 300
#: The same for a run whose arguments have a stand-in: the text of about two more calls, so that an
#: object of a class takes its place where one reaches as much.
STAND_IN_BURDEN: Final = 60
#: The same for a run whose result is a bare function, of which a test has nothing to assert: the
#: text of two calls, so that one that calls the function takes its place.
MUTE_BURDEN: Final = 60
#: The same for a run that drew from chance which it does not seed, as its results mostly differ and
#: its test is then dropped: the text of two calls, so that one with a seed takes its place.
CHANCE_BURDEN: Final = 60
#: The same for a result that code which does nothing gives, too: for what is empty or zero more
#: than an option given by name, which shows what the code does with it.
IDLE_BURDEN: Final = 26
#: For what is equal to an atom that was given less than a container costs: those are not compared.
EQUAL_BURDEN: Final = 4
_EMPTY: Final = re.compile(r"(?:int|float|str|bytes|list|tuple|dict|set|frozenset)0")
#: The same for a member that is called on an instance of a subclass: a line of text.
SUBCLASS_BURDEN: Final = 20
#: The same for a folder that has the name of a file: more than another name costs.
FOLDER_BURDEN: Final = 4
#: The same for an object of a class that leaves methods to its heirs: two lines of text.
TEMPLATE_BURDEN: Final = 40

#: What an abstract method raises.
_ABSTRACT: Final = "builtins:NotImplementedError"
#: A module that could not be imported, as the interpreter says it.
_MISSING_MODULE: Final = re.compile(r"\bNo module named '?([\w.]+)")
#: A call that does not fit the parameters of its function, as the interpreter says it.
_MISFIT: Final = re.compile(
    r"\(\) (?:got (?:an unexpected|multiple values)|missing \d+ required|takes (?:no|from|\d+) )"
)
#: A stand-in, as the interpreter says it.
_STAND_IN: Final = re.compile(r"\btypes\.SimpleNamespace\b|\bunittest\.mock\.Mock\b")
#: A field of a text that was not formatted, such as ``{key!r}``.
_FIELD: Final = re.compile(r"\{[A-Za-z_]\w*(?:![rsa])?\}")
#: What code raises that is given an argument of a wrong kind.
_OF_MISUSE: Final = ("builtins:AttributeError", "builtins:TypeError")
#: Exceptions that the protocol of a special method asks for.
_PROTOCOLS: Final = {
    "__getitem__": ("builtins:IndexError", "builtins:KeyError"),
    "__delitem__": ("builtins:IndexError", "builtins:KeyError"),
    "__next__": ("builtins:StopIteration",),
}


class Intent(IntEnum):
    """How much an exception says about the Subject; the later, the more."""

    INCIDENTAL = 0
    """It fell out of other code, or of an ``assert`` that says nothing."""
    PROMISED = 1
    """The documentation or a protocol names it; its wording is somebody else's."""
    STATED = 2
    """Code of the project made it and worded it."""


class IntentJudge:
    """Judges the exceptions of runs of ``subject``.

    ``raises`` are the raise statements.
    """

    def __init__(self, subject: Subject, raises: Iterable[RaiseLines]) -> None:
        self._package = subject.module.partition(".")[0]
        self._caught = frozenset((one.scope, one.class_id) for one in subject.caught)
        self._invocables = {one.id: one for one in subject.invocables}
        self._lines = {
            (one.module, line): one for one in raises for line in range(one.first, one.last + 1)
        }

    def is_raised_here(self, failed: RunFailure) -> bool:
        """Did a ``raise`` statement of the Subject make it?

        Where the statement names another builtin class, its own message failed; where the
        interpreter says that a call does not fit its function, that is no statement either.
        """
        place = (failed.module, failed.line)
        if is_misfit(failed):
            return False
        if failed.inside != 2 or place not in self._lines:  # noqa: PLR2004
            return False
        named = _builtin(self._lines[place].name)
        made = _builtin(failed.type.removeprefix("builtins:"))
        return named is None or made is None or issubclass(made, named)

    def is_failed_statement(self, failed: RunFailure) -> bool:
        """Did a ``raise`` statement of a class of somebody's own fail on an argument's kind?

        A search tells it from a refusal no better for knowing: with it two of three programs lose
        15 of their branches, of four seeds together.
        """
        lines = self._lines.get((failed.module, failed.line))
        name = lines.name if lines is not None else ""
        return name[:1].isupper() and _builtin(name) is None and failed.type in _OF_MISUSE

    def refuses(self, invocable: str, failed: RunFailure) -> bool:
        """Did the Subject refuse an argument of ``invocable`` by the exception?

        A ValueError of some other function is about what became of the argument on the way.
        """
        if not self.is_raised_here(failed) or self._covers_misuse(failed):
            return False
        called = self._invocables.get(invocable)
        inside = called is None or not called.module or _is_inside(called, failed)
        return inside or failed.type == "builtins:TypeError" or self._is_own_type(failed)

    def passes_on(self, failed: RunFailure, run: Execution) -> bool:
        """Did code that looks at such exceptions let one pass which the test raises?

        In the block of a ``with``, or in a function of a stand-in whose exceptions the code of
        ``run.invocable`` catches: it raised that again.
        """
        if is_passed_on(failed, run):
            return True
        scope = run.invocable.partition(":")[2]
        given = [arg for call in run.sequence.calls for arg in arguments(call)]
        return (scope, failed.type) in self._caught and any(
            _makes(one, failed.type) for one in given
        )

    def intent_of(self, invocable: str, failed: RunFailure) -> Intent:
        """How much the exception of a run of ``invocable`` says.

        What an abstract method raises, of some other object or nothing else, says that it is one.
        What comes out of code that catches it elsewhere, or raises it again, is known there.
        """
        called = self._invocables.get(invocable)
        is_abstract = failed.type == _ABSTRACT and not failed.message
        if is_abstract and called and (called.trivial or not _is_inside(called, failed)):
            return Intent.INCIDENTAL
        if self._covers_misuse(failed):
            return Intent.INCIDENTAL
        if self.is_raised_here(failed) or self._is_own_type(failed):
            return Intent.STATED
        asserted = failed.type == "builtins:AssertionError" and failed.inside == 2  # noqa: PLR2004
        if asserted and failed.message:
            return Intent.STATED
        promised = called is not None and _promises(called, failed.type)
        is_caught = (invocable.partition(":")[2], failed.type) in self._caught
        return Intent.PROMISED if promised or is_caught else Intent.INCIDENTAL

    def _covers_misuse(self, failed: RunFailure) -> bool:
        """Does a handler of all exceptions word anew that an argument is of a wrong kind?"""
        lines = self._lines.get((failed.module, failed.line))
        behind = failed.behind[0] if failed.behind is not None else ""
        return lines is not None and lines.after_any and behind in _OF_MISUSE

    def _is_own_type(self, failed: RunFailure) -> bool:
        """Is the class one of the project, or the request to end the program?"""
        package = failed.type.partition(":")[0].partition(".")[0]
        return package == self._package or failed.type == "builtins:SystemExit"


def _makes(arg: Arg, type_: str) -> bool:
    """Is an object of the class ``type_`` made in ``arg``?"""
    if isinstance(arg, Build) and f"{arg.callee.module}:{arg.callee.qualname}" == type_:
        return True
    return any(_makes(one, type_) for one in children(arg))


def is_misfit(failed: RunFailure) -> bool:
    """Did a call not fit the parameters of the function that it called?"""
    return failed.type == "builtins:TypeError" and bool(_MISFIT.search(failed.message or ""))


def _builtin(name: str) -> type | None:
    """The builtin class of exceptions of that name."""
    found = vars(builtins).get(name)
    return found if isinstance(found, type) and issubclass(found, BaseException) else None


def _is_inside(invocable: Invocable, failed: RunFailure) -> bool:
    """Was it raised in the code of ``invocable``?"""
    own = failed.module == invocable.module
    return own and invocable.first <= failed.line <= invocable.last


def _promises(invocable: Invocable, type_: str) -> bool:
    """Does the documentation of ``invocable``, or its protocol, name the class?"""
    simple = re.split(r"[:.]", type_)[-1]
    return type_ in _PROTOCOLS.get(invocable.name, ()) or bool(
        re.search(rf"\b{re.escape(simple)}\b", invocable.doc)
    )


def on_own_class(run: Execution) -> Sequence | None:
    """The run's Sequence with a receiver of the class that defines the member; None: it has one.

    Whether that class takes the same arguments, or is abstract, a run has to show.
    """
    owner = run.invocable.rpartition(".")[0]
    calls = run.sequence.calls
    receiver = calls[-1].args[0] if calls[-1].args else None
    if calls[-1].kind == "function" or not isinstance(receiver, Ref):
        return None
    made = calls[receiver.index]
    if made.kind != "function" or made.name == owner or ":" not in owner:
        return None
    index = receiver.index
    return Sequence((*calls[:index], replace(made, name=owner), *calls[index + 1 :]))


def templates_of(subject: Subject) -> frozenset[str]:
    """The classes that leave methods to heirs, of which there are some."""
    bases = {base for info in subject.classes for base in info.bases}
    return frozenset(i.id for i in subject.classes if "template" in i.tags and i.id in bases)


def burden_of_run(run: Execution, classes: Container[str], templates: Container[str]) -> int:
    """What a reader pays beside the text of a run, for its objects and its result.

    For a receiver of a subclass among ``classes``, for each object of the ``templates``, whose
    heirs are meant, for chance, for folders with names of files and for a result that says little.
    """
    made = sum(call.name in templates for call in run.sequence.calls)
    told = CHANCE_BURDEN * run.drew + FOLDER_BURDEN * len(folders_named_as_files(run))
    return told + result_burden(run) + TEMPLATE_BURDEN * made + subclass_burden(run, classes)


def folders_named_as_files(run: Execution) -> list[TempPath]:
    """The paths of the test below which the run looks, and which have the ending of a file."""
    given = [arg for call in run.sequence.calls for arg in arguments(call)]
    looked = [name for is_own, name in run.touched if is_own]
    return [
        path for path in dict.fromkeys(given)
        if isinstance(path, TempPath) and "." in path.name and not isinstance(path.content, Const)
        and any(name.startswith(f"{path.name}/") for name in looked)
    ]  # fmt: skip


def result_burden(run: Execution) -> int:
    """What a result adds to the cost of a run that it says little about."""
    if run.behaviour in ("function", "iterator"):
        return MUTE_BURDEN
    if is_idle(run):
        return IDLE_BURDEN
    return EQUAL_BURDEN * run.behaviour.endswith("=")


def is_idle(run: Execution) -> bool:
    """Is the result empty or zero, as that of code which does nothing is?"""
    return _EMPTY.fullmatch(run.behaviour) is not None


def is_stray(run: Execution, code: Iterable[int], refused: Container[str]) -> bool:
    """Did the last Call run an override in place of the sites ``code`` that it is about?

    A line that a command of click does not know comes to no code, and is one of those ``refused``
    by their keys or beside the point.
    """
    is_line = run.sequence.calls[-1].kind == "invoke"
    if any(hit in run.own_hits for hit in code) or (is_line and run.sequence.key in refused):
        return False
    return is_line or bool(code and run.last_hits)


def return_goals(run: Execution, scope: str) -> list[Goal]:
    """The Goals of a result: that there is one, and that it holds something.

    What a function returns that was returned itself is not what its maker returns.
    """
    if run.sequence.calls[-1].kind == "invoke":  # each number by which a command ends
        return [Goal(Family.RETURN, 0, scope, run.behaviour.removesuffix(" silent"))]
    is_filled = not (run.truth or is_idle(run))
    details = [run.truth, FILLED] if is_filled else [run.truth]
    layer = _layer(run.sequence)
    return [Goal(Family.RETURN, layer, scope, one) for one in details]


def _layer(sequence: Sequence) -> int:
    """How many functions were returned, and called, on the way to the last result."""
    calls, layer = sequence.calls, 0
    call = calls[-1]
    while (call.kind, call.name) == CALLED and isinstance(made := call.args[0], Ref):
        call, layer = calls[made.index], layer + 1
    return layer


def given_back(best: Mapping[Goal, tuple[int, Execution]]) -> list[Goal]:
    """The Goals of results that are a truth value, or None, which was among the arguments.

    Whether it is the answer to them cannot be seen.  Where others show what is answered, a test
    for it would be one more: of a procedure that is given None, beside that with a value.
    """
    returns = {goal: run for goal, (_, run) in best.items() if goal.family is Family.RETURN}
    told = {goal.scope for goal, run in returns.items() if not run.gives_back}
    return [goal for goal, run in returns.items() if run.gives_back and goal.scope in told]


def subclass_burden(run: Execution, classes: Container[str]) -> int:
    """What it costs that the receiver is an instance of a subclass among ``classes``."""
    own = on_own_class(run)
    if own is None:
        return 0
    changed = zip(run.sequence.calls, own.calls, strict=True)
    made = next(before.name for before, after in changed if before.name != after.name)
    return SUBCLASS_BURDEN if made in classes else 0


def is_unfilled(message: str | None) -> bool:
    """Does the message show a field such as ``{key!r}``: was it to be formatted?

    To expect those words would keep the mistake.
    """
    return _FIELD.search(message or "") is not None


def is_passed_on(failed: RunFailure, run: Execution) -> bool:
    """Is it what the block of a ``with`` raised, after code of the Subject had left the block?"""
    last = run.sequence.calls[-1]
    if (last.kind, last.name) != ("operator", "with raise") or not run.last_hits:
        return False
    error = last.args[1]
    return (
        isinstance(error, Build) and failed.type == f"{error.callee.module}:{error.callee.qualname}"
    )


def is_failed_by_test(failed: RunFailure, run: Execution) -> bool:
    """Does the exception say what is not installed here, or what a stand-in of the test is not?

    A module that the arguments name is the caller's; any other is a fact of the machine.
    """
    message = failed.message or ""
    found = _MISSING_MODULE.search(message)
    is_missing = found is not None and found[1].partition(".")[0] not in repr(run.sequence)
    return is_missing or _STAND_IN.search(message) is not None
