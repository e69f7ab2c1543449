"""Terms and constraints as Python expressions over the names of the inputs.

Invariant: a text is a Python expression that means the term: evaluated with the inputs under
their names it gives the same value (operations without a form of their own are written as
calls); only what is cut by ``MAX_TEXT`` is not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from unitcraft.symbolic.terms.term import (
    OK,
    RAISES,
    SAME,
    VARIABLE,
    Constraint,
    Term,
    evaluate,
)

#: Characters of one constraint; a longer text is cut for the reader.
MAX_TEXT: Final = 160

_OR, _NOT, _COMPARE, _BITOR, _XOR, _AND, _SHIFT, _ADD, _TIMES, _SIGN, _POWER, _ATOM = range(12)
_BINARY: Final[Mapping[str, int]] = {
    "<": _COMPARE, "<=": _COMPARE, ">": _COMPARE, ">=": _COMPARE, "==": _COMPARE, "!=": _COMPARE,
    "in": _COMPARE, "|": _BITOR, "^": _XOR, "&": _AND, "<<": _SHIFT, ">>": _SHIFT, "+": _ADD,
    "-": _ADD, "*": _TIMES, "/": _TIMES, "//": _TIMES, "%": _TIMES, "**": _POWER,
}  # fmt: skip
_SIGNS: Final[Mapping[str, str]] = {"neg": "-", "pos": "+", "invert": "~"}
_OPPOSITE: Final[Mapping[str, str]] = {
    "<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "==",
}  # fmt: skip
_MIRROR: Final[Mapping[str, str]] = {
    "<": ">",
    "<=": ">=",
    ">": "<",
    ">=": "<=",
    "==": "==",
    "!=": "!=",
}

BoundText = tuple[str, int]  # an expression and how tightly it binds


def constraint_text(constraint: Constraint, names: Sequence[str], values: Sequence[Any]) -> str:
    """``constraint`` as an expression; ``values`` satisfy it or its negation (types count)."""
    term, outcome = constraint
    text = _constraint_text(term, outcome, names, values)
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 4]} ..."


def term_text(term: Term, names: Sequence[str]) -> str:
    """``term`` as an expression."""
    return _bound_text(term, names)[0]


def _constraint_text(term: Term, outcome: bool, names: Sequence[str], values: Sequence[Any]) -> str:  # noqa: FBT001
    if type(term) is not tuple:
        return str(bool(term) is outcome)
    name = term[0]
    if name == "truth":
        return _constraint_text(term[1], outcome, names, values)
    if name == OK:
        return f"{term_text(term[1], names)} {'works' if outcome else 'raises'}"
    if name == SAME:
        return _equality_text(term, outcome, names, values)
    if name in _OPPOSITE and (outcome or _has_opposite(term, values)):
        relation = name if outcome else _OPPOSITE[name]
        left, right = term[1], term[2]
        if type(left) is not tuple and type(right) is tuple:
            left, right, relation = right, left, _MIRROR[relation]
        return _comparison_text(left, relation, right, names)
    if name == "in" and not outcome:
        return _comparison_text(term[1], "not in", term[2], names)
    text, binding = _bound_text(term, names)
    return text if outcome else f"not {text}" if binding >= _NOT else f"not ({text})"


def _comparison_text(left: Term, relation: str, right: Term, names: Sequence[str]) -> str:
    left, right = _without_zeros(left), _without_zeros(right)
    return f"{_operand_text(left, names, _BITOR)} {relation} {_operand_text(right, names, _BITOR)}"


def _without_zeros(term: Term) -> Term:
    """A sum that compares as ``term`` does, without the zeros that were added: fields begin so.

    Elsewhere they count: ``repr(0 + value)`` is another text where the value is True.
    """
    match term:
        case ("+" | "-", left, 0) if type(term[2]) is int:
            return _without_zeros(left)
        case ("+", 0, right) if type(term[1]) is int:
            return right
        case ("-", 0, right) if type(term[1]) is int:
            return ("neg", right)
        case ("+" | "-" as name, tuple() as left, right):
            short = _without_zeros(left)
            return term if short is left else _without_zeros((name, short, right))
    return term


def _equality_text(term: Term, outcome: bool, names: Sequence[str], values: Sequence[Any]) -> str:  # noqa: FBT001
    del values
    inner = term[1]
    if type(inner) is tuple and inner[0] == RAISES:
        verb = "raises" if outcome else "does not raise"
        return f"{term_text(inner[1], names)} {verb} {term[2]}"
    return _comparison_text(inner, "==" if outcome else "!=", term[2], names)


def _has_opposite(term: Term, values: Sequence[Any]) -> bool:
    """Has the comparison an opposite?  Not with floats: NaN is neither less nor not less."""
    if term[0] in ("==", "!="):
        return True
    try:
        kinds = {type(evaluate(part, values)) for part in term[1:]}
    except Exception:  # noqa: BLE001 - it raises here, so nothing is known of its type
        return False
    return kinds <= {int, bool} or kinds <= {str} or kinds <= {bytes}


def _operand_text(term: Term, names: Sequence[str], binding: int) -> str:
    text, own = _bound_text(term, names)
    return text if own >= binding else f"({text})"


def _bound_text(term: Term, names: Sequence[str]) -> BoundText:
    if type(term) is not tuple:
        negative = isinstance(term, int | float) and repr(term).startswith("-")
        return repr(term), _SIGN if negative else _ATOM
    name, parts = term[0], term[1:]
    if name == VARIABLE:
        return names[parts[0]], _ATOM
    if name in _BINARY and len(parts) == 2:  # noqa: PLR2004
        return _binary_text(name, parts, names), _BINARY[name]
    if name in _SIGNS:
        return _SIGNS[name] + _operand_text(parts[0], names, _SIGN), _SIGN
    special = _SPECIAL.get(name)
    if special is not None:
        return special(parts, names), _ATOM
    kind, dot, method = name.partition(".")
    if dot and kind in ("str", "bytes", "int", "float", "Match"):
        receiver = _operand_text(parts[0], names, _ATOM)
        return f"{receiver}.{method}({_arguments_text(parts[1:], names)})", _ATOM
    return f"{name}({_arguments_text(parts, names)})", _ATOM


def _binary_text(name: str, parts: Sequence[Term], names: Sequence[str]) -> str:
    binding = _BINARY[name]
    left = binding + 1 if binding == _COMPARE else binding
    right = binding + 1
    if name == "**":
        left, right = _ATOM, _SIGN
    return f"{_operand_text(parts[0], names, left)} {name} {_operand_text(parts[1], names, right)}"


def _arguments_text(parts: Sequence[Term], names: Sequence[str]) -> str:
    return ", ".join(_bound_text(part, names)[0] for part in parts)


def _item_text(parts: Sequence[Term], names: Sequence[str]) -> str:
    return f"{_operand_text(parts[0], names, _ATOM)}[{_arguments_text(parts[1:2], names)}]"


def _slice_text(parts: Sequence[Term], names: Sequence[str]) -> str:
    start, stop, step = [
        ("" if part is None else _bound_text(part, names)[0]) for part in parts[1:4]
    ]
    tail = f":{step}" if step else ""
    return f"{_operand_text(parts[0], names, _ATOM)}[{start}:{stop}{tail}]"


def _tuple_text(parts: Sequence[Term], names: Sequence[str]) -> str:
    return f"({_arguments_text(parts, names)}{',' if len(parts) == 1 else ''})"


def _regex_text(name: str) -> Callable[[Sequence[Term], Sequence[str]], str]:
    def text(parts: Sequence[Term], names: Sequence[str]) -> str:
        pattern, _flags, *rest = parts
        return f"re.{name}({_arguments_text([pattern, *rest], names)})"

    return text


_SPECIAL: Final[Mapping[str, Callable[[Sequence[Term], Sequence[str]], str]]] = {
    "[]": _item_text,
    "[:]": _slice_text,
    "tuple": _tuple_text,
    "list": lambda parts, names: f"[{_arguments_text(parts, names)}]",
    "truth": lambda parts, names: f"bool({_arguments_text(parts, names)})",
    "kind": lambda parts, names: f"type({_arguments_text(parts, names)}).__name__",
    **{
        f"re.{name}": _regex_text(name)
        for name in ("match", "fullmatch", "search", "findall", "split", "sub")
    },
}  # fmt: skip
