"""Static flow: what the source does with each parameter."""

from __future__ import annotations

import ast
from dataclasses import astuple

import pytest

from unitcraft.subject import literal_args
from unitcraft.subject.description.parameter_flow import uses_of
from unitcraft.subject.ducktypes.kind_support import kind_of, supports
from unitcraft.subject.ducktypes.probe_operation import ProbeOperation
from unitcraft.subject.ducktypes.type_inference import guess_types
from unitcraft.subject.known_types import ANY_PARAMETERS
from unitcraft.subject.literal_args import literal_in
from unitcraft.subject.model import FORWARDED, ParameterUse
from unitcraft.subject.reading import node_operations
from unitcraft.subject.source_files import FunctionSource

#: Source of functions -> rows (path, operation, operand, is it certain?) of which all are found.
FLOWS = [
    ("def f(p): return p.lower()", [("p", "attribute", "lower", True), ("p.lower", "call", "", True)]),  # noqa: E501
    ("def f(p): return p[0] + p['a']", [("p", "getitem", "int", True), ("p", "getitem", "str", True)]),  # noqa: E501
    ("def f(p):\n i = 0\n while i < len(p):\n  p[i]\n  i += 1", [("p", "getitem", "int", True)]),
    ("def f(p):\n return [p[i - 1] for i in range(3)]", [("p", "getitem", "int", True)]),
    ("def f(p):\n low, high = 0, len(p)\n return p[(low + high) // 2]", [("p", "getitem", "int", True)]),  # noqa: E501
    ("def f(p, i):\n i = 0\n return p[i]", [("p", "getitem", "", True)]),
    ("def f(p):\n i = 0\n i = input()\n return p[i]", [("p", "getitem", "", True)]),
    ("def f(p):\n for x in p: x.run()", [("p", "iterate", "", True), ("p[]", "attribute", "run", True)]),  # noqa: E501
    ("def f(p): return 1 < p", [("p", "lt", "int", True)]),
    ("def f(p): return p in ('a', 'b')", [("p", "eq", "str", True)]),
    ("def f(p): return p is None", [("p", "is", "NoneType", True)]),
    ("def f(p):\n if isinstance(p, (int, str)): return p + 1",
     [("p", "isinstance", "int", False), ("p", "add", "int", False)]),
    ("def f(p):\n if not isinstance(p, int): raise TypeError\n return p + 1",
     [("p", "isinstance", "int", True), ("p", "add", "int", False)]),
    ("def f(p):\n if isinstance(p, int): return 1\n elif isinstance(p, str): return 2\n else: raise TypeError",  # noqa: E501
     [("p", "isinstance", "int", True), ("p", "isinstance", "str", True)]),
    ("def f(k, p):\n if k == 'age':\n  if not isinstance(p, int): raise TypeError\n return p",
     [("p", "isinstance", "int", False)]),
    ("def f(p):\n if isinstance(p, int): return 1\n raise TypeError",
     [("p", "isinstance", "int", True)]),
    ("def f(p):\n try: return p.x\n except AttributeError: return 0",
     [("p", "attribute", "x", False)]),
    ("def f(p):\n try: return p.x\n except ZeroDivisionError: return 0",
     [("p", "attribute", "x", True)]),
    ("def f(p): return g(p)\ndef g(q): return q.upper()", [("p", "attribute", "upper", True)]),
    ("def f(p): return ', '.join(p)",
     [("p", "iterate", "", True), ("p", "join", "", True), ("p[]", "add", "str", True)]),
    ("def f(p): return ''.join(p)", [("p", "iterate", "", True), ("p[]", "add", "str", True)]),
    ("def f(p, q): p.append('a'); p.insert(0, 'b'); p.append(q)", [("p[]", "eq", "str", True)]),
    ("def f(p, q): p.extend(['-m', q])", [("p[]", "eq", "str", True)]),
    ("def f(p):\n a, b = p\n return a", [("p", "unpack", "", True)]),
    ("def f(p):\n p = p.strip()\n return p.nothing", [("p", "attribute", "strip", True)]),
    ("def f(p): return p[1:].x", [("p", "attribute", "x", True)]),
    ("def f(p):\n head = p[:2]\n return head in ('<=', '>=')", [("p", "eq", "str", False)]),
    ("def f(p): return [ord(c) for c in p]", [("p", "iterate", "", True), ("p[]", "character", "", True)]),  # noqa: E501
    ("def f(p): return p[0] == '-'", [("p[]", "character", "", True)]),
    ("def f(p): return [c for c in p if c in ('+', '-')]", [("p[]", "character", "", True)]),
    ("def f(p, q): q.insert(p, 1)", [("p", "argument", "int", False)]),
    ("def f(p): return p in 'abc'", [("p", "argument", "str", True)]),
    ("def f(p):\n if not p: return 1\n return 2 if p else 3",
     [("p", "bool", "", True), ("p", "bool", "", True), ("p", "flag", "", True)]),
    ("def f(p):\n if p: return p\n return 2", [("p", "bool", "", True)]),
    ("def f(p, q): return [x for x in q if p(x)]", [("p()", "flag", "", True)]),
    ("def f(p, q): q.set_exception(p)", [("p", "argument", "builtins:Exception", False)]),
    ("def f(p): return f'{p:>3d}{p[:2]}'", [("p", "format", "int", True), ("p", "getitem", "slice", True), ("p", "format", "slice", True)]),  # noqa: E501
    ("def f(p): return [x.name for x in p]",
     [("p[]", "attribute", "name", True), ("p", "iterate", "", True)]),
    ("def f(p, k):\n found = p.get(k)\n return found.name", [("p[]", "attribute", "name", True)]),
    ("def f(p):\n for k, v in p.items(): v.run()", [("p[]", "attribute", "run", True)]),
    ("def f(p):\n for v in p.values(): v.run()", [("p[]", "attribute", "run", True)]),
    ("def f(p):\n for n, v in enumerate(p): v.run()", [("p[]", "attribute", "run", True)]),
    ("def f(p, q):\n for a, (b, c) in zip(q, sorted(p)): a.run()",
     [("q[]", "attribute", "run", True), ("p[]", "unpack", "", True)]),
    ("def f(p, q):\n for x in q: x.run()\n for x in p: x.stop()", [("p[]", "attribute", "stop", True)]),  # noqa: E501
    ("def f(p): return filter(lambda x: x.name, p)", [("p[]", "attribute", "name", True)]),
    ("def f(p): return sorted(p, key=lambda x: x.name)", [("p[]", "attribute", "name", True)]),
    ("def f(p): p.sort(key=lambda x: x.name)", [("p[]", "attribute", "name", True)]),
    ("def f(p): return iter(p) is p", [("p", "isinstance", "Iterator", False)]),
    ("def f(p):\n if hasattr(p, '__len__'): return len(p)\n return sum(p)",
     [("p", "isinstance", "Iterator", False), ("p", "len", "", False)]),
    ("def f(p): return p.startswith(b'#')", [("p", "argument", "bytes", True)]),
    ("def f(p):\n try: g()\n except p: return 1", [("p", "catch", "", True)]),
    ("def f(p): p.write(b'#')", [("p", "argument", "io:BytesIO", True)]),
    ("def f(p):\n q = p.readline()\n return q == b''", [("p", "argument", "io:BytesIO", True)]),
    ("def f(p, q): return map(p, q)", [("p", "call", "", True)]),
    ("def f(p, q): return sorted(filter(p, q), key=p)", [("p", "call", "", True)] * 2),
    ("def f(p, q): q.sort(key=p)", [("p", "call", "", True)]),
    ("def f(p):\n p = {} if p is None else p\n return p.x", [("p", "attribute", "x", False)]),
    ("def f(p):\n q = p if p else {}\n return q.x", [("p", "attribute", "x", True)]),
    ("def f(p, q): q.write(p)", [("p", "argument", "str|bytes", False)]),
    ("def f(p, q): return q.startswith(p)", [("p", "argument", "str|bytes|tuple", False)]),
    ("def f(p): return g(1, q=p)\ndef g(a, q): return h(q)\ndef h(q): return q.upper()",
     [("p", "attribute", "upper", True)]),
]  # fmt: skip


