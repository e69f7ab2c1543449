"""Observers: contents first, never impure, iterators read once."""

from __future__ import annotations

import ast
import logging
import textwrap
import warnings
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import NamedTuple
from unittest.mock import DEFAULT, Mock, NonCallableMock, call

import pytest

from unitcraft.core.encoding import decode, decode_call, encode_sequence
from unitcraft.core.outcomes import Opaque
from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Source, Symbol
from unitcraft.execute.guest.issued_messages import WARNED as ISSUED
from unitcraft.execute.guest.issued_messages import silence_what_pytest_captures
from unitcraft.execute.guest.run_world import RunWorld
from unitcraft.execute.isolation.own_state import OwnState
from unitcraft.execute.policy import Policy
from unitcraft.execute.sandbox.audit import Journal
from unitcraft.execute.sandbox.streams import Streams
from unitcraft.explore.agents import observer_calls
from unitcraft.explore.agents.answers import IGNORED, WARNED, AfterAnswer
from unitcraft.explore.agents.known_results import as_plain, known_term
from unitcraft.explore.agents.observations import MAX_DEEPER, MAX_OBSERVERS
from unitcraft.explore.agents.observer_calls import (
    MAX_CALL_TEXT,
    MAX_COUNTED,
    commands_of,
    deeper_observers,
    observers,
    replaced_name,
)
from unitcraft.explore.agents.observers import _was_asked, are_equal
from unitcraft.explore.search.variation.places import MOCK
from unitcraft.instrument.branch_probes import HITS

BAG = """
class Bag:
    kinds = 3

    def __init__(self, *items):
        self.items_seen = 0
        self._items = list(items)

    @property
    def size(self):
        return len(self._items)

    @property
    def broken(self):
        raise OSError

    def first(self):
        return self._items[0]

    def with_argument(self, other):
        return other

    async def later(self):
        return 1

    def nothing(self):
        return None

    def put(self, item):
        self._items.append(item)

    def check(self, item):
        if item not in self._items:
            raise KeyError(item)
        return True

    def __iter__(self):
        return iter(self._items)

    def __len__(self):
        return len(self._items)

    def __repr__(self):
        return f"Bag{self._items}"


class Impure(Bag):
    @property
    def lazy(self):
        self._cache = 1
        return 1

    def pop(self):
        return self._items.pop()


class Table:
    def __init__(self, **values):
        self._values = values

    def keys(self):
        return self._values.keys()

    def items(self):
        return self._values.items()

    def __getitem__(self, name):
        return self._values[name]


class Lying:
    def __repr__(self):
        return object.__repr__(self)


def count(limit):
    while limit:
        yield limit
        limit -= 1


def failing():
    yield 1
    raise OSError


def objects():
    for _ in range(20):
        yield object()


def pair_of_objects():
    return [object(), object()]


def filed(bag, make=int):
    return {"bags": [bag, make() or 2]}


def named_objects():
    return {"first": object()}


class Shelf:
    def __init__(self, *names):
        self.label = Label("shelf")
        self.owner = None
        self.boxes = [Label(name) for name in names]

    @property
    def reversed_boxes(self):
        return tuple(self.boxes[::-1])


class Label:
    def __init__(self, text):
        self.text = text
        self.made = object()


def labels(*texts):
    return [Label(text) for text in texts]


def label_and_number():
    return [Label("a"), 1]


def link(bag):
    return bag


def beside(bag):
    return (bag, 1)


def half(number):
    return number / 2
"""


def ints(*numbers):
    return Display("list", tuple(map(Const, numbers)))


def test_contents_come_before_attributes_methods_and_text(lab):
    *_, looks = lab(BAG).after("Bag(4, 5)")
    assert list(looks[0][1].items()) == [
        ("list", ints(4, 5)),
        ("items_seen", Const(0)),
        ("size", Const(2)),
        ("first()", Const(4)),
        ("repr", Const("Bag[4, 5]")),
    ]


RAISING = """
class Refused(Exception):
    def __init__(self, code, cause=None):
        super().__init__("refused")
        self.code, self.rows, self.cause, self._at = code, [code, (1, 2)], cause, 5

def ask(code): raise Refused(code, object())
def puzzle(code):
    error = Refused(code)
    error.__dict__.update({1: 2, "a b": 3})
    raise error
def read(text): return int(text)
"""


