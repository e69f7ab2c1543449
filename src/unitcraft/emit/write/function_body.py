"""The body of a test function: set-up, the call under test, the assertions.

Invariant: every line belongs to the Sequence or to exactly one Check, whose number
its Block carries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from unitcraft.core.outcomes import Raised
from unitcraft.core.sequences import (
    ENTERED,
    Arg,
    Call,
    Ref,
    Sequence,
    Source,
    class_name,
    expected_error,
    refs_in,
    refs_of,
    shares_loop,
)
from unitcraft.emit.arrange.templates import is_cut_off, shows_items, source_width
from unitcraft.emit.arrange.variable_names import name_results
from unitcraft.emit.code import assert_statements
from unitcraft.emit.code.call_code import (
    COMPARISONS,
    expression,
    is_augmented,
    is_statement,
    opens_block,
    statement,
    with_body,
)
from unitcraft.emit.code.entered_code import entered
from unitcraft.emit.code.formatter import INDENT, Bracket, Node, assignment, fits, render
from unitcraft.emit.code.imports import Imports
from unitcraft.emit.code.literal_code import Code, code
from unitcraft.emit.code.plain_functions import named_function
from unitcraft.emit.code.subject_index import SubjectIndex
from unitcraft.emit.write.file_setup import set_up_files
from unitcraft.emit.write.inlining import (
    Scope,
    choose_inlined,
    in_reading_order,
    needs_variable,
    reused_variable,
)
from unitcraft.suite.tests import Check, Test, expected_message


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one statement; ``check`` is the Check's position or -1.

    ``placed`` are the results whose Calls are inlined in these lines.
    """

    lines: tuple[str, ...]
    check: int = -1
    placed: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenCase:
    """A Test to write.

    ``original`` holds the literals where ``test`` may name parameters instead.
    ``pattern`` is what the message of an expected exception, or of a warning, must match, ``error``
    the parameter for the class of the exception, if it has one.
    """

    test: Test
    original: Test
    pattern: Node | None = None
    parameters: tuple[str, ...] = ()
    error: str = ""


def plain_case(test: Test) -> WrittenCase:
    """The Case of a Test without parameters."""
    return WrittenCase(test, test, assert_statements.pattern_of(expected_message(test)))


def body(case: WrittenCase, knowledge: SubjectIndex, imports: Imports, indent: str) -> list[Block]:
    """The statements of ``case``, in a coroutine function if its Calls share an event loop."""
    if not shares_loop(case.test.sequence):
        return _statements(case, knowledge, imports, indent)
    name = "use" if "scenario" in imports.names else "scenario"
    inside = _statements(case, knowledge, imports, indent + INDENT)
    runs = f"{indent}{imports.module('asyncio')}.run({name}())"
    return [Block((f"{indent}async def {name}():",)), *inside, Block(("", runs))]


def _statements(
    case: WrittenCase, knowledge: SubjectIndex, imports: Imports, indent: str
) -> list[Block]:
    """The statements: Calls are inlined as long as a line holds them."""
    writer = _Writer(case, knowledge, imports, indent)
    forbidden: frozenset[int] = frozenset()
    best = writer.blocks(forbidden)
    while True:
        crowded = [index for block in best if _is_crowded(block) for index in block.placed]
        more = forbidden | frozenset(crowded)
        if more == forbidden:
            return best
        forbidden = more
        other = writer.blocks(forbidden)
        if _cost(other) > _cost(best):
            return best
        best = other


def _is_crowded(block: Block) -> bool:
    return len(block.lines) > 1 or not fits(block.lines[0])


def _cost(blocks: list[Block]) -> tuple[int, int]:
    """(lines too long and chains broken because of inlined results, all lines)."""
    inlining = [block for block in blocks if block.placed]
    broken = [block for block in inlining if len(block.placed) > 1 and len(block.lines) > 1]
    long = [line for block in inlining for line in block.lines if not fits(line)]
    return (len(long) + len(broken), sum(len(block.lines) for block in blocks))


