"""Arguments and Calls as a person writes them: on one line, names without their modules.

This is the text for people and for conditions; ``emit.code`` writes the text of suites, with
imports, quotes and line breaks of its own.

Invariant: the text depends on the Call and the given names alone, and reads as Python.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Sequence
from typing import Final

from unitcraft.core.operators import OPERATORS
from unitcraft.core.sequences import (
    EACH,
    Arg,
    Build,
    Call,
    Const,
    Display,
    Ref,
    Source,
    Symbol,
    TempPath,
    class_name,
    expected_error,
)


def arg_text(arg: Arg, names: Sequence[str] = ()) -> str:
    """``arg`` as text; ``names`` are those of the results that it may refer to."""
    match arg:
        case Const(value):
            return repr(value)
        case Source(text):
            return text
        case Symbol(_, qualname):
            return qualname
        case Ref(index):
            return names[index] if index < len(names) else f"_{index}"
        case Display():
            return _display_text(arg, names)
        case TempPath(name, _, is_text):
            place = f"tmp_path / {name!r}" if name else "tmp_path"
            return f"str({place})" if is_text else place
        case Build(callee, args, kwargs):
            return f"{callee.qualname}({arguments_text(args, kwargs, names)})"


def arguments_text(
    args: Iterable[Arg], kwargs: Iterable[tuple[str, Arg]] = (), names: Sequence[str] = ()
) -> str:
    """What stands between the parentheses of a call."""
    given = [arg_text(arg, names) for arg in args]
    return ", ".join([*given, *[f"{name}={arg_text(arg, names)}" for name, arg in kwargs]])


def path_text(receiver: str, path: str) -> str:
    """What reads ``path`` from ``receiver``, the text of an expression."""
    head, each, rest = path.partition(EACH)
    if not each:
        return _after(receiver, path)
    items = _after(receiver, head) if head else receiver
    if not rest:
        return f"list({items})"
    name = item_name(head.rpartition(".")[2])
    return f"[{name}.{rest} for {name} in {items}]"


def _after(receiver: str, path: str) -> str:
    """``path``, which has no ``EACH``, after the text of its receiver."""
    return f"{receiver}{path}" if path.startswith("[") else f"{receiver}.{path}"


def item_name(plural: str) -> str:
    """A name for one of the items that are called ``plural``."""
    if plural == "call_args_list":  # of a function that records its calls
        return "call"
    if not plural.isidentifier():
        return "item"
    singular = plural[:-1] if plural.endswith("s") and not plural.endswith("ss") else ""
    if singular.endswith("ie"):
        singular = f"{singular[:-2]}y"
    return singular if len(singular) > 1 and not keyword.iskeyword(singular) else "item"


def call_text(call: Call, names: Sequence[str] = ()) -> str:
    """``call`` as an expression, or as an assignment where it sets an attribute."""
    if call.kind == "function":
        text = f"{call.name.rpartition(':')[2]}({arguments_text(call.args, call.kwargs, names)})"
    elif call.kind == "invoke":
        given = arguments_text(call.args, call.kwargs, names)
        text = f"CliRunner().invoke({call.name.rpartition(':')[2]}, {given})"
    else:
        text = _text_on_receiver(call, names)
    error = expected_error(call)
    if error:
        return f"{text} (raises {error.rpartition(':')[2]})"
    return _FORMS[call.then].format(text)


#: How what a run printed or logged reads.
_OUTPUTS: Final = {"both": "printed", "messages": "logged"}
#: How the continuations of a Call read.
_FORMS: Final = {
    "": "{}", "await": "await {}", "drain": "list({})", "collect": "[item async for item in {}]",
    "enter": "with {}", "await enter": "async with {}",
}  # fmt: skip


def _text_on_receiver(call: Call, names: Sequence[str]) -> str:
    if call.kind == "arrange":
        return f"{call.name}({arguments_text(call.args)})"
    if call.kind == "define":
        return f"class {class_name(call)}"
    if call.kind == "output":
        return _OUTPUTS.get(call.name, f"std{call.name}")
    receiver, *given = [arg_text(arg, names) for arg in call.args]
    inner = arguments_text(call.args[1:], call.kwargs, names)
    match call.kind:
        case "get":
            return path_text(receiver, call.name)
        case "set":
            return f"{receiver}.{call.name} = {given[0]}"
        case "method":
            return f"{receiver}.{call.name}({inner})"
        case _ if call.name == "call":
            return f"{receiver}({inner})"
        case _:
            return OPERATORS[call.name].format(receiver, *given)


def _display_text(arg: Display, names: Sequence[str]) -> str:
    parts = [arg_text(item, names) for item in arg.items]
    inner = ", ".join(parts)
    match arg.kind:
        case "dict":
            pairs = map(": ".join, zip(parts[::2], parts[1::2], strict=True))
            return "{" + ", ".join(pairs) + "}"
        case "tuple":
            return f"({inner},)" if len(parts) == 1 else f"({inner})"
        case "list":
            return f"[{inner}]"
        case "frozenset":
            return f"frozenset({{{inner}}})" if parts else "frozenset()"
        case "set":
            return f"{{{inner}}}" if parts else "set()"
