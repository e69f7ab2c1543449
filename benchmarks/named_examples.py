"""Prints what people give to a name: ``encoding='utf-8'``, ``host='localhost'``, ``code=200``.

    python benchmarks/named_examples.py LIBRARY PROJECTS

LIBRARY is the folder of Python's standard library with its tests, as ``/usr/lib/python3.11``.
PROJECTS is a folder with the unpacked source distributions that ``named_projects.txt`` lists, one
folder for each.  The answers are the tables of ``unitcraft.subject.values.texts.example_table``.

A name is that of a keyword, of a parameter with a default or in whose place an argument stands, of
a variable, an attribute or a key.  Read are texts and integers that stand there as literals.

Invariant: a module of the library, with its tests, and a project count a value once for a name, so
that no single one says what all others write.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

#: Modules or projects that have to agree on a text and on a number: two may have copied it, and a
#: text of another meaning reads worse than the name itself, which is the choice where the table has
#: none.
MIN_MODULES = {str: 6, int: 6}
#: The same of a text with a name that is reserved for examples.
MIN_RESERVED = 2
#: Projects or modules that have a parameter of the name, or pass it by keyword.
MIN_TAKING = 10
#: Share of the modules that give the name values of its kind: below, a value is one of many that
#: the name may have.
MIN_SHARE = 0.25
#: The same of further values, and of a text with a name that is reserved for examples.
MIN_BESIDE = 3
MIN_SHARE_BESIDE = 0.1
#: Values of a name that are printed: what a test may have to tell apart.
MAX_VALUES = 3
#: Letters of a name: shorter ones name nothing.
MIN_LETTERS = 3
#: Longer names, and their share, that have a value of their last word: one alone says nothing.
MIN_NAMES = 2
MIN_WORD_SHARE = 0.5
#: Characters of a text: a single one says as little as ours do, a longer one is hard to read.
MIN_TEXT = 2
MAX_TEXT = 32
#: Integers up to this one stand for any, and no name is told by them.
MAX_DIGIT = 9
#: From this one on they are addresses, bounds and codes of one system.
MAX_NUMBER = 10_000
#: Share of the modules in which the number is a greater one, where a name asks for such.
MIN_GREATER = 0.6
#: Words of a text that stand for any other.
METASYNTACTIC = frozenset(
    """
    aaa abc abcd abcde abcdef arg asdf attr bacon bar baz blah bla bogus data default dummy egg eggs
    example fake foo foobar fred garbage ham hello invalid junk key meth mock mod name nothing obj
    one other quux qux sample self some something spam str string stuff test tester testing thing
    three two unknown val value whatever world xxx xxxx xyz xyzzy
    """.split()  # noqa: SIM905 - as many words as lines of a list
)
#: What stands for any address, and words of command lines that tests of parsers give by hand.
UNTOLD = frozenset("0.0.0.0 append store store_const store_false store_true".split())  # noqa: SIM905
#: Folders of copies and data, and applications and interfaces with a vocabulary of their own: of
#: Tcl, of an installer, of a build.
SKIPPED = frozenset(
    """
    site-packages dist-packages lib2to3 encodings pydoc_data data idlelib tkinter turtledemo turtle
    distutils msilib docs doc _vendor vendor vendored extern _extern third_party
    """.split()  # noqa: SIM905
)
#: Files, and functions, whose keywords are words of a builder or of a command line.
SETTINGS = frozenset(("conf.py", "setup.py"))
SETTING = frozenset(
    """
    Extension add_argument add_option add_parser add_subparsers filterwarnings option setup
    simplefilter
    """.split()  # noqa: SIM905
)
#: Methods of builtin types: an attribute of that name is mostly theirs.
OF_ANYTHING = frozenset(name for one in (str, bytes, list, dict, set) for name in dir(one))
#: Texts with a name that is reserved for examples: what they are is plain, whoever gives them.
RESERVED = re.compile(r"(https?://)?([\w-]+[@.])?example\.(com|org|net)(/\w*)?")

#: A name and what is given to it.
Named = tuple[str, ast.expr]
#: Name -> value, as it is written -> the parts of the library that give it.
Uses = dict[str, dict[str, set[str]]]


class Module(NamedTuple):
    """A file of the library: the part that it belongs to, and its tree."""

    part: str
    is_test: bool
    tree: ast.Module


def modules_of(library: Path) -> list[Module]:
    """The files that can be parsed, in order of their paths."""
    found = []
    for path in sorted(library.rglob("*.py")):
        inside = path.relative_to(library)
        if SKIPPED.isdisjoint(inside.parts) and path.name not in SETTINGS:
            try:
                tree = ast.parse(path.read_text(encoding="utf-8"))
            except (SyntaxError, UnicodeDecodeError, ValueError, RecursionError):
                continue
            found.append(Module(part_of(inside), is_test(inside), tree))
    return found


def project_modules(project: Path) -> list[Module]:
    """The files of a project, all of one part."""
    return [one._replace(part=f"{project.name}/") for one in modules_of(project)]


def is_test(inside: Path) -> bool:
    """Does the file belong to the tests of the library?"""
    return any(part in ("test", "tests", "idle_test") for part in inside.parts)


def part_of(inside: Path) -> str:
    """The package or module that the file belongs to, or that it tests."""
    parts = [
        one for one in inside.with_suffix("").parts if one not in ("test", "tests", "__init__")
    ]
    return re.sub(r"^test_?|\d+$", "", parts[-1]) if parts else "test"


def parameters_of(modules: list[Module]) -> frozenset[str]:
    """The names of parameters and keywords, and their last words; no variables."""
    found: set[str] = set()
    for node in [node for module in modules for node in ast.walk(module.tree)]:
        match node:
            case ast.arguments():
                found.update(one.arg for one in (*node.posonlyargs, *node.args, *node.kwonlyargs))
            case ast.keyword(str() as name):
                found.add(name)
    whole = {plain_name(name) for name in found}
    return frozenset(whole | {name.rpartition("_")[2] for name in whole})


def plain_name(name: str) -> str:
    """``Content-Type`` as a parameter is written: ``content_type``."""
    return name.strip("_").lower().replace("-", "_")


def signatures_of(modules: list[Module]) -> dict[str, tuple[str, ...]]:
    """Name of a function or class -> its parameters, where the library has one of that name."""
    found: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for tree in [one.tree for one in modules if not one.is_test]:
        for node in ast.walk(tree):
            for one in node.body if isinstance(node, ast.Module | ast.ClassDef) else ():
                if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                    names = [arg.arg for arg in (*one.args.posonlyargs, *one.args.args)]
                    is_made = isinstance(node, ast.ClassDef) and one.name == "__init__"
                    called = node.name if is_made else one.name
                    found[called].add(tuple(names[isinstance(node, ast.ClassDef) :]))
    return {
        name: next(iter(known))
        for name, known in found.items()
        if len(known) == 1 and name not in OF_ANYTHING and not name.startswith("assert")
    }


def named_literals(tree: ast.Module, signatures: Mapping[str, tuple[str, ...]]) -> Iterator[Named]:
    """(name, what is given to it) for all that has a name in the tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            func = node.func
            called = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
            if called in SETTING:
                continue
            yield from zip(signatures.get(called, ()), node.args, strict=False)
            yield from [(one.arg, one.value) for one in node.keywords if one.arg]
        elif isinstance(node, ast.arguments):
            positional = [*node.posonlyargs, *node.args]
            given = zip(positional[::-1], node.defaults[::-1], strict=False)
            named = zip(node.kwonlyargs, node.kw_defaults, strict=True)
            yield from [(one.arg, value) for one, value in (*given, *named) if value]
        else:
            yield from assigned(node)
            yield from compared(node)


