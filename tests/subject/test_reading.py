"""What source text and docstrings tell: statements, types, Args, references of names."""

from __future__ import annotations

import ast
import re
import textwrap

import pytest

from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Source, Symbol
from unitcraft.subject.description_context import context_of
from unitcraft.subject.model import ClassInfo, Constant, Invocable, Regex, Subject
from unitcraft.subject.reading.args_from_source import Converter, Unconvertible, free_names
from unitcraft.subject.reading.callers.docstring_examples import (
    example_names,
    module_names,
    sessions,
)
from unitcraft.subject.reading.constants import MAX_ATOMS, NameReferences, collect_references
from unitcraft.subject.reading.docstring_types import annotation_text, described_types, stated_types
from unitcraft.subject.source_files import (
    SourceFiles,
    all_statements,
    definitions,
    guarded_imports,
    parse,
    read_source,
    span_of,
)


def expression(text):
    return ast.parse(text, mode="eval").body


def converted(text, **names):
    """(Arg, Calls) of an expression in which ``shop`` is a module with the class ``Cart``."""
    calls = []

    def find(module, path):
        known = module == "shop" or path == "shop:Cart"
        return Symbol("shop", path.rpartition(":")[2]) if known else None

    arg = Converter(names, {"shop": "shop"}, find, calls).convert(expression(text))
    return arg, calls


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[1, 'a']", Display("list", (Const(1), Const("a")))),
        ("len", Symbol("builtins", "len")),
        ("lambda x: x + 1", Source("lambda x: x + 1")),
        ("int('7')", Build(Symbol("builtins", "int"), (Const("7"),))),
        ("int(7)", Const(7)),
        ("shop.RATES", Symbol("shop", "RATES")),
        ("(n for n in [1])", Source("((n for n in [1]))")),
    ],
)
def test_expressions_without_calls(text, expected):
    assert converted(text) == (expected, [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("shop.Cart(2)", Call("function", "shop:Cart", (Const(2),))),
        ("box.size", Call("get", "size", (Ref(0),))),
        ("box.put(1, n=2)", Call("method", "put", (Ref(0), Const(1)), (("n", Const(2)),))),
        (
            "box[1:]",
            Call(
                "operator",
                "[]",
                (Ref(0), Build(Symbol("builtins", "slice"), (Const(1), Const(None), Const(None)))),
            ),
        ),
        ("3 in box", Call("operator", "in", (Ref(0), Const(3)))),
        ("-box", Call("operator", "neg", (Ref(0),))),
        ("box + 1", Call("operator", "+", (Ref(0), Const(1)))),
        ("len(box)", Call("operator", "len", (Ref(0),))),
    ],
)
def test_expressions_with_a_call(text, expected):
    assert converted(text, box=Ref(0)) == (Ref(0), [expected])


@pytest.mark.parametrize(
    "text", ["unknown", "f(**box)", "box is None", "lambda x: other", "{**box}", "f(ask())"]
)
def test_expressions_that_have_no_equivalent(text):
    with pytest.raises(Unconvertible):
        converted(text, box=Ref(0), f=Symbol("shop", "f"), ask=Symbol("builtins", "input"))


def test_statements_are_appended():
    calls = []
    converter = Converter({"box": Ref(0)}, {}, lambda _m, _p: None, calls)
    converter.store(expression("box.size"), expression("3"))
    converter.store(expression("box[0]"), expression("4"))
    converter.delete(expression("box[0]"))
    converter.augment("box", ast.Add(), expression("1"))
    assert [(call.kind, call.name) for call in calls] == [
        ("set", "size"),
        ("operator", "[]="),
        ("operator", "del[]"),
        ("operator", "+="),
    ]
    with pytest.raises(Unconvertible):
        converter.delete(expression("box.size"))


def test_free_names():
    assert free_names(expression("[x + y for x in range(n)]")) == ("y", "n")


# -- docstrings -----------------------------------------------------------------------