COUNTED = """
from collections import namedtuple

Info = namedtuple("Info", "hits misses")

def counted(function):
    hits = 0

    def wrapper():
        nonlocal hits
        hits += 1
        return function()

    def info():
        return Info(hits, 0)

    def clear():
        nonlocal hits
        hits = 0

    def most(limit):
        return limit

    wrapper.info, wrapper.clear, wrapper.most, wrapper._info = info, clear, most, info
    wrapper.limit = 5
    return wrapper
"""


def test_functions_in_attributes_of_a_function_tell_what_it_did(lab):
    made = Call("function", "sample:counted", (Source("lambda: 1"),))
    answer = lab(COUNTED).observer.after(
        encode_sequence(Sequence((made, Call("operator", "call", (Ref(0),)))))
    )
    ((call, term),) = answer[4][0][2]
    assert call[:2] == ("method", "info")
    assert decode(term) == Display("tuple", (Const(1), Const(0)))
    assert observer_calls._RECORD == HITS


class Pair(NamedTuple):
    x: int
    y: int


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Pair(1, 2), tuple),
        ((1, 2), tuple),
        (type("Own", (Pair,), {})(1, 2), None),
        (3, int),
    ],
)
def test_a_named_tuple_is_the_tuple_that_it_equals(value, expected):
    found = as_plain(value)
    assert found == value
    assert type(found) is (expected or type(value))


def test_an_exception_shows_its_plain_public_attributes_in_the_place_of_the_result(lab):
    outcome, *_, looks = lab(RAISING).after("ask(3)")
    rows = Display("list", (Const(3), Display("tuple", (Const(1), Const(2)))))
    assert outcome[1] == "sample:Refused"
    assert looks == {0: (True, {"code": Const(3), "rows": rows})}


def test_exceptions_of_the_interpreter_say_what_they_say(lab):
    assert lab(RAISING).after("read('x')")[4] == {}


def test_a_match_says_what_was_found(lab):
    source = """
    import re

    def pair(text):
        return re.search(r"(\\d+)-(\\d+)", text)
    """
    *_, looks = lab(source).after("pair('from 1-2')")
    groups = Display("tuple", (Const("1"), Const("2")))
    assert looks == {0: (True, {"group()": Const("1-2"), "groups()": groups})}


VERSIONS = """
class Version:
    def __init__(self, number, *, build=None, label=""):
        self.number = number
        self.build = build
        self.label = label

    def __eq__(self, other):
        return self.number == other.number and self.label == other.label

    def built(self, build):
        return Version(self.number, build=build)

def built(number, build=None): return Version(number, build=build)
"""


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("built(1, 'b')", {0: (True, {"build": Const("b")})}),
        ("built(1)", {}),
        ("v = Version(1)\nv.built('b')", {1: (True, {"build": Const("b")})}),
        ("v = Version(1)\nv.built(None)", {}),
    ],
)
def test_what_equality_does_not_look_at_is_shown_beside_it(lab, call, expected):
    answer = lab(VERSIONS).after(call)
    assert isinstance(answer[1], Build)
    last = call.count("\n")
    assert {at: shown for at, shown in answer[4].items() if at == last} == expected


def test_what_no_name_leads_to_is_no_attribute(lab):
    ((_, shown),) = lab(RAISING).after("puzzle(3)")[4].values()
    assert list(shown) == ["code", "rows", "cause"]


def test_an_observer_that_changes_the_state_or_raises_is_left_out(lab):
    looks = lab(BAG).after("Impure(1)")[4][0][1]
    assert looks["list"] == ints(1)
    assert looks["size"] == Const(1)
    assert not {"pop()", "lazy", "broken", "nothing()", "later()", "with_argument()"} & set(looks)


ONCE = """
class App:
    taken = set()

    def __init__(self, name):
        if name in self.taken:
            raise KeyError(name)
        self.taken.add(name)
        self.name = name
        self.asked = 0

    def ask(self):
        self.asked += 1
        return self.asked

    @property
    def result(self):
        raise SystemExit(3)

    def join(self, other):
        self.other = other
        return other.name
"""


def test_what_cannot_be_made_again_is_observed_as_far_as_it_was(lab):
    answer = lab(ONCE).after('a = App("one")\nb = App("two")\na.join(b)')
    ((_, shown), *_) = answer[4].values()
    assert shown["name"] == Const("one")


def test_an_observer_that_ends_the_process_tells_nothing(lab):
    looks = lab(ONCE).after('App("three")')[4][0][1]
    assert "result" not in looks
    assert looks["name"] == Const("three")


