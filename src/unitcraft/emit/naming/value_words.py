"""Words for one value: what kind of text, number or container it is, or the value itself.

Invariant: the words are true of the value, whatever it is given to; ``noun`` is what it is called.
"""

from __future__ import annotations

import math
import re
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Display, Source, TempPath
from unitcraft.emit.code.subject_index import words
from unitcraft.explore.plausibility.parameter_names import singular
from unitcraft.suite.telling.examples.example_values import is_example
from unitcraft.suite.telling.telling_values import ARBITRARY_TEXTS

#: Keys of a mapping that a name says.
MAX_KEYS: Final = 2
#: Characters of a key in a name.
MAX_KEY: Final = 24
#: A word of a name has so many letters: ``t_1`` says nothing of ``t = 1``.
LETTERS_OF_A_WORD: Final = 3


def text_words(value: str | bytes, noun: str) -> list[str]:
    """What kind of text it is, the most special first."""
    if not value:
        return [f"empty_{noun}"]
    found = [f"blank_{noun}"] if not value.strip() else []
    if isinstance(value, bytes):
        return [*found, noun if noun == "bytes" else f"bytes_{noun}"]
    has_lines = "\n" in value.strip()
    has_signs = any(not (letter.isalnum() or letter in " _-.") for letter in value)
    has_controls = any(not (letter.isprintable() or letter.isspace()) for letter in value)
    kinds = (
        (has_controls, "control_characters"),
        (len(value) == 1, f"single_character_{noun}".removesuffix("_string")),
        (not value.isascii(), f"non_ascii_{noun}"),
        (has_lines, f"multiline_{noun}"),
        (has_signs and not has_lines, "special_characters"),
        (bool(value.strip()) and value.strip() != value, f"padded_{noun}"),
        (value.isdigit(), f"numeric_{noun}"),
        (value.isupper(), f"upper_case_{noun}"),
        (value[0].isupper() and not value.isupper(), f"capitalised_{noun}"),
    )
    found += [said for holds, said in kinds if holds]
    return [*found, noun if noun in _TEXTUAL else f"string_{noun}"]


#: Parameter names that already say that the value is text.
_TEXTUAL: Final = frozenset(("string", "text", "name", "word", "line", "label", "title", "message"))


def flag_words(noun: str, *, value: bool) -> str:
    """What a flag says: ``strict``, ``not_strict``, ``is_not_open``, ``without_header``."""
    if not noun:
        return str(value).lower()
    first, _, rest = noun.partition("_")
    if value or not rest:
        return noun if value else f"not_{noun}"
    if first in ("no", "not", "without"):
        return rest
    if first in ("is", "are", "has", "can", "should", "must", "do", "does"):
        return f"{first}_not_{rest}"
    return f"without_{rest}" if first in ("with", "include", "use", "add") else f"not_{noun}"


def without_words(noun: str) -> str:
    """What is said where an option is not given: ``without_body`` of ``with_body``."""
    return f"without_{noun.removeprefix('with_')}"


#: Class of a literal -> what its objects are called.
_KINDS: Final = {
    str: "string", bytes: "bytes", bool: "flag", int: "integer", float: "float",
    complex: "complex", type(None): "none",
}  # fmt: skip


def kind_word(arg: Arg) -> str:
    """What kind of object a literal is: ``string``, ``list``, ``slice``; '' of one not known."""
    match arg:
        case Const(value):
            return _KINDS.get(type(value), "")
        case Display(kind, _):
            return kind
        case Build(callee):
            return callee.qualname.partition(".")[0].lower()
        case Source(text):
            found = re.match(r"(lambda)\b|(\w+)\(", text)
            return "function" if found and found[1] else found[2].lower() if found else ""
        case TempPath(is_text=is_text):
            return "string" if is_text else "path"
    return ""


def slice_words(arg: Arg) -> list[str]:
    """Which part of the whole a slice takes."""
    bounds = (
        [repr(one.value) for one in arg.args if isinstance(one, Const)]
        if (isinstance(arg, Build))
        else re.findall(r"[\w-]+", arg.text.partition("(")[2])
        if isinstance(arg, Source)
        else []
    )
    found = ["whole_slice"] if bounds and set(bounds) == {"None"} else []
    return [*found, "slice"]


def class_words(value: float, noun: str) -> list[str]:
    """Which class of number it is."""
    kind = type(value).__name__
    return [kind if noun == "number" else f"{kind}_{noun}"]


def number_words(value: float, noun: str) -> list[str]:
    """What kind of number it is, the most special first."""
    if isinstance(value, float) and not math.isfinite(value):
        return [f"{'nan' if math.isnan(value) else 'infinite'}_{noun}"]
    kind = "zero" if value == 0 else "negative" if value < 0 else "positive"
    found = ["zero" if value == 0 and noun == "number" else f"{kind}_{noun}"]
    if isinstance(value, float):
        found.append(f"float_{noun}" if not value.is_integer() else f"whole_float_{noun}")
    if abs(value) >= 1000:  # noqa: PLR2004 - what a reader calls large
        found.append(f"large_{noun}")
    return found


