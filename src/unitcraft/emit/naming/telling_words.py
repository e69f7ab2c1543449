"""Words that tell what a test is about: its error, what sets objects apart, what the code asks for.

Invariant: the words are the message's own, names of parameters or texts of the test; '' where there
are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from unitcraft.core.outcomes import Raised
from unitcraft.core.sequences import (
    EACH,
    Arg,
    Atom,
    Build,
    Call,
    Const,
    Display,
    Ref,
    Symbol,
    arguments,
    children,
    class_name,
    is_heir,
)
from unitcraft.emit.code.subject_index import SubjectIndex, simple_name, words
from unitcraft.emit.naming.refusal_words import refusal_words
from unitcraft.emit.naming.surroundings_words import answer_texts
from unitcraft.suite.telling.telling_values import ARBITRARY_TEXTS
from unitcraft.suite.tests import Check, Test

#: Words of a message that a name repeats: a single one says too little, more than these too much.
MIN_MESSAGE_WORDS: Final = 2
MAX_MESSAGE_WORDS: Final = 7
#: Characters of these words: with the function and the exception they have to fit a name.
MAX_MESSAGE_TEXT: Final = 44
#: Words after which more has to come.
_UNFINISHED: Final = frozenset(
    ("a", "an", "and", "are", "as", "at", "be", "because", "between", "but", "by", "can", "could",
     "for", "from", "got", "have", "if", "in", "is", "its", "must", "not", "of", "on", "only", "or",
     "should", "than", "that", "the", "this", "to", "was", "were", "when", "where", "which",
     "while", "with", "would", "you", "your")
)  # fmt: skip
#: A clause that begins with the one and has none of the other is half a sentence.
_ARTICLES: Final = ("a", "an", "the")
_VERBS: Final = frozenset(
    ("is", "are", "was", "must", "can", "cannot", "should", "may", "has", "have", "does", "did")
)
#: Words of a clause that tells of whoever wrote it.
_SPEAKERS: Final = frozenset(("i", "we"))
#: Last words of a clause before the one that says what was wrong.
_HEADINGS: Final = frozenset(("error", "exception", "failed", "warning"))
_REJECTS_EMPTY: Final = ("rejects_empty_", "rejects_blank_")
#: What a message quotes.
_QUOTED: Final = re.compile(r"(?<!\w)'([^']+)'(?!\w)")
#: Characters of a text that the code asks for, where a name repeats it.
MIN_ASKED_TEXT: Final = 2
MAX_ASKED_TEXT: Final = 20

#: Attribute of a stand-in that says how often it was called, and the words for that.
_COUNT: Final = "call_count"
_OFTEN: Final[dict[Atom, str]] = {1: "once", 2: "twice"}


def message_words(test: Test) -> str:
    """The first words of the message: ``must_be_a_real_date``; '' where they say nothing."""
    return told_message(test)[0]


def told_message(test: Test) -> tuple[str, bool]:
    """The first words of the message, which say what was wrong; are they a whole clause of it?

    Without those of the exception's class, which the name says beside: ``Not Found`` of a NotFound,
    ``Order is closed`` of an InvalidOrder.
    """
    raised = test.outcome if isinstance(test.outcome, Raised) else None
    by_class = words(simple_name(raised.type)).split("_") if raised else []
    own_name = simple_name(test.invocable).replace("_", " ") + " "
    given = {str(value).lower() for value in _values(test)}
    clauses = _clauses(test)
    for number, clause in enumerate(clauses, 1):
        clause = _without_start(clause.removeprefix(own_name), by_class)  # noqa: PLW2901
        found = _said(clause, given)
        is_heading = number < len(clauses) and found[-1:] and found[-1] in _HEADINGS
        every = re.findall(r"[a-z0-9]+", clause.lower())
        if len(found) >= MIN_MESSAGE_WORDS and not is_heading and _SPEAKERS.isdisjoint(every):
            is_whole = found[-1] == every[-1] and (
                every[0] not in _ARTICLES or not _VERBS.isdisjoint(every)
            )
            return "_".join(_without_end(found, by_class)), is_whole
    return "", False


def refused_words(test: Test) -> str:
    """What the message says is refused: ``rejects_negative_amount``; '' where it does not.

    A clause that is the first of several choices, ``must be a bool, int or None``, does not; nor
    does one of what is empty where nothing given is.
    """
    last = test.sequence.calls[-1]
    own = last.kind != "function"
    clauses = _clauses(test)
    found = (
        refusal_words(
            "_".join(re.findall(r"[a-z0-9]+", clause.lower())),
            of_arguments=len(last.args) > own or bool(last.kwargs),
        )
        for clause, rest in zip(clauses[:2], [*clauses[1:2], ""], strict=False)
        if " or " not in rest
    )
    said = next(filter(None, found), "")
    return "" if said.startswith(_REJECTS_EMPTY) and not _is_empty_given(test) else said


def _is_empty_given(test: Test) -> bool:
    """Is a text or a collection given that has nothing in it, or something that may have?"""
    last = test.sequence.calls[-1]
    given = arguments(last)[last.kind != "function" :]
    return any(
        not arg.items
        if isinstance(arg, Display)
        else not isinstance(arg, Const) or arg.value in (None, "", b"")
        for arg in given
    )


def _clauses(test: Test) -> list[str]:
    """The parts of the message of the exception without the values that the test gives."""
    raised = test.outcome if isinstance(test.outcome, Raised) else None
    if raised is None or not raised.message or not raised.message.isascii():
        return []
    message, values = raised.message, _values(test)
    for value in values:
        message = message.replace(repr(value), "") if isinstance(value, bytes) else message
    message = _without_given(message, [one.lower() for one in _all_texts(test)])
    message = _without_words(message, values)
    return re.split(r"(?:[.:;,\n]|\((?!\)))\s*", message.replace("_", " ").replace("'", ""))


def _values(test: Test) -> list[Atom]:
    """The constants that the Calls are given."""
    return [
        arg.value
        for call in test.sequence.calls
        for arg in arguments(call)
        if isinstance(arg, Const)
    ]


def _all_texts(test: Test) -> list[str]:
    """The texts that the test gives, at any depth."""
    waiting = [arg for call in test.sequence.calls for arg in arguments(call)]
    found: list[str] = []
    while waiting:
        arg = waiting.pop()
        if isinstance(arg, Const) and isinstance(arg.value, str):
            found.append(arg.value)
        waiting += children(arg)
    return found


def _without_given(message: str, given: list[str]) -> str:
    """``message`` without what it quotes of the texts ``given``: that is in the test already."""

    def kept(quoted: re.Match[str]) -> str:
        text = quoted[1].lower().strip("-_./ ") or quoted[1]
        return "" if any(text in one for one in given) else quoted[0]

    return _QUOTED.sub(kept, message)


def _without_words(message: str, values: Iterable[Atom]) -> str:
    """``message`` without the words that are texts or numbers given, but for common words."""
    given = {str(one) for one in values if isinstance(one, str) or type(one) is int} - _UNFINISHED
    return " ".join(word for word in message.split(" ") if word.strip("()[],:;.") not in given)


def _without_start(clause: str, said: list[str]) -> str:
    """``clause`` without the words with which ``said``, that stands before it, ends."""
    text = clause.lower()
    for start in range(len(said)):
        heading = " ".join(said[start:]) + " "
        if text.startswith(heading):
            return clause[len(heading) :]
    return clause


def _without_end(found: list[str], said: list[str]) -> list[str]:
    """``found`` without the words ``said`` at its end, and those that ask for more then."""
    if found[-len(said) :] != said or found[-len(said) - 1 : -len(said)] == ["no"]:
        return found
    kept = found[: -len(said)]
    while kept and kept[-1] in _UNFINISHED:
        kept.pop()
    return kept


def _said(clause: str, given: set[str]) -> list[str]:
    """The first words of ``clause`` that make sense alone, without those ``given`` at both ends."""
    found = re.findall(r"[a-z0-9]+", clause.lower())[:MAX_MESSAGE_WORDS]
    while found and found[0] in given:
        found.pop(0)
    unsaid = given | _UNFINISHED
    while found and (found[-1] in unsaid or len("_".join(found)) > MAX_MESSAGE_TEXT):
        found.pop()
    return found


def wanted_words(test: Test, knowledge: SubjectIndex) -> list[str]:
    """The texts given to the last Call, or answered to it, for which the code asks: ``max_age``."""
    given = [arg.value for arg in arguments(test.sequence.calls[-1]) if isinstance(arg, Const)]
    texts = [value for value in given if isinstance(value, str)] + answer_texts(test)
    return _as_words(text for text in texts if text in knowledge.asked_for)


def returned_words(test: Test, knowledge: SubjectIndex) -> list[str]:
    """The texts of the code that the last Call returns: ``returns_draft``."""
    last = Ref(len(test.sequence) - 1)
    given = {
        text for call in test.sequence.calls for arg in arguments(call) for text in _texts_in(arg)
    }
    shown = [
        text
        for check in test.checks
        if check.observed == last
        for text in _texts_in(check.expected)
        if text in knowledge.texts and text not in given
    ]
    return [f"returns_{one}" for one in _as_words(shown)]


def attribute_words(name: str, value: Arg) -> str:
    """What a test says of an attribute that it looks at: ``no_title`` where that is None.

    Of those of items it says nothing, nor of one whose name stands for any.  What it is reached by
    is not said.
    """
    key = re.split(r'[."]', name.removesuffix('"]'))[-1]
    if EACH in name or (key != name and key in ARBITRARY_TEXTS) or name in ARBITRARY_TEXTS[:2]:
        return ""
    name = key
    if isinstance(value, Const) and value.value is False:
        first, _, last = words(name).removeprefix("is_").rpartition("_")
        is_done = bool(first) and last.endswith("ed")
        return f"{first}_not_{last}" if is_done else "_".join(filter(None, ("not", first, last)))
    is_empty = isinstance(value, Display) and not value.items
    is_nothing = is_empty or value in (Const(None), Const(""))
    return f"no_{words(name)}" if is_nothing else words(name)


def _texts_in(arg: Arg) -> list[str]:
    """The texts in ``arg``; of a dictionary those that are its values."""
    if isinstance(arg, Const):
        return [arg.value] if isinstance(arg.value, str) else []
    items = children(arg)
    if isinstance(arg, Display) and arg.kind == "dict":
        items = tuple([one for one in items[1::2] if isinstance(one, Const)])
    return [text for item in items for text in _texts_in(item)]


def _as_words(texts: Iterable[str]) -> list[str]:
    """The ``texts`` as parts of a name, without those that are too short or too long."""
    found = [re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_") for text in texts]
    return [one for one in found if MIN_ASKED_TEXT <= len(one) <= MAX_ASKED_TEXT]


def comparison_words(test: Test, knowledge: SubjectIndex) -> str:
    """What sets two compared objects of one class apart: ``different_key``, ``same_values``.

    Of operands of a method only that they are alike says something: ``equal_values``.
    """
    last, calls = test.sequence.calls[-1], test.sequence.calls
    compares = last.kind == "operator" and last.name in ("==", "!=")
    if last.kind not in ("operator", "method"):
        return ""
    made = [calls[arg.index] for arg in last.args if isinstance(arg, Ref)]
    if len(made) != 2 or made[0] is made[1] or made[0].name != made[1].name:  # noqa: PLR2004
        return ""
    maker = made[0].name
    called = knowledge.invocable(f"{maker}.__init__") or knowledge.invocable(maker)
    names = [item.name for item in called.parameters] if called else []
    one, two = ({**dict(zip(names, call.args, strict=False)), **dict(call.kwargs)} for call in made)
    differing = [name for name in {**one, **two} if repr(one.get(name)) != repr(two.get(name))]
    if any(len(call.args) > len(names) for call in made) or len(differing) > 1:
        return ""
    if not compares:
        return "" if differing else "equal_values"
    return f"different_{words(differing[0])}" if differing else "same_values"


def written_words(index: int, test: Test) -> list[str]:
    """The name of the class that the test writes, of which result ``index`` is or has one."""
    calls = test.sequence.calls
    made = calls[index]
    of = made.args[0] if made.kind == "operator" and made.name == "call" else Ref(index)
    written = calls[of.index] if isinstance(of, Ref) else made
    return [words(class_name(written))] if written.kind == "define" else []


def part_words(test: Test) -> str:
    """What a descriptor does in the class that the test writes: ``lazy_decorates_a_method``."""
    for call in test.sequence.calls:
        home = call.args[0] if call.kind == "define" and call.args else None
        if isinstance(home, Symbol) and f"{home.module}:{home.qualname}" == test.invocable:
            role = "decorates_a_method" if "@{0}\n" in call.name else "as_an_attribute"
            return f"{words(home.qualname)}_{role}" if not is_heir(call) else ""
    return ""


def counted_words(test: Test) -> list[str]:
    """How often the code called what the test gave it: ``calls_function_once``."""
    found = []
    for check in test.checks:
        look, count = check.observed, check.expected
        is_count = isinstance(look, Call) and look.name.endswith(_COUNT)
        if isinstance(look, Call) and is_count and isinstance(count, Const):
            called = words(look.name.removesuffix(_COUNT).rstrip(".").rpartition(".")[2])
            noun = called or "function"
            often = _OFTEN.get(count.value, f"{count.value!r}_times")
            found.append(f"calls_{noun}_{often}" if count.value else f"does_not_call_{noun}")
    return found


def result_words(check: Check) -> list[str]:
    """What a Check says of the result, where that is a value with a name: ``returns_none``."""
    match check.expected:
        case Const(None):
            return ["returns_none"]
        case Const(bool() as value):
            return [f"returns_{str(value).lower()}"]
        case Const("") | Const(b""):
            return ["is_empty"]
        case Const(value) if isinstance(value, int | float) and value == 0:
            return ["returns_zero"]
        case Const(value) if isinstance(value, int | float) and value < 0:
            return ["returns_negative"]
        case Build(Symbol("decimal", "Decimal"), (Const(str() as text),)) if text[:1] == "-":
            return ["returns_negative"]
        case Build(Symbol("decimal", "Decimal"), (Const("0"),)):
            return ["returns_zero"]
        case Display(_, ()):
            return ["is_empty"]
        case Ref():
            return ["returns_same_object"]
        case _:
            return ["is_nan"] if check.relation == "nan" else []
