"""Tags: words for what is special about a Test, such as ``negative_amount``.

Invariant: a word is derived from the Test and the Subject's description alone and
is true of the Test.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final, Literal

from unitcraft.core.goals import ROUND_TRIP
from unitcraft.core.operators import SPECIAL_METHODS
from unitcraft.core.outcomes import Raised
from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    Const,
    Display,
    Ref,
    Source,
    Symbol,
    TempPath,
    refs_in,
)
from unitcraft.emit.arrange.variable_names import class_nouns
from unitcraft.emit.code.call_code import is_statement
from unitcraft.emit.code.subject_index import SubjectIndex, simple_name, words
from unitcraft.emit.naming.surroundings_words import file_words, replaced_words, variable_words
from unitcraft.emit.naming.telling_words import (
    attribute_words,
    comparison_words,
    message_words,
    part_words,
    result_words,
    returned_words,
    wanted_words,
    written_words,
)
from unitcraft.emit.naming.value_words import (
    class_words,
    container_words,
    flag_words,
    literal_words,
    number_words,
    text_words,
)
from unitcraft.explore.execution import SHOWING
from unitcraft.subject.model import Invocable, Parameter
from unitcraft.suite.tests import Test

#: Parameter names that say nothing; the kind of the value says more.
_EMPTY_NAMES: Final = frozenset(
    ("x", "y", "a", "b", "n", "s", "v", "arg", "args", "value", "val", "obj", "other", "data",
     "kwargs", "o", "i", "k", "it", "param", "input")
)  # fmt: skip

#: Operator -> the verb for it in a test name.
_OPERATIONS: Final = {
    "==": "equal", "!=": "not_equal", "<": "less_than", "<=": "at_most", ">": "greater_than",
    ">=": "at_least", "+": "add", "-": "subtract", "*": "multiply", "/": "divide",
    "//": "floor_divide", "%": "modulo", "**": "power", "@": "matmul", "<<": "shift_left",
    ">>": "shift_right", "&": "intersect", "|": "unite", "^": "differ", "in": "contains",
    "neg": "negate", "pos": "plus", "invert": "invert", "[]": "get_item", "[]=": "set_item",
    "del[]": "delete_item", "del.": "delete", "call": "call", "with": "enter",
    "async with": "enter", "async for": "iterate",
    "with raise": "exit_with_error", "list": "iterate", "iter": "iterate", "round2": "round",
    "bool": "truth",
}  # fmt: skip


#: Classes of objects that stand for any other.
_STAND_INS: Final = ("simple_namespace", "mock", "object")

#: Tags of arguments that a reader would name first.
_STRONG: Final = re.compile(
    r"(?:empty|none|negative|zero|nan|infinite|itself|not|true|false|duplicate|blank)(?:_|$)"
    r"|.*_none$"
)


TagKind = Literal["argument", "circumstance", "state", "message", "result", "value"]


@dataclass(frozen=True, slots=True)
class Tag:
    """A few words of a test name, and the part of the test that they describe."""

    kind: TagKind
    text: str
    strong: bool = False

    @property
    def weight(self) -> int:
        """The rank of the tag: 0 for the words that a reader would choose first."""
        if self.kind == "circumstance":
            return 0 if self.strong else 2
        if self.kind == "argument":
            if self.strong or _STRONG.match(self.text):
                return 0
            return 2 if self.text.startswith("with_") else 3
        if self.strong:
            return 1
        return {"state": 1, "message": 1, "result": 2, "value": 4}[self.kind]


def subject_words(test: Test, knowledge: SubjectIndex, *, gathered: bool) -> str:
    """The first words of a test name: ``push``, ``create_stack``, ``add``, ``stack_attributes``."""
    invocable = knowledge.invocable(test.invocable)
    owner = owner_of(test, knowledge)
    noun = class_nouns(owner)[-1] if owner else ""
    if gathered:
        looks = [check.observed for check in test.checks]
        fields = all(isinstance(look, Call) and look.kind == "get" for look in looks)
        return f"{noun or 'result'}_{'attributes' if fields else 'state'}"
    last = test.sequence.calls[-1]
    part = part_words(test)
    if part:
        return part
    if invocable is None or invocable.kind == "constructor":
        return f"create_{noun}" if noun else words(simple_name(test.invocable))
    name = simple_name(test.invocable)
    if name in SPECIAL_METHODS:
        if last.name == "==" and name == "__eq__" and _is_false(test):
            return _OPERATIONS["!="]
        return _operation_words(last, name)
    stem = words(name) or "call"
    if any(goal.detail == ROUND_TRIP for goal in test.goals):
        return f"{stem}_undoes_{words(simple_name(test.sequence.calls[0].name))}"
    return f"set_{stem}" if last.kind == "set" else stem


def _is_false(test: Test) -> bool:
    """Does the test expect that the last Call returns False?"""
    last = Ref(len(test.sequence) - 1)
    found = [check.expected for check in test.checks if check.observed == last]
    return [repr(one) for one in found] == [repr(Const(value=False))]


def _operation_words(last: Call, name: str) -> str:
    """The verb for a special method."""
    if name == "__hash__":
        return "hash_of_equals" if last.name == "==" else "hash"
    operator = last.name if last.kind == "operator" else SPECIAL_METHODS[name][0]
    if operator in _OPERATIONS:
        return _OPERATIONS[operator]
    if operator[:-1] in _OPERATIONS:
        return f"{_OPERATIONS[operator[:-1]]}_in_place"
    return words(operator)


def owner_of(test: Test, knowledge: SubjectIndex) -> str:
    """The class id that the test is about, or ''."""
    invocable = knowledge.invocable(test.invocable)
    if invocable is None:
        return test.invocable if test.invocable in knowledge.classes else ""
    if invocable.kind == "constructor":
        return invocable.owner or invocable.id
    return invocable.owner


def tags(test: Test, knowledge: SubjectIndex) -> list[Tag]:
    """The tags of ``test``: of arguments, of the state before, of the result, of values."""
    found = [Tag("argument", comparison_words(test, knowledge), strong=True)]
    left_out = _left_out(test, knowledge)
    for text, names, is_local in test.circumstances:
        is_default = bool(names) and names <= left_out
        kind: TagKind = "argument" if is_default else "circumstance"
        found.append(Tag(kind, text, strong=not is_local and not is_default))
    found += [Tag("argument", text, strong=True) for text in wanted_words(test, knowledge)]
    found += [Tag("state", text) for text in variable_words(test)]
    found += [Tag("result", text, strong=True) for text in returned_words(test, knowledge)]
    found += [*_argument_tags(test, knowledge), *_state_tags(test, knowledge), *_result_tags(test)]
    found += [Tag("message", message_words(test))]
    found += [Tag("value", text) for text in replaced_words(test)]
    found += _value_tags(test, knowledge)
    return list(dict.fromkeys(tag for tag in found if tag.text))


def _left_out(test: Test, knowledge: SubjectIndex) -> frozenset[str]:
    """The parameters that the last Call is not given: what holds of a default is the usual case."""
    called = knowledge.invocable(test.invocable)
    given = {one.name for one, _ in _arguments(test, knowledge) if one is not None}
    return frozenset({one.name for one in called.parameters} - given) if called else frozenset()


def raised_words(raised: Raised) -> str:
    """``raises_value_error``."""
    return f"raises_{words(simple_name(raised.type))}"


def _arguments(test: Test, knowledge: SubjectIndex) -> list[tuple[Parameter | None, Arg]]:
    """The arguments of the last Call with their parameters, the receiver left out."""
    last = test.sequence.calls[-1]
    called = knowledge.invocable(test.invocable)
    args = last.args[1:] if last.kind != "function" else last.args
    if last.kind == "operator" and last.args and not isinstance(last.args[0], Ref):
        args = last.args[:1]
    parameters = list(called.parameters) if called else []
    positional = [item for item in parameters if item.kind not in ("keyword", "var_keyword")]
    found: list[tuple[Parameter | None, Arg]] = []
    for position, arg in enumerate(args):
        at = min(position, len(positional) - 1)
        found.append((positional[at] if positional else None, arg))
    by_name = {item.name: item for item in parameters}
    return found + [(by_name.get(name), arg) for name, arg in last.kwargs]


def _argument_tags(test: Test, knowledge: SubjectIndex) -> list[Tag]:
    given = _arguments(test, knowledge)
    found: list[Tag] = []
    asked = {name for _, names, _ in test.circumstances for name in names}
    asked &= {parameter.name for parameter, _ in given if parameter}
    for parameter, arg in given:
        beside = bool(asked) and parameter is not None and parameter.name not in asked
        kind: TagKind = "value" if beside or isinstance(arg, Build | Source) else "argument"
        found += [replace(tag, kind=kind) for tag in _tags_of(parameter, arg, test, knowledge)]
    called = knowledge.invocable(test.invocable)
    found += _omitted(called, {parameter.name: arg for parameter, arg in given if parameter})
    if not given and called and called.parameters:
        found.insert(0, Tag("argument", "without_arguments"))
    found += _equality_tags(given)
    return found


def _equality_tags(given: list[tuple[Parameter | None, Arg]]) -> list[Tag]:
    texts = [repr(arg) for _, arg in given]
    if len(texts) > 1 and len(set(texts)) == 1:
        return [Tag("argument", "twice_the_same")]
    named = [(_noun(parameter, ""), arg) for parameter, arg in given if isinstance(arg, Build)]
    return [
        Tag("argument", f"same_{one}_and_{other}")
        for (one, first), (other, second) in combinations(named, 2)
        if one and other and repr(first) == repr(second)
    ]


def _is_off(arg: Arg) -> bool:
    """Does the value of an option say that it is not wanted?"""
    return isinstance(arg, Const) and (arg.value is None or arg.value is False)


def _omitted(called: Invocable | None, given: Mapping[str, Arg]) -> list[Tag]:
    optional = [item for item in called.parameters if not item.required] if called else []
    plain = [item for item in optional if item.kind in ("positional", "keyword", "positional_only")]
    return [
        Tag("argument", f"{'with' if item.name in given else 'without'}_{words(item.name)}")
        for item in plain
        if item.name not in given or not _is_off(given[item.name])
    ]


def _noun(parameter: Parameter | None, fallback: str) -> str:
    name = words(parameter.name) if parameter else ""
    return fallback if name in _EMPTY_NAMES or len(name) < 2 else name  # noqa: PLR2004


def _tags_of(
    parameter: Parameter | None, arg: Arg, test: Test, knowledge: SubjectIndex
) -> list[Tag]:
    match arg:
        case Const(value) if isinstance(value, str | bytes):
            noun = _noun(parameter, "bytes" if isinstance(value, bytes) else "string")
            texts = text_words(value, noun)
        case Const(bool() as value):
            texts = [flag_words(_noun(parameter, ""), value=value)]
            return [Tag("argument", texts[0], strong=True)]
        case Const(None):
            texts = [f"{_noun(parameter, '')}_none".lstrip("_"), "none"]
        case Const(value) if isinstance(value, int | float):
            noun = _noun(parameter, "number")
            is_class = value > 0 and _is_of_wrong_class(test)
            texts = class_words(value, noun) if is_class else number_words(value, noun)
        case Display(kind, items):
            count = len(items) // 2 if kind == "dict" else len(items)
            texts = container_words(count, items, _noun(parameter, kind), kind)
        case Ref(index):
            made = knowledge.class_made_by(test.sequence.calls[index], test.sequence)
            last = test.sequence.calls[-1]
            same = last.kind != "function" and last.args[:1] == (Ref(index),)
            texts = ["itself"] if same else [class_nouns(made)[0]] if made else []
            texts = texts or written_words(index, test)
        case Symbol(_, qualname):
            texts = [] if arg == SHOWING else [words(qualname.rpartition(".")[2])]
        case Build(callee):
            name = words(callee.qualname.partition(".")[0])
            texts = [name] if name not in _STAND_INS else []
        case Source():
            noun = _noun(parameter, "")
            texts = [f"function_{noun}".rstrip("_") if "lambda" in arg.text else ""]
        case _:
            texts = file_words(arg.content) if isinstance(arg, TempPath) else []
    return [Tag("argument", text) for text in texts]


def _is_of_wrong_class(test: Test) -> bool:
    """Does the test expect a TypeError, which says that the class of an argument matters?"""
    return isinstance(test.outcome, Raised) and test.outcome.type == "builtins:TypeError"


def _state_tags(test: Test, knowledge: SubjectIndex) -> list[Tag]:
    """The Calls on the receiver, or on the first object that is given, before the last Call."""
    calls = test.sequence.calls
    last = calls[-1]
    is_given = last.kind == "function"
    objects = [arg for arg in last.args if isinstance(arg, Ref)] if is_given else last.args
    receiver = objects[0] if objects else None
    if not isinstance(receiver, Ref):
        return []
    root = calls[receiver.index]
    made = knowledge.class_made_by(root, test.sequence)
    noun = class_nouns(made)[0] if made else "object"
    done = [call for call in calls[:-1] if call.args[:1] == (receiver,) and call is not root]
    changing = [call for call in done if _changes(call, test, knowledge)]
    given = [
        Tag("state", f"{'without' if _is_off(arg) else 'with'}_{words(name)}")
        for name, arg in root.kwargs
    ]
    if not changing and is_given:
        return []
    if not changing:
        fresh = not root.args and not root.kwargs and root.kind == "function"
        sized = any(knowledge.member(made, name) for name in ("__len__", "is_empty", "empty"))
        fresh_noun = f"on_{'empty' if sized else 'new'}_{noun}"
        return [Tag("state", fresh_noun)] if fresh else [*given, Tag("value", f"on_new_{noun}")]
    names = [_call_words(call) for call in changing]
    distinct = list(dict.fromkeys(names))
    if distinct == ["call"]:
        texts = ["called_again" if len(names) == 1 else "called_often"]
    elif len(names) == 1:
        texts = [f"after_{names[0]}"]
    elif len(distinct) == 1:
        texts = [f"after_{_TIMES.get(len(names), 'many')}_{names[0]}_calls"]
    else:
        texts = [f"after_{'_and_'.join(distinct)}"] if len(distinct) == 2 else []  # noqa: PLR2004
        texts += [f"after_{distinct[-1]}"]
    return [*(Tag("state", text) for text in texts), *given]


#: Number of equal Calls -> the word for it.
_TIMES: Final = {2: "two", 3: "three", 4: "four", 5: "five"}


def _changes(call: Call, test: Test, knowledge: SubjectIndex) -> bool:
    if call.kind == "get":
        return False
    called = knowledge.called(call, test.sequence)
    return (
        is_statement(call)
        or called is None
        or bool(called.writes)
        or called.first == 0
        or (call.kind == "method")
    )


def _call_words(call: Call) -> str:
    if call.kind == "operator":
        item = literal_words(call.args[1]) if call.name == "[]=" else ""
        return f"set_{item}" if item else _operation_words(call, "__call__")
    return f"set_{words(call.name)}" if call.kind == "set" else words(call.name)


def _result_tags(test: Test) -> list[Tag]:
    last = Ref(len(test.sequence) - 1)
    checks = [check for check in test.checks if check.observed == last]
    found = [Tag("result", text) for check in checks[:1] for text in result_words(check)]
    return found or [
        Tag("result", attribute_words(check.observed.name, check.expected))
        for check in test.checks
        if isinstance(check.observed, Call)
        and check.observed.kind == "get"
        and check.observed.args == (last,)
    ]


def _value_tags(test: Test, knowledge: SubjectIndex) -> list[Tag]:
    """The arguments themselves, where they are short enough to read."""
    found: list[str] = []
    for parameter, arg in _arguments(test, knowledge):
        text = literal_words(arg)
        noun = _noun(parameter, "with")
        found += [f"{noun}_{text}" if text.isdigit() else text] if text else []
    joined = [literal_words(arg) for _, arg in _arguments(test, knowledge)]
    found += ["_and_".join(joined)] if len(joined) > 1 and all(joined) else []
    made = [
        literal_words(arg)
        for call in test.sequence.calls[:-1]
        for arg in call.args
        if not refs_in(arg)
    ]
    found += [f"of_{made[0]}"] if made and made[0] else []
    return [Tag("value", text) for text in found]
