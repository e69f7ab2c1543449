"""Objects that decorators put in the place of functions: commands of click, and all others.

A command is an Invocable of its own, reached from the outermost group of the module; other objects
are skipped.

Invariant: click is not imported and none of its code runs; its classes are known by their names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any, Final

from unitcraft.core import rule_codes
from unitcraft.subject import static_lookup
from unitcraft.subject.decorators import function_behind, is_callable_wrapper
from unitcraft.subject.description_context import DescriptionContext
from unitcraft.subject.known_types import COMMAND_LINE, STR
from unitcraft.subject.model import Command, CommandOption, Invocable, Parameter
from unitcraft.subject.source_files import Origin

#: Groups inside each other: ends the walk over one that holds itself.  Halved: the same commands of
#: 4 programs, one of which has a group in a group.
MAX_DEPTH: Final = 4
#: Class of click that reads a value -> the kind of the option.
_KINDS: Final = {
    "Choice": "choice", "BoolParamType": "bool", "IntParamType": "int", "FloatParamType": "float",
    "Path": "path", "File": "path",
}  # fmt: skip
#: In a source: somebody is asked something.
_ASKING: Final = re.compile(r"\b(?:confirm|prompt|input|getchar|pause|get_text_stream)\(|\bstdin\b")
#: A value with the text of its default.
_PLAIN: Final = (str, int, float)

_Parts = tuple[tuple[str, tuple[CommandOption, ...]], ...]


def command_invocables(view: DescriptionContext, origins: Mapping[str, Origin]) -> list[Invocable]:
    """The commands whose code is the module's, each by the way from the outermost group."""
    held = {name: view.names.get(name) for name in origins}
    commands = {name: value for name, value in held.items() if _is_of(value, "core", "Command")}
    inner = [one for value in commands.values() for _, one in _below(value)]
    roots = [(name, value) for name, value in commands.items() if not _is_among(value, inner)]
    asks = _ASKING.search(view.sources.text(view.file)) is not None
    found: dict[str, Invocable] = {}
    for name, root in roots:
        for parts, command in _ways(root, ()):
            made = _invocable(view, Command(f"{view.module}:{name}", parts, asks), command)
            if made is not None:
                found.setdefault(made.id, made)
    return sorted(found.values(), key=lambda one: one.first)


def replaced_functions(
    view: DescriptionContext, origins: Mapping[str, Origin], commands: list[Invocable]
) -> Iterator[tuple[str, str, str]]:
    """Functions in whose place a decorator has put an object: routes, tasks."""
    known = {one.id for one in commands}
    for name, origin in origins.items():
        value, home = view.names.get(name), f"{view.module}:{name}"
        if origin != "def" or value is None or is_callable_wrapper(value) or home in known:
            continue
        if _is_of(value, "core", "Command") and dict(_commands(value)):
            continue
        cls = type(value)
        if not static_lookup.is_class(value) and not name.startswith("_"):
            place, what = static_lookup.module_name(cls), static_lookup.qualname(cls)
            why = f"its decorator makes an object of {place}.{what} of it, which is not called"
            if place == "builtins":  # what an import gave, and the definition is for elsewhere
                why = f"the module holds a {what} of that name that it does not define"
            yield home, rule_codes.NO_ARGUMENT, why


def _invocable(view: DescriptionContext, command: Command, value: Any) -> Invocable | None:
    """The Invocable of a command; None where its code is not a function of the module."""
    function = function_behind(static_lookup.own_dict(value).get("callback"))
    if function is None or not static_lookup.is_instance(function, FunctionType):
        return None
    module, first, last = view.span(function)
    name = function.__qualname__
    if module != view.module or "<" in name:
        return None
    words = Parameter("args", "positional", COMMAND_LINE, origin="annotation")
    answers = Parameter("input", "keyword", STR, required=False, origin="annotation")
    asks = command.asks or any(one.prompts for _, options in command.parts for one in options)
    return Invocable(
        f"{module}:{name}",
        "function",
        name,
        parameters=(words, answers) if asks else (words,),
        module=module,
        first=first,
        last=last,
        doc=static_lookup.doc_of(function),
        command=command,
    )


def _ways(value: Any, before: _Parts, name: str = "") -> Iterator[tuple[_Parts, Any]]:
    """(names and options on the way, command) of all that run code below ``value``, and itself."""
    parts = (*before, (name, tuple(_options(value))))
    inner = dict(_commands(value))
    if not inner or static_lookup.own_dict(value).get("invoke_without_command") is True:
        yield parts, value
    for own, command in inner.items() if len(parts) <= MAX_DEPTH else ():
        yield from _ways(command, parts, own)


def _commands(value: Any) -> Iterator[tuple[str, Any]]:
    """(name, command) of the sub-commands of a group."""
    held = static_lookup.own_dict(value).get("commands")
    for name, command in held.items() if type(held) is dict else ():
        if type(name) is str and _is_of(command, "core", "Command"):
            yield name, command


def _below(value: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    for name, command in _commands(value) if depth < MAX_DEPTH else ():
        yield name, command
        yield from _below(command, depth + 1)


def _is_among(value: Any, others: list[Any]) -> bool:
    return any(value is one for one in others)


def _is_of(value: Any, home: str, *names: str) -> bool:
    """Is it an object of one of the classes ``names`` of the module ``home`` of click?"""
    return any(
        static_lookup.module_name(cls) == f"click.{home}" and static_lookup.qualname(cls) in names
        for cls in static_lookup.mro(type(value))
    )


def _options(value: Any) -> Iterator[CommandOption]:
    """The options and arguments of a command, but those that end it, such as ``--version``."""
    held = static_lookup.own_dict(value).get("params")
    for one in held if type(held) is list else ():
        told = static_lookup.own_dict(one)
        names = [name for name in told.get("opts") or () if type(name) is str]
        if names and (told.get("expose_value") or not told.get("is_eager")):
            yield _option(names, told, is_option=_is_of(one, "core", "Option"))


def _option(names: list[str], told: Mapping[str, Any], *, is_option: bool) -> CommandOption:
    off = [name for name in told.get("secondary_opts") or () if type(name) is str]
    count, default = told.get("nargs"), told.get("default")
    is_flag = told.get("is_flag") is True or told.get("count") is True
    asked = told.get("prompt") if is_option else None
    choices: Any = static_lookup.own_dict(told.get("type")).get("choices")
    return CommandOption(
        name=max(names, key=len),
        kind="flag" if is_flag else _kind(told.get("type")),
        off=off[0] if off else "",
        choices=tuple([str(one) for one in choices if type(one) in _PLAIN])
        if type(choices) in (list, tuple)
        else (),
        count=count if type(count) is int else 1,
        required=told.get("required") is True,
        default=str(default) if type(default) in _PLAIN else "",
        prompts=(1 + bool(told.get("confirmation_prompt"))) * (type(asked) is str),
    )


def _kind(kind: Any) -> str:
    for cls in static_lookup.mro(type(kind)):
        known = _KINDS.get(static_lookup.qualname(cls))
        if known and static_lookup.module_name(cls) == "click.types":
            return known
    return "text"