def assigned(node: ast.AST) -> Iterator[Named]:
    """What a variable, an attribute or a key is set to, and the second of each pair of a list.

    A dictionary that has its values as keys, too, says what is the opposite of what.
    """
    match node:
        case ast.Assign([target], value):
            yield name_of(target), value
        case ast.AnnAssign(target, _, value) if value:
            yield name_of(target), value
        case ast.Dict(keys, values):
            told = {one.value for one in keys if isinstance(one, ast.Constant)}
            yield from [
                (key.value, value)
                for key, value in zip(keys, values, strict=True)
                if isinstance(key, ast.Constant)
                and isinstance(key.value, str)
                and not (isinstance(value, ast.Constant) and value.value in told)
            ]
        case ast.List(items):
            for item in items:
                match item:
                    case ast.Tuple([ast.Constant(str() as name), value]):
                        yield name, value


def compared(node: ast.AST) -> Iterator[Named]:
    """What a variable or an attribute is compared with."""
    match node:
        case ast.Compare(left, [ast.Eq() | ast.NotEq()], [value]):
            yield name_of(left), value
        case ast.Compare(left, [ast.In() | ast.NotIn()], [ast.Tuple(values) | ast.List(values)]):
            yield from [(name_of(left), value) for value in values]


def name_of(target: ast.expr) -> str:
    """The name of a variable, an attribute or a key; '' of anything else."""
    match target:
        case (
            ast.Name(name) | ast.Attribute(_, name) | ast.Subscript(_, ast.Constant(str() as name))
        ):
            return name
    return ""


def count_uses(modules: list[Module], texts: Uses, numbers: Uses) -> None:
    """Add the texts and the integers that each name is given in ``modules``."""
    signatures = signatures_of(modules)
    for module in modules:
        for given, node in named_literals(module.tree, signatures):
            if given.startswith("__"):
                continue
            whole = plain_name(given)
            value = literal(node)
            for name in {whole, whole.rpartition("_")[2]}:
                if name.isidentifier() and len(name) >= MIN_LETTERS:
                    if isinstance(value, str):
                        texts[name][value].add(module.part)
                    elif type(value) is int:
                        numbers[name][repr(value)].add(module.part)


