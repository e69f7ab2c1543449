"""Tags of the arguments of the Call that a test is about.

Invariant: the words name the parameter, or what an index or a key is called, never the branch
that the argument takes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, zip_longest
from typing import Final

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
)
from unitcraft.emit.arrange.variable_names import class_nouns, given_name
from unitcraft.emit.code.subject_index import SubjectIndex, simple_name, words
from unitcraft.emit.naming.surroundings_words import file_words
from unitcraft.emit.naming.tag_weights import Tag
from unitcraft.emit.naming.telling_words import written_words
from unitcraft.emit.naming.value_words import (
    class_words,
    container_words,
    flag_words,
    key_words,
    kind_word,
    number_words,
    slice_words,
    telling_literal,
    text_words,
    without_words,
)
from unitcraft.explore.execution import SHOWING
from unitcraft.subject.model import Invocable, Parameter
from unitcraft.suite.telling.emptied_inputs import BUFFERS
from unitcraft.suite.telling.examples.example_values import is_example
from unitcraft.suite.tests import Test

#: Parameter names that say nothing; the kind of the value says more.
_EMPTY_NAMES: Final = frozenset(
    ("x", "y", "a", "b", "n", "s", "v", "arg", "args", "value", "val", "obj", "other", "data",
     "kwargs", "o", "i", "k", "it", "param", "input", "item", "idx", "elem", "element", "thing")
)  # fmt: skip

#: Classes of objects that stand for any other.
_STAND_INS: Final = ("simple_namespace", "mock", "object")
#: Parameters that count items or name their places.
_COUNTS: Final = ("number", "count", "size", "length", "amount", "index", "position", "limit")
#: Names that say themselves that a function is given.
_OF_FUNCTIONS: Final = ("fn", "func", "function", "callback", "handler", "predicate")
#: Exceptions by which a function refuses what it is given.
_REFUSALS: Final = ("ValueError", "TypeError", "AssertionError")
#: Operators whose second operand is a place in the first.
SUBSCRIPTS: Final = ("[]", "[]=", "del[]")
#: Kind of what stands in brackets -> what a reader calls it.
_PLACES: Final = {"integer": "index", "slice": "slice", "string": "key"}


def call_told(test: Test) -> Call:
    """The Call whose arguments tell what a test is about: ``retry(2)`` of ``retry(2)(f)(1)``."""
    calls = test.sequence.calls
    last = calls[-1]
    name = simple_name(test.invocable)
    while last.kind == "operator" and last.name == "call" and name != "__call__":
        made_by = last.args[0]
        if not isinstance(made_by, Ref):
            break
        last = calls[made_by.index]
    told = last.kind in ("function", "method") and simple_name(last.name) == name
    return last if told else calls[-1]


def given_arguments(test: Test, knowledge: SubjectIndex) -> list[tuple[Parameter | None, Arg]]:
    """The arguments of the Call that is told, with their parameters, the receiver left out."""
    told = call_told(test)
    called = knowledge.invocable(test.invocable)
    args = told.args[1:] if told.kind not in ("function", "invoke") else told.args
    if told.kind == "operator" and told.args and not isinstance(told.args[0], Ref):
        args = told.args[:1]
    return matched(called, args, told.kwargs)


def matched(
    called: Invocable | None, args: tuple[Arg, ...], kwargs: tuple[tuple[str, Arg], ...]
) -> list[tuple[Parameter | None, Arg]]:
    """Each argument with its parameter, None where that is not known."""
    parameters = list(called.parameters) if called else []
    positional = [item for item in parameters if item.kind not in ("keyword", "var_keyword")]
    found: list[tuple[Parameter | None, Arg]] = []
    for position, arg in enumerate(args):
        at = min(position, len(positional) - 1)
        found.append((positional[at] if positional else None, arg))
    by_name = {item.name: item for item in parameters}
    return found + [(by_name.get(name), arg) for name, arg in kwargs]


def left_out(test: Test, knowledge: SubjectIndex) -> frozenset[str]:
    """The parameters that the Call is not given: what holds of a default is the usual case."""
    called = knowledge.invocable(test.invocable)
    given = {one.name for one, _ in given_arguments(test, knowledge) if one is not None}
    return frozenset({one.name for one in called.parameters} - given) if called else frozenset()


def argument_tags(test: Test, knowledge: SubjectIndex) -> list[Tag]:
    """What is special about the arguments: their kind where the code asks for it, their values."""
    given = given_arguments(test, knowledge)
    found: list[Tag] = []
    asked = {name for _, names, *_ in test.circumstances for name in names}
    asked &= {parameter.name for parameter, _ in given if parameter}
    kinds = {one[3]: one[5] for one in reversed(test.circumstances)}
    for position, (parameter, arg) in enumerate(given):
        name = parameter.name if parameter is not None else ""
        beside = (bool(asked) and bool(name) and name not in asked) or name in test.undecided
        place = place_noun(test, position, arg)
        is_made = isinstance(arg, Build | Source) and not place
        if parameter is not None and name in kinds and name not in test.classless:
            said = kind_words(parameter, arg, test, place)
            told = Tag("argument", said, strong=True, decides=kinds[name])
            found += [told] if said != "index" else []
        texts = [*_given_options(arg), *words_of_argument(parameter, arg, test, knowledge, place)]
        found += [Tag("value" if beside or is_made else "argument", text) for text in texts]
        if isinstance(arg, Const) and isinstance(arg.value, bool) and not beside:
            found = [replace(tag, strong=True) if tag.text in texts else tag for tag in found]
    receiver = test.sequence.calls[-1].args[:1]
    if receiver and isinstance(receiver[0], Symbol) and "." in receiver[0].qualname:
        said = words(receiver[0].qualname.rpartition(".")[2])
        found.append(Tag("argument", said, strong=True))
    called = knowledge.invocable(test.invocable)
    by_name = {parameter.name: arg for parameter, arg in given if parameter}
    found += option_tags(called, by_name, test.undecided, refused=_is_refused(test))
    if not given and called and called.parameters:
        found.insert(0, Tag("argument", "without_arguments"))
    compared = [names for _, names, *_ in test.circumstances]
    return [*found, *_relation_tags(given, compared)]


def placed(test: Test, knowledge: SubjectIndex) -> str:
    """The parameter for what stands in brackets, of which the operand itself says more; ''."""
    given = given_arguments(test, knowledge)
    parameter = given[0][0] if given and place_noun(test, 0, given[0][1]) else None
    return parameter.name if parameter else ""


def place_noun(test: Test, position: int, arg: Arg) -> str:
    """What an operand in brackets is called: ``index``, ``slice``, ``key``; '' of all others."""
    last = test.sequence.calls[-1]
    is_place = last.kind == "operator" and last.name in SUBSCRIPTS and position == 0
    return _PLACES.get(kind_word(arg), "") if is_place else ""


def kind_words(parameter: Parameter, arg: Arg, test: Test, place: str = "") -> str:
    """What kind of object was passed, where the code asks for that: ``set_main_value``."""
    if place:
        return place
    kind = kind_word(arg)
    if isinstance(arg, Ref):
        made = test.sequence.calls[arg.index]
        is_class = made.kind == "function" and simple_name(made.name)[:1].isupper()
        kind = class_nouns(made.name)[0] if is_class else ""
    noun = noun_of(parameter, "")
    return f"{kind}_{noun}".rstrip("_") if kind and kind != noun else kind


def _relation_tags(
    given: list[tuple[Parameter | None, Arg]], compared: list[frozenset[str]]
) -> list[Tag]:
    """How arguments stand to each other: equal ones, a number above the length of another.

    ``compared`` are the names in each condition: where none has both, objects are equal by chance.
    """
    given = [(one, arg) for one, arg in given if not _is_file(arg)]
    texts = [repr(arg) for _, arg in given]
    both = {one.name for one, _ in given if one}
    if len(texts) > 1 and len(set(texts)) == 1:
        is_asked = any(both <= names for names in compared)
        return [Tag("argument" if is_asked else "value", "twice_the_same")]
    named = [(one, arg) for one, arg in given if isinstance(arg, Build) and noun_of(one, "")]
    found = [
        Tag(
            "argument" if any({one.name, two.name} <= names for names in compared) else "value",
            f"same_{noun_of(one, '')}_and_{noun_of(two, '')}",
        )
        for (one, first), (two, second) in combinations(named, 2)
        if one and two and repr(first) == repr(second)
    ]
    wholes = [
        (noun_of(one, "items"), len(arg.items))
        for one, arg in given
        if isinstance(arg, Display) and arg.kind != "dict"
    ]
    sizes = [size for _, size in wholes]
    found += [
        Tag(
            "argument",
            _above(noun_of(parameter, "number"), wholes[0][0]),
            strong=True,
        )
        for parameter, arg in given
        if noun_of(parameter, "number") in _COUNTS
        and isinstance(arg, Const)
        and type(arg.value) is int
        and _is_above(arg.value, sizes)
    ]
    return found


def _above(number: str, whole: str) -> str:
    """A ``number`` above the length of the ``whole``, which is told where both are lengths."""
    return f"{number}_above_{f'number_of_{whole}' if number == 'length' else 'length'}"


def _is_file(arg: Arg) -> bool:
    """Is it a file in memory, of which each is one of its own?"""
    return isinstance(arg, Build) and arg.callee in BUFFERS


def _is_above(number: int, sizes: list[int]) -> bool:
    """Is ``number`` above the only size of ``sizes``?"""
    return len(sizes) == 1 and number > sizes[0]


def is_off(arg: Arg) -> bool:
    """Does the value of an option say that it is not wanted?"""
    return isinstance(arg, Const) and (arg.value is None or arg.value is False)


def _is_refused(test: Test) -> bool:
    """Does the test end in an exception that says what was wrong with the arguments?"""
    raised = test.outcome.type if isinstance(test.outcome, Raised) else ""
    is_own = not raised.startswith("builtins:") and raised.endswith("Error")
    return is_own or raised.removeprefix("builtins:") in _REFUSALS


def option_tags(
    called: Invocable | None,
    given: Mapping[str, Arg],
    unsaid: frozenset[str] = frozenset(),
    *,
    refused: bool = False,
) -> list[Tag]:
    """The options of a Call that are given and those that are not, but for those ``unsaid``.

    A value that was ``refused`` is an invalid one: the option itself is fine.
    """
    optional = [item for item in called.parameters if not item.required] if called else []
    plain = [item for item in optional if item.kind in ("positional", "keyword", "positional_only")]
    found = []
    for item in [one for one in plain if one.name not in unsaid]:
        name = words(item.name)
        if item.name not in given:
            found.append(Tag("argument", without_words(name)))
        elif not is_off(given[item.name]):
            plainly = refused and isinstance(given[item.name], Const | Display)
            noun = name.removeprefix("with_")
            found.append(Tag("argument", f"with_invalid_{noun}" if plainly else f"with_{noun}"))
    return found


def noun_of(parameter: Parameter | None, fallback: str) -> str:
    """What a reader calls the parameter; the ``fallback`` where its name says nothing."""
    name = words(given_name(parameter)) if parameter else ""
    return fallback if name in _EMPTY_NAMES or len(name) < 2 else name  # noqa: PLR2004


def words_of_argument(
    parameter: Parameter | None,
    arg: Arg,
    test: Test,
    knowledge: SubjectIndex,
    place: str = "",
) -> list[str]:
    """What is special about an argument, the most special first; ``place`` is its noun if known."""
    noun = place or noun_of(parameter, "")
    match arg:
        case Const():
            is_classless = parameter is not None and parameter.name in test.classless
            found = _words_of_literal(
                arg, noun, test, is_place=bool(place), is_classless=is_classless
            )
            is_any = parameter is not None and is_example(arg.value, parameter.name)
            return found[-1:] if is_any else found
        case Display(kind, items):
            count = len(items) // 2 if kind == "dict" else len(items)
            keys = key_words(items[::2]) if kind == "dict" else []
            return [*keys, *container_words(count, items, noun or kind, kind)]
        case Ref(index):
            made = knowledge.class_made_by(test.sequence.calls[index], test.sequence)
            last = test.sequence.calls[-1]
            same = last.kind != "function" and last.args[:1] == (Ref(index),)
            texts = ["itself"] if same else [class_nouns(made)[0]] if made else []
            return texts or written_words(index, test)
        case Symbol(_, qualname):
            return [] if arg == SHOWING else [words(qualname.rpartition(".")[2])]
        case Build() | Source() if place:
            return slice_words(arg)
        case Build(callee):
            name = words(callee.qualname.partition(".")[0])
            return [name] if name not in _STAND_INS else []
        case Source():
            is_told = "lambda" in arg.text and noun not in _OF_FUNCTIONS
            return [f"function_{noun}".rstrip("_")] if is_told else []
    return file_words(arg) if isinstance(arg, TempPath) else []


def _given_options(arg: Arg) -> list[str]:
    """The options of a command line: ``["abc", "--shout"]`` is ``with_shout``.

    Where the file of a test stands goes without saying.
    """
    items = arg.items if isinstance(arg, Display) and arg.kind in ("list", "tuple") else ()
    told = [one for one, value in zip_longest(items, items[1:]) if not isinstance(value, TempPath)]
    texts = [one.value for one in told if isinstance(one, Const) and isinstance(one.value, str)]
    long = [text.partition("=")[0] for text in texts if text.startswith("--")]
    return [f"with_{words(text.strip('-'))}" for text in long if text.strip("-")]


def _words_of_literal(
    arg: Const, noun: str, test: Test, *, is_place: bool, is_classless: bool = False
) -> list[str]:
    """What is special about one text, flag or number; an index is one like any other.

    ``is_classless``: what is special is not that it is text, or bytes.
    """
    match arg.value:
        case str() | bytes() as text if is_classless:
            said = text if isinstance(text, str) else text.decode()
            return text_words(said, noun or "text")[: -1 if said else None]
        case str() | bytes() as text:
            return text_words(text, noun or ("bytes" if isinstance(text, bytes) else "string"))
        case bool() as value:
            return [flag_words(noun, value=value)]
        case None:
            return [f"{noun}_none".lstrip("_"), "none"]
        case int() | float() as number:
            if is_place and number >= 0:
                return []
            is_class = number > 0 and _is_of_wrong_class(test)
            return (class_words if is_class else number_words)(number, noun or "number")
    return []


def _is_of_wrong_class(test: Test) -> bool:
    """Does the test expect a TypeError, which says that the class of an argument matters?"""
    return isinstance(test.outcome, Raised) and test.outcome.type == "builtins:TypeError"


def value_tags(test: Test, knowledge: SubjectIndex) -> list[Tag]:
    """The arguments themselves, where they are short enough to read."""
    found: list[str] = []
    given = given_arguments(test, knowledge)
    for position, (parameter, arg) in enumerate(given):
        name = parameter.name if parameter else ""
        text = telling_literal(arg, name)
        noun = place_noun(test, position, arg) or (
            words(given_name(parameter)) if parameter else ""
        )
        found += [f"{noun}_{text}".lstrip("_") if text.isdigit() else text] if text else []
    joined = [telling_literal(arg, one.name if one else "") for one, arg in given]
    if len(joined) > 1 and all(joined) and not any(text.isdigit() for text in joined):
        found.append("_and_".join(joined))
    return [Tag("value", text) for text in found if not text.isdigit()]
