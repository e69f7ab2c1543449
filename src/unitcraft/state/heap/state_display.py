"""A canonical structure as text for people: fields of the receiver, nested values short.

Invariant: the text depends on the structure alone, and no line is longer than asked for.
"""

from __future__ import annotations

from typing import Any, Final

ObjectTokens = tuple[Any, ...]

#: Levels of nested objects that are shown; deeper ones are ``...``.
_MAX_DEPTH: Final = 6

_BRACKETS: Final = {b"list": "[]", b"tuple": "()", b"builtins:set()": "{}"}


def fields_of(structure: tuple[ObjectTokens, ...], width: int) -> tuple[str, ...]:
    """One line ``name = value`` for each field of the first root, ``width`` characters at most.

    A root without named fields gives one line with its value.  A further mention of an object
    is written ``^Class``; inside nested objects atoms come first and None is left out.
    """
    nodes = _resolve_mentions(structure)
    root = nodes[0][1] if len(nodes[0]) > 1 else None
    if type(root) is not _Object:
        return (_cut(_token_text(root, nodes, set(), 0), width),)
    header, *values = nodes[root.number]
    names = _field_names(header)
    if not names or len(names) != len(values):
        return (_cut(_token_text(root, nodes, set(), 0), width),)
    seen = {root.number}
    return tuple(
        _cut(f"{name} = {_token_text(value, nodes, seen, 1)}", width)
        for name, value in zip(names, values, strict=True)
    )


class _Object:
    """A mention of object ``number``."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


def _resolve_mentions(structure: tuple[ObjectTokens, ...]) -> list[ObjectTokens]:
    """The nodes with every mention of an object made explicit."""
    following = 1
    nodes: list[ObjectTokens] = []
    for header, *tokens in structure:
        node: list[Any] = [header]
        for token in tokens:
            if token == () and type(token) is tuple:
                node.append(_Object(following))
                following += 1
            elif type(token) is tuple and len(token) == 1 and type(token[0]) is int:
                node.append(_Object(token[0]))
            else:
                node.append(token)
        nodes.append(tuple(node))
    return nodes


def _token_text(token: Any, nodes: list[ObjectTokens], seen: set[int], depth: int) -> str:
    if type(token) is tuple:
        return _atom_text(token)
    if type(token) is not _Object:
        return repr(token)
    header, *values = nodes[token.number]
    if token.number in seen:
        return f"^{_class_name(header)}"
    if depth > _MAX_DEPTH:
        return "..."
    seen.add(token.number)
    return _object_text(header, [_token_text(value, nodes, seen, depth + 1) for value in values])


def _object_text(header: bytes, texts: list[str]) -> str:
    if header in _BRACKETS:
        brackets = _BRACKETS[header]
        return f"{brackets[0]}{', '.join(texts)}{brackets[1]}"
    if header == b"dict":
        half = len(texts) // 2
        pairs = zip(texts[:half], texts[half:], strict=True)
        return "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
    if b"(" not in header and not texts:  # a member of an enum
        return header.decode("utf-8", "surrogatepass").rpartition(":")[2]
    names = _field_names(header)
    plain = len(texts) - len(names)
    fields = [f"{name}={text}" for name, text in zip(names, texts[plain:], strict=False)]
    fields = [field for field in fields if not field.endswith("=None")]
    fields.sort(key=lambda field: field.endswith(")"))
    return f"{_class_name(header)}({', '.join([*texts[:plain], *fields])})"


def _atom_text(token: ObjectTokens) -> str:
    name, *parts = token
    if name == "float":
        return repr(float.fromhex(parts[0]))
    if name == "tuple":
        texts = [_atom_text(part) if type(part) is tuple else repr(part) for part in parts]
        return f"({', '.join(texts)}{',' * (len(texts) == 1)})"
    if name in ("bytes", "Decimal"):
        return repr(parts[0])
    if name == "absent":
        return "-"
    return f"{name}({', '.join(repr(part) for part in parts)})"


def _field_names(header: bytes) -> list[str]:
    inside = header.decode("utf-8", "surrogatepass").partition("(")[2].rstrip(")")
    return inside.split(",") if inside else []


def _class_name(header: bytes) -> str:
    name = header.decode("utf-8", "surrogatepass").partition("(")[0]
    return name.rpartition(":")[2].rpartition(".")[2]


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 3] + "..."
