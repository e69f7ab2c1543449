"""Contracts in the form of ``assert``: who broke one, the caller of a function or its own code?

The asserts at the beginning of a function or method, before anything is computed or changed, and
those that read nothing but its arguments (attributes of them that the module changes nowhere,
too) are its preconditions: where a call of the function itself fails there, the caller broke
them.  Any other assert that fails after valid calls, the precondition of a callee among them, was
broken by the code.

Invariant: an ``assert`` counts as a precondition of the outermost function around it alone.

Source: JTESTCRAFT, section 6.1.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from unitcraft.core.goals import Family, Goal
from unitcraft.subject.scopes import word_set
from unitcraft.subject.source_files import parse, read_source

if TYPE_CHECKING:
    from unitcraft.explore.execution import Execution
    from unitcraft.subject.model import Invocable, Subject

#: What a violated assert says: the caller passed what it must not, or the code is wrong.
Blame = Literal["", "caller", "code"]

#: Functions that look at an argument and compute nothing.
_LOOKS: Final = word_set("len type isinstance issubclass hasattr getattr callable")
#: Methods in which an object is made: their asserts are about the arguments of the constructor.
_MAKERS: Final = word_set("__init__ __new__ __post_init__")
#: The receiver of a method, whose fields are not what a caller passes.
_RECEIVERS: Final = word_set("self cls")
#: Statements that compute nothing.
_IDLE: Final = (ast.Pass, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Return,
                ast.Raise, ast.Assert)  # fmt: skip
#: Nodes of an expression that only looks.
_LOOKING: Final = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Compare, ast.BoolOp,
                   ast.UnaryOp, ast.Tuple, ast.expr_context, ast.cmpop, ast.boolop,
                   ast.unaryop)  # fmt: skip

#: In place of the name of a function: the assert is no precondition.
_LATER: Final = ""


class Contracts:
    """The asserts of the module of ``subject``."""

    def __init__(self, subject: Subject) -> None:
        self._module = subject.module
        self._asserts = assert_lines(read_source(subject.file))
        self._invocables = {one.id: one for one in subject.invocables}
        self._stored = {one.name for one in subject.invocables if one.kind == "property"}

    def blame(self, invocable: Invocable | None, type_: str, module: str, line: int) -> Blame:
        """Who broke the assert that raised ``type_`` there; '' where none did."""
        if type_ != "builtins:AssertionError" or module != self._module:
            return ""
        maker = self._asserts.get(line)
        if maker is None:
            return ""
        if invocable is None or maker == _LATER:
            return "code"
        is_own = invocable.module == module and invocable.first <= line <= invocable.last
        is_made = invocable.kind == "constructor" and maker in _MAKERS
        return "caller" if is_own or is_made else "code"

    def goals_of(self, run: Execution) -> list[Goal]:
        """The Goal of an assert that the code broke by itself; [] for any other run.

        A run whose test stores into a field says nothing: the state is the test's own.
        """
        failed = run.failed
        if failed is None or failed.inside != 2:  # noqa: PLR2004 - see RunFailure
            return []
        called = self._invocables.get(run.invocable)
        if self.blame(called, failed.type, failed.module, failed.line) != "code":
            return []
        if any(call.kind == "set" and call.name not in self._stored for call in run.sequence.calls):
            return []
        return [Goal(Family.CONTRACT, failed.line, failed.module)]


@lru_cache(maxsize=8)
def assert_lines(source: str) -> dict[int, str]:
    """Line of an assert -> the name of the function whose precondition it is, or ''."""
    tree = parse(source)
    lines: dict[int, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            lines.update(dict.fromkeys(_span(node), _LATER))
    changing = _changing_attributes(tree)
    for function in _outermost(tree.body):
        for node in [*_argument_checks(function, changing), *_part_checks(function)]:
            lines.update(dict.fromkeys(_span(node), function.name))
        making = function.name in _MAKERS
        body = [one for one in function.body if not (making and _only_keeps(one))]
        for node in _preconditions(body):
            lines.update(dict.fromkeys(_span(node), function.name))
    return lines


def _span(node: ast.Assert) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _outermost(body: Iterable[ast.stmt]) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions of a module, and the methods of its classes."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        elif isinstance(node, ast.ClassDef | ast.If | ast.Try):
            yield from _outermost([one for one in ast.iter_child_nodes(node)
                                   if isinstance(one, ast.stmt)])  # fmt: skip


def _preconditions(body: Iterable[ast.stmt]) -> Iterator[ast.Assert]:
    """The asserts before the first statement that computes or changes something."""
    for node in body:
        if _only_defines(node):
            continue
        if not _only_looks(node):
            return
        yield from [one for one in ast.walk(node) if isinstance(one, ast.Assert)]


def _changing_attributes(tree: ast.Module) -> frozenset[str]:
    """Attributes that the module stores or computes: what an argument shows of them may change."""
    shown = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    stored = {node.attr for node in shown if not isinstance(node.ctx, ast.Load)}
    defined = (ast.FunctionDef, ast.AsyncFunctionDef)
    return frozenset(stored | {node.name for node in ast.walk(tree) if isinstance(node, defined)})


def _argument_checks(
    function: ast.FunctionDef | ast.AsyncFunctionDef, changing: frozenset[str]
) -> Iterator[ast.Assert]:
    """The asserts, wherever they stand, that read nothing but arguments as they were passed."""
    args = function.args
    names = {one.arg for one in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    stored: dict[str, int] = {}
    inner: set[ast.AST] = set()
    found: list[ast.Assert] = []
    for node in ast.walk(function):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node is not function:
            inner.update(ast.walk(node))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            stored[node.id] = min(node.lineno, stored.get(node.id, node.lineno))
        if isinstance(node, ast.Assert):
            found.append(node)
    for one in found:
        parts = list(_parts(one.test))
        read = {node.id for node in parts if isinstance(node, ast.Name)} - _LOOKS
        shown = [node for node in parts if isinstance(node, ast.Attribute)]
        is_plain = _is_look(one.test) and not (shown and read & _RECEIVERS)
        is_plain = is_plain and not any(node.attr in changing for node in shown)
        is_plain = is_plain and not any(_is_handed_on(node, function, one) for node in shown)
        as_passed = {name for name in names if stored.get(name, one.lineno) >= one.lineno}
        if one not in inner and is_plain and read and read <= as_passed:
            yield one


def _part_checks(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[ast.Assert]:
    """The asserts that a part of an argument is of a class, for readers and type checkers.

    The part may have been converted on some ways to the assert: not on the one where it is of
    another class, or the conversion answers wrongly, for which no other assert is blamed here.
    """
    args = function.args
    given = {one.arg for one in (*args.posonlyargs, *args.args, *args.kwonlyargs)} - _RECEIVERS
    for node in _own_nodes(function):
        if isinstance(node, ast.For | ast.AsyncFor) and _reads_only(node.iter, given):
            given |= {one.id for one in ast.walk(node.target) if isinstance(one, ast.Name)}
        elif isinstance(node, ast.Assert) and isinstance(node.test, ast.Call):
            asked = node.test
            if _asks_class(asked) and _reads_only(asked.args[0], given):
                yield node


def _own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """The nodes below a function, without those of functions inside it."""
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield child
            yield from _own_nodes(child)


def _reads_only(value: ast.expr, names: set[str]) -> bool:
    """Does an expression look at these names and compute nothing?"""
    read = {one.id for one in ast.walk(value) if isinstance(one, ast.Name)} - _LOOKS
    return bool(read) and read <= names and _is_look(value)


def _parts(test: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a condition; the classes that ``isinstance`` asks for are no values of it."""
    yield test
    for child in ast.iter_child_nodes(test):
        if not (isinstance(test, ast.Call) and child in test.args[1:] and _asks_class(test)):
            yield from _parts(child)


