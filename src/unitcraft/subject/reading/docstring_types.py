"""Reads the parameter types that docstrings state, in Sphinx, Google or NumPy style.

Invariant: the answer is annotation text (``int | None``) and a guess; words that do not name
a type are dropped.
"""

from __future__ import annotations

import re
from typing import Final

#: Word of a docstring -> annotation text.
_WORDS: Final = {
    "integer": "int", "ints": "int", "integers": "int", "string": "str", "strings": "str",
    "text": "str", "unicode": "str", "boolean": "bool", "number": "float", "numbers": "float",
    "numeric": "float", "function": "Callable", "func": "Callable", "callable": "Callable",
    "iterable": "Iterable", "iterator": "Iterator", "sequence": "Sequence", "seq": "Sequence",
    "mapping": "Mapping", "dictionary": "dict", "dicts": "dict", "tuples": "tuple",
    "lists": "list", "array": "list", "none": "None", "nonetype": "None", "object": "Any",
    "anything": "Any", "any": "Any", "generator": "Iterator", "floats": "float", "char": "str",
    "bytestring": "bytes", "hashable": "Hashable", "date": "datetime.date",
}  # fmt: skip

#: Words that are annotation text already.
_BUILTINS: Final = frozenset(
    [
        "int",
        "float",
        "complex",
        "str",
        "bytes",
        "bool",
        "list",
        "tuple",
        "dict",
        "set",
        "frozenset",
        "None",
        "bytearray",
        "range",
        "type",
        "Iterable",
        "Iterator",
        "Sequence",
        "Mapping",
        "Callable",
        "Any",
        "Hashable",
        "Decimal",
        "Fraction",
        "datetime",
        "timedelta",
        "Path",
    ]
)

#: Types that a description may begin with; a "number" or an "object" may be many.
_DESCRIBING: Final = frozenset(
    ["int", "float", "str", "bytes", "bool", "list", "tuple", "dict", "set", "Callable", "Path"]
)

_FIELD_TYPE = re.compile(r"^[ \t]*:type[ \t]+\*{0,2}(\w+)[ \t]*:[ \t]*(.+)$", re.MULTILINE)
_FIELD_PARAM = re.compile(r"^[ \t]*:param[ \t]+([^:\n]+?)[ \t]+\*{0,2}(\w+)[ \t]*:", re.MULTILINE)
_GOOGLE = re.compile(
    r"^[ \t]+\*{0,2}(\w+)[ \t]*\(([^()\n]*(?:\([^()\n]*\)[^()\n]*)*)\)[ \t]*:", re.MULTILINE
)
_NUMPY = re.compile(r"^[ \t]*\*{0,2}(\w+)[ \t]+:[ \t]+([^\n:]+)$", re.MULTILINE)

#: ``:param name: words`` and ``name (type): words``.
_DESCRIBED = re.compile(
    r"^[ \t]*(?::(?:param|keyword|arg)(?:[ \t]+[^:\n]+?)?[ \t]+\*{0,2}(\w+)[ \t]*:"
    r"|\*{0,2}(\w+)[ \t]*(?:\([^()\n]*\))?:)[ \t]*\n?[ \t]*(\S[^\n]*)",
    re.MULTILINE,
)
#: How a description begins that says what is passed.
_NOUN = re.compile(
    r"^(?:an?|optional)\s+(?:optional\s+)?(\w+)(?:\s+(?:of|that|with|which|to|in)\b|[,.;(]|$)",
    re.IGNORECASE,
)
#: The same with words between, as in ``the prefix string``.
_HEAD = re.compile(
    r"^(?:an?|the|optional)\s+(?:(?!of\b|or\b|and\b|for\b|to\b|from\b|in\b|that\b|which\b)[\w-]+\s+){0,3}?"
    r"(string|str|text|integer|int|boolean|bool|list|tuple|dict|dictionary|mapping|callable)"
    r"(?:\s+(?:of|that|with|which|to|in|for|from)\b|[,.;(]|$)",
    re.IGNORECASE,
)
_YES_OR_NO = re.compile(
    r"^(?:whether|if\s+(?:true|false|set)|true\s+if|flag)\b|\?\s*$", re.IGNORECASE
)

