"""Words for a condition in the code, or for its contrary: ``type_below_256``, ``without_parent``.

Invariant: the words say what the condition says; '' stands for one that a few words cannot say.
"""

from __future__ import annotations

import ast
import re
from typing import Final

from unitcraft.core.sequences import Const
from unitcraft.emit.code.subject_index import words
from unitcraft.emit.naming.value_words import (
    flag_words,
    key_word,
    literal_words,
    single_words,
    without_words,
)

#: Characters of the words for one condition: with the function they have to fit a name.
MAX_CONDITION: Final = 34
#: Letters of a noun: ``m`` or ``fp`` says nothing to a reader of the name.
MIN_NOUN: Final = 3

#: The same of a variable beside a constant: ``rc_1``.
MIN_COMPARED: Final = 2

#: Comparison -> the one that holds where it does not.
_NEGATED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
#: Comparison -> the same with its operands swapped.
_SWAPPED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq, ast.Is: ast.Is, ast.IsNot: ast.IsNot,
}  # fmt: skip
_ORDERS: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "below", ast.LtE: "at_most", ast.Gt: "above", ast.GtE: "at_least",
}  # fmt: skip
_SIZES: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "fewer_than", ast.LtE: "at_most", ast.Gt: "more_than", ast.GtE: "at_least",
    ast.Eq: "exactly",
}  # fmt: skip
#: Comparison with 0 -> what the number is.
_SIGNS: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "negative_{}", ast.Gt: "positive_{}", ast.Eq: "zero_{}", ast.LtE: "{}_not_positive",
    ast.GtE: "", ast.NotEq: "nonzero_{}",
}  # fmt: skip
#: First words of what is true or false by its name.
_PREDICATES: Final = ("is", "are", "has", "can", "should", "must", "was", "needs", "allow", "use")
#: Those of them after which stands what is there or not.
_POSSESSIVES: Final = ("has", "use")
#: First words of options that say themselves what is there.
_OPTIONS: Final = ("with_", "without_", "include_", "no_", "not_")
#: Builtin class -> what its objects are called.
_CLASSES: Final = {"str": "string", "int": "integer", "bool": "flag"}
#: Sign that stands for itself -> what it is called.
_SIGNS_IN_WORDS: Final = {
    "-": "dash", "--": "dashes", "!": "exclamation_mark", "*": "star", ".": "dot", "/": "slash",
    "#": "hash", "?": "question_mark", "@": "at_sign", "$": "dollar_sign", "%": "percent_sign",
    "+": "plus_sign", "=": "equals_sign", "~": "tilde", "_": "underscore", "\n": "newline",
}  # fmt: skip
#: What is asked of the file system -> what is said where it answers yes, and no.
FILE_ANSWERS: Final = {
    "exists": ("when_path_exists", "when_path_is_missing"),
    "isfile": ("when_file_exists", "when_file_is_missing"),
    "isdir": ("when_folder_exists", "when_folder_is_missing"),
    "islink": ("when_path_is_a_link", "when_path_is_no_link"),
}  # fmt: skip
#: All that is said of the file system, whatever a path in it is called.
FILE_WORDS: Final = frozenset(said for both in FILE_ANSWERS.values() for said in both)
#: What is asked of a text -> the words for it.
_AFFIXES: Final = {"startswith": "starting_with", "endswith": "ending_with"}
#: What asks a pattern for a text.
_MATCHES: Final = ("match", "search", "fullmatch")
#: What the name of a pattern says beside what it is a pattern of.
_PATTERN: Final = re.compile("_(?:re|rx|regex|regexp|pattern)$")
#: Names of what is itself the name of something.
_KEYS: Final = ("key", "name", "kind", "option")
#: Names of what may be anything: that it is no flag says nothing.
_ANYTHING: Final = ("value", "item", "data", "other", "obj", "result")
#: Names of what holds options by name: ``args.stream`` is ``stream`` to a reader.
_BAGS: Final = ("args", "opts", "options", "params", "config", "settings", "namespace")
#: Methods of texts that give the same text in another form.
_FORMS: Final = frozenset(("strip", "lower", "upper", "casefold"))


def classed(test: ast.expr) -> str:
    """The variable whose class ``test`` asks for; ''."""
    match test:
        case ast.UnaryOp(ast.Not(), operand):
            return classed(operand)
        case ast.Call(ast.Name("isinstance"), [ast.Name(name), _]):
            return name
    return ""


