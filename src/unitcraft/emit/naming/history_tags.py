"""Tags of what a test did before its last Call: how the object was made, and what became of it.

Invariant: a key or an attribute that was set is named itself, not the method that set it.
"""

from __future__ import annotations

from typing import Final

from unitcraft.core.sequences import Arg, Call, Const, Ref, Sequence, refs_in
from unitcraft.emit.arrange.variable_names import class_nouns
from unitcraft.emit.code.call_code import is_statement
from unitcraft.emit.code.subject_index import SubjectIndex, words
from unitcraft.emit.naming.argument_tags import (
    call_told,
    is_off,
    matched,
    option_tags,
    words_of_argument,
)
from unitcraft.emit.naming.operation_words import operation_words
from unitcraft.emit.naming.tag_weights import Tag
from unitcraft.emit.naming.value_words import literal_words, telling_literal
from unitcraft.explore.search.variation.places import ANSWER
from unitcraft.subject.model import Invocable, Parameter
from unitcraft.suite.telling.seeded_chance import SEEDING, SEEDS
from unitcraft.suite.tests import Test

#: What is said of a container into which something was put, where rows of a table differ in that.
WITH_ITEM: Final = "with_item"
#: What is said where time has passed.
_LATER: Final = "later"
#: Number of equal Calls -> the word for it.
_TIMES: Final = {2: "two", 3: "three", 4: "four", 5: "five"}


def history_tags(test: Test, knowledge: SubjectIndex) -> list[Tag]:
    """The Calls on the receiver, or on the first object that is given, before the last Call.

    That its chance was seeded says nothing of the situation.
    """
    later = [Tag("state", _LATER, strong=True)] if _passes_time(test.sequence) else []
    return [*later, *_object_tags(test, knowledge)]


def _passes_time(sequence: Sequence) -> bool:
    """Does the test set what answers the time once more, after what may have asked it?"""
    arranged = [call.args[0] for call in sequence.calls if call.kind == "arrange"]
    is_set = any(
        call.kind == "set" and call.name == ANSWER and _is_number(call.args[1])
        for call in sequence.calls
    )
    return is_set or len(set(arranged)) < len(arranged)


def _is_number(arg: Arg) -> bool:
    return isinstance(arg, Const) and type(arg.value) in (int, float)


def _object_tags(test: Test, knowledge: SubjectIndex) -> list[Tag]:
    calls = test.sequence.calls
    last = call_told(test)
    is_given = last.kind == "function"
    objects = [arg for arg in last.args if isinstance(arg, Ref)] if is_given else last.args
    receiver = objects[0] if objects else None
    if not isinstance(receiver, Ref):
        return []
    root = calls[receiver.index]
    own = [call for call in calls[:-1] if call.args[:1] == (receiver,) and call is not root]
    done = [call for call in own if call.kind != "method" or call.name not in SEEDING]
    changing = [call for call in done if _changes(call, test, knowledge) and call is not last]
    if not changing and is_given:
        return []
    made = _made_tags(root, test, knowledge)
    if not changing:
        return [*(_fresh_tags(root, test, knowledge) if done == own else ()), *made]
    if all(_key_set(call, knowledge, test) and call.kind != "set" for call in changing):
        made.append(Tag("state", WITH_ITEM))
        made += [Tag("value", f"after_{words(call.name)}") for call in changing if words(call.name)]
    return [*(Tag("state", text) for text in _changed_words(changing, knowledge, test)), *made]


def _fresh_tags(root: Call, test: Test, knowledge: SubjectIndex) -> list[Tag]:
    """What is said of an object that nothing was done to."""
    made = knowledge.class_made_by(root, test.sequence)
    nouns = class_nouns(made or (root.name if root.kind == "function" else ""))
    noun = nouns[0] or "object"
    is_plain = not root.args and not root.kwargs and root.kind == "function"
    sized = any(knowledge.member(made, name) for name in ("__len__", "is_empty", "empty"))
    if is_plain:
        return [Tag("state", f"on_{'empty' if sized else 'new'}_{noun}")]
    return [Tag("value", f"on_{noun}")]


