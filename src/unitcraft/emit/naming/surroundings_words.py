"""Words for what a test has arranged around a call: files and variables.

Invariant: the words depend on the Test alone, and each is part of an identifier.
"""

from __future__ import annotations

from unitcraft.core.sequences import Arg, Const, Display
from unitcraft.emit.code.subject_index import words
from unitcraft.suite.tests import Test


def variable_words(test: Test) -> list[str]:
    """What the test sets or removes: ``with_token``, ``without_token``."""
    found = []
    for call in test.sequence.calls:
        if call.kind == "arrange" and call.args and isinstance(call.args[0], Const):
            name = words(str(call.args[0].value).rpartition(".")[2])
            found.append(f"{'without' if call.name == 'delenv' else 'with'}_{name}")
    return found


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