def literal(node: ast.expr) -> object:
    """The value of a literal; None of anything else."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def says_something(text: str, name: str) -> bool:
    """Is it a short text that no other could stand for as well, and not the name itself?"""
    words = re.findall("[a-z0-9]+", text.lower())
    plain = text.isascii() and text.isprintable() and text == text.strip()
    fits = plain and MIN_TEXT <= len(text) <= MAX_TEXT and bool(words)
    is_name = "".join(words) == name.replace("_", "")
    is_plain = METASYNTACTIC.isdisjoint(words) or RESERVED.fullmatch(text) is not None
    return fits and not is_name and is_plain and text not in UNTOLD


def agreed(values: dict[str, set[str]], modules: set[str], kind: type) -> list[str]:
    """The values on which most of the modules agree, the commonest first.

    Others stand beside it in some module: ``method`` is 'GET' or 'HEAD', and elsewhere 'spawn'.
    """
    counts = Counter({value: len(known) for value, known in values.items()})
    reserved = {value for value in counts if RESERVED.fullmatch(value)}

    def has(value: str, fewest: int, share: float) -> bool:
        return counts[value] >= fewest and counts[value] >= share * len(modules)

    ranked = sorted(
        [
            one
            for one in counts
            if has(one, MIN_RESERVED if one in reserved else MIN_BESIDE, MIN_SHARE_BESIDE)
        ],
        key=lambda value: (-counts[value], value not in reserved, len(value), value),
    )
    first = next(iter(ranked), "")
    if not (first in reserved or has(first, MIN_MODULES[kind], MIN_SHARE)):
        return []
    once = {value.lower(): value for value in reversed(ranked)}
    beside = [one for one in ranked if not values[one].isdisjoint(values[first])]
    return [one for one in beside if once[one.lower()] == one][:MAX_VALUES]


def examples(texts: Uses, numbers: Uses, named: frozenset[str]) -> Iterator[tuple[str, list[str]]]:
    """(name, its values, as Python writes them) for the names on whose values modules agree."""
    for name in sorted(({*texts, *numbers} & named) - METASYNTACTIC):
        telling = {
            text: parts for text, parts in texts.get(name, {}).items() if says_something(text, name)
        }
        of_all = modules_in(texts.get(name, {}))
        found = [repr(text) for text in agreed(telling, of_all, str)]
        given = numbers.get(name, {})
        greater = {one: parts for one, parts in given.items() if MAX_DIGIT < int(one) < MAX_NUMBER}
        is_number = not found or len(modules_in(given)) * 2 >= len(of_all | modules_in(given))
        if is_number and len(modules_in(greater)) >= MIN_GREATER * len(modules_in(given)):
            found += agreed(greater, modules_in(greater), int)
        if found:
            yield name, found


def speaks_as_word(name: str, found: list[str], texts: Uses) -> bool:
    """Do longer names that end in ``name`` have its values as well: ``input_charset``?

    What has a reserved name fits wherever one of its kind does.
    """
    values = {ast.literal_eval(value) for value in found}
    longer = [texts[other] for other in texts if other.endswith(f"_{name}")]
    agreeing = sum(not values.isdisjoint(given) for given in longer)
    is_reserved = any(RESERVED.fullmatch(str(value)) for value in values)
    return is_reserved or (agreeing >= MIN_NAMES and agreeing >= MIN_WORD_SHARE * len(longer))


def modules_in(values: dict[str, set[str]]) -> set[str]:
    """The modules that give any of the values."""
    return set().union(*values.values())


def main() -> None:
    """Print the rows of the table, then the names that say the same as a last word."""
    library, projects = map(Path, sys.argv[1:3])
    texts: Uses = defaultdict(lambda: defaultdict(set))
    numbers: Uses = defaultdict(lambda: defaultdict(set))
    taking: Counter[str] = Counter()
    of_library = modules_of(library)
    parts = sorted({one.part for one in of_library})
    bodies = [[one for one in of_library if one.part == part] for part in parts]
    for body in (of_library, *map(project_modules, sorted(projects.iterdir()))):
        count_uses(body, texts, numbers)
        taking.update(parameters_of(body) if body is not of_library else ())
    for body in bodies:
        taking.update(parameters_of(body))
    taken = frozenset(name for name, count in taking.items() if count >= MIN_TAKING)
    rows = list(examples(texts, numbers, taken))
    for name, values in rows:
        comma = "," * (len(values) == 1)
        print(f"    {name!r}: ({', '.join(values)}{comma}),".replace("'", '"'))
    single = [(name, values) for name, values in rows if "_" not in name]
    print(" ".join(name for name, values in single if speaks_as_word(name, values, texts)))


if __name__ == "__main__":
    main()
