"""Functions in the place of others as a person writes them: a ``lambda`` that gives the answer.

``Mock(return_value=True)`` says that its calls are looked at; where no test looks at them,
``lambda path: True`` is plainer.  A function of the standard library keeps its parameters.

Invariant: the text answers every call that the code makes as the Arg does.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from unitcraft.core.sequences import Arg, Build, Call, Const, Display, Source, Symbol

#: Columns of one block.
_INDENT: Final = "    "
_MOCK: Final = Symbol("unittest.mock", "Mock")
#: Functions of any arguments, and those that answer by the first one.
_ANY: Final = "*args, **kwargs"
_BY_KEY: Final = "lambda key, *args, **kwargs: "
#: Modules whose functions have the parameters that their documentation says, on each Python.
_LIBRARY: Final = ("getpass", "os.path", "os", "platform", "shutil", "socket", "time")
#: Parameters that a person repeats in a stand-in.
MAX_PARAMETERS: Final = 2
#: Characters of a ``lambda``, which cannot be broken: a line of a call's arguments in a method.
MAX_WIDTH: Final = 88 - len("            ,")


def plain_function(target: str, function: Arg, write: Callable[[Arg], str]) -> Arg:
    """``function``, which replaces ``target``, as a ``lambda`` if one of one line answers the same.

    ``write`` gives the text of an Arg.
    """
    plain = _plain(target, function, write)
    return function if plain is None or len(plain.text) > MAX_WIDTH else plain


def _plain(target: str, function: Arg, write: Callable[[Arg], str]) -> Source | None:
    given = function.kwargs if isinstance(function, Build) and function.callee == _MOCK else ()
    parameters = library_parameters(target)
    match given:
        case (("return_value", answer),) if _never_changes(answer):
            return Source(f"lambda {_ANY if parameters is None else parameters}: {write(answer)}")
        case (("side_effect", Source(text)),) if text.startswith(_BY_KEY):
            only = parameters if parameters and parameters.isidentifier() else None
            return None if only is None else _by_key(text, only)
        case (("side_effect", Source(text) as look_up),) if text.endswith("}.get"):
            return look_up
    return None


def _never_changes(answer: Arg) -> bool:
    """Is it an atom, a tuple of such, or the parameter of a test?"""
    if isinstance(answer, Display):
        return answer.kind == "tuple" and all(map(_never_changes, answer.items))
    return isinstance(answer, Const) or (isinstance(answer, Source) and answer.text.isidentifier())


def _by_key(text: str, name: str) -> Source | None:
    """The function of ``text``, which looks its key up, with one parameter ``name``."""
    match ast.parse(text, mode="eval").body:
        case ast.Lambda(body=ast.Call(ast.Attribute(ast.Dict(keys, values)), [_, *rest])):
            wanted = [ast.unparse(key) for key in keys if key is not None]
            answers = [*values, *rest] if rest else [*values, ast.Constant(None)]
            said = _said(answers)
            if said is not None:
                among = ("== ", "in ") if said else ("!= ", "not in ")
                one = wanted[0] if len(wanted) == 1 else f"({', '.join(wanted)})"
                return Source(f"lambda {name}: {name} {among[len(wanted) > 1]}{one}")
            found = "".join([f", {ast.unparse(one)}" for one in rest])
            table = ast.unparse(ast.Dict(keys, values))
            return Source(f"lambda {name}: {table}.get({name}{found})")
    return None


def _said(answers: list[ast.expr]) -> bool | None:
    """What all ``answers`` but the last say, where that one, to other keys, says the opposite."""
    values = [one.value if isinstance(one, ast.Constant) else None for one in answers]
    for said in (True, False):
        if all(one is said for one in values[:-1]) and values[-1] is (not said):
            return said
    return None


@lru_cache(maxsize=256)
def library_parameters(target: str) -> str | None:
    """The parameters of the function of the standard library that the dotted name leads to.

    None for any other function, and for one of many parameters or with defaults.
    """
    for home in _LIBRARY:
        _, found, name = f".{target}".rpartition(f".{home}.")
        if not found or "." in name:
            continue
        function = getattr(importlib.import_module(home), name, None)
        try:
            parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
        except (TypeError, ValueError):
            return None
        is_plain = all(
            one.default is one.empty
            and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
            for one in parameters
        )
        names = [one.name for one in parameters]
        names = ["path"] if home == "os.path" and len(names) == 1 else names
        return ", ".join(names) if is_plain and len(names) <= MAX_PARAMETERS else None
    return None


def named_function(name: str, call: Call, indent: str) -> list[str]:
    """The lines that define a ``lambda`` to which ``call`` gives the ``name``; [] for other Calls.

    A name is given to a function by ``def``.
    """
    value = call.args[0] if (call.kind, call.name) == ("operator", "itself") else None
    if not isinstance(value, Source) or not value.text.startswith("lambda"):
        return []
    made = ast.parse(value.text, mode="eval").body
    if not isinstance(made, ast.Lambda):
        return []
    answer = ast.get_source_segment(value.text, made.body)
    taken = ast.unparse(made.args)
    return [f"{indent}def {name}({taken}):", f"{indent}{_INDENT}return {answer}"]
