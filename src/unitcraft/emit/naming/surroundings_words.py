"""Words for what a test has arranged around a call: files and variables.

Invariant: the words depend on the Test alone, and each is part of an identifier.
"""

from __future__ import annotations

from typing import Final

from unitcraft.core.sequences import Arg, Build, Call, Const, Display, Ref, Symbol
from unitcraft.emit.code.subject_index import words
from unitcraft.suite.tests import Test

_MOCK: Final = Symbol("unittest.mock", "Mock")


def variable_words(test: Test) -> list[str]:
    """What the test sets or removes: ``with_token``, ``without_token``, ``when_exists``.

    Functions that answer other than yes or no are no circumstance of a test, what they answer is;
    nor is private state that the test puts back.  What is removed comes last: of a chain of
    choices a test removes each variable before the one that it sets.
    """
    found = []
    for call in test.sequence.calls:
        if call.kind == "arrange" and call.args and isinstance(call.args[0], Const):
            target = str(call.args[0].value).rpartition(".")[2]
            name = words(target)
            answer = _answer_of(call, test)
            if answer is None and call.name == "setattr" and target.startswith("_"):
                continue
            if answer is None:
                found.append(f"{'without' if call.name == 'delenv' else 'with'}_{name}")
            elif isinstance(answer, Const) and isinstance(answer.value, bool):
                found.append(f"when_{'' if answer.value else 'not_'}{name}")
    return sorted(found, key=lambda word: word.startswith("without_"))


def answer_texts(test: Test) -> list[str]:
    """The texts that the functions answer which the test replaces."""
    answers = [_answer_of(call, test) for call in test.sequence.calls if call.kind == "arrange"]
    texts = [one.value for one in answers if isinstance(one, Const)]
    return [text for text in texts if isinstance(text, str)]


def replaced_words(test: Test) -> list[str]:
    """The functions that the test replaces: ``with_readlink``."""
    return [
        f"with_{words(str(call.args[0].value).rpartition('.')[2])}"
        for call in test.sequence.calls
        if call.kind == "arrange" and isinstance(call.args[0], Const) and _answer_of(call, test)
    ]


def _answer_of(call: Call, test: Test) -> Arg | None:
    """What a function that the test puts in place of another returns."""
    made = call.args[-1] if call.args else None
    if isinstance(made, Ref):
        named = test.sequence.calls[made.index]
        made = named.args[0] if named.name == "itself" else None
    if isinstance(made, Build) and made.callee == _MOCK:
        return dict(made.kwargs).get("return_value")
    return None


def file_words(content: Arg | None) -> list[str]:
    """What stands at a path: ``missing_file``, ``empty_file``, ``folder``."""
    match content:
        case None:
            return ["missing_file"]
        case Display(_, items):
            return ["folder" if items else "empty_folder"]
        case Const(value) if not value:
            return ["empty_file"]
        case _:
            return ["file"]