def sources(text: str) -> list[FunctionSource]:
    found = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            names = tuple(part.arg for part in node.args.args)
            found.append(FunctionSource(f"m:{node.name}", names, node))
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                names = tuple(part.arg for part in method.args.args[1:])
                name = f"m:{node.name}.{method.name}".removesuffix(".__init__")
                found.append(FunctionSource(name, names, method, f"m:{node.name}"))
    return found


@pytest.mark.parametrize(("text", "expected"), FLOWS)
def test_what_the_code_does_with_a_parameter_is_read_from_its_tree(text, expected):
    rows = [
        (row.path, row.operation, row.operand, row.certain)
        for row in uses_of(sources(text)) if row.invocable == "m:f"
    ]  # fmt: skip
    assert [row for row in expected if row not in rows] == []


def test_a_function_whose_answer_is_also_given_back_is_asked_for_more_than_its_truth():
    rows = uses_of(sources("def f(p):\n if p(1): return p(2)\n return 0"))
    assert "flag" not in [row.operation for row in rows]


def test_a_parameter_that_a_branch_binds_again_is_asked_for_less_surely():
    rows = uses_of(sources("def f(p):\n if p is None: p = []\n return p.append(1)"))
    assert [row.certain for row in rows if row.operand == "append"] == [False]
    assert literal_args.literal_kind(ast.parse("-1", mode="eval").body) == "int"