class _Writer:
    """Writes one Case; ``forbidden`` results always get a variable."""

    def __init__(
        self, case: WrittenCase, knowledge: SubjectIndex, imports: Imports, indent: str
    ) -> None:
        taken = frozenset((*imports.names, *case.parameters))
        self._files = set_up_files(case.test, taken, indent)
        case = replace(case, test=self._files.test)
        self._hoisted = _hoist(case, imports.names)
        self._test = self._hoisted.test
        self._case = case
        self._knowledge = knowledge
        self._imports = imports
        self._margin = indent
        self._indent = indent

    def blocks(self, forbidden: frozenset[int]) -> list[Block]:
        scope, self._indent = self._scope(forbidden), self._margin
        made = [*self._set_up(scope), *self._calls(scope), *self._assertions(scope)]
        is_empty = self._indent != self._margin and made[-1].lines[-1].endswith(":")
        return [*made, *([Block((f"{self._indent}pass",))] if is_empty else [])]

    def _scope(self, forbidden: frozenset[int]) -> Scope:
        test, last = self._test, len(self._test.sequence) - 1
        is_caught = _looks_at_error(test)
        placed = choose_inlined(test, forbidden | {last} if is_caught else forbidden)
        taken = frozenset((*self._imports.names, *self._case.parameters, *self._hoisted.names))
        taken |= frozenset(self._files.names)
        wanted = needs_variable(test, placed)
        names = name_results(wanted, test.sequence, self._knowledge, taken, test.checks)
        for index in range(len(test.sequence)):
            if self._is_parameter(index):
                (value,) = test.sequence.calls[index].args
                names[index] = value.text if isinstance(value, Source) else ""
            name = self._class_above(index)
            if name is not None:
                names[index] = name
            source = reused_variable(test, index)
            if source is not None:
                names[index] = names[source]
        if is_caught:
            names[last] = f"{'error' if 'excinfo' in taken else 'excinfo'}.value"
        return Scope(test, self._imports, names, placed, self._must_cut_off)

    def _is_parameter(self, index: int) -> bool:
        """Does Call ``index`` only give a name to what is a parameter of the test?"""
        call = self._test.sequence.calls[index]
        value = call.args[0] if call.name == "itself" and call.kind == "operator" else None
        return isinstance(value, Source) and value.text in self._case.parameters

    def _class_above(self, index: int) -> str | None:
        """The name of the class that Call ``index`` defines, if it stands above the tests."""
        call = self._test.sequence.calls[index]
        name = class_name(call) if call.kind == "define" else ""
        above = self._imports.classes.get(name)
        return name if above is not None and repr(above) == repr(call) else None

    def _must_cut_off(self, index: int) -> bool:
        """Must the iteration of Call ``index`` be cut off where the explorer cut it off?"""
        test = self._case.original
        raising = isinstance(test.outcome, Raised) and index == len(test.sequence) - 1
        found = [check for check in test.checks if shows_items(check.observed, index)]
        if not found:
            return not raising and test.sequence.calls[index].then == "drain"
        return any(map(is_cut_off, found))

    def _set_up(self, scope: Scope) -> Iterator[Block]:
        for lines in self._files.lines:
            yield Block(lines)
        for name, value in self._hoisted.names.items():
            yield Block(tuple(assignment(name, code(value, scope).node, self._indent)))

    def _calls(self, scope: Scope) -> Iterator[Block]:
        calls = self._test.sequence.calls
        last = len(calls) - 1
        is_apart = not self._files.lines and not self._hoisted.names
        for index in range(len(calls)):
            if index in scope.inlined or self._is_parameter(index) or self._class_above(index):
                continue
            if index and assert_statements.repetitions(calls[index - 1 :]) > 1:
                continue
            scope.used = []
            if index == last and isinstance(self._test.outcome, Raised):
                lines = self._raising(scope, self._test.outcome, calls[index])
            elif index == last and self._test.warns:
                lines = self._warning(scope, index)
            else:
                lines = self._step(scope, index, self._indent)
                self._indent += INDENT if opens_block(calls[index]) else ""
            is_class = calls[index].kind == "define" or lines[0].lstrip().startswith("def ")
            if not is_apart and (is_class or lines[0].lstrip().startswith("async def ")):
                lines = ["", *lines]
            lines += [""] if is_class else []
            is_apart = lines[-1] == "" or opens_block(calls[index])
            yield Block(tuple(lines), placed=tuple(scope.used))

    def _warning(self, scope: Scope, index: int) -> list[str]:
        warns = assert_statements.warns(self._test.warns, self._case.pattern, scope, self._imports)
        opening = assert_statements.expecting([warns], "", self._indent)
        return [*opening, *self._step(scope, index, self._indent + INDENT)]

    def _step(self, scope: Scope, index: int, indent: str) -> list[str]:
        call = self._test.sequence.calls[index]
        name = scope.names.get(index, "")
        if is_augmented(call):
            return self._augmented(scope, index, call, indent)
        if call.then in ENTERED:
            return entered(call, scope, self._imports, indent).lines(name)
        if error := expected_error(call):
            return self._expected(scope, index, error, indent)
        if is_statement(call):
            return statement(call, scope, indent, name)
        if name and (lines := named_function(name, call, indent)):
            return lines
        value = scope.value(index)
        if name:
            return assignment(name, value.node, indent)
        return _effect(value, indent)

    def _expected(self, scope: Scope, index: int, error: str, indent: str) -> list[str]:
        """Call ``index``, and those that repeat it, in a block that expects it to raise."""
        kind = self._knowledge.exception(Raised(error, None))
        if kind is None:
            message = f"the exception is local to a function: {error}"
            raise ValueError(message)
        manager = assert_statements.raises(scope.symbol(kind), None, self._imports)
        calls = self._test.sequence.calls[index:]
        value = expression(replace(calls[0], then=""), scope, self._imports)
        times = assert_statements.repetitions(calls)
        return assert_statements.expected_block(manager, _effect(value, INDENT), times, indent)

    def _augmented(self, scope: Scope, index: int, call: Call, indent: str) -> list[str]:
        name = scope.names.get(index) or "result"
        first = code(call.args[0], scope)
        fresh = [] if name == first.text else assignment(name, first.node, indent)
        return [*fresh, *statement(call, scope, indent, name)]

    def _raising(self, scope: Scope, raised: Raised, call: Call) -> list[str]:
        error = self._knowledge.exception(raised)
        if error is None:
            message = f"the exception is local to a function: {raised.type}"
            raise ValueError(message)
        manager, before = "", []
        inner = self._indent + INDENT
        if scope.in_coroutine and (call.then in ENTERED or call.name == "__aenter__"):
            lines = self._step(scope, len(self._test.sequence) - 1, inner)
            lines += [f"{inner}{INDENT}pass"] if opens_block(call) else []
        elif call.then in ENTERED:
            entry = entered(call, scope, self._imports, self._indent)
            manager, before, lines = entry.manager, entry.before, entry.raising()
        elif (call.name.startswith("with") and call.kind == "operator") or opens_block(call):
            manager = code(call.args[0], scope).text
            lines = with_body(call, scope, self._indent)
        elif is_statement(call):
            lines = statement(call, scope, inner)
        else:
            value = expression(call, scope, self._imports)
            lines = _effect(value, inner)
        kind = self._case.error or scope.symbol(error)
        expected = [assert_statements.raises(kind, self._case.pattern, self._imports)]
        if self._test.warns:
            expected.insert(
                0, assert_statements.warns(self._test.warns, None, scope, self._imports)
            )
        is_caught = _looks_at_error(self._test)
        name = scope.names[len(self._test.sequence) - 1].partition(".")[0] if is_caught else ""
        opening = assert_statements.expecting(expected, manager, self._indent, name)
        return [*before, *opening, *lines]

    def _assertions(self, scope: Scope) -> Iterator[Block]:
        for position in in_reading_order(self._test):
            scope.used = []
            check = self._test.checks[position]
            left = self._observed(scope, check, position)
            if assert_statements.reads_backwards(left, check):
                lines = assignment("actual", left.node, self._indent)
                left = Code(code(Source("actual"), scope).node)
                yield Block(tuple(lines), position, tuple(scope.used))
            opposite = not self._knowledge.defines_inequality
            node = assert_statements.assertion(check, left, scope, self._imports, opposite=opposite)
            lines = render(node, self._indent, "assert ")
            yield Block(tuple(lines), position, tuple(scope.used))

    def _observed(self, scope: Scope, check: Check, position: int) -> Code:
        if isinstance(check.observed, Ref):
            return scope.ref(check.observed.index)
        endless = is_cut_off(self._case.original.checks[position])
        return expression(check.observed, scope, self._imports, endless=endless)


