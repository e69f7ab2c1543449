"""Names for the results that a test keeps: ``account``, ``other_account``, ``result``.

Invariant: a variable hides neither a builtin nor an import, and no two results of
one test share a name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from unitcraft.core.sequences import Arg, Call, Const, Ref, Sequence, class_name, refs_of
from unitcraft.emit.code.imports import is_reserved
from unitcraft.emit.code.subject_index import SubjectIndex, simple_name, words
from unitcraft.subject.model import Parameter
from unitcraft.subject.values.syntax_nodes import PARSE_FUNCTIONS
from unitcraft.suite.tests import Check

#: Last words of class names that say too little on their own.
_VAGUE: Final = frozenset(
    (
        "base", "class", "data", "error", "exception", "impl", "info", "item", "mixin", "model",
        "object", "type", "value",
    )
)  # fmt: skip

#: How words end that say what something is like: ``NotFound``, ``MethodNotSupported``.
_NO_NOUNS: Final = ("ed", "able", "ible", "found", "large")

#: Names of parameters for any number of arguments that say nothing of them.
_ANY_ARGUMENTS: Final = ("arg", "args", "kw", "kwds", "kwargs", "rest", "others")

#: First words of function names; the rest names the result.
_VERBS: Final = (
    "get_", "make_", "create_", "build_", "new_", "load_", "read_", "find_", "compute_",
    "calculate_", "generate_", "open_", "to_", "from_", "as_", "parse_",
)  # fmt: skip

#: Operator -> a name for its result.
_OPERATOR_NAMES: Final = {
    "iter": "iterator", "with": "entered", "async with": "entered",
    "copy": "copied", "deepcopy": "copied", "pickle": "copied",
    "next": "first", "len": "length", "str": "text", "repr": "text", "list": "items",
    "each": "items", "hash": "hashed",
}  # fmt: skip


def class_nouns(class_id: str) -> list[str]:
    """Nouns for an instance, best first: the last word of the class name, then all of it."""
    full = words(simple_name(class_id))
    last = full.rpartition("_")[2]
    is_short = len(last) < 3 or last.isdigit()  # noqa: PLR2004 - 'db' says nothing
    if last in _VAGUE or is_short or last.endswith(_NO_NOUNS):
        return [full]
    return list(dict.fromkeys([last, full]))


def _candidates(
    call: Call, sequence: Sequence, knowledge: SubjectIndex, *, is_flag: bool
) -> list[str]:
    """Names for the result of ``call``, best first; ``result`` is the last resort.

    ``is_flag``: it is known to be a boolean, whatever class the function belongs to.
    """
    if call.kind == "define":
        name = class_name(call)
        return [name, f"Other{name.removeprefix('Concrete')}"]
    called = call.args[0] if call.kind == "operator" and call.name == "call" else None
    written = sequence.calls[called.index] if isinstance(called, Ref) else call
    if written.kind == "define":
        return [*class_nouns(class_name(written)), "instance"]
    made = knowledge.class_made_by(call, sequence)
    if made and not is_flag and not _answers_about_class(call, sequence, knowledge):
        return [*class_nouns(made), "instance"]
    inner = knowledge.function_made_by(call, sequence)
    if inner is not None and words(inner.name) not in _SAYING_NOTHING:
        return [words(inner.name), "result"]
    if call.kind == "get":
        return [words(call.name), "result"]
    if call.kind == "operator" and call.name == "itself":
        return [*parameter_names(call, sequence, knowledge), "argument"]
    if call.kind == "operator" and call.name == "[]":
        return [*_item_names(call, sequence), "result"]
    if call.name in PARSE_FUNCTIONS:
        return ["tree", "result"]
    if call.kind == "operator":
        return [_OPERATOR_NAMES.get(call.name, "result"), "result"]
    name = simple_name(call.name)
    nouns = [words(name[len(verb) :]) for verb in _VERBS if name.startswith(verb)]
    nouns += [words(name)] if is_flag and not nouns else []
    return [*[noun for noun in nouns if noun.isidentifier()], "result"]


def _answers_about_class(call: Call, sequence: Sequence, knowledge: SubjectIndex) -> bool:
    """May a classmethod without a known result make no instance, as nothing is done with it?"""
    called = knowledge.called(call, sequence)
    if called is None or called.kind != "classmethod" or called.returns.cls:
        return False
    return call is sequence.calls[-1] and not f"{called.name}_".startswith((*_VERBS, "of_"))


def _item_names(call: Call, sequence: Sequence) -> list[str]:
    """``name`` for an item of ``names``, ``statement`` for one of the ``body`` of a syntax tree."""
    held = call.args[0]
    made = sequence.calls[held.index] if isinstance(held, Ref) else None
    if made is None or made.kind != "get":
        return []
    several = words(made.name)
    return ["statement"] if several == "body" else [several.removesuffix("s")]


#: Names of functions inside others that say nothing of what they do.
_SAYING_NOTHING: Final = frozenset(("inner", "func", "function", "fn", "f", "g", "_"))


def parameter_names(call: Call, sequence: Sequence, knowledge: SubjectIndex) -> list[str]:
    """The names of the parameters that are given the result of ``call``."""
    at = next(number for number, one in enumerate(sequence.calls) if one is call)
    found: list[str] = []
    for user in sequence.calls[at + 1 :]:
        found += [name for name, value in user.kwargs if value == Ref(at)]
        if user.kind == "arrange" and Ref(at) in user.args:
            found.append(_replaced_name(user))
        elif user.kind == "arrange" and at in refs_of(user):
            found.append(_last_word(_replaced_name(user)))
        elif user.name == "itself" and user.args != (Ref(at),) and at in refs_of(user):
            found += map(_last_word, parameter_names(user, sequence, knowledge))
        called = knowledge.called(user, sequence)
        if called is not None and Ref(at) in user.args:
            is_of_object = user.kind == "method" or user.name == "call"
            slot = user.args.index(Ref(at)) - is_of_object
            found += [given_name(one) for one in called.parameters[max(slot, 0) : slot + 1]]
    return [name for name in found if name]


def given_name(parameter: Parameter) -> str:
    """What one argument is called that is given to ``parameter``: ``name`` of ``*names``.

    '' of ``*args`` and ``**kwargs``, whose names say nothing.
    """
    name = parameter.name.strip("_")
    if not parameter.kind.startswith("var_"):
        return name
    return name.removesuffix("s") if name not in _ANY_ARGUMENTS else ""


def _replaced_name(call: Call) -> str:
    """The name of the function that ``call`` replaces."""
    target = call.args[0]
    return words(str(target.value).rpartition(".")[2]) if isinstance(target, Const) else "argument"


def _last_word(name: str) -> str:
    """What a function answers, or a class makes, by the end of its name."""
    return name.rpartition("_")[2]


def _is_boolean(arg: Arg) -> bool:
    return isinstance(arg, Const) and isinstance(arg.value, bool)


def _is_free(name: str, taken: Iterable[str]) -> bool:
    """May a variable be called ``name``?"""
    return name.isidentifier() and not is_reserved(name) and name not in taken and len(name) > 1


def name_results(
    wanted: Iterable[int],
    sequence: Sequence,
    knowledge: SubjectIndex,
    taken: frozenset[str],
    checks: Iterable[Check] = (),
) -> dict[int, str]:
    """A name for the result of each Call in ``wanted``; ``checks`` say what some results are."""
    flags = {check.observed for check in checks if _is_boolean(check.expected)}
    bases: dict[int, str] = {}
    for index in wanted:
        is_flag = Ref(index) in flags
        options = _candidates(sequence.calls[index], sequence, knowledge, is_flag=is_flag)
        bases[index] = next((name for name in options if _is_free(name, taken)), "the_result")
    totals = {base: list(bases.values()).count(base) for base in bases.values()}
    names: dict[int, str] = {}
    used: set[str] = set()
    for index, base in bases.items():
        names[index] = _distinct_name(base, totals[base], used | taken)
        used.add(names[index])
    return names


def _distinct_name(base: str, total: int, used: frozenset[str] | set[str]) -> str:
    if base not in used:
        return base
    if base[:1].isupper():
        return next(
            name for number in range(2, len(used) + 3) if (name := f"{base}{number}") not in used
        )
    pair = f"other_{base}"
    if total == 2 and base not in ("result", "instance") and pair not in used:  # noqa: PLR2004 - a pair
        return pair
    return next(
        name for number in range(2, len(used) + 3) if (name := f"{base}_{number}") not in used
    )
