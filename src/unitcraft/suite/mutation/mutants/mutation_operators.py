"""Mutation operators: each turns one node of a syntax tree into slightly different nodes.

Invariant: an operator yields new nodes and leaves the given node unchanged; its ``examples`` are
(before, afters) source texts that the shared conformance test runs, so that an operator is tested
by being listed.

The families are the usual ones of mutation analysis, restricted to changes of a single expression
or statement.

Source: MUTATION; *differs*: the operators are for Python, and mutants with the byte code of the
original or of another mutant are dropped.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

Examples = tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Operator:
    """``apply`` yields the variants of a node; it yields nothing where it does not fit."""

    name: str
    apply: Callable[[ast.AST], Iterator[ast.AST]]
    examples: Examples


_ARITHMETIC: Final[Mapping[type[ast.operator], type[ast.operator]]] = MappingProxyType(
    {
        ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult,
        ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.LShift: ast.RShift,
        ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
        ast.BitXor: ast.BitAnd, ast.MatMult: ast.Mult,
    }
)  # fmt: skip
_COMPARISON: Final[Mapping[type[ast.cmpop], tuple[type[ast.cmpop], ...]]] = MappingProxyType(
    {
        ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
        ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,),
        ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
    }
)  # fmt: skip


#: Functions that answer a truth value.
TRUTH_CALLS: Final = frozenset(
    ("all", "any", "bool", "callable", "hasattr", "isinstance", "issubclass")
)
#: Methods that give a text in another form, which many texts have already.
TEXT_FORMS: Final = frozenset(
    ("strip", "lstrip", "rstrip", "lower", "upper", "casefold", "title", "capitalize", "swapcase",
     "expandtabs")
)  # fmt: skip


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes))
    )


def arithmetic(node: ast.AST) -> Iterator[ast.AST]:
    """Another arithmetic or bit operator."""
    if isinstance(node, ast.BinOp) and not (_is_text(node.left) or _is_text(node.right)):
        swap = _ARITHMETIC.get(type(node.op))
        if swap is not None:
            yield ast.BinOp(node.left, swap(), node.right)
    elif isinstance(node, ast.AugAssign) and not _is_text(node.value):
        swap = _ARITHMETIC.get(type(node.op))
        if swap is not None:
            yield ast.AugAssign(node.target, swap(), node.value)
    elif isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
        yield node.operand


def comparison(node: ast.AST) -> Iterator[ast.AST]:
    """A neighbouring and an opposite comparison, for each operator of a chain."""
    if not isinstance(node, ast.Compare):
        return
    for position, operator in enumerate(node.ops):
        for swap in _COMPARISON.get(type(operator), ()):
            ops = [*node.ops[:position], swap(), *node.ops[position + 1 :]]
            yield ast.Compare(node.left, ops, node.comparators)


def connective(node: ast.AST) -> Iterator[ast.AST]:
    """``and`` for ``or``, an operand left out, a ``not`` removed."""
    if isinstance(node, ast.BoolOp):
        other: ast.boolop = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield ast.BoolOp(other, node.values)
        for position in range(len(node.values)):
            rest = node.values[:position] + node.values[position + 1 :]
            yield rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand


def condition(node: ast.AST) -> Iterator[ast.AST]:
    """A negated test of if, a conditional expression, a comprehension or a case.

    A test of a comprehension is left out, too: that is told only by an item which it keeps out.
    """
    if isinstance(node, ast.If):
        yield ast.If(_negated(node.test), node.body, node.orelse)
    elif isinstance(node, ast.IfExp):
        yield ast.IfExp(_negated(node.test), node.body, node.orelse)
    elif isinstance(node, ast.comprehension):
        for position, test in enumerate(node.ifs):
            before, after = node.ifs[:position], node.ifs[position + 1 :]
            for put in ([_negated(test)], []):
                ifs = [*before, *put, *after]
                yield ast.comprehension(node.target, node.iter, ifs, node.is_async)
    elif isinstance(node, ast.match_case) and node.guard is not None:
        yield ast.match_case(node.pattern, _negated(node.guard), node.body)


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def constant(node: ast.AST) -> Iterator[ast.AST]:
    """A neighbouring number, the other sign of a fraction, the other boolean, a longer text."""
    if not isinstance(node, ast.Constant):
        return
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
        yield ast.Constant(value - 1)
    elif isinstance(value, float):
        yield ast.Constant(value + 1.0)
        if value:
            yield ast.Constant(-value)
    elif isinstance(value, str):
        yield ast.Constant(f"XX{value}XX" if value else "XX")
    elif isinstance(value, bytes):
        yield ast.Constant(b"XX" + value + b"XX" if value else b"XX")


def result(node: ast.AST) -> Iterator[ast.AST]:
    """``return None`` or ``yield None``, the negation of a truth value, what a call was given.

    ``return clean(text)`` is told from ``return text`` only by a text that is not clean.
    """
    if isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield ast.Return(ast.Constant(None))
        if _is_truth(node.value):
            yield ast.Return(_negated(node.value))
        yield from map(ast.Return, _given(node.value))
    elif isinstance(node, ast.Yield) and node.value is not None:
        yield ast.Yield(ast.Constant(None))
    elif isinstance(node, ast.Lambda) and not isinstance(node.body, ast.Constant):
        yield ast.Lambda(node.args, ast.Constant(None))


def _given(node: ast.expr) -> Iterator[ast.expr]:
    """The variables that a call is given, and the one whose method it calls."""
    match node:
        case ast.Call(ast.Name(name)) if name in TRUTH_CALLS:
            return
        case ast.Call(function, args):
            receiver = [function.value] if isinstance(function, ast.Attribute) else []
            yield from (one for one in (*receiver, *args) if _is_variable(one))


def _is_variable(node: ast.expr) -> bool:
    """Is it a name, but neither that of a class nor the object's own?"""
    return isinstance(node, ast.Name) and node.id.islower() and node.id not in ("self", "cls")


