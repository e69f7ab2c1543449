"""Words for what a test has arranged around a call: files and variables.

Invariant: the words depend on the Test alone, and each is part of an identifier.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from unitcraft.core.outcomes import Raised
from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    Const,
    Display,
    Ref,
    Source,
    Symbol,
    TempPath,
    arguments,
)
from unitcraft.emit.code.subject_index import words
from unitcraft.emit.naming.condition_words import FILE_ANSWERS
from unitcraft.emit.naming.value_words import flag_words
from unitcraft.subject.reading.command_lines import NO_NUMBER
from unitcraft.subject.scopes import word_set
from unitcraft.suite.tests import Test, exit_code

_MOCK: Final = Symbol("unittest.mock", "Mock")
_EXITING: Final = Symbol("builtins", "SystemExit")
_EXIT: Final = "builtins:SystemExit"
#: By what a command ends that cannot read its line.
_WRONG_LINE: Final = Const(2)
#: Predicate of the operating system -> what is said where it answers yes, and no.
_ANSWERS_OF_OS: Final = {
    **FILE_ANSWERS,
    "access": ("when_path_is_accessible", "when_path_is_not_accessible"),
    "isatty": ("on_terminal", "without_terminal"),
}
#: What a function answers that has nothing to say -> the words for it.
_ANSWERED: Final = {
    repr(answer): "when_{}_returns_" + said
    for answer, said in (
        (Const(None), "none"), (Const(""), "nothing"), (Const(b""), "nothing"),
        (Display("list", ()), "nothing"), (Display("dict", ()), "nothing"),
    )
}  # fmt: skip

#: Options of a stand-in that say what it answers.
_ANSWERS: Final = ("return_value", "side_effect")
#: Functions that never answer anything: that their stubs answer None says nothing.
_ANSWER_NOTHING: Final = word_set(
    "chmod chown close flush kill makedirs mkdir print remove rename rmdir rmtree sleep symlink "
    "unlink utime write_bytes"
)


def variable_words(test: Test) -> list[str]:
    """What the test sets or removes: ``with_token``, ``when_exists``, ``when_stat_raises_error``.

    Functions that answer other than yes or no are no circumstance of a test, what they answer is;
    nor is state that the test puts back.  What is removed comes last: of a chain of
    choices a test removes each variable before the one that it sets.
    """
    found = []
    for call in test.sequence.calls:
        is_told = call.kind == "arrange" and call not in test.resets
        if is_told and call.args and isinstance(call.args[0], Const):
            target = str(call.args[0].value).rpartition(".")[2]
            name = words(target)
            put = _put(call, test)
            if _is_function(put):
                found += _answer_words(put, name, test)
            elif call.name != "setattr" or not target.startswith("_"):
                found.append(_setting_words(call, name, put))
    return sorted(found, key=lambda word: word.startswith("without_"))


def _setting_words(call: Call, name: str, put: Arg | None) -> str:
    """What a variable is set to: ``with_token``, ``without_yaml`` where ``HAS_YAML`` is False."""
    value = put.value if isinstance(put, Const) else ""
    if isinstance(value, bool) and name.startswith("is_"):
        return f"when_{flag_words(name, value=value).removeprefix('is_')}"
    is_off = call.name == "delenv" or value is None or value is False
    return f"{'without' if is_off else 'with'}_{name.removeprefix('has_')}"


def _answer_words(put: Arg | None, name: str, test: Test) -> list[str]:
    """What the function ``put`` in place of ``name`` answers, where that is yes, no or an error."""
    failing = list(_failing(put, name))
    answer = _option_of(put, "return_value")
    if failing:
        return _failure_words(failing, test)
    if isinstance(answer, Const) and isinstance(answer.value, bool):
        if name in _ANSWERS_OF_OS:
            return [_ANSWERS_OF_OS[name][0 if answer.value else 1]]
        return [f"when_{flag_words(name, value=answer.value).removeprefix('is_')}"]
    return []


def failing_stand_in_words(test: Test) -> list[str]:
    """What of the stand-ins that the Calls are given raises: ``when_read_fails``."""
    given = [
        arg
        for call in test.sequence.calls
        if call.kind != "arrange"
        for arg in (*call.args, *[Build(_MOCK, (), (named,)) for named in call.kwargs])
    ]
    return _failure_words([one for arg in given for one in _failing(arg, "")], test)


def exit_words(test: Test) -> str:
    """``calls_exit_json``: the one function put in place of another that ends the process.

    What it is called with is what such a test is about; that it raises is what the test arranged.
    A command of click ``fails`` that ends by another number than zero; one whose line is wrong
    ``rejects_word``.
    """
    last = test.sequence.calls[-1]
    if last.kind == "invoke":
        line = last.args[0].items if isinstance(last.args[0], Display) else ()
        is_wrong = exit_code(test) == _WRONG_LINE and Const(NO_NUMBER) in line
        fails = "rejects_word" if is_wrong else "fails"
        return fails if exit_code(test) not in (None, Const(0)) else ""
    if not isinstance(test.outcome, Raised) or test.outcome.type != _EXIT:
        return ""
    puts = [_put(call, test) for call in test.sequence.calls if call.kind == "arrange"]
    given = [
        arg for call in test.sequence.calls if call.kind != "arrange" for arg in arguments(call)
    ]
    names = {name for put in (*puts, *given) for name in _ending_process(put, "")}
    return f"calls_{names.pop()}" if len(names) == 1 else ""


def _ending_process(put: Arg | None, name: str) -> Iterator[str]:
    """The names of the functions in ``put``, itself called ``name``, that raise SystemExit."""
    if not isinstance(put, Build):
        return
    for option, value in put.kwargs:
        error = value.callee if isinstance(value, Build) else value
        if option == "side_effect" and name and error == _EXITING:
            yield name
        else:
            yield from _ending_process(value, name if option in _ANSWERS else words(option))
    for part in put.args:
        yield from _ending_process(part, "")


def _failing(put: Arg | None, name: str) -> Iterator[tuple[str, Build]]:
    """(name, exception) of each function in ``put``, itself called ``name``, that raises one."""
    options = put.kwargs if isinstance(put, Build) else ()
    for option, value in options:
        if option == "side_effect" and isinstance(value, Build) and name:
            yield name, value
        elif isinstance(value, Build):
            yield from _failing(value, name if option in _ANSWERS else words(option))
    for part in put.args if isinstance(put, Build) else ():
        yield from _failing(part, "")


def _failure_words(failing: Iterable[tuple[str, Build]], test: Test) -> list[str]:
    """That something fails; of an exception that does not leave the Call also which it is."""
    raised = test.outcome.type.partition(":")[2] if isinstance(test.outcome, Raised) else ""
    return [
        f"when_{name}_fails"
        if error.callee.qualname == raised
        else f"when_{name}_raises_{words(error.callee.qualname)}"
        for name, error in failing
    ]


def answer_texts(test: Test) -> list[str]:
    """The texts that the functions answer which the test replaces."""
    answers = [_option_of(put, "return_value") for _, put in _replaced(test)]
    texts = [one.value for one in answers if isinstance(one, Const)]
    return [text for text in texts if isinstance(text, str)]


def replaced_words(test: Test) -> list[str]:
    """The functions that the test replaces: ``with_readlink``, ``when_readlink_returns_none``."""
    answers = [(name, _option_of(put, "return_value")) for name, put in _replaced(test)]
    return [
        _ANSWERED.get(repr(answer), "with_{}").format(name)
        for name, answer in answers
        if answer is not None and not (answer == Const(None) and name in _ANSWER_NOTHING)
    ]


def _replaced(test: Test) -> list[tuple[str, Arg | None]]:
    """The name of each function that the test replaces, and what it puts in its place."""
    return [
        (words(str(call.args[0].value).rpartition(".")[2]), _put(call, test))
        for call in test.sequence.calls
        if call.kind == "arrange" and call.args and isinstance(call.args[0], Const)
    ]


def _put(call: Call, test: Test) -> Arg | None:
    """What the test puts in the place of something else."""
    put = call.args[-1]
    if isinstance(put, Ref):
        named = test.sequence.calls[put.index]
        return named.args[0] if named.name == "itself" else None
    return put


def _is_function(put: Arg | None) -> bool:
    is_mock = isinstance(put, Build) and put.callee == _MOCK
    return is_mock or (isinstance(put, Source) and put.text.startswith(("lambda", "iter(")))


def _option_of(put: Arg | None, option: str) -> Arg | None:
    """An option of the Mock ``put``; None of all else."""
    is_mock = isinstance(put, Build) and put.callee == _MOCK
    return dict(put.kwargs).get(option) if isinstance(put, Build) and is_mock else None


def file_words(path: TempPath) -> list[str]:
    """What stands at a path: ``missing_file``, ``empty_file``, ``folder``, ``json_file``."""
    match path.content:
        case None:
            return ["missing_file"]
        case Display(_, items):
            return ["folder" if items else "empty_folder"]
        case Const(value) if not value:
            return ["empty_file"]
        case _:
            _, dot, ending = path.name.rpartition(".")
            return [f"{ending.lower()}_file", "file"] if dot and ending.isalnum() else ["file"]
