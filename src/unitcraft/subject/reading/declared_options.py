"""Options of command lines, each read off the call of ``add_argument`` that declares it.

Invariant: the words of an option are its name and values that its type, its choices and its number
of values allow; nothing is run.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

#: Two values for each type that an option names.
_VALUES: Final = {
    "int": ("3", "4"),
    "float": ("1.5", "2.5"),
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
    first: CommandLine = (name,) if name.startswith("-") else ()
    required = _text(settings.get("required")) == "True" if first else count not in _NONE_IS_ENOUGH
    number = min(int(count), 3) if count.isdigit() else 1
    values = _values(name.lstrip("-"), settings, file)
    chosen = tuple([values[at % len(values)] for at in range(number)])
    others = [(one, *chosen[1:]) for one in _other_values(values, settings)]
    return DeclaredOption(
        (*first, *chosen) if number else (name,),
        required,
        tuple([(*first, *one) for one in others]) if number else (),
        has_file=bool(file) and not required,
        takes_rest=bool(first) and count in _ALL_THAT_FOLLOW,
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
        ) if kind in _VALUES and not file:
            return _VALUES[kind]
    if file:
        return (file, _VALUES["Path"][1])
    if _PATH_WORDS.intersection(re.split(r"[-_]", name)):
        return _VALUES["Path"]
    return (name, _OTHER)


def _other_values(values: tuple[str, ...], settings: dict[str, ast.expr]) -> tuple[str, ...]:
    """Values that may lead to another result: the further choices, a number below zero."""
    if "choices" in settings:
        return values[1:]
    return (_NEGATIVE,) if values == _VALUES["int"] else ()


def _default_file(settings: dict[str, ast.expr], texts: Mapping[str, str]) -> str:
    """The name of the file that an option names when it is left out, '' for none."""
    default = settings.get("default")
    if isinstance(default, ast.Call) and default.args:  # Path("todo.json")
        default = default.args[-1]
    text = texts.get(default.id, "") if isinstance(default, ast.Name) else _text(default)
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