def _is_truth(node: ast.expr) -> bool:
    """Is it certain to be a truth value, or as good as one?"""
    match node:
        case ast.Compare() | ast.BoolOp() | ast.UnaryOp(ast.Not()):
            return True
        case ast.Call(ast.Name(name)):
            return name in TRUTH_CALLS
        case _:
            return False


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def statement(node: ast.AST) -> Iterator[ast.AST]:
    """A statement left out: a call, a deletion, a raise, an assertion, an assignment."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, (ast.Expr, ast.Delete, ast.Raise, ast.Assert, ast.AugAssign)) or (
        isinstance(node, ast.Assign | ast.AnnAssign) and not _unbinds(node)
    ):
        yield ast.Pass()


def _unbinds(node: ast.Assign | ast.AnnAssign) -> bool:
    """Would a name be unbound without the assignment?  Not if the value reads that name.

    What only declares a type assigns nothing.
    """
    if node.value is None:
        return True
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    if not isinstance(target, ast.Name):
        return isinstance(target, ast.Tuple)
    read = [one for one in ast.walk(node.value) if isinstance(one, ast.Name)]
    return all(one.id != target.id for one in read)


def flow(node: ast.AST) -> Iterator[ast.AST]:
    """Loops that never run or run once, break and continue exchanged, handlers that re-raise.

    Both are left out too: where more of the loop's body follows, that runs then.
    """
    if isinstance(node, ast.Break):
        yield ast.Continue()
        yield ast.Pass()
    elif isinstance(node, ast.Continue):
        yield ast.Break()
        yield ast.Pass()
    elif isinstance(node, ast.While):
        yield ast.While(ast.Constant(value=False), node.body, node.orelse)
        yield from _once(node)
    elif isinstance(node, ast.For):
        empty = ast.Tuple([], ast.Load())
        yield ast.For(node.target, empty, node.body, node.orelse)
        yield from _once(node)
    elif isinstance(node, ast.ExceptHandler) and not isinstance(node.body[0], ast.Raise):
        yield ast.ExceptHandler(node.type, node.name, [ast.Raise()])


def _once(node: ast.While | ast.For) -> Iterator[ast.AST]:
    if isinstance(node.body[-1], (ast.Return, ast.Raise, ast.Break)):
        return
    body = [*node.body, ast.Break()]
    if isinstance(node, ast.While):
        yield ast.While(node.test, body, node.orelse)
    else:
        yield ast.For(node.target, node.iter, body, node.orelse)


def call(node: ast.AST) -> Iterator[ast.AST]:
    """Arguments exchanged, replaced by None, keyword arguments left out."""
    if not isinstance(node, ast.Call):
        return
    args = node.args
    is_unpacked = any(isinstance(arg, ast.Starred) for arg in args)
    for position in range(0 if is_unpacked else min(2, len(args) - 1)):
        if ast.dump(args[position]) != ast.dump(args[position + 1]):
            pair = [args[position + 1], args[position]]
            yield ast.Call(node.func, args[:position] + pair + args[position + 2 :], node.keywords)
    for position, arg in enumerate(args[:3]):
        if not isinstance(arg, ast.Constant | ast.Starred):
            given = [*args[:position], ast.Constant(None), *args[position + 1 :]]
            yield ast.Call(node.func, given, node.keywords)
    for position, keyword in enumerate(node.keywords[:3]):
        if keyword.arg is not None:
            rest = node.keywords[:position] + node.keywords[position + 1 :]
            yield ast.Call(node.func, args, rest)


def text_method(node: ast.AST) -> Iterator[ast.AST]:
    """``text.strip()`` -> ``text``, for methods that give a text in another form."""
    match node:
        case ast.Call(ast.Attribute(text, name)) if name in TEXT_FORMS:
            yield text


def order(node: ast.AST) -> Iterator[ast.AST]:
    """``sorted(items)`` -> ``list(items)``, ``reversed(items)`` -> ``iter(items)``.

    What is in order already, or the same from both ends, does not tell them apart.
    """
    match node:
        case ast.Call(ast.Name("sorted"), [items]):
            yield ast.Call(ast.Name("list", ast.Load()), [items], [])
        case ast.Call(ast.Name("reversed"), [items], []):
            yield ast.Call(ast.Name("iter", ast.Load()), [items], [])


def index(node: ast.AST) -> Iterator[ast.AST]:
    """A slice bound left out or moved, an index moved or taken from the other end."""
    if not isinstance(node, ast.Subscript):
        return
    part = node.slice
    if isinstance(part, ast.Slice):
        yield from (_sliced(node, made) for made in _other_slices(part))
    elif isinstance(part, (ast.BinOp, ast.UnaryOp)):
        yield _sliced(node, _next(part))
    elif isinstance(part, ast.Constant) and type(part.value) is int:
        yield _sliced(node, ast.Constant(-1 - part.value))


def _other_slices(part: ast.Slice) -> Iterator[ast.Slice]:
    """``part`` without each of its bounds, and with each that is computed moved by one."""
    if part.lower is not None:
        yield ast.Slice(None, part.upper, part.step)
    if part.upper is not None:
        yield ast.Slice(part.lower, None, part.step)
    if part.step is not None:
        yield ast.Slice(part.lower, part.upper, None)
    if part.lower is not None and not isinstance(part.lower, ast.Constant):
        yield ast.Slice(_next(part.lower), part.upper, part.step)
    if part.upper is not None and not isinstance(part.upper, ast.Constant):
        yield ast.Slice(part.lower, _next(part.upper), part.step)


def _next(bound: ast.expr) -> ast.expr:
    return ast.BinOp(bound, ast.Add(), ast.Constant(1))


def _sliced(node: ast.Subscript, part: ast.expr) -> ast.AST:
    return ast.Subscript(node.value, part, node.ctx)


OPERATORS: Final[tuple[Operator, ...]] = (
    Operator("arithmetic", arithmetic, (("a + b", ("a - b",)), ("-a", ("a",)), ("'x' + b", ()))),
    Operator(
        "comparison",
        comparison,
        (("a < b", ("a <= b", "a >= b")), ("a is b", ("a is not b",))),
    ),
    Operator("connective", connective, (("a and b", ("a or b", "b", "a")), ("not a", ("a",)))),
    Operator(
        "condition", condition, (("1 if a else 2", ("1 if not a else 2",)), ("a", ()))
    ),
    Operator("constant", constant, (("1", ("2", "0")), ("1.5", ("2.5", "-1.5")),
                                    ("True", ("False",)), ("''", ("'XX'",)))),
    Operator(
        "result",
        result,
        (("return a < b", ("return None", "return not a < b")), ("return", ()),
         ("return isinstance(a, b)", ("return None", "return not isinstance(a, b)")),
         ("return f(a)", ("return None", "return a")),
         ("return a.f(self, B)", ("return None", "return a"))),
    ),
    Operator("statement", statement, (("f()", ("pass",)), ("x = 1", ()), ("x = f(x)", ("pass",)),
                                      ("x.y = 1", ("pass",)), ("x.y: int = 1", ("pass",)),
                                      ("x.y: int", ()), ("x: int = 1", ()))),
    Operator(
        "flow", flow, (("while a:\n    f()", ("while False:\n    f()",
                                             "while a:\n    f()\n    break")),
                       ("continue", ("break", "pass")), ("break", ("continue", "pass")))
    ),
    Operator("call", call, (("f(a, b)", ("f(b, a)", "f(None, b)", "f(a, None)")),
                            ("f(x=1)", ("f()",)), ("f(a, *b, x=1)", ("f(None, *b, x=1)",
                                                                     "f(a, *b)")))),
    Operator("text method", text_method, (("a.strip()", ("a",)), ("a.find('b')", ()))),
    Operator("order", order, (("sorted(a, key=b)", ("list(a)",)), ("reversed(a)", ("iter(a)",)),
                              ("sorted()", ()))),
    Operator("index", index, (("a[1:]", ("a[:]",)), ("a[:n]", ("a[:]", "a[:n + 1]")),
                              ("a[-1]", ("a[-1 + 1]",)), ("a[1]", ("a[-2]",)))),
)  # fmt: skip
