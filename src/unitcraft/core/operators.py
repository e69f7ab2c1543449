"""Operators that a Call may name, and the special method that implements each.

Invariant: a Call of kind ``operator`` means exactly the source text in
``OPERATORS``, evaluated by the interpreter; the reflected special methods are
reached by swapping operands, never by naming them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

#: Operator name -> source template; ``{0}`` is the first operand.  The names that end
#: in ``=`` or begin with ``del``, and ``setattr``, are statements and have no value.  What is
#: entered or iterated asynchronously is the operand itself: the statement is the continuation of
#: the Call.  ``list`` asks for the length first, ``each`` does not.
OPERATORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{op: f"{{0}} {op} {{1}}" for op in ("+", "-", "*", "/", "//", "%", "**", "@")},
        **{op: f"{{0}} {op} {{1}}" for op in ("<<", ">>", "&", "|", "^")},
        **{op: f"{{0}} {op} {{1}}" for op in ("==", "!=", "<", "<=", ">", ">=")},
        **{op: f"{{0}} {op} {{1}}" for op in ("+=", "-=", "*=", "/=", "//=", "%=", "**=")},
        **{op: f"{{0}} {op} {{1}}" for op in ("@=", "<<=", ">>=", "&=", "|=", "^=")},
        "itself": "{0}",
        "async with": "{0}",
        "async for": "{0}",
        "in": "{1} in {0}",
        "neg": "-{0}",
        "pos": "+{0}",
        "invert": "~{0}",
        "[]": "{0}[{1}]",
        "[]=": "{0}[{1}] = {2}",
        "del[]": "del {0}[{1}]",
        "getattr": "getattr({0}, {1})",
        "setattr": "setattr({0}, {1}, {2})",
        "del.": "del {0}.{1}",
        "call": "{0}({*})",
        "with": "with {0} as value: pass",
        "with raise": "with {0}: raise {1}",
        **{
            name: f"{name}({{0}})"
            for name in [
                "len",
                "str",
                "repr",
                "bytes",
                "bool",
                "int",
                "float",
                "complex",
                "hash",
                "abs",
                "list",
                "tuple",
                "set",
                "dict",
                "sorted",
                "reversed",
                "iter",
                "next",
                "dir",
                "round",
            ]
        },
        "divmod": "divmod({0}, {1})",
        "round2": "round({0}, {1})",
        "format": "format({0}, {1})",
        "trunc": "math.trunc({0})",
        "floor": "math.floor({0})",
        "ceil": "math.ceil({0})",
        "items": "list({0}.items())",
        "each": "[item for item in {0}]",
        "isinstance": "isinstance({0}, {1})",
        "copy": "copy.copy({0})",
        "deepcopy": "copy.deepcopy({0})",
        "pickle": "pickle.loads(pickle.dumps({0}))",
    }
)

#: Operators whose second operand is the name of an attribute.
OF_ATTRIBUTES: Final = ("getattr", "setattr", "del.")

#: Operators that give special methods what they need themselves: a memo, a state, a protocol.
OF_STATES: Final = ("copy", "deepcopy", "pickle")

#: Special method -> (operator, does the receiver stand on the right?).
SPECIAL_METHODS: Final[Mapping[str, tuple[str, bool]]] = MappingProxyType(
    {
        **{
            f"__{prefix}{name}__": (op + ("=" if prefix == "i" else ""), prefix == "r")
            for name, op in (
                ("add", "+"),
                ("sub", "-"),
                ("mul", "*"),
                ("truediv", "/"),
                ("floordiv", "//"),
                ("mod", "%"),
                ("pow", "**"),
                ("matmul", "@"),
                ("lshift", "<<"),
                ("rshift", ">>"),
                ("and", "&"),
                ("or", "|"),
                ("xor", "^"),
            )
            for prefix in ("", "r", "i")
        },
        "__eq__": ("==", False),
        "__ne__": ("!=", False),
        "__lt__": ("<", False),
        "__le__": ("<=", False),
        "__gt__": (">", False),
        "__ge__": (">=", False),
        "__contains__": ("in", False),
        "__neg__": ("neg", False),
        "__pos__": ("pos", False),
        "__invert__": ("invert", False),
        "__getitem__": ("[]", False),
        "__setitem__": ("[]=", False),
        "__delitem__": ("del[]", False),
        "__getattr__": ("getattr", False),
        "__getattribute__": ("getattr", False),
        "__setattr__": ("setattr", False),
        "__delattr__": ("del.", False),
        "__call__": ("call", False),
        "__enter__": ("with", False),
        "__aenter__": ("async with", False),
        "__aiter__": ("async for", False),
        "__len__": ("len", False),
        "__str__": ("str", False),
        "__repr__": ("repr", False),
        "__bytes__": ("bytes", False),
        "__bool__": ("bool", False),
        "__int__": ("int", False),
        "__float__": ("float", False),
        "__complex__": ("complex", False),
        "__hash__": ("hash", False),
        "__abs__": ("abs", False),
        "__iter__": ("list", False),
        "__reversed__": ("reversed", False),
        "__next__": ("next", False),
        "__divmod__": ("divmod", False),
        "__rdivmod__": ("divmod", True),
        "__round__": ("round", False),
        "__format__": ("format", False),
        "__trunc__": ("trunc", False),
        "__floor__": ("floor", False),
        "__ceil__": ("ceil", False),
        "__copy__": ("copy", False),
        "__deepcopy__": ("deepcopy", False),
        **{
            f"__{name}__": ("pickle", False)
            for name in ("getstate", "setstate", "reduce", "reduce_ex", "getnewargs")
        },
    }
)