def test_no_observer_tells_what_an_impure_one_did(lab):
    """``pop`` was tried on the object that ``repr`` would describe."""
    shown = lab(BAG).after("Impure(1, 2)")[4][0][1]
    assert shown.get("repr") in (None, Const("Bag[1, 2]"))


def test_a_mapping_shows_its_items(lab):
    looks = lab(BAG).after("Table(a=1, b=2)")[4][0][1]
    pairs = tuple(Display("tuple", (Const(k), Const(v))) for k, v in (("a", 1), ("b", 2)))
    assert looks["items"] == Display("list", pairs) or looks["items"].kind == "dict"
    assert next(iter(looks)) == "items"


def test_a_text_that_says_in_what_test_a_lambda_stands_is_never_shown(lab):
    source = """
    class Attempt:
        def __init__(self, function):
            self.failed = False
            try:
                function()
            except TypeError as error:
                self.failed = True
                self.words = str(error)

        def __str__(self):
            return "failed: " + self.words
    """
    *_, looks = lab(source).after("Attempt(lambda x: x)")
    assert looks == {0: (True, {"failed": Const(value=True)})}


def test_what_the_interpreter_says_of_an_error_that_is_held_is_never_shown(lab):
    source = """
    class Attempt:
        def __init__(self, name):
            try:
                self.error = globals()[name]()
            except Exception as error:
                self.error = error

        def __str__(self):
            return f"failed: {self.error}"

    def divide():
        return 1 / 0

    def refuse():
        raise ValueError("too large")
    """
    one = lab(source)
    assert one.after("Attempt('divide')")[4] == {0: (True, {})}
    assert one.after("Attempt('refuse')")[4][0][1] == {"str": Const("failed: too large")}
    assert one.after("Attempt('missing')")[4][0][1] == {"str": Const("failed: 'missing'")}


def test_an_address_is_never_shown(lab):
    outcome, term, kind, _, looks = lab(BAG).after("Lying()")
    assert (outcome, term, kind) == (None, Opaque("sample:Lying"), "sample:Lying")
    assert looks == {0: (True, {})}


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("count(3)", {"list": ints(3, 2, 1)}),
        ("count(0)", {"list": ints()}),
        ("count(100)", {"list": ints(*range(100, 87, -1))}),
        ("failing()", {}),
        ("objects()", {}),
    ],
)
def test_an_iterator_is_drained_as_far_as_a_list_goes(lab, call, expected):
    assert lab(BAG).after(call)[4][0][1] == expected


def test_a_container_of_objects_shows_its_keys_or_its_size(lab):
    one = lab(BAG)
    assert one.after("pair_of_objects()")[4][0][1] == {"len": Const(2)}
    assert one.after("named_objects()")[4][0][1] == {"list": Display("list", (Const("first"),))}


def texts(*found):
    return Display("list", tuple(map(Const, found)))


def test_an_object_shows_what_the_objects_of_its_attributes_hold(lab):
    *_, looks = lab(BAG).after("Shelf('a', 'b')")
    assert looks[0][1] == {
        "owner": Const(None),
        "label.text": Const("shelf"),
        "boxes[*].text": texts("a", "b"),
        "reversed_boxes[*].text": texts("b", "a"),
    }


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("labels('a', 'b')", {"[*].text": texts("a", "b")}),
        ("label_and_number()", {"len": Const(2)}),
    ],
)
def test_a_list_of_objects_shows_the_attributes_that_all_have(lab, call, expected):
    assert lab(BAG).after(call)[4][0][1] == expected


def test_a_tuple_shows_the_items_that_can_be_written(lab):
    source = """
    class Parser:
        pass

    class Route:
        def __init__(self, uri):
            self.uri = uri
            self.parser = Parser()

    def routed(uri):
        return Route(uri), Parser(), uri

    def choose(name):
        return Parser, {"made": Parser()}, name

    def many():
        return (1, 2, 3, 4, Parser())
    """
    one = lab(source)
    answer = AfterAnswer.read(one.observer.after(encode_sequence(one.sequence("choose('abc')"))))
    shown = [(decode_call(call).args[1], decode(term)) for call, term in answer.focus[0][2]]
    assert shown == [(Const(0), Symbol("sample", "Parser")), (Const(2), Const("abc"))]
    assert one.after("many()")[4][0][1] == {"len": Const(5)}
    parts = AfterAnswer.read(one.observer.after(encode_sequence(one.sequence("routed('/a')"))))
    shown = {decode_call(call).name: decode(term) for call, term in parts.focus[0][2]}
    assert shown == {"[]": Const("/a"), "[0].uri": Const("/a")}


