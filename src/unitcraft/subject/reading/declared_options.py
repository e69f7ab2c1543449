"""Options of command lines, as the call of ``add_argument`` or a command of click declares them.

Invariant: the words of an option are its name and values that its type, its choices and its number
of values allow; nothing is run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from unitcraft.subject.model import CommandOption

#: Two values for each type that an option names.
_VALUES: Final = {
    "int": ("3", "4"),
    "float": ("1.5", "2.5"),
    "bool": ("true", "false"),
    "path": ("notes.txt", "other.txt"),
    "Path": ("notes.txt", "other.txt"),
    "open": ("notes.txt", "other.txt"),
    "FileType": ("notes.txt", "other.txt"),
}
#: A number that few programs expect.
_NEGATIVE: Final = "-1"
#: A second value where any text will do.
_OTHER: Final = "other"
#: Actions of options that take no value.
_FLAGS: Final = (
    "store_true", "store_false", "store_const", "append_const", "count", "version", "help",
)  # fmt: skip
#: Numbers of values with none among them.
_NONE_IS_ENOUGH: Final = ("?", "*", "...", "REMAINDER")
#: Numbers of values without an end: they take the words that follow, too.
_ALL_THAT_FOLLOW: Final = ("+", "*", "...", "REMAINDER")
#: Words of a name that say that the value is a path.
_PATH_WORDS: Final = frozenset(
    ["file", "files", "filename", "filenames", "path", "paths", "filepath", "output", "config"]
)
#: The name of a file, with an ending that is no domain's and no version's.
_FILE: Final = re.compile(
    r"[\w-]*(\.(?:json|txt|csv|toml|ya?ml|ini|cfg|db|sqlite3?|log|md|xml|html?))"
)
#: Further choices of one option that are tried: a bound, as each is a run.  Of 211
#: options of installed projects none has more than one default and these.
MAX_CHOICES: Final = 4

CommandLine = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeclaredOption:
    """One option or positional argument, and the words that give it.

    ``others`` are words that give it another value.  Of the options of one ``group`` a line has
    one at most; 0 is no group.  ``has_file``: left out, it names a file of the current folder.
    ``takes_rest``: it takes the words that follow it.
    """

    words: CommandLine
    required: bool
    others: tuple[CommandLine, ...] = ()
    group: int = 0
    has_file: bool = False
    takes_rest: bool = False

    @property
    def is_positional(self) -> bool:
        """Is it known by its place, not by a name?"""
        return not self.words[0].startswith("-")


def option_of(
    call: ast.Call, kinds: Mapping[str, str], texts: Mapping[str, str]
) -> DeclaredOption | None:
    """The option that a call of ``add_argument`` declares; None where the call does not name it.

    ``kinds`` are types that the code makes of its value later; ``texts`` the constants of the
    module.
    """
    given = [one.value for one in call.args if isinstance(one, ast.Constant)]
    names = [name for name in given if isinstance(name, str) and name]
    if not names:
        return None
    name = max(names, key=len)
    settings = {word.arg: word.value for word in call.keywords if word.arg}
    kind = kinds.get(name.lstrip("-").replace("-", "_"))
    if kind and "type" not in settings:
        settings["type"] = ast.Name(kind)
    required = _text(settings.get("required")) == "True"
    action = _text(settings.get("action"))
    if action in _FLAGS:
        return DeclaredOption((name,), required)
    if action == "BooleanOptionalAction":
        return DeclaredOption((name,), required, ((f"--no-{name.lstrip('-')}",),))
    return _with_values(name, settings, _default_file(settings, texts))


def _with_values(name: str, settings: dict[str, ast.expr], file: str) -> DeclaredOption:
    """An option, or a positional argument, with as many values as it takes."""
    count = _text(settings.get("nargs"))
    is_option = name.startswith("-")
    required = _text(settings.get("required")) == "True"
    if not is_option:
        required = count not in _NONE_IS_ENOUGH
    values = _values(name.lstrip("-"), settings, file)
    others = _other_values(values, is_choice="choices" in settings)
    number = int(count) if count.isdigit() else 1
    made = _given(name, values, others, number, required=required, has_file=bool(file))
    return replace(made, takes_rest=is_option and count in _ALL_THAT_FOLLOW)


def option_of_command(one: CommandOption) -> DeclaredOption:
    """The option, or the argument, that a command of click declares."""
    if one.kind == "flag":
        return DeclaredOption((one.name,), one.required, ((one.off,),) if one.off else ())
    name, file = one.name.lstrip("-"), _file_name(one.default)
    values = _usual_values(name, one.kind, file)
    if one.choices:
        choices = [choice for choice in one.choices if choice != one.default] or list(one.choices)
        values = tuple(choices[: MAX_CHOICES + 1])
    is_argument = not one.name.startswith("-")  # it is given even where it need not be
    required, number = one.required or is_argument, max(one.count, 1)
    others = _other_values(values, is_choice=bool(one.choices))
    made = _given(one.name, values, others, number, required=required, has_file=bool(file))
    if is_argument and one.count == 1 and one.kind in ("int", "float") and not one.choices:
        return replace(made, others=(("--", f"-{values[0]}"),))
    return made


def _given(
    name: str,
    values: tuple[str, ...],
    others: tuple[str, ...],
    number: int,
    *,
    required: bool,
    has_file: bool,
) -> DeclaredOption:
    """An option, or a positional argument, that is given a ``number`` of its values."""
    first: CommandLine = (name,) if name.startswith("-") else ()
    if not number:
        return DeclaredOption((name,), required, has_file=has_file and not required)
    chosen = tuple([values[at % len(values)] for at in range(min(number, 3))])
    return DeclaredOption(
        (*first, *chosen),
        required,
        tuple([(*first, one, *chosen[1:]) for one in others]),
        has_file=has_file and not required,
    )


def _values(name: str, settings: dict[str, ast.expr], file: str) -> tuple[str, ...]:
    """Values that the option ``name`` accepts, the first for a line that has one."""
    match settings.get("choices"):
        case ast.List(items) | ast.Tuple(items) | ast.Set(items):
            choices = [str(one.value) for one in items if isinstance(one, ast.Constant)]
            usual = _text(settings.get("default"))
            if choices:
                choices = [one for one in choices if one != usual] or choices
                return tuple(choices[: MAX_CHOICES + 1])
    match settings.get("type"):
        case (
            ast.Name(kind)
            | ast.Attribute(_, kind)
            | ast.Call(ast.Name(kind))
            | ast.Call(ast.Attribute(_, kind))
        ):
            return _usual_values(name, kind, file)
    return _usual_values(name, "", file)


def _usual_values(name: str, kind: str, file: str) -> tuple[str, ...]:
    """Values for the option ``name`` of a ``kind``, which is '' where any text will do."""
    if kind in _VALUES and not file:
        return _VALUES[kind]
    if file:
        return (file, _VALUES["Path"][1])
    if _PATH_WORDS.intersection(re.split(r"[-_]", name)):
        return _VALUES["Path"]
    return (name, _OTHER)


def _other_values(values: tuple[str, ...], *, is_choice: bool) -> tuple[str, ...]:
    """Values that may lead to another result: the further choices, a number below zero."""
    if is_choice:
        return values[1:]
    return (_NEGATIVE,) if values == _VALUES["int"] else ()


def _default_file(settings: dict[str, ast.expr], texts: Mapping[str, str]) -> str:
    """The name of the file that an option names when it is left out, '' for none."""
    default = settings.get("default")
    if isinstance(default, ast.Call) and default.args:  # Path("todo.json")
        default = default.args[-1]
    return _file_name(
        texts.get(default.id, "") if isinstance(default, ast.Name) else _text(default)
    )


def _file_name(text: str) -> str:
    """The last part of a path that names a file by its ending, '' for none."""
    name = text.rpartition("/")[2]
    found = _FILE.fullmatch(name)
    if found is None:
        return ""
    return name if name != found.group(1) else "data" + found.group(1)


def _text(node: ast.expr | None) -> str:
    """A constant as text, or the name of one of another module; '' otherwise."""
    match node:
        case ast.Constant(value):
            return str(value)
        case ast.Attribute(_, name):
            return name
    return ""
