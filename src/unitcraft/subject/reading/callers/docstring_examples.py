"""Finds the Python statements in docstrings, and converts examples to arguments and first inputs.

They stand in doctests and in indented or fenced blocks; a line that does not parse is dropped
without effect on the other lines.

Invariant: a statement is converted only if every name in it is known; other statements, and
those that depend on them, are left out.  A name is known only if an import in a test file reaches
the same object.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Final

from unitcraft.core.operators import SPECIAL_METHODS
from unitcraft.core.sequences import (
    Arg,
    Call,
    Ref,
    Sequence,
    Source,
    Symbol,
    refs_of,
    slice_sequence,
)
from unitcraft.subject import static_lookup
from unitcraft.subject.description_context import DescriptionContext
from unitcraft.subject.literal_args import literal_of
from unitcraft.subject.model import Example, Invocable, Subject
from unitcraft.subject.reading.args_from_source import Converter, Unconvertible, free_names
from unitcraft.subject.scopes import is_docstring, parents_in
from unitcraft.subject.source_files import parse

MAX_EXAMPLES: Final = 300  # Examples of one module
MAX_CALLS: Final = 15  # Calls of one Example; longer sessions are tutorials

#: A line that announces an indented code block.
_HEADING: Final = re.compile(
    r"^[ \t]*(?:\.\. code(?:-block)?:: *(?:python|py|python3)?|\.\. sourcecode::.*|"
    r".*(?:examples?|usage)\b.*:{1,2}|.*::)[ \t]*$",
    re.IGNORECASE,
)
_FENCE: Final = re.compile(
    r"^[ \t]*```(?:python|py)?[ \t]*\n(.*?)^[ \t]*```", re.MULTILINE | re.DOTALL
)

#: (module, dotted path) -> the Symbol to import, or None if there is none.
SymbolFinder = Callable[[str, str], Symbol | None]

_BY_OPERATOR: Final = {
    operator: name for name, (operator, reflected) in SPECIAL_METHODS.items() if not reflected
}
#: The same for what the second operand does where the first is of another class: ``5 % money``.
_REFLECTED: Final = {
    operator: name for name, (operator, reflected) in SPECIAL_METHODS.items() if reflected
}


def examples_of(
    subject: Subject,
    docs: tuple[tuple[str, str], ...],
    names: Mapping[str, Arg],
    modules: Mapping[str, str],
    find: SymbolFinder,
) -> tuple[Example, ...]:
    """The Examples of docstrings ``docs`` = (scope id, text), in order, without repeats.

    ``names`` and ``modules`` are the names bound in the module's namespace.
    """
    found: dict[str, Example] = {}
    for _, doc in docs:
        for statements in sessions(doc):
            session = Session(subject, dict(names), dict(modules), find)
            for example in session.run(statements):
                found.setdefault(example.sequence.key, example)
            if len(found) >= MAX_EXAMPLES:
                return tuple(found.values())[:MAX_EXAMPLES]
    return tuple(found.values())


@dataclass(slots=True)
class Session:
    """The conversion of one session (mutable): names bound and Calls made so far."""

    subject: Subject
    names: dict[str, Arg]
    modules: dict[str, str]
    find: SymbolFinder
    calls: list[Call] = field(default_factory=list)

    def run(self, statements: list[ast.stmt]) -> Iterator[Example]:
        """An Example for each call of an Invocable, in the order of the statements."""
        known = {one.id: one for one in self.subject.invocables}
        for statement in statements:
            before = len(self.calls)
            try:
                self._statement(statement)
            except (Unconvertible, RecursionError):
                del self.calls[before:]
                self._unbind(statement)
                continue
            for index in range(before, len(self.calls)):
                invocable = self._invocable(index, known)
                calls = _related_calls(self.calls, index) if invocable else None
                if calls is not None:
                    yield Example(invocable, calls)

    def _statement(self, node: ast.stmt) -> None:
        converter = Converter(self.names, self.modules, self.find, self.calls)
        match node:
            case ast.Import() | ast.ImportFrom():
                self._import(node)
            case ast.Assert(test=test):
                self._assertion(test, converter)
            case ast.Expr(value=value) | ast.Raise(exc=ast.expr() as value):
                converter.convert(value)
            case ast.Assign(targets=targets, value=value):
                self._assign(targets, value, converter)
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                converter.augment(name, op, value)
            case ast.Delete(targets=[target]):
                converter.delete(target)
            case ast.FunctionDef(name=name):
                self.names[name] = _as_lambda(node)
            case _:
                raise Unconvertible

    def _assign(self, targets: list[ast.expr], value: ast.expr, converter: Converter) -> None:
        """Bind names, each of several to its part of ``value``, or store it in an object."""
        pairs = [pair for target in targets for pair in _parts(target, value)]
        names = [place.id for place, _ in pairs if isinstance(place, ast.Name)]
        if len(names) == len(pairs):
            given = {part: converter.convert(part) for part in dict(pairs).values()}
            self.names.update(zip(names, [given[part] for _, part in pairs], strict=True))
        elif len(targets) == 1:
            converter.store(targets[0], value)
        else:
            raise Unconvertible

    @staticmethod
    def _assertion(test: ast.expr, converter: Converter) -> None:
        """The calls that an assertion makes: what is compared, and not the comparison."""
        match test:
            case ast.Compare(left=left):
                converter.convert(left)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                converter.convert(operand)
            case _:
                converter.convert(test)

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            bound = alias.asname or alias.name
            if isinstance(node, ast.Import):
                self.modules[bound] = alias.name
            elif alias.name != "*":
                symbol = self.find(node.module or "", alias.name)
                if symbol is None:
                    self.names.pop(bound, None)
                else:
                    self.names[bound] = symbol

    def _unbind(self, node: ast.stmt) -> None:
        """Unbind the names that a statement would have bound, because it was left out."""
        for inner in (node, *parents_in(node)):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                self.names.pop(inner.id, None)
            elif isinstance(inner, ast.FunctionDef | ast.ClassDef):
                self.names.pop(inner.name, None)

    def _invocable(self, index: int, known: Mapping[str, Invocable]) -> str:
        """The id of the Invocable that Call ``index`` calls ('' if it is not of the Subject)."""
        call = self.calls[index]
        if call.kind == "function":
            return call.name if call.name in known else ""
        name = call.name
        if call.kind == "operator":
            name = _BY_OPERATOR.get(call.name, "")
        owner = self._class_of(call.args[0], known) if call.args else ""
        if not owner and call.kind == "operator" and call.args[1:]:
            name = _REFLECTED.get(call.name, "")
            owner = self._class_of(call.args[1], known)
        if owner:
            return f"{owner}.{name}" if f"{owner}.{name}" in known else ""
        alike = [one.id for one in known.values() if one.owner and one.name == name]
        return alike[0] if len(alike) == 1 and call.kind in ("method", "get") else ""

    def _class_of(self, arg: Arg, known: Mapping[str, Invocable]) -> str:
        if not isinstance(arg, Ref):
            return ""
        made = known.get(self._invocable(arg.index, known))
        return made.returns.cls if made is not None else ""


def _parts(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """(place, value) for each that an assignment binds, where the source shows which is which."""
    match target, value:
        case ast.Tuple(elts=places), ast.Tuple(elts=parts) if len(places) == len(parts):
            for place, part in zip(places, parts, strict=True):
                yield from _parts(place, part)
        case _:
            yield target, value


def _related_calls(calls: list[Call], last: int) -> Sequence | None:
    """Call ``last``, the calls that it needs, and all earlier calls on the same objects.

    None if these are more than MAX_CALLS.
    """
    wanted = {last}
    for index in range(last, -1, -1):
        if index in wanted or any(_touches(calls[index], one, calls) for one in wanted):
            wanted |= {index, *_needed_calls(calls, index)}
    sequence = slice_sequence(Sequence(tuple(calls[: last + 1])), tuple(sorted(wanted)))
    return sequence if len(sequence) <= MAX_CALLS else None


def _needed_calls(calls: list[Call], index: int) -> set[int]:
    found = set(refs_of(calls[index]))
    return found.union(*[_needed_calls(calls, inner) for inner in sorted(found)])


def _touches(call: Call, other: int, calls: list[Call]) -> bool:
    """Is the receiver of ``call`` an object that Call ``other`` makes or uses?"""
    first = call.args[0] if call.args and call.kind != "function" else None
    return isinstance(first, Ref) and (first.index == other or first.index in refs_of(calls[other]))


def _as_lambda(node: ast.FunctionDef) -> Source:
    """The function as a lambda expression.  Raises Unconvertible unless its body is one."""
    body = [one for one in node.body if not is_docstring(one)]
    value = _only_value(body[0]) if len(body) == 1 else None
    if value is None or node.decorator_list:
        raise Unconvertible
    for part in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        part.annotation = None
    made = ast.Lambda(args=node.args, body=value)
    if free_names(made):
        raise Unconvertible
    return Source(ast.unparse(made))


def _only_value(node: ast.stmt) -> ast.expr | None:
    match node:
        case ast.Return(value=value):
            return value or ast.Constant(None)
        case ast.Pass():
            return ast.Constant(None)
        case ast.Expr(value=ast.Call(func=ast.Name(id="print")) as call):
            return call  # print returns None, as the function does
    return None


def module_names(view: DescriptionContext) -> dict[str, str]:
    """Name bound to a module in the namespace -> the dotted name of that module."""
    found = {}
    for name, value in view.names.items():
        dotted = static_lookup.module_dict(value).get("__name__") if _is_module(value) else None
        if type(dotted) is str:
            found[name] = dotted
    return found


def _is_module(value: object) -> bool:
    return static_lookup.is_instance(value, ModuleType)


def example_names(
    view: DescriptionContext, subject: Subject
) -> tuple[dict[str, Arg], SymbolFinder]:
    """(names of the module's namespace as Args, the finder for import statements)."""
    names: dict[str, Arg] = {}
    for name, value in view.names.items():
        arg = None if _is_module(value) else literal_of(value, view.homes)
        if arg is not None and not name.startswith("__"):
            names[name] = arg
    own = {one.id for one in subject.invocables} | {one.id for one in subject.classes}
    names |= {
        one.name: Symbol(view.module, one.name) for one in subject.invocables if not one.owner
    }
    names |= {
        one.qualname: Symbol(one.module, one.qualname)
        for one in subject.classes
        if "." not in one.qualname and one.module == view.module
    }

    def find(module: str, path: str) -> Symbol | None:
        """The Symbol of an imported name.  Without ``module``, ``path`` is an id of the Subject."""
        if not module:
            home, _, inner = path.partition(":")
            return Symbol(home, inner) if path in own else None
        value = static_lookup.resolve(module, path)
        if value is None:
            inner = path.partition(".")[2]
            missing = module not in sys.modules and module in sys.stdlib_module_names
            return Symbol(module, path) if missing and not inner else None
        return view.homes.symbol(value) or _plain_attribute(module, path, value)

    return names, find


def _plain_attribute(module: str, path: str, value: object) -> Symbol | None:
    """The Symbol of a module constant or class attribute, by the path in the source."""
    return None if _is_module(value) else Symbol(module, path)


def sessions(doc: str) -> Iterator[list[ast.stmt]]:
    """The statements of each example session in ``doc``: doctests first, then blocks."""
    doctests = [node for source in _doctest_sources(doc) for node in parse(source).body]
    if doctests:
        yield doctests
    for block in (*_fenced_blocks(doc), *_indented_blocks(doc)):
        statements = _parse_lines(block)
        if statements:
            yield statements


def _doctest_sources(doc: str) -> list[str]:
    if ">>>" not in doc:
        return []
    import doctest  # noqa: PLC0415 - it brings unittest and pdb, a fifth of what a worker loads

    try:
        found = [example.source for example in doctest.DocTestParser().get_examples(doc)]
    except ValueError:
        found = [line.partition(">>> ")[2] for line in doc.splitlines() if ">>> " in line]
    joined: list[str] = []
    for source in found:
        if joined and source.startswith((" ", "\t")):  # a block with >>> before each line
            joined[-1] = joined[-1].rstrip("\n") + "\n" + source
        else:
            joined.append(source)
    return joined


def _fenced_blocks(doc: str) -> list[str]:
    return [match.group(1) for match in _FENCE.finditer(doc) if ">>>" not in match.group(1)]


def _indented_blocks(doc: str) -> Iterator[str]:
    """Blocks that follow a heading such as ``Usage::`` and are indented deeper.

    After any other paragraph those that are code as a whole.
    """
    lines = textwrap.dedent(doc.expandtabs()).splitlines()
    for at, line in enumerate(lines):
        is_heading = _HEADING.match(line) is not None
        if is_heading or (line.strip() and not "".join(lines[at + 1 : at + 2]).strip()):
            depth = len(line) - len(line.lstrip())
            block = list(_deeper_lines(lines[at + 1 :], depth))
            is_code = is_heading or _is_code("\n".join(block))
            if block and is_code and not any(">>>" in inner for inner in block):
                yield "\n".join(block)


def _is_code(block: str) -> bool:
    """Does it parse as a whole, and call something?"""
    statements = parse(textwrap.dedent(block)).body
    return any(isinstance(node, ast.Call) for one in statements for node in ast.walk(one))


def _deeper_lines(lines: list[str], depth: int) -> Iterator[str]:
    for line in lines:
        if line.strip() and len(line) - len(line.lstrip()) <= depth:
            return
        yield line


def _parse_lines(block: str) -> list[ast.stmt]:
    text = textwrap.dedent(block)
    whole = parse(text).body
    if whole:
        return whole
    found: list[ast.stmt] = []
    for line in text.splitlines():
        if line == line.lstrip():
            found += parse(re.split(r"\s+(?:#|=>|->|==>)", line)[0]).body
    return found
