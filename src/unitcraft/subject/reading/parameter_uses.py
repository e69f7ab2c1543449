"""Static flow: what the code does with each parameter, read from the syntax tree of a function.

The rows are the operations that a duck probe would record (paths ``p``, ``p.x``, ``p[]``, ``p()``),
found without a run: also behind branches that no run took, and for fields that keep a parameter
until another method uses it.

Invariant: nothing is run; a use is ``certain`` only where the code neither tests the kind of the
parameter nor catches what a wrong kind raises, and before the parameter's name is bound again.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field, replace
from typing import Final

from unitcraft.subject.literal_args import (
    compares_characters,
    kind_of,
    literal_kind,
    local_kinds,
    put_in,
)
from unitcraft.subject.model import FORWARDED, ParameterUse
from unitcraft.subject.reading.node_operations import (
    ARGUMENT_KINDS,
    AWAITING,
    BINARY,
    BUILTINS,
    COMPARISONS,
    GIVES_ITEM,
    OVER_SECOND,
    READING,
    TESTS,
    UNARY,
    Callee,
    Callees,
    bound_inside,
    called_back,
    class_names,
    first_bindings,
    flags,
    formatted,
    head_of,
    is_broad,
    item_kept,
    item_of_lambda,
    loop_parts,
)
from unitcraft.subject.scopes import refusing_tests, uncopied
from unitcraft.subject.source_files import FunctionSource

#: Methods that only texts and bytes have, given some.
_TEXT_METHODS: Final = frozenset(
    name for name, kinds in ARGUMENT_KINDS.items() if kinds[0].startswith("str|bytes")
) - {"write"}
#: A use that asks whether a value is an iterator, and what containers have that those lack.
_IS_LAZY: Final = ("isinstance", "Iterator")
_OF_SIZED: Final = ("__len__", "__getitem__", "__contains__")
_STATEMENTS: Final = {ast.Await: "await", ast.Raise: "raise", ast.ExceptHandler: "catch"}
#: Uses kept of one function: a bound for generated code.
MAX_USES: Final = 200
#: Steps of a path for which uses are kept, as for probes.
MAX_STEPS: Final = 3


@dataclass(slots=True)
class Flow:
    """The walk over one function (mutable): known paths by name, and what was found.

    ``kept``: (field, as an item?) -> parameter.  ``shows_itself``: any value has a place in a text.
    ``kinds`` are those of local variables, as far as they are known.
    """

    function: FunctionSource
    receiver: str = ""
    paths: dict[str, str] = field(default_factory=dict)
    ends: dict[str, int] = field(default_factory=dict)
    tested: set[str] = field(default_factory=set)
    refusing: frozenset[ast.AST] = frozenset()
    rows: list[ParameterUse] = field(default_factory=list)
    kept: dict[tuple[str, bool], str] = field(default_factory=dict)
    caught: int = 0
    bound: set[str] = field(default_factory=set)
    kinds: dict[str, str] = field(default_factory=dict)
    shows_itself: bool = False
    callees: Callees = lambda *_: Callee()

    def note(
        self, path: str, operation: str, operand: str = "", arity: int = 0, *, certain: bool = True
    ) -> None:
        """Keep a use, unless the path is none or there are many."""
        if path and len(self.rows) < MAX_USES and path.count(".") + path.count("[") <= MAX_STEPS:
            certain = certain and not self.caught
            self.rows.append(
                ParameterUse(self.function.id, path, operation, operand, arity, certain)
            )


def walk_function(function: FunctionSource, callees: Callees) -> Flow:
    """What one function does with its parameters and with the fields of its receiver."""
    node = function.node
    named = [*node.args.posonlyargs, *node.args.args]
    receiver = named[0].arg if function.owner and named else ""
    if receiver in function.parameters:
        receiver = ""
    shows_itself = node.name in ("__str__", "__repr__", "__format__")
    flow = Flow(function, receiver, shows_itself=shows_itself, callees=callees)
    flow.paths = {name: name for name in (*function.parameters, *([receiver] if receiver else []))}
    names = {part.arg for part in (*named, *node.args.kwonlyargs)}
    fields = set(function.parameters) - names if receiver else set()
    flow.kept = {(name, False): name for name in function.parameters if name in fields}
    flow.ends = first_bindings(node.body, lambda called: _is_own(flow, called))
    flow.bound = bound_inside(node)
    flow.kinds = local_kinds(node)
    flow.refusing = frozenset(refusing_tests(node))
    flow.tested = flow.bound - set(flow.ends)
    for statement in node.body:
        _visit(flow, statement)
    for row in [*flow.rows]:
        source, _, answer = row.path.rpartition(".")
        if answer in READING and row.operand == "bytes" and row.operation in ("argument", "eq"):
            flow.note(source, "argument", "io:BytesIO")
    for name in flags(node, receiver):
        flow.note(name if head_of(name) in (*function.parameters, receiver) else "", "flag")
    if flow.tested:
        flow.rows = [
            replace(row, certain=False)
            if head_of(row.path) in flow.tested and row.operation != "isinstance"
            else row
            for row in flow.rows
        ]
    return flow


def _path(flow: Flow, node: ast.expr) -> str:
    """The path by which ``node`` is reached from a parameter or the receiver ('' if it is not)."""
    match uncopied(node):
        case ast.Name(id=name):
            if name in flow.paths and node.lineno <= flow.ends.get(name, node.lineno):
                return flow.paths[name]
            return flow.paths.get(name, "") if flow.paths.get(name, name) != name else ""
        case ast.Attribute(value=value, attr=name):
            inner = _path(flow, value)
            return f"{inner}.{name}" if inner else ""
        case ast.Subscript(value=value, slice=index):
            inner = _path(flow, value)
            return f"{inner}[]" if inner and not isinstance(index, ast.Slice) else inner
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in GIVES_ITEM:
            inner = _path(flow, value)
            return f"{inner}[]" if inner else ""
        case ast.Call(func=func):
            inner = _path(flow, func)
            return f"{inner}()" if inner else ""
    return ""


def _visit(flow: Flow, node: ast.AST) -> None:
    """Note what ``node`` and its descendants do, in source order; nested functions included."""
    if isinstance(node, ast.Try):
        broad = any(is_broad(handler) for handler in node.handlers)
        flow.caught += broad
        for statement in node.body:
            _visit(flow, statement)
        flow.caught -= broad
        for part in (*node.handlers, *node.orelse, *node.finalbody):
            _visit(flow, part)
        return
    _note_node(flow, node)
    children = [*ast.iter_child_nodes(node)]
    children.sort(key=lambda child: not isinstance(child, ast.comprehension))  # run first
    for child in children:
        _visit(flow, child)


def _note_node(flow: Flow, node: ast.AST) -> None:
    match node:
        case ast.Attribute(value=value, attr=name):
            flow.note(_path(flow, value), "attribute", name)
        case ast.Subscript(value=value, slice=index, ctx=ctx):
            operation = {ast.Store: "setitem", ast.Del: "delitem"}.get(type(ctx), "getitem")
            flow.note(_path(flow, value), operation, kind_of(index, flow.kinds))
        case ast.For(target=target, iter=over) | ast.comprehension(target=target, iter=over):
            _note_loop(flow, target, over)
        case ast.Assign(targets=[target], value=value):
            _note_binding(flow, target, value)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            _note_binding(flow, target, value)
        case ast.Call():
            _note_call(flow, node)
        case ast.Compare(left=left, ops=ops, comparators=others):
            for op, before, after in zip(ops, [left, *others], others, strict=False):
                _note_comparison(flow, op, before, after)
        case _:
            _note_operator(flow, node)
    for value, kind in () if flow.shows_itself else formatted(node):
        is_part = isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Slice)
        flow.note(_path(flow, value), "format", kind or ("slice" if is_part else ""))


def _note_operator(flow: Flow, node: ast.AST) -> None:
    match node:
        case ast.BinOp(left=left, op=op, right=right) if type(op) in BINARY:
            name = BINARY[type(op)]
            flow.note(_path(flow, left), name, literal_kind(right))
            if not (name == "mod" and literal_kind(left) == "str"):
                flow.note(_path(flow, right), "r" + name, literal_kind(left))
        case ast.AugAssign(target=target, op=op, value=value) if type(op) in BINARY:
            flow.note(_path(flow, target), BINARY[type(op)], literal_kind(value))
        case ast.UnaryOp(op=op, operand=operand) if type(op) in UNARY:
            flow.note(_path(flow, operand), UNARY[type(op)])
        case _:
            _note_truth(flow, node)
            _note_statement(flow, node)


def _note_truth(flow: Flow, node: ast.AST) -> None:
    """Note whose truth decides."""
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            flow.note(_path(flow, operand), "bool")
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            flow.note(_path(flow, test), "bool")
        case ast.BoolOp(values=values):
            for value in values[:-1]:
                flow.note(_path(flow, value), "bool")


def _note_statement(flow: Flow, node: ast.AST) -> None:
    match node:
        case ast.Starred(value=value) | ast.YieldFrom(value=value):
            flow.note(_path(flow, value), "iterate")
        case ast.withitem(context_expr=value, optional_vars=target):
            flow.note(_path(flow, value), "enter", "as" if target is not None else "")
        case ast.Await(value) | ast.Raise(value) | ast.ExceptHandler(value) if value is not None:
            flow.note(_path(flow, value), _STATEMENTS[type(node)])


def _note_loop(flow: Flow, target: ast.expr, over: ast.expr) -> None:
    flow.note(_path(flow, over), "iterate")
    for part, container in loop_parts(target, over):
        path = _path(flow, container)
        if path and isinstance(part, ast.Tuple):
            is_starred = any(isinstance(one, ast.Starred) for one in part.elts)
            kind, count = ("iterate", 0) if is_starred else ("unpack", len(part.elts))
            flow.note(f"{path}[]", kind, "", count)
        elif path and isinstance(part, ast.Name) and flow.paths.get(part.id) != part.id:
            flow.paths[part.id] = f"{path}[]"  # the loop before may have had another of that name


def _note_binding(flow: Flow, target: ast.expr, value: ast.expr) -> None:
    path = _path(flow, value)
    if not path:
        return
    _note_kept(flow, item_kept(target, flow.receiver), value)
    match target:
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner == flow.receiver:
            if path in flow.function.parameters:
                flow.kept.setdefault((name, False), path)
        case ast.Name(id=name) if name not in flow.paths:
            flow.paths[name] = path
            if isinstance(value, ast.Subscript) and not path.endswith("[]"):
                flow.tested.add(head_of(path))  # a slice, whose name may be bound again
        case ast.Tuple(elts=parts) if not any(isinstance(part, ast.Starred) for part in parts):
            flow.note(path, "unpack", "", len(parts))


def _note_comparison(flow: Flow, op: ast.cmpop, left: ast.expr, right: ast.expr) -> None:
    items = [path for one in (left, right) if (path := _path(flow, one)).endswith("[]")]
    if items and compares_characters(left, right):
        flow.note(items[0], "character")
    if isinstance(op, ast.In | ast.NotIn):
        flow.note(_path(flow, right), "contains", literal_kind(left))
        members = right.elts if isinstance(right, ast.List | ast.Tuple | ast.Set) else []
        kinds = {literal_kind(member) for member in members}
        if len(kinds) == 1:
            flow.note(_path(flow, left), "eq", kinds.pop())
        if literal_kind(right) == "str":
            flow.note(_path(flow, left), "argument", "str")
    elif isinstance(op, ast.Is | ast.IsNot):
        flow.note(_path(flow, left), "is", literal_kind(right))
        _note_lazy(flow, left, right)
    elif type(op) in COMPARISONS:
        name = COMPARISONS[type(op)]
        flow.note(_path(flow, left), name, literal_kind(right))
        flow.note(_path(flow, right), name, literal_kind(left))


def _note_lazy(flow: Flow, left: ast.expr, right: ast.expr) -> None:
    """Note that ``iter(p) is p`` asks whether a parameter is an iterator."""
    for made, other in ((left, right), (right, left)):
        match made, other:
            case ast.Call(ast.Name("iter"), [ast.Name(name)]), ast.Name(same) if name == same:
                path = _path(flow, other)
                flow.note(path, *_IS_LAZY, certain=False)
                flow.tested.add(head_of(path))


def _note_kept(flow: Flow, name: str, value: ast.expr) -> None:
    """Note that a parameter becomes an item of the field ``name``."""
    if name and (path := _path(flow, value)) in flow.function.parameters:
        flow.kept.setdefault((name, True), path)


def _note_call(flow: Flow, node: ast.Call) -> None:
    _note_kept(flow, item_kept(node, flow.receiver), node.args[-1] if node.args else node)
    count = len(node.args) + len(node.keywords)
    is_forwarded = any(isinstance(one, ast.Starred) for one in node.args)
    is_forwarded = is_forwarded or any(one.arg is None for one in node.keywords)
    flow.note(_path(flow, node.func), "call", "", FORWARDED if is_forwarded else count)
    if (handed := item_of_lambda(node)) is not None and (path := _path(flow, handed[1])):
        flow.paths.setdefault(handed[0], f"{path}[]")
    for keyword in node.keywords:
        if keyword.arg is None:
            flow.note(_path(flow, keyword.value), "mapping")
    for function, arity in called_back(node):
        flow.note(_path(flow, function), "call", "", arity)
    match node:
        case ast.Call(ast.Attribute(value, name), [ast.Constant(bytes()), *_]):
            kind = "bytes" if name in _TEXT_METHODS else "io:BytesIO" if name == "write" else ""
            flow.note(_path(flow, value) if kind else "", "argument", kind)
    _note_passed(flow, node)
    container, kind = put_in(node)
    flow.note(f"{path}[]" if kind and (path := _path(flow, container)) else "", "eq", kind)
    if node.args:
        _note_arguments(flow, node, node.args[0])


def _note_passed(flow: Flow, node: ast.Call) -> None:
    """Note what is handed on, and of what kind the callee wants it."""
    root = next((one.id for one in ast.walk(node.func) if isinstance(one, ast.Name)), "")
    is_local = root in flow.paths or root in flow.bound
    callee = Callee() if is_local else flow.callees(node.func, flow.function.owner)
    name = callee.own or _callee(flow, node.func)
    kinds, certain = callee.places, callee.certain
    if not kinds and isinstance(node.func, ast.Attribute):
        known = ARGUMENT_KINDS.get(node.func.attr, ())
        kinds = known if len(known) <= max(len(node.args), 1) else ()
    for index, argument in enumerate(node.args[callee.receivers :]):
        path = _path(flow, argument)
        flow.note(path if name else "", "pass", name, index)
        wanted = kinds[index] if index < len(kinds) else ""
        flow.note(path if wanted else "", "argument", wanted, certain=certain)
    for keyword in node.keywords:
        path, wanted = _path(flow, keyword.value), callee.names.get(keyword.arg or "", "")
        flow.note(path if name and keyword.arg else "", "pass", f"{name}={keyword.arg}")
        flow.note(path if wanted else "", "argument", wanted, certain=certain)


def _note_arguments(flow: Flow, node: ast.Call, first: ast.expr) -> None:
    """Note what a well-known callee does with its arguments."""
    match node.func:
        case ast.Name(id=name) if name in TESTS:
            if path := _path(flow, first):
                flow.tested.add(head_of(path))
                _note_types(flow, path, node, name)
        case ast.Name(id=name):
            if name in BUILTINS:
                flow.note(_path(flow, first), BUILTINS[name])
            for other in node.args[1:] if name in OVER_SECOND and name != "enumerate" else ():
                flow.note(_path(flow, other), "iterate")
        case ast.Attribute(ast.Constant(str(between)), "join") if path := _path(flow, first):
            flow.note(path, "iterate")
            flow.note(path if between else "", "join")
            flow.note(f"{path}[]", "add", "str")
        case ast.Attribute(value=ast.Attribute(value=ast.Name(id="os"), attr="path")):
            flow.note(_path(flow, first), "fspath")
        case ast.Attribute(attr=name) if name in AWAITING and isinstance(first, ast.Call):
            flow.note(_path(flow, first), "await")


def _callee(flow: Flow, func: ast.expr) -> str:
    """The name of a function, or of a method of the receiver, that is called ('' for others)."""
    match func:
        case ast.Name(id=name) if name not in flow.paths:
            return name
        case ast.Name(id=name) if name == flow.receiver:
            return flow.function.owner  # ``cls(...)`` of a class method
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner == flow.receiver:
            return name
    return ""


def _is_own(flow: Flow, func: ast.expr) -> bool:
    """Is it a function of the same module, or a method of the receiver?"""
    own = flow.callees(func, flow.function.owner).own.partition(":")[0]
    of_receiver = isinstance(func, ast.Attribute) and bool(_callee(flow, func))
    return of_receiver or own == flow.function.id.partition(":")[0]


def _note_types(flow: Flow, path: str, node: ast.Call, test: str) -> None:
    """The classes that ``isinstance`` names, as uses of their own; what is a class itself."""
    flow.note(path if test == "issubclass" else "", "argument", "type")
    for classes in node.args[1:] if test == "isinstance" else ():
        for name in class_names(classes):
            flow.note(path, "isinstance", name, certain=node in flow.refusing)
    match node.args:
        case [_, ast.Constant(value)] if test == "hasattr" and value in _OF_SIZED:
            flow.note(path, *_IS_LAZY, certain=False)