def test_a_named_tuple_without_a_term_shows_its_fields(lab):
    source = """
    from typing import NamedTuple

    class Found(NamedTuple):
        where: object
        count: int

    def find(name):
        return Found(object(), len(name))
    """
    looks = lab(textwrap.dedent(source)).after("find('abc')")[4]
    assert looks[0][1] == {"count": Const(3)}


def test_values_are_equal_by_the_code_of_their_class():
    one, other = (("b", ("decimal", "Decimal"), (("c", text),), ()) for text in ("1", "1.0"))
    assert are_equal(one, other)
    assert not are_equal(one, ("b", ("decimal", "Decimal"), (("c", "2"),), ()))
    assert not are_equal(one, ("b", ("decimal", "Missing"), (), ()))


def test_what_a_run_wrote_is_not_looked_for_among_its_results(lab):
    one = lab(BAG)
    plain = encode_sequence(one.sequence("b = Bag()\nb.put(1)"))
    written = ("method", "read_text", (("p", "a.txt", None, False),), (), "")
    printed = ("output", "out", (), (), "")
    size = ("get", "size", (("r", 0),), (), "")
    looks = one.observer.after_as_known(plain, [written, printed, size])[4][0][2]
    assert looks == ((size, ("c", 1)),)


def test_a_changed_receiver_is_marked_and_an_unchanged_one_is_not(lab):
    one = lab(BAG)
    assert one.after("b = Bag()\nb.put(1)")[4][0] == (
        True,
        {"list": ints(1), "items_seen": Const(0), "size": Const(1), "first()": Const(1),
         "repr": Const("Bag[1]")},
    )  # fmt: skip
    assert one.after("b = Bag(1)\nb.check(1)")[4][0][0] is False


@pytest.mark.parametrize(
    "text",
    ["b = Bag()\nb.put(1)", "b = Bag(1)\nb.check(2)", "count(3)", "Bag(1, 2)", "half(3)"],
)
def test_known_observers_see_the_same_again(lab, text):
    one = lab(BAG)
    plain = encode_sequence(one.sequence(text))
    first = one.observer.after(plain)
    known = [call for look in first[4] for call, _ in look[2]]
    again = one.observer.after_as_known(plain, known)
    assert again[:4] == first[:4]
    assert again[4][0][2] == tuple(pair for look in first[4] for pair in look[2])


def test_state_is_walked_through_again_only_after_something_changed_it(lab, monkeypatch):
    one = lab("SEEN = []\n\ndef note(x):\n    SEEN.append(x)\n    return len(SEEN)\n")
    walks = []
    save = OwnState.save
    monkeypatch.setattr(OwnState, "save", lambda state: (walks.append(state), save(state)))
    plain = encode_sequence(one.sequence("note(3)"))
    first = one.observer.after_as_known(plain, ())
    assert one.observer.after_as_known(plain, ()) == first
    assert len(walks) == 1
    one.observer.after_as_known(encode_sequence(one.sequence("note(3)\nnote(3)")), ())
    assert one.observer.after_as_known(plain, ()) == first


def test_known_observers_are_called_one_after_the_other(lab):
    one = lab(BAG)
    plain = encode_sequence(one.sequence("b = Impure(1)\nb.put(2)"))
    names = [("lazy", 0), ("_cache", 0), ("broken", 0), ("missing", 0), ("size", 0), ("size", 7)]
    calls = [("get", name, (("r", at),), (), "") for name, at in names]
    looks = one.observer.after_as_known(plain, calls)[4][0][2]
    assert [call[1] for call, _ in looks] == ["lazy", "_cache", "size"]
    earlier = encode_sequence(one.sequence("b = Bag()\nb.check(1)\nb.put(1)"))
    assert one.observer.after_as_known(earlier, calls) is None


def test_a_raise_keeps_the_receiver_in_focus(lab):
    outcome, term, _, _, looks = lab(BAG).after("b = Bag(1)\nb.check(2)")
    assert outcome[:3] == (1, "builtins:KeyError", "2")
    assert term is None
    assert looks[0][0] is False
    assert looks[0][1]["list"] == ints(1)


def test_an_earlier_raise_has_no_observation(lab):
    one = lab(BAG)
    plain = encode_sequence(one.sequence("b = Bag()\nb.check(1)\nb.put(1)"))
    assert one.observer.after(plain) is None
    assert one.observer.before(plain) == ()


def test_the_same_object_is_said_to_be_the_same(lab):
    assert lab(BAG).after("b = Bag()\nlink(b)")[3] == 0