def is_progress(said: str) -> bool:
    """Do these words, of a local variable, only say that the code went on?"""
    return said.startswith("with_") or "_not_in_" in said


def condition_words(test: ast.expr, *, holds: bool, flags: frozenset[str] = frozenset()) -> str:
    """The words for ``test``, or for its contrary; '' where they would be none, or too many.

    ``flags`` are the names of what is True or False wherever the code gives it a value.
    """
    found = _flag(test, flags, holds=holds) or _words(test, holds=holds)
    return found if len(found) <= MAX_CONDITION else ""


def _flag(test: ast.expr, flags: frozenset[str], *, holds: bool) -> str:
    """What is said of one of ``flags``; '' of all else."""
    match test:
        case ast.UnaryOp(ast.Not(), operand):
            return _flag(operand, flags, holds=not holds)
        case ast.Name(name) if name in flags:
            return flag_words(_noun(test), value=holds) if _noun(test) else ""
        case ast.Attribute(ast.Name("self"), name) if name in flags and _noun(test):
            return _when(_noun(test), holds=holds)
    return ""


def _words(test: ast.expr, *, holds: bool) -> str:
    match test:
        case ast.UnaryOp(ast.Not(), operand):
            return _words(operand, holds=not holds)
        case ast.NamedExpr(target):
            return _words(target, holds=holds)
        case ast.Compare(left, [op], [right]):
            return _comparison_words(left, type(op) if holds else _NEGATED[type(op)], right)
        case ast.Compare(_, _, [middle, _]):
            noun = _noun(middle)
            return f"{noun}_{'in' if holds else 'out_of'}_range" if noun else ""
        case ast.Call(
            ast.Name("hasattr" | "getattr"), [ast.Name("self"), ast.Constant(str() as name), *_]
        ):
            return f"{'with' if holds else 'without'}_{words(name)}"
        case ast.Call(ast.Name(name), [value, *others]):
            return _builtin_words(name, value, others, holds=holds)
        case ast.Call(ast.Attribute(_, "get")) if _noun(test):
            return _truth_words(test, holds=holds)
        case ast.Call(ast.Attribute(value, name), arguments):
            return _method_words(value, name, arguments, holds=holds)
        case ast.Name() | ast.Attribute() | ast.Subscript():
            return _truth_words(test, holds=holds)
    return ""


def _truth_words(test: ast.expr, *, holds: bool) -> str:
    """What is said of a value that is true or false: a predicate by its name, or there or not."""
    noun = _noun(test)
    owner = test.value if isinstance(test, ast.Attribute) else None
    if isinstance(test, ast.Attribute) and isinstance(owner, ast.Name) and _noun(owner):
        name = words(test.attr)
        if _is_predicate(name):
            return f"when_{_noun(owner)}_{flag_words(name, value=holds)}"
    if _is_predicate(noun):
        return _when(noun, holds=holds)
    if (noun.endswith("ed") and "_" not in noun) or noun.startswith(_OPTIONS):
        return flag_words(noun, value=holds)
    if not holds:
        return without_words(noun) if noun else ""
    return f"with_{noun}" if noun else ""


def _when(predicate: str, *, holds: bool) -> str:
    """``when_not_empty``: the contrary of ``is_empty``; ``with_children`` of ``has_children``."""
    first, _, rest = predicate.partition("_")
    if first in _POSSESSIVES:
        return f"{'with' if holds else 'without'}_{rest}"
    return f"when_{flag_words(predicate, value=holds).removeprefix('is_')}"


def _builtin_words(name: str, value: ast.expr, others: list[ast.expr], *, holds: bool) -> str:
    """What a function says of ``value``: its class, an attribute, whether it can be called."""
    noun = _noun(value)
    if _is_predicate(words(name)):
        return _when(words(name), holds=holds)
    match (name, others):
        case ("isinstance", [ast.Name(cls) | ast.Attribute(_, cls)]) if noun:
            kind = _CLASSES.get(cls, words(cls))
            if noun == "other" and not holds:
                return "another_class"
            return f"{kind}_{noun}" if holds else ""
        case ("hasattr", [ast.Constant(str() as attribute)]) if noun:
            return f"{noun}_{'with' if holds else 'without'}_{words(attribute)}"
        case ("callable", []) if noun:
            return f"callable_{noun}" if holds else f"{noun}_not_callable"
    return ""