def made_without(test: Test, knowledge: SubjectIndex) -> frozenset[str]:
    """The words for the options that the receiver was not made with: what they are is the usual."""
    last = call_told(test)
    receiver = last.args[0] if last.kind != "function" and last.args else None
    if not isinstance(receiver, Ref):
        return frozenset()
    root = test.sequence.calls[receiver.index]
    made = knowledge.info(knowledge.class_made_by(root, test.sequence))
    called = knowledge.called(root, test.sequence) or (
        knowledge.invocable(made.members[0]) if made and made.members else None
    )
    given = {one.name for one, _ in _matched_root(called, root) if one}
    options = [one for one in called.parameters if not one.required] if called else []
    left_out = [words(one.name) for one in options if one.name not in given]
    return frozenset([
        f"{sign}{noun}" for noun in left_out for sign in ("when_not_", "not_", "without_")
    ])  # fmt: skip


def _made_tags(root: Call, test: Test, knowledge: SubjectIndex) -> list[Tag]:
    """The options with which the object was made, and what is special about its arguments."""
    made = knowledge.class_made_by(root, test.sequence)
    info = knowledge.info(made)
    called = knowledge.called(root, test.sequence) or (
        knowledge.invocable(info.members[0]) if info and info.members else None
    )
    matching = _matched_root(called, root)
    given = [(one, arg) for one, arg in matching if one is None or one.name not in SEEDS]
    found = [
        Tag("state", f"{'without' if is_off(arg) else 'with'}_{words(name)}")
        for name, arg in root.kwargs
        if name not in SEEDS
    ]
    by_name = {one.name: arg for one, arg in given if one}
    found += [Tag("state", tag.text) for tag in option_tags(called, by_name) if _is_given(tag)]
    for parameter, arg in given:
        for text in words_of_argument(parameter, arg, test, knowledge):
            found.append(Tag("state" if text.startswith("empty_") else "value", text))
    texts = [
        telling_literal(arg, one.name if one else "")
        for one, arg in matching[: len(matching) - len(root.kwargs)]
        if not refs_in(arg) and (one is None or one.name not in SEEDS)
    ]
    found += [Tag("value", f"of_{text}") for text in texts[:1] if text and not text[-1].isdigit()]
    return found


def _matched_root(called: Invocable | None, root: Call) -> list[tuple[Parameter | None, Arg]]:
    """The arguments of the Call that made the object, without the receiver of a method."""
    args = root.args if root.kind == "function" else root.args[1:]
    return matched(called, args, root.kwargs)


def _is_given(tag: Tag) -> bool:
    return tag.text.startswith("with_")


def _changed_words(changing: list[Call], knowledge: SubjectIndex, test: Test) -> list[str]:
    """What was done to the object: ``with_comment`` was set, ``after_withdraw``."""
    keys = [_key_set(call, knowledge, test) for call in changing]
    if all(keys):
        distinct = list(dict.fromkeys(keys))
        return [f"with_{'_and_'.join(distinct)}"] if len(distinct) <= 2 else []  # noqa: PLR2004
    names = [_call_words(call) for call in changing]
    distinct = list(dict.fromkeys(names))
    if distinct == ["call"]:
        return ["called_again" if len(names) == 1 else "called_often"]
    if len(names) == 1:
        return [f"after_{names[0]}"]
    if len(distinct) == 1:
        return [f"after_{_TIMES.get(len(names), 'many')}_{names[0]}_calls"]
    both = [f"after_{'_and_'.join(distinct)}"] if len(distinct) == 2 else []  # noqa: PLR2004
    return [*both, f"after_{distinct[-1]}"]


def _key_set(call: Call, knowledge: SubjectIndex, test: Test) -> str:
    """The key or attribute that ``call`` sets; '' of other Calls."""
    if call.kind == "set":
        return words(call.name)
    called = knowledge.called(call, test.sequence)
    is_inherited = call.kind == "method" and (called is None or called.first == 0)
    if len(call.args) > 1 and (is_inherited or (call.kind == "operator" and call.name == "[]=")):
        return literal_words(call.args[1])
    return ""


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
        return f"set_{item}" if item else operation_words(call, "__call__")
    return f"set_{words(call.name)}" if call.kind == "set" else words(call.name)