def _looks_at_error(test: Test) -> bool:
    """Does a Check look at the exception that the last Call raises?"""
    last = len(test.sequence) - 1
    looks = [check.observed for check in test.checks if isinstance(check.observed, Call)]
    return isinstance(test.outcome, Raised) and any(last in refs_of(one) for one in looks)


def _effect(value: Code, indent: str) -> list[str]:
    """A statement for the effect of ``value``; linters want all but calls to be assigned."""
    if isinstance(value.node, Bracket) and value.node.opening == "(":
        return render(value.node, indent)
    return assignment("_", value.node, indent)


@dataclass(frozen=True, slots=True)
class _Hoisted:
    """A Test whose awkward literals have been given names."""

    test: Test
    names: dict[str, Arg]


def _hoist(case: WrittenCase, taken: frozenset[str]) -> _Hoisted:
    """Name the literals that linters do not want in a comparison (``x == None``, ``3 == x``)."""
    names: dict[str, Arg] = {}

    def renamed_call(call: Call) -> Call:
        args = [
            _name_for(arg, names, taken, case.parameters) if _is_awkward(call, slot, arg) else arg
            for slot, arg in enumerate(call.args)
        ]
        return replace(call, args=tuple(args))

    calls = tuple([renamed_call(call) for call in case.test.sequence.calls])
    found = tuple(
        [
            replace(check, observed=renamed_call(check.observed))
            if isinstance(check.observed, Call)
            else check
            for check in case.test.checks
        ]
    )
    return _Hoisted(replace(case.test, sequence=Sequence(calls), checks=found), names)