def statements(doc):
    return [[ast.unparse(node) for node in found] for found in sessions(doc)]


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        (">>> a = 1\n>>> a + 1\n2\n", [["a = 1", "a + 1"]]),
        ("Text\n\n```python\nf(1)\n```\n", [["f(1)"]]),
        ("Usage::\n\n    f(1)  # => 2\n    f(2)\n\nmore", [["f(1)", "f(2)"]]),
        ("Example:\n    f(1) => 2\n    g(2)\n", [["f(1)", "g(2)"]]),
        (">>> def f(x):\n>>>     return x\n", [["def f(x):\n    return x"]]),
        ("nothing to see", []),
    ],
)
def test_sessions(doc, expected):
    assert statements(doc) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("list of int, optional", "list[int]"),
        ("a string or None", "str | None"),
        ("{'a', 'b'}", "Literal['a', 'b']"),
        ("tuple of floats", "tuple[float, ...]"),
        ("Dict[str, int]", "Dict[str, int]"),
        ("the thing", ""),
        (":class:`Cart`", "Cart"),
        ("date", "datetime.date"),
        ("List[Function]", "List[Callable]"),
        ("Dict[String, Integer]", "Dict[str, int]"),
        ("Function(A, B) -> Boolean", "Callable[[Any, Any], bool]"),
        ("Function() -> Cart", "Callable[[], Cart]"),
    ],
)
def test_annotation_of_words(words, expected):
    assert annotation_text(words) == expected


def test_types_stated_in_three_styles():
    sphinx = ":param int count: how many\n:type name: string\n"
    google = "Args:\n    limit (float): most\n    *rest (list of str): others\n"
    numpy = "width : int, optional\n    wide\n"
    assert stated_types(sphinx) == {"name": "str", "count": "int"}
    assert stated_types(google) == {"limit": "float", "rest": "list[str]"}
    assert stated_types(numpy) == {"width": "int"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (":param rows: A list of names", {"rows": "list"}),
        (":param rows: A dictionary\n    of names", {"rows": "dict"}),
        (":param strict: Whether to refuse", {"strict": "bool"}),
        (":param ask: Prompt the user?", {"ask": "bool"}),
        ("    text (str): A string, no more", {"text": "str"}),
        ("    path: An optional path to read", {}),
        (":param rows: The list index", {}),
        (":param size: A number of rows", {}),
        (":param build: an optional build string", {"build": "str"}),
        (":param rows: the name of a list", {}),
        (":param name: a string or a list", {}),
    ],
)
def test_a_description_begins_with_what_is_passed(line, expected):
    assert described_types(f"Do it.\n\n{line}\n:return: A list") == expected


# -- names ----------------------------------------------------------------------------


NAMES = """
import json
import re
RATES = {"low": 1, "high": 250}
WORD = re.compile(r"\\w+")
LIMIT = 7
class Cart:
    SIZES = (11, 12)
    def first(self):
        return self.SIZES, self.second()
    def second(self):
        return LIMIT
def rate(name):
    return RATES[name], WORD, Cart(), rate
"""


def test_names_lead_to_tables_regexes_and_callees(load):
    view = context_of(load(NAMES))
    found = collect_references(view, view.sources.tree(view.file))
    assert Regex(r"\w+", re.UNICODE.value, "rate") in found.regexes
    assert {one.value for one in found.constants if one.scope == "rate"} >= {"low", "high", 250}
    assert [one.value for one in found.constants if one.scope == "Cart.first"] == [11, 12]
    assert [one.value for one in found.constants if one.scope == "Cart.second"] == [7]
    assert list(found.calls["rate"]) == ["Cart.__init__", "rate"]
    assert list(found.calls["Cart.first"]) == ["Cart.second"]


def test_a_large_table_gives_a_few_atoms():
    found = NameReferences()
    found.add("f", list(range(100, 200)))
    assert found.constants == [Constant(100 + n, "f", "member") for n in range(MAX_ATOMS)]