def test_an_atom_is_never_the_same_object(lab):
    _, term, kind, same, _ = lab(BAG).after("a = half(4)\nb = half(4)")
    assert (term, kind, same) == (Const(2.0), "builtins:float", -1)


def test_before_sees_the_state_before_the_last_call(lab):
    one = lab(BAG)
    plain = one.observer.before(encode_sequence(one.sequence("b = Bag(1)\nb.put(2)")))
    assert [(index, decode(looks[0][1])) for index, looks in plain] == [(0, ints(1))]


def test_what_an_object_without_attributes_holds_is_not_observed_deeper():
    assert list(deeper_observers(3, "size", 0)) == []
    assert list(deeper_observers([], "items", 0)) == []


def test_a_container_of_what_was_given_is_told_by_it(lab):
    term = lab(BAG).after("b = Bag(1)\nbeside(b)")[1]
    assert term == Display("tuple", (Ref(0), Const(1)))
    term = lab(BAG).after("b = Bag(1)\nfiled(b)")[1]
    pair = Display("list", (Ref(0), Const(2)))
    assert term == Display("dict", (Const("bags"), pair))
    assert isinstance(lab(BAG).after("b = Bag(1)\nfiled(b, lambda: iter(()))")[1], Opaque)


def test_a_syntax_node_shows_its_source_and_its_fields_not_where_it_stood():
    node = ast.parse("total = 2").body[0].targets[0]
    assert [call[:2] for call in observers(node, 0)] == [("function", "ast:unparse"), ("get", "id")]


def test_a_node_of_another_parser_is_dumped():
    other = type("Name", (), {"__module__": "typed_ast._ast3", "_fields": ("id", "ctx")})()
    other.id, other.ctx = "total", object()
    shown = [call[:2] for call in observers(other, 0)]
    assert shown == [("function", "typed_ast.ast3:dump"), ("get", "id")]


def test_a_logger_shows_its_level_and_who_handles_its_records():
    logger = logging.Logger("shop", 30)  # noqa: LOG001 - of this test alone
    assert [call[1] for call in observers(logger, 0)] == ["name", "level"]
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    found = [call[1] for call in observers(logger, 0)]
    assert found == ["name", "level", "handlers[*].__class__", "propagate"]


FIELDS = """
from dataclasses import dataclass

@dataclass
class Item:
    sku: str

class Shown(Item):
    def __repr__(self):
        return "Shown()"
"""


def test_a_text_that_a_decorator_makes_of_the_fields_is_not_looked_at(lab):
    *_, looks = lab(FIELDS).after("Item('a1')")
    assert list(looks[0][1]) == ["sku"]
    *_, looks = lab(FIELDS).after("Shown('a1')")
    assert list(looks[0][1]) == ["sku", "repr"]


def test_a_stand_in_shows_what_its_functions_were_called_with():
    stand_in = SimpleNamespace(run=Mock(), size=1, inner=SimpleNamespace(stop=Mock(), go=Mock()))
    assert list(observers(stand_in, 0)) == []
    stand_in.run("a", check=True)
    stand_in.inner.stop()
    stand_in.inner.go("x" * MAX_CALL_TEXT)
    assert [call[1] for call in observers(stand_in, 0)] == [
        "run.call_args.args", "run.call_args.kwargs", "inner.stop.call_args.args",
        "inner.go.call_count",
    ]  # fmt: skip
    for number in range(MAX_COUNTED):
        assert ("call_count" in [call[1] for call in observers(stand_in.run, 0)]) is (number > 0)
        stand_in.run(number)
    assert [call[1] for call in observers(stand_in.run, 0)] == ["call_args.args"]


def test_how_often_a_function_computed_an_answer_is_shown_also_where_it_was_asked_before():
    computing, told = Mock(side_effect=lambda x: x), Mock(return_value=1)
    failing = Mock(side_effect=KeyError)
    assert not _was_asked(computing)
    for function in (computing, told):
        function(5)
    with pytest.raises(KeyError):
        failing(5)
    assert [call[1] for call in observers(computing, 0)] == ["call_args.args", "call_count"]
    assert [call[1] for call in observers(failing, 0)] == ["call_args.args"]
    assert [_was_asked(one) for one in (computing, told, failing, NonCallableMock(), len)] == [
        True, *[False] * 4,
    ]  # fmt: skip


