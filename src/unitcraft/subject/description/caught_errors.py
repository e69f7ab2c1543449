"""The exceptions that code expects of what it calls: ``try: fetch(url) except TimeoutError: ...``.

What is in such a handler runs only where the call raises, and no argument makes a stand-in raise:
the test has to have it raised.  An exception that wrong arguments cause is left to the arguments.
A manager that swallows, translates or undoes shows that only where the block of a ``with``
statement raises what it names: in a handler around its ``yield``, or in its ``__exit__``.
Methods of collaborators that never return end the program, or always raise; what stands in for such
an object does the same, so that no test shows what comes after a call that nothing comes after.

Invariant: nothing is run, no class called; the order is that of the source.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType
from typing import Any, Final

from unitcraft.core.sequences import Arg, Build, Const, Symbol
from unitcraft.subject import static_lookup
from unitcraft.subject.description_context import DescriptionContext
from unitcraft.subject.model import CaughtError
from unitcraft.subject.scopes import callee_name, walk_scopes
from unitcraft.subject.source_files import only_refuses

#: Exceptions of handlers that a wrong argument, key or index leads to.
_BY_ARGUMENTS: Final = (
    AttributeError, IndexError, KeyError, NameError, StopAsyncIteration, StopIteration, TypeError,
    UnicodeError,
)  # fmt: skip
#: Exceptions without a message: what ends a process is no text.
_BARE: Final = (KeyboardInterrupt,)
_MESSAGE: Final = Const("message")
_NESTED: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
#: The method that is told what the block raised.
_EXIT: Final = ("__exit__", "__aexit__")
#: Functions that ask for the class of something.
_ASKING: Final = ("issubclass", "isinstance")
#: Classes that one handler names, of which a call raises one: the others read alike.
MAX_CLASSES: Final = 2
#: Calls that end the program, as code writes them.
_EXITS: Final = frozenset(("sys.exit", "os._exit", "exit", "quit"))
#: What functions are annotated with that never return.
_NEVER: Final = frozenset(("NoReturn", "Never"))
#: Methods that end by one another: a bound for those that call themselves.
MAX_HANDED_ON: Final = 3


def caught_errors(view: DescriptionContext, tree: ast.Module) -> Iterator[CaughtError]:
    """One for each call in the body of a ``try`` statement and each class that is caught."""
    for node, scope in walk_scopes(tree):
        if not isinstance(node, ast.Try) or not scope:
            continue
        calls = [one for statement in node.body for one in _calls(statement)]
        for handler in node.handlers:
            for error in _errors(view, handler):
                home = f"{error.callee.module}:{error.callee.qualname}"
                for call in calls:
                    yield CaughtError(scope, _position_of(call), callee_name(call), home, error)


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    if isinstance(node, _NESTED):
        return
    if isinstance(node, ast.Call):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _calls(child)


def _position_of(node: ast.Call) -> tuple[int, int, int, int]:
    last, right = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return (node.lineno, last, node.col_offset, right)


def _errors(view: DescriptionContext, handler: ast.ExceptHandler) -> Iterator[Build]:
    """Exceptions that ``handler`` catches, at most ``MAX_CLASSES``, as a test makes them.

    Of a handler of all a RuntimeError: a test that expects any Exception says little.
    """
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    caught = [Exception if one is None else resolve_name(view, one) for one in named]
    classes = [
        RuntimeError if any(one is base for base in (Exception, BaseException)) else one
        for one in caught
    ]
    found = 0
    for cls in classes:
        made = _exception(view, cls) if found < MAX_CLASSES else None
        if made is not None:
            found += 1
            yield made


def resolve_name(view: DescriptionContext, node: ast.expr) -> Any:
    """What a dotted name stands for in the module; None for anything else."""
    if isinstance(node, ast.Name):
        known = view.names.get(node.id)
        return static_lookup.resolve("builtins", node.id) if known is None else known
    if isinstance(node, ast.Attribute):
        value = resolve_name(view, node.value)
        if static_lookup.is_class(value):
            found = static_lookup.lookup(value, node.attr)
            return found[0] if found is not None else None
        return static_lookup.module_dict(value).get(node.attr) if value is not None else None
    return None


def _exception(view: DescriptionContext, cls: Any) -> Build | None:
    """A call of the class ``cls``; None if it is no exception that a callee raises by itself."""
    if not static_lookup.is_class(cls) or BaseException not in static_lookup.mro(cls):
        return None
    bases = static_lookup.mro(cls)
    if not set(bases) & {Exception, *_BARE} or set(bases) & set(_BY_ARGUMENTS):
        return None
    return made_error(view, cls)


def made_error(view: DescriptionContext, cls: Any) -> Build | None:
    """A call of the exception ``cls``; None if no test can name it."""
    symbol = view.homes.symbol(cls)
    return None if symbol is None else Build(symbol, tuple(_arguments(cls)))


def _arguments(cls: type) -> Iterator[Arg]:
    """A message, and None for what else the constructor requires."""
    if cls in _BARE:
        return
    yield _MESSAGE
    found = static_lookup.lookup(cls, "__init__")
    if found is not None and isinstance(found[0], FunctionType):
        code, defaults = found[0].__code__, found[0].__defaults__ or ()
        required = code.co_argcount - 1 - len(defaults)
        yield from [Const(None)] * max(0, required - 1)


def block_errors(view: DescriptionContext, tree: ast.Module) -> dict[str, tuple[Build, ...]]:
    """Scope of what makes the manager, or enters it -> errors that its block may raise."""
    found: dict[str, dict[Build, None]] = {}
    for node, scope in walk_scopes(tree):
        for cls in _classes(view, node, scope):
            error = made_error(view, cls)
            if error is not None:
                found.setdefault(_entered_by(scope), {})[error] = None
    return {scope: tuple(errors) for scope, errors in found.items()}


def _entered_by(scope: str) -> str:
    """The scope whose Call enters the block that ``scope`` leaves."""
    owner, _, name = scope.rpartition(".")
    return f"{owner}.{name.replace('exit', 'enter')}" if name in _EXIT else scope


def _classes(view: DescriptionContext, node: ast.AST, scope: str) -> Iterator[Any]:
    """The classes that ``node`` looks for in what a block raises."""
    if isinstance(node, ast.Try) and any(_yields(one) for one in node.body):
        for handler in node.handlers:
            yield from _named(view, handler.type)
    if scope.rpartition(".")[2] not in _EXIT:
        return
    match node:
        case ast.Call(ast.Name(name), [_, asked]) if name in _ASKING:
            yield from _named(view, asked)
        case ast.Compare(ast.Name(), [ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq()], [other]):
            yield from _named(view, other)


def _yields(statement: ast.stmt) -> bool:
    return any(isinstance(one, ast.Yield) for one in ast.walk(statement))


def _named(view: DescriptionContext, node: ast.expr | None) -> Iterator[Any]:
    """The exceptions that an expression names, one or a tuple of them."""
    for one in node.elts if isinstance(node, ast.Tuple) else [node] if node is not None else []:
        cls = resolve_name(view, one)
        if static_lookup.is_class(cls) and issubclass(cls, Exception):
            yield cls


def ending_methods(view: DescriptionContext, tree: ast.Module) -> Iterator[tuple[str, Symbol]]:
    """(name, exception) of the methods that ``tree`` calls and imported classes never return from.

    Where two classes have a method of that name, both have to end.
    """
    called = {
        node.func.attr: None
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    classes = [one for one in view.names.values() if _is_imported(view, one)]
    for name in called:
        having = [cls for cls in classes if static_lookup.lookup(cls, name) is not None]
        ends = [_end_of(view, cls, name, 0) for cls in having]
        if ends and all(ends) and ends[0] is not None:
            symbol = view.homes.symbol(ends[0])
            if symbol is not None:
                yield name, symbol


def _is_imported(view: DescriptionContext, value: Any) -> bool:
    return static_lookup.is_class(value) and static_lookup.module_name(value) not in (
        view.module, "builtins",
    )  # fmt: skip


def _end_of(view: DescriptionContext, cls: type, name: str, depth: int) -> type | None:
    """The exception in which every call of the method ends; None if it may return."""
    found = static_lookup.lookup(cls, name)
    if found is None or type(found[0]) is not FunctionType or depth > MAX_HANDED_ON:
        return None
    function = found[0]
    node = view.sources.function(function.__code__)
    if not isinstance(node, ast.FunctionDef) or only_refuses(node) or _may_return(node):
        return None
    match node.body[-1]:
        case ast.Raise(ast.Call(ast.Name(error)) | ast.Name(error)):
            return _bare_exception(function.__globals__.get(error))
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(owner), other))) if _is_first(node, owner):
            return _end_of(view, cls, other, depth + 1)
        case ast.Expr(ast.Call(func)) if ast.unparse(func) in _EXITS:
            return SystemExit
    return SystemExit if node.returns is not None and _says_never(node.returns) else None


def _may_return(function: ast.FunctionDef) -> bool:
    """Has it a ``return`` or a ``yield`` of its own?"""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, _NESTED):
            waiting.extend(ast.iter_child_nodes(node))
    return False


def _is_first(function: ast.FunctionDef, name: str) -> bool:
    return bool(function.args.args) and function.args.args[0].arg == name


def _says_never(annotation: ast.expr) -> bool:
    return ast.unparse(annotation).rpartition(".")[2].strip("'\"") in _NEVER


def _bare_exception(cls: Any) -> type | None:
    """``cls`` if it is an exception of the project that takes no arguments of its own."""
    if not static_lookup.is_class(cls) or Exception not in static_lookup.mro(cls):
        return None
    found = static_lookup.lookup(cls, "__init__")
    return cls if found is not None and type(found[0]) is not FunctionType else None