def test_names_for_examples(load):
    view = context_of(load(NAMES))
    subject = Subject(
        "sample",
        "sample.py",
        (ClassInfo("sample:Cart", "sample", "Cart"),),
        (Invocable("sample:rate", "function", "rate"),),
    )
    names, find = example_names(view, subject)
    assert module_names(view) == {"json": "json", "re": "re"}
    assert (names["LIMIT"], names["rate"]) == (Const(7), Symbol("sample", "rate"))
    assert names["Cart"] == Symbol("sample", "Cart")
    assert find("", "sample:Cart") == Symbol("sample", "Cart")
    assert find("sample", "LIMIT") == Symbol("sample", "LIMIT")
    assert find("json", "loads") == Symbol("json", "loads")
    assert find("sample", "missing") is None
    assert find("", "json:loads") is None


def test_the_span_of_a_function_and_the_module_of_its_code(load):
    module = load("import functools\n\n@functools.cache\ndef f():\n    return 1\n")
    view = context_of(module)
    assert view.package == "sample"
    assert view.span(module.f.__wrapped__) == ("sample", 3, 5)
    assert view.span(parse) == ("", 0, 0)
    assert view.file_of("sample") == module.__file__


# -- files ----------------------------------------------------------------------------

FILE = """
import os.path
from .other import thing as alias
if True:
    def made(): pass
class Outer:
    class Inner:
        pass
count: int = 0
a, b = 1, 2
"""


def test_definitions_at_module_level():
    assert definitions(parse(FILE)) == {
        "os": "import",
        "alias": "import",
        "made": "def",
        "Outer": "class",
        "count": "assign",
        "a": "assign",
        "b": "assign",
    }


def test_imports_are_made_absolute():
    assert guarded_imports(parse(FILE), "pack.mod", package=False) == {
        "alias": ("pack.other", "thing")
    }
    assert guarded_imports(parse(FILE), "pack.mod", package=True) == {
        "alias": ("pack.mod.other", "thing")
    }


def test_classes_and_functions_are_found_in_the_file(write, load):
    module = load(FILE.replace("from .other import thing as alias\n", ""))
    files = SourceFiles()
    assert files.class_named(module.__file__, "Outer.Inner").name == "Inner"
    assert files.class_named(module.__file__, "Inner") is None
    assert files.function(module.made.__code__).name == "made"


def test_files_that_cannot_be_read_or_parsed(tmp_path):
    (tmp_path / "latin.py").write_bytes(b"# coding: latin-1\nx = '\xe9'\n")
    assert "é" in read_source(str(tmp_path / "latin.py"))
    assert read_source(str(tmp_path / "missing.py")) == ""
    assert parse("def (").body == []


def test_the_lines_of_a_definition(tmp_path):
    file = tmp_path / "m.py"
    file.write_text("def f(): ...\n\n\nclass C:\n  x = 1\n\n  @property\n  def f(self): ...\n")
    assert span_of(str(file), "f") == (1, 1)
    assert span_of(str(file), "C") == (4, 8)
    assert span_of(str(file), "C.f") == (7, 8)
    assert span_of(str(file), "alias")[0] == 1


def test_all_statements_are_those_of_the_whole_tree():
    text = """
        with a as b:
            def f(x=lambda: 0):
                for y in x:
                    class C:
                        async def g(self): pass
                else:
                    del y
        try:
            while a:
                @mark
                def h(): ...
        except* E:
            def i(): return 1
        else:
            def j(): return 2
        finally:
            def k(): return 3
        match a:
            case [1, _] if b:
                def m(): return 4
            case _:
                if a:
                    async with a: pass
                elif b:
                    async for n in a: pass
    """
    tree = ast.parse(textwrap.dedent(text))
    found = list(all_statements(tree))
    assert len(set(found)) == len(found)
    assert set(found) == {one for one in ast.walk(tree) if isinstance(one, ast.stmt)}
    assert len(found) == 26