def test_of_several_calls_all_are_shown_where_they_are_short():
    bare, recorded = Mock(), Mock()
    bare()
    bare()
    assert [call[1] for call in observers(bare, 0)] == ["call_count", "call_args.args"]
    recorded("a")
    recorded("b", 1)
    shown = [call[1] for call in observers(recorded, 0)]
    assert shown == ["call_args_list[*].args", "call_count", "call_args.args"]
    recorded(check=True)
    assert "call_args_list[*].kwargs" in [call[1] for call in observers(recorded, 0)]
    recorded("x" * MAX_CALL_TEXT)
    assert [call[1] for call in observers(recorded, 0)] == ["call_count"]


def test_what_the_mock_library_has_beside_mocks_records_nothing():
    for value in (call("a"), DEFAULT):
        shown = {one[1] for one in observers(value, 0)}
        assert shown.isdisjoint({"call_count", "call_args", "call_args_list"})


def test_how_often_code_asks_for_something_is_not_shown():
    get_workbench, notify = Mock(return_value=SimpleNamespace()), Mock(return_value=None)
    for function in (get_workbench, get_workbench, notify, notify):
        function()
    assert [call[1] for call in observers(get_workbench, 0)] == ["call_args.args"]
    assert [call[1] for call in observers(notify, 0)] == ["call_count", "call_args.args"]


TREE = """
class Node:
    def __init__(self, name, children=()):
        self.name = name
        self.parent = None
        self.children = []
        self.by_name = {}
        self.top = self
        for child in children:
            self.append(child)

    def append(self, child):
        child.parent = self
        self.children.append(child)
        self.by_name[child.name] = child
        return len(self.children)
"""
GROW = "root = Node('root')\nleaf = Node('leaf')\nroot.append(leaf)"


def test_an_object_that_holds_another_of_the_test_is_told_by_it(lab):
    looks = lab(TREE).after(GROW)[-1]
    assert looks[0][1]["children"] == Display("list", (Ref(1),))
    assert looks[0][1]["by_name"] == Display("dict", (Const("leaf"), Ref(1)))
    assert looks[1][1]["parent"] == Ref(0)


def test_an_object_that_shows_itself_is_not_told_by_itself(lab):
    assert "top" not in lab(TREE).after(GROW)[-1][0][1]


def test_what_a_test_can_write_is_told_by_its_value():
    given = SimpleNamespace()
    results = [given, [1, 2], "abc", 3]
    assert known_term(given, results, 3) == Ref(0)
    assert known_term([1, 2], results, 0) is None
    assert known_term(results[1], results, 0) is None
    assert known_term({"pair": [given, 3]}, results, 3) is None
    assert known_term({"one": given, "list": [3]}, results, 3) == Display(
        "dict", (Const("one"), Ref(0), Const("list"), Display("list", (Const(3),)))
    )


SESSION = """
from collections import OrderedDict


class Policy:
    def __init__(self, total):
        self.connect = None
        self.read = None
        self.total = total


class Adapter:
    def __init__(self, policy):
        self.policy = policy


class Jar:
    def __init__(self):
        self._rows = {}
        for number in range(12):
            setattr(self, f"rule{number}", number)


class Session:
    def __init__(self, total=10):
        for number in range(12):
            setattr(self, f"setting{number}", number)
        self.jar = Jar()
        self.adapters = OrderedDict()
        self.adapters["https://"] = Adapter(Policy(total))
        self.last = total
"""


def test_attributes_that_show_what_was_given_are_kept_before_the_first_ones(lab):
    looks = lab(SESSION).after("Session(7)")[-1][0][1]
    first = [name for name in looks if "." not in name]
    assert first == [f"setting{number}" for number in range(MAX_OBSERVERS - 1)] + ["last"]


def test_what_an_object_holds_is_looked_at_three_levels_deep_and_one_of_each_in_turn(lab):
    looks = lab(SESSION).after("Session(7)")[-1][0][1]
    assert looks['adapters["https://"].policy.total'] == Const(7)
    deeper = [name for name in looks if "." in name]
    assert len(deeper) == MAX_DEEPER
    assert deeper[0] == "jar.rule0"


def test_a_dictionary_shows_the_objects_under_its_first_keys(lab):
    looks = lab(SESSION + "\ndef named():\n    return {'first': Policy(3), 2: Policy(4)}\n").after(
        "named()"
    )[-1][0][1]
    assert looks['["first"].total'] == Const(3)


def test_functions_of_what_a_function_answers_show_their_calls():
    answered = SimpleNamespace(set=Mock(return_value=None))
    stand_in = SimpleNamespace(get=Mock(return_value=answered), free=Mock())
    stand_in.get("mode").set(True)
    assert [call[1] for call in observers(stand_in, 0)] == [
        "get.call_args.args", "get.return_value.set.call_args.args",
    ]  # fmt: skip
    assert stand_in.free.mock_calls == []


