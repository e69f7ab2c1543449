"""The AST rewriting of branches, conditions and steps into probe calls.

Invariant: every operand is evaluated once, in the original order; forms whose
evaluation order a probe cannot keep (chained comparisons around calls, comparisons with
``is``) are left alone, or only their truth is marked.  A name in the middle of a chain is
read twice.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any, Final

from unitcraft.execute.steps import TICK
from unitcraft.instrument.sites import (
    BranchSite,
    RaiseLines,
    SiteKind,
    SiteTable,
    catches_any,
    table_names,
)

#: Names of the probes in a rewritten module.
HITS: Final = "__unitcraft_hits__"
COMPARE: Final = "__unitcraft_compare__"
CONTAINS: Final = "__unitcraft_contains__"
TRUTH: Final = "__unitcraft_truth__"
LOOKUP: Final = "__unitcraft_lookup__"
METHOD: Final = "__unitcraft_method__"
INSTANCE: Final = "__unitcraft_instance__"
ATTRIBUTE: Final = "__unitcraft_attribute__"

#: Methods of texts that take another text.
TEXT_METHODS: Final = {
    "startswith", "endswith", "find", "rfind", "index", "rindex", "split", "rsplit",
    "partition", "rpartition", "replace", "count", "removeprefix", "removesuffix",
}  # fmt: skip
#: Methods of texts that ask for a class of characters.
CLASS_METHODS: Final = {
    "isdigit", "isalpha", "isalnum", "isupper", "islower", "isspace", "isnumeric",
    "isdecimal", "istitle", "isidentifier", "isascii",
}  # fmt: skip
#: Methods of compiled patterns, and functions of ``re``.
PATTERN_METHODS: Final = {"match", "search", "fullmatch", "findall", "finditer", "sub", "split"}
#: Methods whose calls are probed.
_TRACED_METHODS: Final = frozenset(
    TEXT_METHODS | CLASS_METHODS | PATTERN_METHODS | {"get", "pop", "setdefault"}
)

#: Comparisons that a probe can make, and how they are recorded.
_OPERATORS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


def _name(text: str) -> ast.Name:
    return ast.Name(text, ast.Load())


def _call(function: str, *args: ast.expr) -> ast.Call:
    return ast.Call(_name(function), list(args), [])


class BranchRewriter(ast.NodeTransformer):
    """Rewrites one module; ``table`` receives its sites.

    ``deciding`` holds the comparisons whose outcome decides a branch.
    """

    def __init__(self, module: str, table: SiteTable) -> None:
        self.module = module
        self.table = table
        self.scope: list[str] = []
        self.functions = 0
        self.tables: frozenset[str] = frozenset()
        self.deciding, self.caught = set[ast.AST](), set[ast.AST]()
        self.after_any = False

    def visit_Module(self, node: ast.Module) -> ast.AST:
        """Collect the module's tables first."""
        self.tables = table_names(node)
        self.generic_visit(node)
        return node

    def lookup_pair(self, node: ast.AST, container: ast.expr) -> ast.Constant:
        """As ``condition_pair``; marks the site if ``container`` is a literal or a table."""
        made = self.condition_pair(node)
        literal = isinstance(container, (ast.List, ast.Tuple, ast.Set, ast.Dict))
        if literal or (isinstance(container, ast.Name) and container.id in self.tables):
            self.table.tables.add(made.value)  # type: ignore[arg-type]
        return made

    # -- sites and probes ---------------------------------------------------

    def site(self, node: ast.AST, kind: SiteKind, outcome: str) -> int:
        """The number of a new site at ``node``."""
        line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        scope = ".".join(self.scope)
        return self.table.add(BranchSite(self.module, scope, line, kind, outcome, column))

    def condition_pair(self, node: ast.AST) -> ast.Constant:
        """The number of a new true site; the false site is the next number."""
        number = self.site(node, "condition", "true")
        self.site(node, "condition", "false")
        if node in self.deciding:
            self.table.guards.add(number)
        return ast.Constant(number)

    def mark(self, node: ast.AST, kind: SiteKind, outcome: str) -> ast.stmt:
        """``hits[n] = 1`` for a new site."""
        number = ast.Constant(self.site(node, kind, outcome))
        target = ast.Subscript(_name(HITS), number, ast.Store())
        return self.place(ast.Assign([target], ast.Constant(1)), node)

    def tick(self, node: ast.AST) -> ast.stmt:
        """A statement that counts one step."""
        return self.place(ast.Expr(_call(TICK)), node)

    @staticmethod
    def place(made: ast.stmt, node: ast.AST) -> ast.stmt:
        """``made`` at the position of ``node``."""
        return ast.fix_missing_locations(ast.copy_location(made, node))

    # -- scopes ---------------------------------------------------------------

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Keep the qualname; a class body is not a function."""
        functions, self.functions = self.functions, 0
        self.scope.append(node.name)
        self.generic_visit(node)
        self.scope.pop()
        self.functions = functions
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        """Mark the entry after the docstring; annotations and defaults keep their form."""
        self.scope.append(node.name)
        self.functions += 1
        entry = [self.mark(node.body[0], "entry", "entered"), self.tick(node.body[0])]
        body = self._statements(node.body)
        self.functions -= 1
        self.scope.pop()
        start = 1 if ast.get_docstring(node, clean=False) is not None else 0
        node.body = [*body[:start], *entry, *body[start:]]
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        """Rewrite the body; a lambda is not an entry."""
        node.body = self.visit(node.body)
        return node

    def _statements(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in body:
            result = self.visit(statement)
            made += result if isinstance(result, list) else [result]
        return made

    # -- branches -------------------------------------------------------------

    def visit_If(self, node: ast.If) -> ast.AST:
        """Mark both outcomes; a missing else is added."""
        yes = self.mark(node, "if", "true")
        no = self.mark(node, "if", "false")
        node.test = self._visit_test(node.test)
        node.body = [yes, *self._statements(node.body)]
        node.orelse = [no, *self._statements(node.orelse)]
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        """Mark entering the body and the normal end; count each round as a step."""
        return self._loop(node, endless=isinstance(node.test, ast.Constant))

    def visit_For(self, node: ast.For | ast.AsyncFor) -> ast.AST:
        """As for while."""
        return self._loop(node, endless=False)

    visit_AsyncFor = visit_For  # noqa: N815

    def _loop(self, node: ast.While | ast.For | ast.AsyncFor, *, endless: bool) -> ast.AST:
        entered = self.mark(node, "loop", "entered")
        ended = [] if endless else [self.mark(node, "loop", "ended")]
        if isinstance(node, ast.While):
            node.test = self._visit_test(node.test)
        else:
            node.iter = self.visit(node.iter)
        node.body = [entered, self.tick(node), *self._statements(node.body)]
        node.orelse = [*ended, *self._statements(node.orelse)]
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        """Mark that the handler ran, and count a step: a loop may consist of exceptions."""
        caught = self.mark(node, "handler", "caught")
        outer, self.after_any = self.after_any, catches_any(node)
        node.body = [caught, self.tick(node), *self._statements(node.body)]
        self.after_any = outer
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        """Mark the case; patterns keep their form."""
        first = self.mark(node.body[0], "case", "matched")
        if node.guard is not None:
            node.guard = self._visit_test(node.guard)
        node.body = [first, *self._statements(node.body)]
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        """Record its lines: an exception that it raises is intended by the author."""
        made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        name = made.id if isinstance(made, ast.Name) else ""
        last = node.end_lineno or node.lineno
        self.table.raises.append(RaiseLines(self.module, node.lineno, last, name, self.after_any))
        self.generic_visit(node)
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """Annotations keep their form."""
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    # -- conditions -------------------------------------------------------------

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """A single comparison becomes a call; a chain is split, or only its truth is marked."""
        self.generic_visit(node)
        if len(node.ops) != 1:
            return self._mark_truth(self._split_chain(node) or node)
        left, right, op = node.left, node.comparators[0], node.ops[0]
        if type(op) in _OPERATORS:
            name = ast.Constant(_OPERATORS[type(op)])
            made = _call(COMPARE, self.condition_pair(node), name, left, right)
        elif isinstance(op, (ast.In, ast.NotIn)):
            negated = ast.Constant(isinstance(op, ast.NotIn))
            made = _call(CONTAINS, self.lookup_pair(node, right), negated, left, right)
        else:
            return self._mark_truth(node)
        return ast.copy_location(made, node)

    def _split_chain(self, node: ast.Compare) -> ast.expr | None:
        """``0 < x < 9`` becomes ``0 < x and x < 9``; None when that may differ."""
        middle = node.comparators[:-1]
        plain = all(isinstance(operand, (ast.Name, ast.Constant)) for operand in middle)
        if not plain or not all(type(op) in _OPERATORS for op in node.ops):
            return None
        operands = [node.left, *node.comparators]
        links = zip(operands, node.ops, operands[1:], strict=False)
        parts: list[ast.expr] = [
            _call(
                COMPARE, self.condition_pair(node), ast.Constant(_OPERATORS[type(op)]), left, right
            )
            for left, op, right in links
        ]
        return ast.copy_location(ast.BoolOp(ast.And(), parts), node)

    def _visit_test(self, node: ast.expr) -> ast.expr:
        """Visit a test that decides a branch."""
        self.deciding.update(_comparisons(node))
        visited: ast.expr = self.visit(node)
        return visited

    def _mark_truth(self, node: ast.expr) -> ast.expr:
        return ast.copy_location(_call(TRUTH, self.condition_pair(node), node), node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Mark the truth of every operand that is evaluated."""
        node.values = [self._visit_operand(value) for value in node.values]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """Mark the truth of the test."""
        self.deciding.update(_comparisons(node.test))
        node.test = self._visit_operand(node.test)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """Mark the truth of the conditions."""
        node.iter = self.visit(node.iter)
        for test in node.ifs:
            self.deciding.update(_comparisons(test))
        node.ifs = [self._visit_operand(test) for test in node.ifs]
        return node

    def _visit_operand(self, node: ast.expr) -> ast.expr:
        marked = isinstance(node, (ast.Compare, ast.BoolOp))
        visited: ast.expr = self.visit(node)
        return visited if marked else self._mark_truth(visited)

    # -- calls and look-ups -----------------------------------------------------

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Text searches, regexes, look-ups of keys and attributes, and isinstance are traced."""
        function = node.func
        self.generic_visit(node)
        if _is_zero_super(function):
            return node
        if isinstance(function, ast.Attribute) and function.attr in _TRACED_METHODS:
            args = [
                self.condition_pair(node),
                ast.Constant(function.attr),
                function.value,
                *node.args,
            ]
            return ast.copy_location(ast.Call(_name(METHOD), args, node.keywords), node)
        plain = len(node.args) == 2 and not node.keywords  # noqa: PLR2004
        if isinstance(function, ast.Name) and function.id == "isinstance" and plain:
            return ast.copy_location(_call(INSTANCE, self.condition_pair(node), *node.args), node)
        if self.functions and _reads_attribute(node):
            site = self.condition_pair(node)
            return ast.copy_location(_call(ATTRIBUTE, site, function, *node.args), node)
        return node

    def visit_Try(self, node: ast.Try) -> ast.AST:
        """A look-up by a text whose failure is caught here is seen by a probe only."""
        if any(map(_catches_missing, node.handlers)):
            below = (inner for child in node.body for inner in ast.walk(child))
            self.caught.update(inner for inner in below if isinstance(inner, ast.Subscript))
        self.generic_visit(node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """Loads inside functions are traced (a class body may build types by subscripts)."""
        self.generic_visit(node)
        loads = isinstance(node.ctx, ast.Load) and not isinstance(node.slice, ast.Slice)
        fixed = isinstance(node.slice, ast.Constant)
        if fixed and node in self.caught:
            fixed = not isinstance(node.slice.value, str)  # type: ignore[attr-defined]
        if not (loads and self.functions) or fixed:
            return node
        if isinstance(node.slice, ast.Tuple):
            return node
        site = self.lookup_pair(node, node.value)
        return ast.copy_location(_call(LOOKUP, site, node.value, node.slice), node)


def _catches_missing(handler: ast.ExceptHandler) -> bool:
    """Does it catch the failure of a look-up in a mapping?"""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = {getattr(kind, "id", "") for kind in kinds if kind is not None}
    return handler.type is None or bool(names & {"KeyError", "LookupError", "Exception"})


def _comparisons(node: ast.expr) -> Iterator[ast.AST]:
    """The comparisons that decide the outcome of the test, alone or with others."""
    if isinstance(node, ast.Compare):
        yield node
    elif isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from _comparisons(value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from _comparisons(node.operand)


def _reads_attribute(node: ast.Call) -> bool:
    """Is it a call of getattr or hasattr with a name that the source does not show?"""
    return (
        isinstance(node.func, ast.Name)
        and node.func.id in ("getattr", "hasattr")
        and len(node.args) >= 2  # noqa: PLR2004
        and not node.keywords
        and not isinstance(node.args[1], ast.Constant)
        and not any(isinstance(arg, ast.Starred) for arg in node.args)
    )


def _is_zero_super(function: ast.expr) -> bool:
    value = function.value if isinstance(function, ast.Attribute) else None
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and (value.func.id == "super")
    )


class BranchProbes:
    """For the import hook: branches, comparisons and steps of a module are calls of ``probes``.

    Abstract state: ``table``, the sites of all modules that were rewritten.
    """

    def __init__(self, probes: Mapping[str, Any]) -> None:
        self.probes = probes
        self.table = SiteTable()

    def rewrite(self, tree: ast.Module, module: str) -> ast.Module:
        """``tree``, changed in place."""
        made: ast.Module = BranchRewriter(module, self.table).visit(tree)
        return made