@pytest.mark.parametrize(
    ("text", "operation"),
    [("def f(p): return p[0] == 'ab'", "character"), ("def f(p): return p == 'a'", "character"),
     ("def f(p, q): q.insert(p)", "argument")],
)  # fmt: skip
def test_words_and_single_arguments_say_less(text, operation):
    assert operation not in [row.operation for row in uses_of(sources(text))]


@pytest.mark.parametrize("given", ["*a", "1, *a", "**a", "1, key=2, **a"])
def test_of_a_call_that_forwards_arguments_nobody_knows_how_many(given):
    (use,) = [one for one in uses_of(sources(f"def f(p, a): return p({given})"))
              if one.operation == "call"]  # fmt: skip
    assert use.arity == FORWARDED
    (known,) = guess_types((ProbeOperation(*astuple(use)[1:5]),), "p")
    assert known.args[0] == ANY_PARAMETERS


def test_a_name_that_is_bound_again_is_no_longer_the_parameter():
    rows = uses_of(sources("def f(p):\n p = p.strip()\n return p.nothing"))
    assert "nothing" not in [row.operand for row in rows]


def test_a_field_that_keeps_a_parameter_shows_what_other_methods_do_with_it():
    rows = uses_of(sources(
        "class Job:\n"
        " def __init__(self, owner): self._owner = owner\n"
        " def cancel(self): self._owner.remove(self)\n"
    ))  # fmt: skip
    assert ParameterUse("m:Job", "owner", "attribute", "remove", 0, certain=False) in rows


@pytest.mark.parametrize(
    ("keep", "use"),
    [
        ("self.all.append(p)", "\n  for one in self.all: one(2)"),
        ("self.all.insert(0, p)", "self.all[0](2)"),
        ("self.all[name] = p", "self.all[1](2)"),
        ("self.all.setdefault(name, p)", "\n  for one in self.all.values(): one(2)"),
        ("self.all.add(p)", "self.all.pop()(2)"),
    ],
)
def test_an_item_of_a_field_shows_what_other_methods_do_with_it(keep, use):
    rows = uses_of(sources(
        f"class Bell:\n def listen(self, name, p): {keep}\n def ring(self): {use}\n"
    ))  # fmt: skip
    used = [(row.invocable, row.path) for row in rows if row.operation == "call"]
    assert ("m:listen", "p") in used or ("m:Bell.listen", "p") in used
    assert not any(path == "name" for _, path in used)