@pytest.mark.parametrize("key", ["", 'a"b', "a\\", "[*].", "a\nb", "a" * 41, 1, b"a"])
def test_what_would_not_read_as_python_or_is_long_is_no_key_to_look_under(key):
    assert list(deeper_observers({key: object()}, "rows", 0)) == []


def test_a_text_of_another_class_is_no_key_to_look_under():
    """It may look like another text than it is."""
    other = type("Text", (str,), {})("a")
    held = {other: object(), "Content-Type": object()}
    assert [call[1] for call in deeper_observers(held, "", 0)] == ['["Content-Type"]']


def test_a_stand_in_for_an_object_shows_which_of_its_methods_were_called(lab):
    logger = Mock(spec=logging.Logger)
    logger.debug("a")
    logger.isEnabledFor(10)
    assert [call[1] for call in observers(logger, 0)] == [
        "debug.call_args.args", "isEnabledFor.call_args.args",
    ]  # fmt: skip
    source = """
class Named:
    def __init__(self, logger):
        self.logger = logger

    def tell(self):
        self.logger.info("told")
"""
    made = Call("operator", "itself", (Build(MOCK, (), (("spec", Symbol("logging", "Logger")),)),))
    named = Call("function", "sample:Named", (Ref(0),))
    sequence = Sequence((made, named, Call("method", "tell", (Ref(1),))))
    told = lab(source).observer.after(encode_sequence(sequence))[4]
    shown = {
        call[1]: decode(term) for index, _, found in told for call, term in found if index == 0
    }
    assert shown == {"info.call_args.args": Display("tuple", (Const("told"),))}


WARNS = """
import warnings

class Old(DeprecationWarning):
    pass

class Lab:
    class Near(FutureWarning):
        pass

def own(kind):
    warnings.warn("words", eval(kind))

def local():
    class Hidden(UserWarning):
        pass
    warnings.warn("words", Hidden)

def others():
    import colorsys
    exec("import warnings; warnings.warn('words', ResourceWarning)", colorsys.__dict__)
    exec("import warnings; warnings.warn('words', FutureWarning)", vars(colorsys))

def both():
    others()
    own("Old")
"""


@pytest.mark.parametrize(
    ("text", "warns", "ignores"),
    [
        ("own('Old')", ["sample:Old"], []),
        ("own('Lab.Near')", ["sample:Lab.Near"], []),
        ("own('UserWarning')", ["builtins:UserWarning"], []),
        ("local()", [], ["builtins:UserWarning"]),
        ("others()", [], ["builtins:FutureWarning"]),
        ("both()", ["sample:Old"], ["builtins:FutureWarning"]),
        ("own('UserWarning')\nlocal()", [], ["builtins:UserWarning"]),
    ],
)
def test_own_warnings_of_the_last_call_are_told_from_others(lab, text, warns, ignores):
    made = lab(WARNS)
    with warnings.catch_warnings():
        shown = warnings.showwarning
        silence_what_pytest_captures()
        ISSUED.clear()
        try:
            answer = made.observer.after(encode_sequence(made.sequence(text)))
        finally:
            warnings.showwarning = shown
    found = {index: [decode(term) for _, term in seen] for index, _, seen in answer[4]}
    told = [row.items[0].value for one in found.get(WARNED, []) for row in one.items]
    assert told == warns
    assert [row.value for one in found.get(IGNORED, []) for row in one.items] == ignores


INHERITED = """
class Base:
    def load(self):
        return "base"

class Heir(Base):
    def text(self):
        return self.load() + "!"
"""


def test_a_replaced_method_that_is_inherited_is_undone_before_the_state_is_put_back(
    lab, monkeypatch, tmp_path
):
    journal = Journal(Policy(), (), (), importing=False)
    monkeypatch.setattr("unitcraft.execute.guest.interpret.WORLDS", worlds := [])
    monkeypatch.setattr("unitcraft.explore.agents.observers.WORLDS", worlds)
    worlds.append(RunWorld(Streams(None), journal, str(tmp_path)))
    made = lab(INHERITED)
    answered = Build(MOCK, (), (("return_value", Const("abc")),))
    calls = (
        Call("arrange", "setattr", (Const("sample.Heir.load"), answered)),
        Call("function", "sample:Heir"),
        Call("method", "text", (Ref(1),)),
    )
    answer = made.observer.after(encode_sequence(Sequence(calls)))
    worlds[0].undo()
    assert decode(answer[1]) == Const("abc!")
    assert made.module.Heir().text() == "base!"


