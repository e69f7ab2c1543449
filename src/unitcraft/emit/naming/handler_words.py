"""Words for an exception that the code catches itself: ``when_file_is_missing``, ``on_key_error``.

Invariant: the words name the classes that the handler names, or what failed where it names any; ''
where that would be more than a few words.
"""

from __future__ import annotations

import ast
from typing import Final

from unitcraft.emit.code.subject_index import words
from unitcraft.emit.naming.condition_words import MAX_CONDITION
from unitcraft.subject.reading.node_operations import class_names
from unitcraft.subject.scopes import callee_name

#: Exception -> what a reader says of the call in which it is caught.
_SAID: Final = {
    "FileNotFoundError": "when_file_is_missing",
    "ImportError": "when_import_fails",
    "KeyError": "missing_key",
    "IndexError": "index_out_of_range",
    "ModuleNotFoundError": "when_import_fails",
    "TimeoutError": "on_timeout",
}
#: Classes of one handler that a name says.
MAX_CLASSES: Final = 2
#: Those that end loops: that a generator ended is no circumstance.
_ENDS: Final = ("GeneratorExit", "StopAsyncIteration", "StopIteration")


def handler_words(node: ast.Try, handler: ast.ExceptHandler) -> str:
    """What is said of a call in which ``handler`` caught what the body of ``node`` raised."""
    caught = ["Exception"] if handler.type is None else [*class_names(handler.type)]
    if not caught or len(caught) > MAX_CLASSES or any(one in _ENDS for one in caught):
        return ""
    if caught[0] in ("Exception", "BaseException"):
        return _failed(node.body)
    if len(caught) == 1 and caught[0] in _SAID:
        return _SAID[caught[0]]
    said = f"on_{'_or_'.join(words(one) for one in caught)}"
    return said if len(said) <= MAX_CONDITION else ""


def _failed(body: list[ast.stmt]) -> str:
    """What failed, of a body that calls one thing: ``when_connect_fails``; else ``on_error``."""
    called = {
        callee_name(one)
        for statement in body
        for one in ast.walk(statement)
        if isinstance(one, ast.Call)
    }
    name = words(called.pop()) if len(called) == 1 else ""
    said = f"when_{name}_fails" if name else "on_error"
    return said if len(said) <= MAX_CONDITION else "on_error"
