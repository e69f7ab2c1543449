"""Subjects and Tests from source text, for the tests of ``emit``.

A subject is plain Python with stub bodies.  A test is straight-line code: assignments and
calls, then ``assert`` lines, or ``raises Error("message")`` when the last call raises.
"""

from __future__ import annotations

import ast
import builtins

from unitcraft.core.outcomes import Raised, Returned
from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    Source,
    Symbol,
)
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject.model import ClassInfo, Invocable, Parameter, Subject
from unitcraft.suite.tests import Check, Test

BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">",
    ast.GtE: ">=", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip

SPECIAL = {
    "+": "__add__", "-": "__sub__", "*": "__mul__", "/": "__truediv__", "==": "__eq__",
    "!=": "__ne__", "<": "__lt__", "in": "__contains__", "[]": "__getitem__", "len": "__len__",
    "[]=": "__setitem__", "str": "__str__", "list": "__iter__", "+=": "__iadd__",
    "with": "__enter__", "with raise": "__enter__", "repr": "__repr__", "bool": "__bool__",
    "del[]": "__delitem__", "**": "__pow__", "neg": "__neg__",
}  # fmt: skip


def subject_of(source: str, module: str) -> Subject:
    """The Subject of stub source text."""
    classes: list[ClassInfo] = []
    invocables: list[Invocable] = []
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            members = _members(node, module)
            tags = tuple(base.id.lower() for base in node.bases if isinstance(base, ast.Name))
            classes.append(
                ClassInfo(
                    f"{module}:{node.name}",
                    module,
                    node.name,
                    tags=tags,
                    members=tuple(member.id for member in members),
                )
            )
            invocables += members
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            invocables.append(_invocable(node, module, "", "function"))
    return Subject(module, f"{module}.py", tuple(classes), tuple(invocables))


def _members(node: ast.ClassDef, module: str) -> list[Invocable]:
    owner = f"{module}:{node.name}"
    found: list[Invocable] = []
    for item in node.body:
        if not isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        kind = "constructor" if item.name == "__init__" else "method"
        for mark in item.decorator_list:
            kind = mark.id if isinstance(mark, ast.Name) else kind
        found.append(_invocable(item, module, owner, kind))
    if not any(item.kind == "constructor" for item in found):
        found.insert(0, Invocable(f"{owner}.__init__", "constructor", "__init__", owner, first=0))
    return found


def _invocable(node, module, owner, kind) -> Invocable:
    plain = node.args.args[0 if not owner or kind == "staticmethod" else 1 :]
    optional = len(node.args.defaults)
    parameters = [
        Parameter(arg.arg, required=place < len(plain) - optional)
        for place, arg in enumerate(plain)
    ]
    parameters += [Parameter(arg.arg, "keyword", required=False) for arg in node.args.kwonlyargs]
    if node.args.vararg:
        parameters.append(Parameter(node.args.vararg.arg, "var_positional", required=False))
    writes = [
        item.attr
        for item in ast.walk(node)
        if isinstance(item, ast.Attribute) and isinstance(item.ctx, ast.Store)
    ]
    returns = ANY
    if isinstance(node.returns, ast.Name) and node.returns.id[:1].isupper():
        returns = TypeExpr("class", cls=f"{module}:{node.returns.id}")
    prefix = owner or module
    identity = f"{prefix}.{node.name}" if owner else f"{module}:{node.name}"
    return Invocable(
        identity,
        kind,
        node.name,
        owner,
        tuple(parameters),
        returns,
        module,
        node.lineno,
        node.end_lineno or 0,
        is_async=isinstance(node, ast.AsyncFunctionDef),
        is_generator=any(isinstance(item, ast.Yield) for item in ast.walk(node)),
        writes=tuple(writes),
    )


def suite_of(text: str, subject: Subject) -> list[Test]:
    """The Tests of paragraphs of straight-line code."""
    return [_Reader(subject).test(part) for part in text.strip().split("\n\n")]


