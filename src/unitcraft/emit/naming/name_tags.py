"""Tags: words for what is special about a Test, such as ``negative_amount``.

Invariant: a word is derived from the Test and the Subject's description alone and
is true of the Test.
"""

from __future__ import annotations

import re
from typing import Final

from unitcraft.core.goals import ROUND_TRIP
from unitcraft.core.operators import SPECIAL_METHODS
from unitcraft.core.outcomes import Raised
from unitcraft.core.sequences import Call, Const, Display, Ref, Source, arguments
from unitcraft.emit.arrange.variable_names import class_nouns
from unitcraft.emit.code.subject_index import SubjectIndex, simple_name, words
from unitcraft.emit.naming.argument_tags import (
    SUBSCRIPTS,
    argument_tags,
    given_arguments,
    kind_words,
    left_out,
    noun_of,
    placed,
    value_tags,
)
from unitcraft.emit.naming.condition_words import is_progress
from unitcraft.emit.naming.history_tags import history_tags, made_without
from unitcraft.emit.naming.operation_words import observed_words, operation_words
from unitcraft.emit.naming.surroundings_words import (
    failing_stand_in_words,
    replaced_words,
    variable_words,
)
from unitcraft.emit.naming.tag_weights import UNCHANGED, Tag, TagKind
from unitcraft.emit.naming.telling_words import (
    attribute_words,
    comparison_words,
    counted_words,
    part_words,
    refused_words,
    result_words,
    returned_words,
    told_message,
    wanted_words,
)
from unitcraft.suite.tests import Check, Test, expected_message

#: Results that say little where a function that the test writes may have given them.
_OF_FUNCTIONS: Final = ("returns_true", "returns_false", "returns_negative", "returns_zero")
#: Error of a subscript -> what was wrong with what stands in the brackets.
_NO_PLACE: Final = {"builtins:KeyError": "missing_key", "builtins:IndexError": "index_out_of_range"}
#: What is said of an operand that is no object of the receiver's class.
_UNLIKE: Final = "another_class"
#: Values that are there, and have nothing in them.
_EMPTY: Final = (
    Const(""), Const(b""), *[Display(kind, ()) for kind in ("list", "tuple", "set", "dict")],
)  # fmt: skip
#: That there is something whose name says nothing: ``with_x``.
_ONE_LETTER: Final = re.compile("(?:with|without)_.")
#: End of the path of what stands under a key.
_ENTRY: Final = '"]'
#: Operator by which a test looks at a result -> what it shows that as.
_FORMS: Final = {
    "list": "as_list", "each": "as_list", "str": "as_text", "repr": "as_text", "len": "length",
    "sorted": "sorted",
}  # fmt: skip


def subject_words(test: Test, knowledge: SubjectIndex, *, gathered: bool) -> str:
    """The first words of a test name: ``push``, ``create_stack``, ``add``, ``stack_attributes``."""
    invocable = knowledge.invocable(test.invocable)
    owner = owner_of(test, knowledge)
    noun = class_nouns(owner)[-1] if owner else ""
    if gathered:
        looks = [check.observed for check in test.checks if isinstance(check.observed, Call)]
        return observed_words(looks, noun or "result")
    last = test.sequence.calls[-1]
    part = part_words(test)
    if part:
        return part
    if invocable is None or invocable.kind == "constructor":
        return f"create_{noun}" if noun else words(simple_name(test.invocable))
    name = simple_name(test.invocable)
    if name in SPECIAL_METHODS:
        if last.name == "==" and name == "__eq__" and is_false(test):
            has_contrary = f"{owner}.__ne__" in knowledge.invocables
            contrary = operation_words(Call("operator", "!="), name)
            return "equal_returns_false" if has_contrary else contrary
        return operation_words(last, name)
    stem = words(name) or "call"
    if any(goal.detail == ROUND_TRIP for goal in test.goals):
        return f"{stem}_undoes_{words(simple_name(test.sequence.calls[0].name))}"
    return f"set_{stem}" if last.kind == "set" or _is_read_back(test) else stem