def _asks_class(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id in ("isinstance", "issubclass")


def _is_handed_on(
    shown: ast.Attribute, function: ast.FunctionDef | ast.AsyncFunctionDef, check: ast.Assert
) -> bool:
    """Does a call above the check get the object that has this attribute, and may it change it?"""
    path = f"{ast.unparse(shown)}."
    calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
    for call in calls:
        if call.lineno < check.lineno and not _is_look(call):
            given = [*call.args, *(one.value for one in call.keywords)]
            given += [call.func.value] if isinstance(call.func, ast.Attribute) else []
            if any(path.startswith(f"{ast.unparse(one)}.") for one in given):
                return True
    return False


def _only_keeps(node: ast.stmt) -> bool:
    """Does a statement of a constructor store an argument, or have a base do so?"""
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return all(isinstance(one, ast.Attribute) for one in targets) and (
            node.value is None or _is_look(node.value)
        )
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and ast.unparse(call.func) == "super().__init__"


def _only_defines(node: ast.stmt) -> bool:
    """Does a statement name a function for later, whose own asserts are not of this one?"""
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.decorator_list


def _only_looks(node: ast.stmt) -> bool:
    """Does a statement check, look or leave, and nothing else?"""
    if isinstance(node, ast.If | ast.For):
        return all(map(_only_looks, [*node.body, *node.orelse]))
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return all(isinstance(one, ast.Name) for one in node.targets) and _is_look(node.value)
    if isinstance(node, ast.AnnAssign):
        is_name = isinstance(node.target, ast.Name)
        return is_name and (node.value is None or _is_look(node.value))
    return isinstance(node, _IDLE)


def _is_look(value: ast.expr) -> bool:
    return all(
        isinstance(node, _LOOKING)
        or (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in _LOOKS
        )
        for node in ast.walk(value)
    )