def test_a_mapping_of_objects_shows_what_they_hold_beside_its_attributes(lab):
    """``jar["abc"].value``, though the jar has attributes that have terms."""

    class Morsel(dict):
        __module__ = "shop"

        def __init__(self):
            self["path"] = "/"
            self.value = "abc"

    class Jar(dict):
        def __init__(self):
            self["abc"] = Morsel()
            self.size = 1

    found = [one[1] for one in deeper_observers(Jar(), "", 0)]
    assert found == ['["abc"]']
    inner = [one[1] for one in deeper_observers(Jar()["abc"], '["abc"]', 0)]
    assert inner == ['["abc"]["path"]', '["abc"].value']


def test_of_questions_whose_answers_the_code_uses_no_calls_are_shown():
    source = "def work(box):\n    if box.get('a'):\n        box.send(1)\n"
    commands = commands_of(source + "    return box.run('b')\n", "sample")
    assert commands == {"send"}
    box = SimpleNamespace(get=Mock(return_value=1), send=Mock(), run=Mock())
    box.get("a")
    box.send(1)
    box.run("b")
    assert [one[1] for one in observers(box, 0, "", commands)] == ["send.call_args.args"]
    assert [one[1] for one in observers(box.get, 0, "sample.get", commands)] == []
    assert [one[1] for one in observers(box.get, 0, "", commands)] == ["call_args.args"]


@pytest.mark.parametrize("sent", [["ls", "/"], "https://example.org/a"])
def test_a_command_line_or_an_address_is_shown_whatever_becomes_of_the_answer(sent):
    box = SimpleNamespace(run=Mock(return_value=0))
    box.run(sent)
    assert [one[1] for one in observers(box, 0, "", frozenset())] == ["run.call_args.args"]


def test_what_is_imported_of_other_projects_and_reaches_out_is_a_command():
    source = """
import os, requests as web, sample.shop, http.client
from subprocess import run
from .near import ask
from json import loads
"""
    commands = commands_of(source, "sample")
    assert commands == {"web", "http", "run"}
    get = Mock(return_value=1)
    get("/a")
    for name, count in (("sample.web.get", 1), ("sample.os.get", 0)):
        assert len(list(observers(get, 0, name, commands))) == count


def test_a_function_in_the_place_of_another_has_the_name_of_that():
    setting = Call("arrange", "setattr", (Const("sample.os.listdir"), Ref(0)))
    made = Call("operator", "itself", (Build(MOCK),))
    calls = encode_sequence(Sequence((made, setting)))
    assert (replaced_name(calls, 0), replaced_name(calls, 1)) == ("sample.os.listdir", "")


def test_what_threads_do_is_waited_for_and_never_counted():
    with ThreadPoolExecutor(1) as pool:
        counted = Mock(return_value=2)
        future = pool.submit(counted)
        assert list(observers(future, 0)) == [("method", "result", (("r", 0),), (), "")]
        assert future.result() == 2
        assert list(observers(counted, 1)) == []  # its thread waits for more
    assert list(observers(counted, 1))


PLUGIN = """
class Loader:
    pass

class Plugin:
    kind = "plugin"

    def __init__(self):
        self._loader = self._closed = None
        self.__count = 0
        self.name = "a"

    def set_loader(self, loader):
        self._loader = loader

    def close(self):
        self._closed = True

    def rename(self):
        self.name = "b"
        self._closed = True

    def count(self):
        self.__count += 1
        self._closed = True

class Telling(Plugin):
    def told(self):
        self._closed = True
        return 1

class Shown(Plugin):
    @property
    def closed(self):
        return self._closed
"""


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("p = Plugin()\np.close()", {"_closed": Const(value=True)}),
        ("p = Plugin()\nm = Loader()\np.set_loader(m)", {"_loader": Ref(1)}),
        ("p = Plugin()\np.rename()", {}),
        ("p = Plugin()\np.count()", {}),
        ("p = Telling()\np.told()", {}),
        ("p = Shown()\np.close()", {}),
    ],
)
def test_private_attributes_show_what_a_method_did_where_nothing_else_does(lab, calls, expected):
    focus = lab(PLUGIN).after(calls)[4]
    shown = {name: term for name, term in focus.get(0, (False, {}))[1].items() if name[0] == "_"}
    assert shown == expected