def _is_read_back(test: Test) -> bool:
    """Does the last Call read the attribute that the one before it set?"""
    *before, last = test.sequence.calls
    was = before[-1] if before else last
    return (was.kind, last.kind) == ("set", "get") and (was.name, was.args[0]) == (
        last.name,
        last.args[0],
    )


def is_false(test: Test) -> bool:
    """Does the test expect that the last Call returns False?"""
    last = Ref(len(test.sequence) - 1)
    found = [check.expected for check in test.checks if check.observed == last]
    return [repr(one) for one in found] == [repr(Const(value=False))]


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
    found += [
        Tag("argument", _beside_its_parameter(text, test, knowledge), strong=True)
        for text in wanted_words(test, knowledge)
    ]
    found += _circumstance_tags(test, knowledge)
    arranged = [*variable_words(test), *failing_stand_in_words(test)]
    found += [Tag("state", text) for text in arranged]
    found += [Tag("result", text, strong=True) for text in returned_words(test, knowledge)]
    unsaid = {f"with_{words(one)}" for one in left_out(test, knowledge)}
    before = [tag for tag in history_tags(test, knowledge) if tag.text not in unsaid]
    found += [*argument_tags(test, knowledge), *before, *_result_tags(test)]
    found += [Tag("refusal", _refusal(test, knowledge) or missing_words(test))]
    said, is_whole = told_message(test)
    about = "" if is_whole else _parameter_told(test, knowledge)
    said, is_whole = (f"for_{about}", True) if said and about else (said, is_whole)
    found += [Tag("message", said, strong=is_whole)]
    found += [Tag("value", text) for text in replaced_words(test)]
    found += value_tags(test, knowledge)
    said_something = [tag for tag in found if tag.text and not _ONE_LETTER.fullmatch(tag.text)]
    return list(dict.fromkeys(said_something))


def _beside_its_parameter(text: str, test: Test, knowledge: SubjectIndex) -> str:
    """``text``; where another parameter is called so, after the name of its own.

    A text that is called like its own parameter stands for any, of which there is nothing to say.
    """
    called = knowledge.invocable(test.invocable)
    names = {words(one.name) for one in called.parameters} if called else set()
    given = given_arguments(test, knowledge)
    nouns = [noun_of(one, "") for one, arg in given if one and repr(arg) == repr(Const(text))]
    if text not in names or not nouns:
        return text
    return f"{nouns[0]}_{text}" if nouns[0] != text else ""


def _circumstance_tags(test: Test, knowledge: SubjectIndex) -> list[Tag]:
    """What decided the call; of an argument whose class was asked for, the argument says more.

    Of what a function returned that is no class it is not known which.

    A number that one of the function's own variables is compared with tells its reader little, nor
    does it that there is something in an argument that has to be given.  What came out both ways,
    of two things with one name, says nothing, nor does a constant of the module.
    """
    unsaid = left_out(test, knowledge)
    called = knowledge.invocable(test.invocable)
    both = {one[0] for one in test.circumstances} & {one[4] for one in test.circumstances}
    required = {one.name for one in called.parameters if one.required} if called else set()
    known = {
        one.name
        for one, arg in given_arguments(test, knowledge)
        if one and kind_words(one, arg, test)
    }
    place = placed(test, knowledge)
    empty = _empty_arguments(test, knowledge)
    defaults = {f"{sign}_{words(one)}" for one in unsaid for sign in ("with", "without")}
    usual = defaults | made_without(test, knowledge)
    found = []
    for text, names, is_local, asked, other, decides in test.circumstances:
        if (asked in known | unsaid and text != _UNLIKE) or names == {place}:
            continue
        if text in both or (names and all(one.isupper() for one in names)):
            continue
        if is_local and "_not_in_" in text:
            continue
        is_default = (bool(names) and names <= unsaid | test.undecided) or text in usual
        is_code = is_local and any(letter.isdigit() for letter in text)
        is_hint = is_default or is_code or (is_local and is_progress(text))
        kind: TagKind = "value" if is_hint else "circumstance"
        is_usual = text.startswith("with_") and bool(names) and names <= required
        found.append(
            Tag(
                kind,
                empty.get(text, text),
                strong=not (is_local or is_default or is_usual),
                contrary=other,
                of_local=is_local,
                decides=decides and not (is_hint or is_local),
            )
        )
    return found


