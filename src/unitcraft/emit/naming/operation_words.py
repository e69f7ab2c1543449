"""Words for what a Call does: the verb for an operator, for what is set or looked at.

Invariant: the words are of the Call alone.
"""

from __future__ import annotations

from typing import Final

from unitcraft.core.operators import SPECIAL_METHODS
from unitcraft.core.sequences import Call
from unitcraft.emit.code.subject_index import words

#: Looks at an object that a name lists.
MAX_OBSERVED: Final = 2

#: Operator -> the verb for it in a test name.
_OPERATIONS: Final = {
    "==": "equal", "!=": "not_equal", "<": "less_than", "<=": "at_most", ">": "greater_than",
    ">=": "at_least", "+": "add", "-": "subtract", "*": "multiply", "/": "divide",
    "//": "floor_divide", "%": "modulo", "**": "power", "@": "matmul", "<<": "shift_left",
    ">>": "shift_right", "&": "intersect", "|": "unite", "^": "differ", "in": "contains",
    "neg": "negate", "pos": "plus", "invert": "invert", "[]": "get_item", "[]=": "set_item",
    "del[]": "delete_item", "del.": "delete", "getattr": "get_attribute",
    "setattr": "set_attribute", "call": "call", "with": "enter",
    "async with": "enter", "async for": "iterate",
    "with raise": "exit_with_error", "list": "iterate", "iter": "iterate", "round2": "round",
    "each": "iterate", "bool": "truth",
}  # fmt: skip


def operation_words(last: Call, name: str) -> str:
    """The verb for a special method."""
    if name == "__hash__":
        return "hash_of_equals" if last.name == "==" else "hash"
    operator = last.name if last.kind == "operator" else SPECIAL_METHODS[name][0]
    if operator in _OPERATIONS:
        return _OPERATIONS[operator]
    if operator[:-1] in _OPERATIONS:
        return f"{_OPERATIONS[operator[:-1]]}_in_place"
    return words(operator)


def observed_words(looks: list[Call], noun: str) -> str:
    """What a test looks at of an object, in the order of its Checks: ``iterate_and_len``."""
    if all(look.kind == "get" for look in looks):
        return f"{noun}_attributes"
    told = list(
        dict.fromkeys(
            operation_words(look, "__call__") if look.kind == "operator" else words(look.name)
            for look in looks
        )
    )
    return "_and_".join(told) if len(told) <= MAX_OBSERVED else f"{noun}_state"