def single_words(noun: str) -> str:
    """What is said of one item: ``single_currency`` of ``currencies``, ``single_item_data``."""
    stem = noun.removesuffix("s")
    is_plural = stem != noun and len(noun) > LETTERS_OF_A_WORD and stem[-1] not in "aius"
    if is_plural and stem.endswith("ie"):
        stem = f"{stem[:-2]}y"
    return f"single_{stem}" if is_plural else f"single_item_{noun}"


def container_words(count: int, items: tuple[Arg, ...], noun: str, kind: str) -> list[str]:
    """What is in a container of class ``kind``: other containers, how many items, equal ones."""
    if count == 0:
        return [f"empty_{noun}"]
    size = single_words(noun) if count == 1 else f"several_{noun}"
    if count > 1 and noun != kind and not singular(noun):
        size = f"several_{'keys' if kind == 'dict' else 'items'}"
    if size == "single_item_dict":
        size = "single_key"
    elif size == f"several_{kind}":
        size = f"several_{'keys' if kind == 'dict' else 'items'}"
    values = items[1::2] if kind == "dict" else items
    texts = [repr(item) for item in items]
    is_twice = kind in ("list", "tuple") and len(set(texts)) < len(texts)
    kinds = {kind_word(item) for item in items} if kind != "dict" else set()
    return [
        *([f"duplicate_{noun}"] if is_twice else []),
        *_nested_words(values, noun, kind),
        size,
        *(f"of_{_PLURALS[one]}" for one in kinds if len(kinds) == 1 and one in _PLURALS),
    ]


def _nested_words(values: tuple[Arg, ...], noun: str, kind: str) -> list[str]:
    """The kind of containers of which a container is made: ``set_in_list``, ``nested_list``."""
    inner = {value.kind if isinstance(value, Display) else "" for value in values}
    (name, *others) = sorted(inner)
    if others or not name:
        return []
    return [f"nested_{noun}" if name == kind else f"{name}_in_{noun}"]


def key_words(keys: tuple[Arg, ...]) -> list[str]:
    """What a mapping of a few keys has, where those are words: ``with_name_and_port``."""
    said = [key_word(key.value) if isinstance(key, Const) else "" for key in keys]
    is_told = 0 < len(said) <= MAX_KEYS and all(said)
    return [f"with_{'_and_'.join(said)}"] if is_told else []


def key_word(key: object) -> str:
    """What a reader calls what stands under ``key``; '' where that is no name."""
    is_name = isinstance(key, str) and key.isidentifier() and key not in ARBITRARY_TEXTS
    found = words(str(key)) if is_name else ""
    return found if LETTERS_OF_A_WORD <= len(found) <= MAX_KEY else ""


#: Kind of the items of a container -> what they are together.
_PLURALS: Final = {"string": "strings", "integer": "numbers", "float": "numbers"}


def telling_literal(arg: Arg, name: str) -> str:
    """``literal_words`` of what is given as ``name``; '' where we put it for any of that name."""
    items = arg.items if isinstance(arg, Display) else (arg,)
    texts = [one.value for one in items if isinstance(one, Const)]
    is_any = bool(texts) and all(is_example(one, name) for one in texts)
    return "" if is_any and len(texts) == len(items) else literal_words(arg)


def literal_words(arg: Arg) -> str:
    """A short literal as part of a name, or ''; one that stands for any other says nothing."""
    if isinstance(arg, Const) and arg.value in ARBITRARY_TEXTS:
        return ""
    if isinstance(arg, Const) and isinstance(arg.value, str):
        text = re.sub(r"[^a-z0-9]+", "_", arg.value.lower()).strip("_")
        parts = text.split("_")
        reads = len(parts) == 1 or all(len(one) >= LETTERS_OF_A_WORD for one in parts)
        fits = (1 < len(text) <= 16 or text.isdigit()) and len(text) * 2 >= len(arg.value)  # noqa: PLR2004
        return text if reads and fits else ""
    if isinstance(arg, Const) and isinstance(arg.value, int) and not isinstance(arg.value, bool):
        sign = "minus_" if arg.value < 0 else ""
        return f"{sign}{abs(arg.value)}" if abs(arg.value) < 10**6 else ""
    if isinstance(arg, Const) and (arg.value is None or isinstance(arg.value, bool)):
        return str(arg.value).lower()
    if isinstance(arg, Const) and isinstance(arg.value, float):
        text = repr(arg.value).replace("-", "minus_").replace(".", "_")
        return text if len(text) <= 12 and text.replace("_", "").isalnum() else ""  # noqa: PLR2004
    if isinstance(arg, Display) and 0 < len(arg.items) <= 3:  # noqa: PLR2004
        parts = [literal_words(item) for item in arg.items if kind_word(item) == "string"]
        reads = len(parts) == len(arg.items) and all(parts)
        return "_".join(parts) if reads and len("_".join(parts)) <= 16 else ""  # noqa: PLR2004
    return ""