def _method_words(value: ast.expr, name: str, arguments: list[ast.expr], *, holds: bool) -> str:
    """What a method says of its receiver: how a text begins, or what its name says."""
    noun = _noun(value)
    match arguments:
        case [ast.Constant(str() as part)] if name in _AFFIXES and noun:
            return _affix_words(noun, _AFFIXES[name], part, holds=holds)
        case [ast.Name(part) | ast.Attribute(_, part)] if name in _AFFIXES and noun:
            return f"{noun}_{'' if holds else 'not_'}{_AFFIXES[name]}_{words(part)}"
        case [*_, text] if name in _MATCHES and _noun(text):
            is_module = len(arguments) > 1
            return _match_words(_noun(text), arguments[0] if is_module else value, holds=holds)
        case [asked] if name in FILE_ANSWERS:
            return _file_words(asked, name, holds=holds)
        case [] if name.replace("_", "") in FILE_ANSWERS:
            return _file_words(value, name.replace("_", ""), holds=holds)
        case [] if name == "done" or name.endswith("ed"):
            return f"when_{'' if holds else 'not_'}{words(name)}"
        case [asked] if name.startswith("is") and "_" not in name and _noun(asked):
            return f"{_noun(asked)}_{'is' if holds else 'not'}_{name.removeprefix('is')}"
        case [] if name == "strip" and noun:
            return f"{'with' if holds else 'blank'}_{noun}"
        case [] if name.startswith("is") and "_" not in name and noun:
            return f"{noun}_{'is' if holds else 'not'}_{name.removeprefix('is')}"
    return _when(words(name), holds=holds) if _is_predicate(words(name)) else ""


def _match_words(noun: str, pattern: ast.expr, *, holds: bool) -> str:
    """Whether a text matches a pattern that has a name: ``line_matching_added_line``."""
    said = _PATTERN.sub("", _noun(pattern))
    return f"{noun}_{'' if holds else 'not_'}matching_{said}" if said not in ("", noun) else ""


def _file_words(path: ast.expr, asked: str, *, holds: bool) -> str:
    """What is at a path: ``when_folder_is_missing``, ``when_proc_xen_exists``."""
    said = FILE_ANSWERS[asked][0 if holds else 1]
    where = path.value if isinstance(path, ast.Constant) else None
    named = _said(where) or _said(where.rpartition("/")[2]) if isinstance(where, str) else ""
    return f"when_{named}_{said.split('_', 2)[2]}" if named else said


def _affix_words(noun: str, affix: str, part: str, *, holds: bool) -> str:
    """How a text begins or ends: ``param_starting_with_dash``."""
    said = _SIGNS_IN_WORDS.get(part) or literal_words(Const(part))
    return f"{noun}_{'' if holds else 'not_'}{affix}_{said}" if said else ""


def _is_predicate(noun: str) -> bool:
    first, _, rest = noun.partition("_")
    return bool(rest) and first in _PREDICATES


def _comparison_words(left: ast.expr, op: type[ast.cmpop], right: ast.expr) -> str:
    if isinstance(left, ast.Constant) and op in _SWAPPED:
        left, op, right = right, _SWAPPED[op], left
    if op in (ast.In, ast.NotIn):
        return _membership_words(left, right, holds=op is ast.In)
    alike = op in (ast.Eq, ast.Is)
    match left, right:
        case ast.Call(ast.Name("len"), [whole]), _:
            noun = _noun(whole)
            return _size_words(noun, op, right) if noun else ""
        case ast.Attribute(_, name), ast.Attribute(_, other) if name == other:
            return _likeness_words(name, alike=alike)
        case ast.Subscript(whole, ast.Constant(0)), ast.Constant(str(part)) if _noun(
            whole
        ) and op in (ast.Eq, ast.NotEq):
            return _affix_words(_noun(whole), "starting_with", part, holds=alike)
    noun = _noun(left)
    if isinstance(right, ast.Constant) and right.value is not None:
        short = words(left.id) if isinstance(left, ast.Name) else ""
        noun = noun or (short if len(short) >= MIN_COMPARED else "")
    if not noun:
        return ""
    if isinstance(right, ast.Constant):
        return _constant_words(noun, op, right.value, alike=alike)
    other = _noun(right)
    member = right.attr if isinstance(right, ast.Attribute) else other
    if isinstance(right, ast.Name | ast.Attribute) and _is_constant(right) and op not in _ORDERS:
        return _member_words(noun, words(member), alike=alike)
    relation = _ORDERS.get(op, "is" if alike else "is_not")
    return f"{noun}_{relation}_{other}" if other and other != noun else ""