@pytest.mark.parametrize(
    ("other", "expected"),
    [("self._file = 'w' if self._new else 'a'", True), ("return self._new", False), ("pass", True)],
)
def test_a_parameter_kept_in_a_field_that_is_only_asked_for_its_truth_is_a_flag(other, expected):
    rows = uses_of(sources(
        "class Log:\n"
        " def __init__(self, new): self._new = new\n"
        " def open(self):\n"
        "  if self._new: self.clear()\n"
        f" def shown(self): {other}\n"
    ))  # fmt: skip
    flag = ParameterUse("m:Log", "new", "flag", "", 0, certain=False)
    assert (flag in rows) is expected


@pytest.mark.parametrize(
    ("text", "operation", "operand", "expected"),
    [
        ("'a'", "attribute", "lower", True), ("1", "attribute", "lower", False),
        ("{}", "getitem", "int", False), ("[1]", "getitem", "int", True),
        ("{}", "getitem", "str", True), ("'a'", "getitem", "str", False),
        ("1", "add", "int", True), ("'a'", "add", "int", False), ("'a'", "radd", "str", True),
        ("1j", "lt", "int", False), ("None", "iterate", "", False), ("(1,)", "len", "", True),
        ("'a'", "int", "", True), ("'a'", "contains", "int", False), ("1", "mapping", "", False),
        ("None", "call", "", False), ("1", "eq", "str", None),
    ],
)  # fmt: skip
def test_a_kind_supports_what_its_values_can_do(text, operation, operand, expected):
    arg = literal_in(ast.parse(text, mode="eval").body)
    assert supports(kind_of(arg), ParameterUse("m:f", "p", operation, operand)) is expected


def test_what_is_handed_on_is_known_with_the_parameter_that_takes_it(subject):
    found = subject("""
        class Reader:
            def __init__(self, size=1): self.size = size
            def read(self, text): return text[: self.size]

        class Shelf:
            def __init__(self, texts): self.texts = texts
            def open(self, size, other):
                for text in self.texts:
                    Reader(size=size).read(text)
                return len(other)
    """)
    assert set(found.handed) == {
        ("sample:Shelf", "texts[]", "sample:Reader.read", "text"),
        ("sample:Shelf.open", "size", "sample:Reader", "size"),
    }


def test_isinstance_asks_for_what_a_name_holds(subject):
    found = subject(
        """
        from asyncio import Future
        from concurrent import futures
        FUTURES = (futures.Future, Future)
        text_type = str
        LIMIT = 3
        def f(p): return isinstance(p, FUTURES)
        def g(p): return isinstance(p, text_type)
        def h(p): return isinstance(p, LIMIT)
        """
    ).uses
    asked = [(one.invocable, one.operand) for one in found if one.operation == "isinstance"]
    assert asked == [
        ("sample:f", "Future"), ("sample:f", "Future"), ("sample:g", "str"), ("sample:h", "LIMIT"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "arities"),
    [("map(f, p)", [1]), ("map(f, p, q)", [2]), ("sorted(p, key=f)", [1]), ("print(f)", [])],
)
def test_functions_that_are_handed_on_are_called_with_so_many(call, arities):
    node = ast.parse(call, mode="eval").body
    assert [count for _, count in node_operations.called_back(node)] == arities


@pytest.mark.parametrize(
    ("other", "is_read"),
    [
        ("def render(self, rows): return rows[0].keys()", True),
        ("def render(self, text): pass", False),
    ],
)
def test_methods_of_one_name_and_parameters_implement_what_their_base_calls(other, is_read):
    text = f"""
class Base:
    def render(self, rows): ...
    def export(self, rows): return self.render(rows)

class Csv(Base):
    {other}
"""
    rows = {(row.path, row.operation, row.operand, row.certain)
            for row in uses_of(sources(text)) if row.invocable == "m:Base.export"}  # fmt: skip
    assert (("rows[]", "attribute", "keys", False) in rows) is is_read