def _empty_arguments(test: Test, knowledge: SubjectIndex) -> dict[str, str]:
    """What is said to be not there -> the words for what was given for it and is empty."""
    given = given_arguments(test, knowledge)
    nouns = [noun_of(one, "") for one, arg in given if one and arg in _EMPTY]
    return {f"without_{noun}": f"empty_{noun}" for noun in nouns if noun}


def _parameter_told(test: Test, knowledge: SubjectIndex) -> str:
    """The only parameter of the call that the message of its exception names; ''."""
    said = {word.strip("'\"`.,:;()") for word in (expected_message(test) or "").split()}
    called = knowledge.invocable(test.invocable)
    told = [one for one in called.parameters if one.name in said] if called else []
    return noun_of(told[0], "") if len(told) == 1 else ""


def raised_words(raised: Raised) -> str:
    """``raises_value_error``."""
    return f"raises_{words(simple_name(raised.type))}"


def _refusal(test: Test, knowledge: SubjectIndex) -> str:
    """What is refused; the parameter in place of what is called like the function itself."""
    text, own = refused_words(test), words(simple_name(test.invocable))
    if not text.endswith(f"_{own}"):
        return text
    given = given_arguments(test, knowledge)
    noun = noun_of(given[0][0], "") if len(given) == 1 else ""
    return f"{text.removesuffix(own)}{noun}".rstrip("_")


def missing_words(test: Test) -> str:
    """What is wrong with what stands in brackets: ``missing_key``; '' of other Calls and errors."""
    last, raised = test.sequence.calls[-1], test.outcome
    if last.kind != "operator" or last.name not in SUBSCRIPTS or not isinstance(raised, Raised):
        return ""
    fault = _NO_PLACE.get(raised.type)
    return f"{fault}_{raised_words(raised)}" if fault else ""


def _result_tags(test: Test) -> list[Tag]:
    if isinstance(test.outcome, Raised):
        return []
    last = Ref(len(test.sequence) - 1)
    checks = [check for check in test.checks if check.observed == last]
    given = [arg for call in test.sequence.calls for arg in arguments(call)]
    passes = any(isinstance(arg, Source) and arg.text.startswith("lambda") for arg in given)
    said = [text for check in checks[:1] for text in result_words(check)]
    if checks and _is_unchanged(test, checks[0]):
        said = [UNCHANGED]
    found = [Tag("value" if passes and one in _OF_FUNCTIONS else "result", one) for one in said]
    found += [Tag("result", text, strong=True) for text in counted_words(test)]
    looks = [
        (check.observed, check.expected)
        for check in test.checks
        if isinstance(check.observed, Call) and check.observed.args == (last,)
    ]
    shown = [(look.name, value) for look, value in looks if look.kind == "get"]
    forms = [look.name for look, _ in looks if look.name in _FORMS]
    if any(name.endswith(_ENTRY) for name, _ in shown):  # how many there are says less
        forms = [name for name in forms if name != "len"]
    found += [Tag("value", _FORMS[name]) for name in forms]
    return found or [Tag("result", attribute_words(name, value)) for name, value in shown]


def _is_unchanged(test: Test, check: Check) -> bool:
    """Is the result the text that the last Call was given, and not an empty one?

    What stands under a key is another one that is written alike.
    """
    last = test.sequence.calls[-1]
    if last.kind == "operator" and last.name in SUBSCRIPTS:
        return False
    value = check.expected
    is_text = isinstance(value, Const) and isinstance(value.value, (str, bytes)) and value.value
    is_whole = check.relation == "=="
    return bool(is_text) and is_whole and value in arguments(last)