def _member_words(noun: str, said: str, *, alike: bool) -> str:
    """``mode_rgb``, ``mode_not_rgb``; ``other_name`` beside a constant that is the usual name."""
    if f"_{said}".endswith(f"_{noun}"):
        return "" if alike else f"other_{noun}"
    return "_".join((noun, said) if alike else (noun, "not", said))


def _is_constant(node: ast.Name | ast.Attribute) -> bool:
    """Is it written in capitals, as constants and members of enumerations are?"""
    return (node.id if isinstance(node, ast.Name) else node.attr).isupper()


def _constant_words(noun: str, op: type[ast.cmpop], value: object, *, alike: bool) -> str:
    """What is said of ``noun`` compared with a constant."""
    if value is None:
        return f"{'without' if alike else 'with'}_{noun}"
    if isinstance(value, bool):
        return "" if noun in _ANYTHING else flag_words(noun, value=value is alike)
    if value == 0 and op in _SIGNS:
        return _SIGNS[op].format(noun)
    if value == "":
        return f"empty_{noun}" if alike else ""
    said = _said(value)
    if isinstance(value, str) and (not alike or noun in _KEYS):
        return said if alike else ""
    relation = _ORDERS.get(op, "" if alike else "not")
    return "_".join(filter(None, (noun, relation, said))) if said else ""


def _likeness_words(name: str, *, alike: bool) -> str:
    """Two objects compared by an attribute: ``same_type``, ``another_class``."""
    if name == "__class__":
        return "" if alike else "another_class"
    return f"{'same' if alike else 'different'}_{words(name)}"


def _membership_words(member: ast.expr, whole: ast.expr, *, holds: bool) -> str:
    noun = _noun(whole)
    if isinstance(member, ast.Constant) and isinstance(member.value, str) and noun == "environ":
        return f"{'with' if holds else 'without'}_{words(member.value)}"
    said = _said(member.value) if isinstance(member, ast.Constant) else _noun(member)
    return f"{said}_{'in' if holds else 'not_in'}_{noun}" if noun and said else ""


def _size_words(noun: str, op: type[ast.cmpop], right: ast.expr) -> str:
    """How many there are: ``empty_items``, ``more_than_3_items``."""
    value = right.value if isinstance(right, ast.Constant) else None
    if value == 0:
        none = f"without_{noun}" if noun == "arguments" else f"empty_{noun}"
        return {ast.Eq: none, ast.Gt: f"with_{noun}", ast.NotEq: f"with_{noun}"}.get(op, "")
    if value == 1 and op is ast.Eq:
        return single_words(noun)
    said = _said(value) if value is not None else _noun(right)
    return f"{_SIZES[op]}_{said}_{noun}" if said and op in _SIZES else ""


def _said(value: object) -> str:
    """A constant as a word of a name."""
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return str(value)
    if isinstance(value, str) and value in _SIGNS_IN_WORDS:
        return _SIGNS_IN_WORDS[value]
    found = literal_words(Const(value)) if isinstance(value, str) else ""
    return found if len(found) >= MIN_NOUN else ""


def _noun(node: ast.expr) -> str:
    """What a reader calls the value of an expression; '' where no few words say it."""
    noun = ""
    match node:
        case ast.Name(name) | ast.Attribute(ast.Name("self" | "cls"), name):
            noun = words(name)
        case ast.Attribute(ast.Name(name), attribute):
            is_told = len(name) >= MIN_NOUN and name not in _BAGS
            noun = words(f"{name}_{attribute}" if is_told else attribute)
        case ast.Attribute(ast.Attribute(ast.Name("self" | "cls")), attribute):
            noun = words(attribute)
        case ast.Call(ast.Attribute(value, name), []) if name in _FORMS:
            noun = _noun(value)
        case ast.Call(ast.Attribute(ast.Name("self" | "cls"), name), []):
            noun = words(name).removeprefix("get_")
        case ast.Subscript(_, ast.Constant(str() as key)) | ast.Call(
            ast.Attribute(_, "get"), [ast.Constant(str() as key), *_]
        ):
            noun = key_word(key)
    noun = "arguments" if noun == "args" else noun
    return noun if len(noun) >= MIN_NOUN and noun not in ("self", "cls") else ""