class _Reader:
    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self.calls: list[Call] = []
        self.names: dict[str, int] = {}
        self.checks: list[Check] = []
        self.outcome = Returned()

    def test(self, text: str) -> Test:
        for line in text.splitlines():
            if line.startswith("raises "):
                self.raises(line.removeprefix("raises "))
            else:
                self.statement(ast.parse(line).body[0])
        return Test(self.about(), Sequence(tuple(self.calls)), self.outcome, tuple(self.checks))

    def about(self) -> str:
        last = self.calls[-1]
        if last.kind == "function":
            names = {info.id: info.members[0] for info in self.subject.classes}
            return names.get(last.name, last.name)
        name = SPECIAL.get(last.name, last.name) if last.kind == "operator" else last.name
        called = [item for item in self.subject.invocables if item.name == name]
        mine = [item for item in called if item.owner == self.class_of(last.args)]
        return (mine or called)[0].id if called else f"{self.subject.module}:{name}"

    def class_of(self, args) -> str:
        for arg in args:
            if isinstance(arg, Ref) and self.calls[arg.index].kind == "function":
                return self.calls[arg.index].name
        return ""

    def raises(self, text: str) -> None:
        node = ast.parse(text, mode="eval").body
        name, message = node, None
        if isinstance(node, ast.Call):
            name = node.func
            message = ast.literal_eval(node.args[0]) if node.args else ""
        path = ast.unparse(name)
        module = "builtins" if hasattr(builtins, path) else self.subject.module
        self.outcome = Raised(f"{module}:{path}", message)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Assign([ast.Name(name)], value):
                self.names[name] = self.keep(value)
            case ast.Assign([ast.Attribute(owner, name)], value):
                self.calls.append(Call("set", name, (self.arg(owner), self.arg(value))))
            case ast.Assign([ast.Subscript(owner, item)], value):
                args = (self.arg(owner), self.arg(item), self.arg(value))
                self.calls.append(Call("operator", "[]=", args))
            case ast.Delete([ast.Subscript(owner, item)]):
                self.calls.append(Call("operator", "del[]", (self.arg(owner), self.arg(item))))
            case ast.AugAssign(ast.Name(name), op, value):
                call = Call(
                    "operator", BINARY[type(op)] + "=", (self.arg(node.target), self.arg(value))
                )
                self.calls.append(call)
                self.names[f"new_{name}"] = len(self.calls) - 1
            case ast.Expr(value):
                self.keep(value)
            case ast.Assert(value):
                self.check(value)

    def keep(self, node: ast.expr) -> int:
        self.calls.append(self.call(node))
        return len(self.calls) - 1

    def call(self, node: ast.expr) -> Call:  # noqa: C901, PLR0912 - one case a form
        match node:
            case ast.Call(ast.Name("run"), [inner]):
                call = self.call(inner)
                return Call(call.kind, call.name, call.args, call.kwargs, "await")
            case ast.Call(ast.Name("drain"), [inner]):
                call = self.call(inner)
                return Call(call.kind, call.name, call.args, call.kwargs, "drain")
            case ast.Call(ast.Name("collect" | "entered" | "entered_async" as form), [inner]):
                call = self.call(inner)
                then = {"collect": "collect", "entered": "enter", "entered_async": "await enter"}
                return Call(call.kind, call.name, call.args, call.kwargs, then[form])
            case ast.Call(ast.Name("enter"), args):
                name = "with" if len(args) == 1 else "with raise"
                return Call("operator", name, tuple(map(self.arg, args)))
            case ast.Call(ast.Name(name), args) if name in ("len", "str", "list", "repr", "bool"):
                return Call("operator", name, tuple(map(self.arg, args)))
            case ast.Call(ast.Name(name), args, keywords):
                kwargs = tuple((item.arg, self.arg(item.value)) for item in keywords)
                return Call(
                    "function", f"{self.subject.module}:{name}", tuple(map(self.arg, args)), kwargs
                )
            case ast.Call(ast.Attribute(ast.Name(owner), name), args, keywords) if (
                owner not in self.names
            ):
                kwargs = tuple((item.arg, self.arg(item.value)) for item in keywords)
                full = f"{self.subject.module}:{owner}.{name}"
                return Call("function", full, tuple(map(self.arg, args)), kwargs)
            case ast.Call(ast.Attribute(owner, name), args, keywords):
                kwargs = tuple((item.arg, self.arg(item.value)) for item in keywords)
                return Call("method", name, (self.arg(owner), *map(self.arg, args)), kwargs)
            case ast.Attribute(owner, name):
                return Call("get", name, (self.arg(owner),))
            case ast.Subscript(owner, item):
                return Call("operator", "[]", (self.arg(owner), self.arg(item)))
            case ast.BinOp(left, op, right):
                return Call("operator", BINARY[type(op)], (self.arg(left), self.arg(right)))
            case ast.UnaryOp(ast.USub(), operand):
                return Call("operator", "neg", (self.arg(operand),))
            case ast.Compare(left, [ast.In()], [right]):
                return Call("operator", "in", (self.arg(right), self.arg(left)))
            case ast.Compare(left, [op], [right]):
                return Call("operator", BINARY[type(op)], (self.arg(left), self.arg(right)))
        raise AssertionError(ast.dump(node))

    def check(self, node: ast.expr) -> None:
        match node:
            case ast.Call(ast.Name("isnan"), [value]):
                self.checks.append(Check(self.observed(value), "nan", Const(float("nan"))))
            case ast.Call(ast.Name("isinstance"), [value, kind]):
                self.checks.append(Check(self.observed(value), "isinstance", self.arg(kind)))
            case ast.Compare(left, [ast.Eq()], [ast.Call(ast.Name("approx"), [right])]):
                self.checks.append(Check(self.observed(left), "approx", self.arg(right)))
            case ast.Compare(left, [ast.Eq()], [right]):
                self.checks.append(Check(self.observed(left), "==", self.arg(right)))
            case ast.Compare(left, [ast.Is()], [right]):
                self.checks.append(Check(self.observed(left), "is", self.arg(right)))

    def observed(self, node: ast.expr) -> Ref | Call:
        if isinstance(node, ast.Name):
            return Ref(self.names[node.id])
        return self.call(node)

    def arg(self, node: ast.expr) -> Arg:  # noqa: C901 - one case a form
        match node:
            case ast.Constant(value):
                return Const(value)
            case ast.Name(name) if name in self.names:
                return Ref(self.names[name])
            case ast.Name(name):
                own = any(info.qualname == name for info in self.subject.classes)
                return Symbol(self.subject.module if own else "builtins", name)
            case ast.Attribute(ast.Name(owner), name):
                return Symbol(self.subject.module, f"{owner}.{name}")
            case ast.List(items):
                return Display("list", tuple(map(self.arg, items)))
            case ast.Tuple(items):
                return Display("tuple", tuple(map(self.arg, items)))
            case ast.Set(items):
                return Display("set", tuple(map(self.arg, items)))
            case ast.Dict(keys, found):
                pairs = zip(keys, found, strict=True)
                return Display("dict", tuple(self.arg(one) for pair in pairs for one in pair))
            case ast.UnaryOp(ast.USub(), ast.Constant(value)):
                return Const(-value)
            case ast.Call(ast.Name(name), args):
                module = {"Decimal": "decimal", "date": "datetime", "timedelta": "datetime"}
                symbol = Symbol(module.get(name, "builtins"), name)
                return Build(symbol, tuple(map(self.arg, args)))
            case _:
                return Source(ast.unparse(node))