def _is_awkward(call: Call, slot: int, arg: Arg) -> bool:
    """Is ``arg`` a literal that linters or the line length forbid where ``call`` has it?"""
    if isinstance(arg, Ref) or refs_in(arg):
        return False
    if isinstance(arg, Source) and "lambda" in arg.text:
        return False
    if call.kind == "operator" and call.name in COMPARISONS and call.name != "in":
        singled = assert_statements.is_singleton(arg) or assert_statements.is_builtin(arg)
        if slot == 0 or (singled and call.name in ("==", "!=")):
            return True
    tight = call.kind == "operator" and call.name not in _ROOMY and not call.name.startswith("with")
    receiver = call.kind in ("method", "get", "set") and slot == 0
    stored = call.name == "[]=" and slot == 2  # noqa: PLR2004 - (container, key, value)
    return (receiver or (tight and not stored)) and source_width(arg) > _MAX_OPERAND


#: Operators whose operands stand on lines of their own: a call, and an assignment to a name.
_ROOMY: Final = ("call", "itself")
#: Characters of an operand; a longer literal gets a name.
_MAX_OPERAND: Final = 30


def _name_for(
    value: Arg, names: dict[str, Arg], taken: frozenset[str], parameters: tuple[str, ...]
) -> Arg:
    if isinstance(value, Source) and value.text in parameters:
        return value
    for name, known in names.items():
        if repr(known) == repr(value):
            return Source(name)
    options = ("other", "another", *[f"operand_{number}" for number in range(1, 9)])
    name = next(option for option in options if option not in {*names, *taken, *parameters})
    names[name] = value
    return Source(name)