_CONTAINER_OF = re.compile(
    r"^(?:an?\s+)?(list|set|tuple|iterable|sequence|iterator)s?\s+of\s+(\w+)$", re.IGNORECASE
)
_SPLIT = re.compile(r"\s*(?:,|\||\bor\b|/)\s*(?![^\[\{\(]*[\]\}\)])")
#: ``Function(A, B) -> Boolean``.
_FUNCTION = re.compile(r"^(?:function|callable)\s*\(([^()]*)\)\s*(?:->\s*(\w+))?$", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z_][\w.]*")
_IDENTIFIER = re.compile(r"^[A-Za-z_][\w.]*$")
_CHOICE = re.compile(r"^\{(.+)\}$")


def stated_types(doc: str) -> dict[str, str]:
    """Parameter name -> annotation text, for the parameters whose type ``doc`` states."""
    found: dict[str, str] = {}
    for pattern, swapped in ((_FIELD_TYPE, 0), (_FIELD_PARAM, 1), (_GOOGLE, 0), (_NUMPY, 0)):
        for match in pattern.finditer(doc):
            name, words = match.group(1 + swapped), match.group(2 - swapped)
            text = annotation_text(words)
            if text:
                found.setdefault(name, text)
    return found


def described_types(doc: str) -> dict[str, str]:
    """Parameter name -> annotation text, where the words of ``doc`` begin with what is passed.

    ``:param rows: A list of names`` says it, and ``Whether to sort`` asks for yes or no.
    """
    found: dict[str, str] = {}
    for match in _DESCRIBED.finditer(doc):
        noun = _NOUN.match(match[3])
        if not noun or _WORDS.get(noun[1].lower(), noun[1]) not in _DESCRIBING:
            noun = _HEAD.match(match[3].strip()) or noun
        text = _WORDS.get(noun[1].lower(), noun[1]) if noun else ""
        if text == "float" and noun and noun[1] != "float":
            text = ""  # "a number of rows" counts them
        if not noun and _YES_OR_NO.search(match[3].strip()):
            text = "bool"
        if text in _DESCRIBING:
            found.setdefault(match[1] or match[2], text)
    return found


def parameter_lines(doc: str) -> str:
    """The lines of ``doc`` that describe parameters."""
    return "\n".join(match[0] for match in _DESCRIBED.finditer(doc))


def annotation_text(words: str) -> str:
    """The annotation that a phrase such as ``list of int, optional`` means ('' if none)."""
    words = words.strip().rstrip(".").replace("`", "").replace(":class:", "").replace("~", "")
    choice = _CHOICE.match(words)
    if choice:
        return f"Literal[{choice.group(1)}]"
    parts = [_type_of_word(part) for part in _SPLIT.split(words)]
    known = [part for part in parts if part]
    return " | ".join(dict.fromkeys(known))


def _type_of_word(word: str) -> str:
    word = re.sub(r"^(?:an?|the)\s+", "", word.strip(), flags=re.IGNORECASE)
    several = _CONTAINER_OF.match(word)
    if several:
        outer, inner = _type_of_word(several.group(1)), _type_of_word(several.group(2))
        suffix = ", ..." if outer == "tuple" else ""
        return f"{outer}[{inner}{suffix}]" if inner else outer
    if word in _BUILTINS:
        return word
    if word.lower() in _WORDS:
        return _WORDS[word.lower()]
    function = _FUNCTION.match(word)
    if function:
        arguments = ", ".join("Any" for part in function.group(1).split(",") if part.strip())
        return f"Callable[[{arguments}], {_type_of_word(function.group(2) or '') or 'Any'}]"
    if re.fullmatch(r"[A-Za-z_.]+\[[\w\[\], .|]+\]", word):
        outer, bracket, inner = word.partition("[")
        return outer + bracket + _WORD.sub(lambda part: _type_of_word(part[0]) or part[0], inner)
    looks_like_class = _IDENTIFIER.match(word) and word.rpartition(".")[2][:1].isupper()
    return word if looks_like_class else ""
