"""Evidence for parameters, and arguments judged by it."""

from __future__ import annotations

import ast
from dataclasses import replace
from itertools import islice

import pytest

from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Source, Symbol
from unitcraft.core.types import TypeExpr
from unitcraft.explore.execution import cost
from unitcraft.explore.intent import is_idle
from unitcraft.explore.plausibility.argument_burdens import burden_of_rarer
from unitcraft.explore.plausibility.argument_fit import Fit, Plausibility
from unitcraft.explore.plausibility.evidence_ladder import EvidenceLadder
from unitcraft.explore.plausibility.item_kinds import is_of_other_kind, items_in
from unitcraft.explore.plausibility.named_values import better_named, burden_of_names
from unitcraft.explore.plausibility.object_classes import ObjectClasses
from unitcraft.explore.plausibility.parameter_evidence import Candidate, Evidence
from unitcraft.explore.plausibility.parameter_names import ParameterNames, type_of_name
from unitcraft.explore.plausibility.plain_arguments import PlainArguments
from unitcraft.explore.search.values.parameter_model import model_of
from unitcraft.subject.ducktypes.kind_support import is_instance, takes_arguments
from unitcraft.subject.ducktypes.probe_operation import ProbeOperation
from unitcraft.subject.ducktypes.type_inference import guess_types
from unitcraft.subject.literal_args import literal_in
from unitcraft.subject.model import ClassInfo, Invocable, Parameter, Subject
from unitcraft.subject.values.stdlib_values import VALUES
from unitcraft.subject.values.value_pools import ValuePools

SOURCE = '''
import ast
from dataclasses import replace
from asyncio import Future
from collections.abc import Iterable
from numbers import Number
from pathlib import Path
from typing import Any, TextIO, TypedDict

class Box:
    """Holds things.

    >>> Box("red")
    """

    def __init__(self, colour):
        self._colour = colour
    def open_lid(self): return 1

def lift(thing): return thing.open_lid()
def poll(client): return client.fetch_all_pages()
def upper(text): return text.upper()
def pair(both): return both[0] + both[1]
def stated(size):
    """Scale.

    :param int size: the size
    """
    return [size]
def flagged(on=False): return [on]
def failed(errors=[]): return len(errors)
def kept(anything): return [anything]
def paint(box, colour): return [box, colour]
ROWS = [{"path": "usr/share/dictionary/words.txt"}]
def load(path): return path.split("/")
def declared(words: list[str], size: int | None = None, name: str = None): return [words]
def each(words: Iterable[str]): return list(words)
def chain(first: Future): return [first]
def scale(factor: Number): return [factor]
def gather(boxes: set[Box], days: dict[str, Path]): return [boxes]
def show(stream: TextIO | None): return [stream]
def opened(path: str | Path): return [path]
def whatever(value: Any): return [value]
def optional(loader=None): return [loader]
def table(rows):
    """Make it.

    :param rows: A dictionary of texts
    """
    return [rows]
def renamed(node: ast.Name): return [node]
def upper_all(words): return [one.upper() for one in words]
class Wishes(TypedDict, total=False):
    gift: bool
    note: str
def wrap(wishes: Wishes): return [wishes]
class Gift(Box):
    def __init__(self, *args, **kwargs): super().__init__(*args, **kwargs)
class Picker:
    def __call__(self, items: list[str], unique: bool = False): return [items, unique]
    def __getitem__(self, key: str): return [key]
    def __add__(self, other: int): return other
class Parcel:
    def send(self, town): return 0
class Letter(Parcel):
    def send(self, town): return town.upper()
class Card(Parcel):
    def send(self, _): return 1
class Relay:
    def __init__(self, target): self._target = target
    def deliver(self, text): return self._target.deliver(text)
class Loud(Relay):
    def deliver(self, text): return self._target.deliver(text.upper())
class Link:
    def __init__(self, before): self._before = before
    def reach(self): return 0 if self._before is None else self._before.reach() + 1
def forward(relay): return relay.deliver("a")
def swap(old_box, box_name, retry_count): return [old_box, box_name, retry_count]
def quoted(data): return data[0] == data[-1] and data[0] in ('"', "'")
def kind(wanted): return issubclass(wanted, str)
def checked(value):
    if not isinstance(value, str):
        raise TypeError("a text, please")
    return value
'''

#: Function, argument, and how the argument fits.
JUDGED = [
    ("upper", "'a'", Fit.FITS),
    ("upper", "1", Fit.CONTRADICTED),
    ("upper", "None", Fit.CONTRADICTED),
    ("pair", "[1, 2]", Fit.FITS),
    ("pair", "{}", Fit.CONTRADICTED),
    ("stated", "1", Fit.FITS),
    ("stated", "'a'", Fit.CONTRADICTED),
    ("flagged", "True", Fit.FITS),
    ("flagged", "'a'", Fit.DOUBTFUL),
    ("failed", "['a']", Fit.FITS),
    ("failed", "'replace'", Fit.DOUBTFUL),
    ("kept", "1", Fit.UNKNOWN),
    ("kept", "1j", Fit.ODD),
    ("Box", "'blue'", Fit.FITS),
    ("Box", "1", Fit.DOUBTFUL),
    ("declared", "['a', 'b']", Fit.FITS),
    ("declared", "[1, 2]", Fit.DOUBTFUL),
    ("each", "['a']", Fit.FITS),
    ("each", "'a'", Fit.UNKNOWN),
    ("declared", "['a'], None, None", Fit.FITS),
    ("declared", "['a'], 'b'", Fit.DOUBTFUL),
    ("table", "{'a': 'b'}", Fit.FITS),
    ("table", "[1, 2]", Fit.UNKNOWN),
    ("upper_all", "['a', 'b']", Fit.FITS),
    ("upper_all", "[1, 2]", Fit.UNKNOWN),
    ("whatever", "1", Fit.FITS),
    ("whatever", "1j", Fit.ODD),
    ("chain", "1", Fit.DOUBTFUL),
    ("scale", "1", Fit.FITS),
    ("scale", "'a'", Fit.DOUBTFUL),
    ("gather", "{1, 2}", Fit.DOUBTFUL),
    ("gather", "{None}, {'a': 1}", Fit.DOUBTFUL),
    ("show", "None", Fit.FITS),
    ("show", "'a'", Fit.DOUBTFUL),
    ("opened", "'a'", Fit.FITS),
    ("opened", "1", Fit.DOUBTFUL),
    ("wrap", "{'gift': True}", Fit.FITS),
    ("wrap", "{}", Fit.FITS),
    ("wrap", "{'gift': 2}", Fit.DOUBTFUL),
    ("wrap", "{'abc': True}", Fit.DOUBTFUL),
    ("checked", "'a'", Fit.FITS),
    ("checked", "1", Fit.DOUBTFUL),
    ("kind", "1", Fit.DOUBTFUL),
    ("swap", "1", Fit.ODD),
    ("quoted", "'abc'", Fit.FITS),
    ("quoted", "['a', 'b']", Fit.ODD),
]


@pytest.fixture(scope="module")
def subject(tmp_path_factory):
    from source_lab import Lab  # noqa: PLC0415 - conftest puts it on the path

    one = Lab(SOURCE, tmp_path_factory.mktemp("sample"))
    one.close()
    return one.subject


@pytest.fixture(scope="module")
def judge(subject):
    return Plausibility(subject)


def called(subject, name):
    return next(one for one in subject.invocables if one.id == f"sample:{name}")


@pytest.mark.parametrize(("name", "text", "expected"), JUDGED)
def test_an_argument_is_judged_by_what_is_known_of_its_parameter(judge, name, text, expected):
    given = ast.parse(f"f({text})", mode="eval").body.args
    args = tuple([literal_in(node) for node in given])
    sequence = Sequence((Call("function", f"sample:{name}", args),))
    assert judge.fit_of_sequence(sequence) is expected


@pytest.mark.parametrize(
    ("operator", "args", "expected"),
    [
        ("call", "['a'], True", Fit.FITS),
        ("call", "['a'], 1", Fit.DOUBTFUL),
        ("call", "'a'", Fit.DOUBTFUL),
        ("[]", "'a'", Fit.FITS),
        ("[]", "1", Fit.DOUBTFUL),
        ("+", "1", Fit.FITS),
        ("+", "'a'", Fit.DOUBTFUL),
        ("==", "1", Fit.FITS),
    ],
)
def test_what_an_object_is_called_with_is_judged_by_its_special_method(
    judge, operator, args, expected
):
    given = tuple(map(literal_in, ast.parse(f"f({args})", mode="eval").body.args))
    made = Call("function", "sample:Picker")
    sequence = Sequence((made, Call("operator", operator, (Ref(0), *given))))
    assert judge.fit_of_sequence(sequence) is expected


def test_an_object_with_the_methods_asked_for_fits_and_a_stand_in_is_doubted(judge):
    box = Call("function", "sample:Box", (Const("red"),))
    made = Sequence((box, Call("function", "sample:lift", (Ref(0),))))
    assert judge.fit_of_sequence(made) is Fit.FITS
    stand_in = Build(Symbol("types", "SimpleNamespace"))
    assert judge.fit_of_sequence(Sequence((Call("function", "sample:lift", (stand_in,)),))) is (
        Fit.ODD
    )


def test_an_object_of_the_library_fits_a_class_that_it_is_an_instance_of(judge):
    for function, made, expected in (
        ("opened", Symbol("pathlib", "Path"), Fit.FITS),
        ("chain", Symbol("fractions", "Fraction"), Fit.DOUBTFUL),
        ("show", Symbol("io", "StringIO"), Fit.FITS),
        ("scale", Symbol("fractions", "Fraction"), Fit.FITS),
    ):
        call = Call("function", f"sample:{function}", (Build(made),))
        assert judge.fit_of_sequence(Sequence((call,))) is expected


def test_an_object_of_the_library_without_what_is_asked_of_it_is_worse_than_a_stand_in(judge):
    fraction, stand_in = (
        judge.fit_of_sequence(Sequence((Call("function", "sample:poll", (Build(one),)),)))
        for one in (Symbol("fractions", "Fraction"), Symbol("types", "SimpleNamespace"))
    )
    assert (fraction, stand_in) == (Fit.CONTRADICTED, Fit.UNKNOWN)


def test_a_stand_in_is_among_the_first_values_where_no_class_has_what_is_asked(judge, subject):
    stand_in = Build(Symbol("types", "SimpleNamespace"))
    for name, expected in (("poll", [stand_in]), ("lift", []), ("upper", [])):
        one = called(subject, name)
        model = model_of(one.parameters[0], name, judge.evidence(one)[one.parameters[0].name])
        assert model.firsts == expected


def test_an_object_of_the_library_that_a_call_made_is_no_container(judge):
    for made, expected in (("random:Random", Fit.DOUBTFUL), ("collections:Counter", Fit.FITS)):
        calls = Call("function", made), Call("function", "sample:wrap", (Ref(0),))
        assert judge.fit_of_sequence(Sequence(calls)) is expected


def test_an_object_of_the_subject_fits_a_class_elsewhere_only_as_its_instance(judge):
    box = Call("function", "sample:Box", (Const("red"),))
    made = Sequence((box, Call("function", "sample:chain", (Ref(0),))))
    assert judge.fit_of_sequence(made) is Fit.DOUBTFUL


def test_a_node_of_another_class_than_the_declared_one_is_doubted(judge):
    for steps, expected in ((("targets", 0), Fit.FITS), ((), Fit.DOUBTFUL)):
        calls = [Call("function", "ast:parse", (Const("total = count"),))]
        calls += [Call("get", "body", (Ref(0),)), Call("operator", "[]", (Ref(1), Const(0)))]
        for at, step in enumerate(steps, start=2):
            kind = "get" if isinstance(step, str) else "operator"
            args = (Ref(at),) if kind == "get" else (Ref(at), Const(step))
            calls.append(Call(kind, step if kind == "get" else "[]", args))
        calls.append(Call("function", "sample:renamed", (Ref(len(calls) - 1),)))
        assert judge.fit_of_sequence(Sequence(tuple(calls))) is expected


def test_the_class_of_an_object_is_that_of_its_maker_and_a_mock_has_none(subject):
    classes = ObjectClasses(subject)
    box = Sequence((Call("function", "sample:Box", (Const("red"),)),))
    assert classes.class_of_arg(Ref(0), box) == "sample:Box"
    assert classes.class_of_arg(Build(Symbol("fractions", "Fraction")), box) == "fractions:Fraction"
    assert classes.class_of_arg(Build(Symbol("unittest.mock", "Mock")), box) == ""
    listed = Sequence((*box.calls, Call("operator", "list", (Ref(0),))))
    assert classes.class_of_arg(Ref(1), listed) == "list"
    assert not classes.is_instance("list", "sample:Box")


def test_a_method_of_an_object_of_unknown_class_is_the_only_one_of_that_name(subject):
    """Two classes have a ``deliver``; a ``reach`` only one has."""
    classes = ObjectClasses(subject)
    sequence = Sequence((Call("function", "sample:kept", (Const(1),)),))
    called_on_it = [Call("method", name, (Ref(0),)) for name in ("reach", "deliver", "other")]
    found = [classes.id_called(sequence, call) for call in called_on_it]
    assert found == ["sample:Link.reach", "", ""]


def test_what_stands_in_for_a_protocol_is_a_class_of_the_project(judge):
    """Where none is at hand, any value may do."""
    kinds = {
        "shop:Priced": ClassInfo("shop:Priced", "shop", "Priced", tags=("protocol",)),
        "shop:Paid": ClassInfo(
            "shop:Paid", "shop", "Paid", tags=("protocol",), concrete=("shop:Cash",)
        ),
        "shop:Cash": ClassInfo("shop:Cash", "shop", "Cash"),
        "shop:Day": ClassInfo("shop:Day", "shop", "Day"),
    }
    classes = ObjectClasses(Subject("shop", "shop.py", tuple(kinds.values())))
    assert classes.is_instance("float", "shop:Priced")
    for made, fits in (
        ("shop:Cash", True),
        ("other:Card", True),
        ("float", False),
        ("shop:Day", False),
        ("re:Pattern", False),
    ):
        assert classes.is_instance(made, "shop:Paid") is fits


def test_where_a_test_can_write_the_class_no_other_value_stands_in_for_the_protocol():
    member = Invocable("shop:Priced.price", "property", "price", owner="shop:Priced")
    made = Invocable("shop:Priced", "constructor", "Priced", owner="shop:Priced")
    info = ClassInfo(
        "shop:Priced", "shop", "Priced", tags=("protocol",), unimplemented=(made, member)
    )
    classes = ObjectClasses(
        Subject("shop", "shop.py", (info, ClassInfo("shop:Day", "shop", "Day")))
    )
    for kind, fits in (
        ("float", False),
        ("shop:Day", False),
        ("types:SimpleNamespace", True),
        ("other:Card", True),
    ):
        assert classes.is_instance(kind, "shop:Priced") is fits


def test_what_the_library_makes_is_no_object_of_another_project():
    assert is_instance("builtins:slice", "shelf:Board") is False
    assert is_instance("shelf:Plank", "shelf:Board") is None


def test_a_stand_in_is_for_attributes_that_no_known_class_has(judge):
    stand_in = Build(Symbol("types", "SimpleNamespace"))
    for name, expected in (("poll", Fit.UNKNOWN), ("upper", Fit.ODD)):
        made = Sequence((Call("function", f"sample:{name}", (stand_in,)),))
        assert judge.fit_of_sequence(made) is expected


def test_the_worst_argument_of_all_calls_counts(judge):
    box = Call("function", "sample:Box", (Const(1),))
    call = Call("function", "sample:upper", (Const("a"),))
    assert judge.fit_of_sequence(Sequence((box, call))) is Fit.DOUBTFUL


def test_witnesses_add_up_and_are_named(subject):
    ladder = EvidenceLadder(subject)
    paint = called(subject, "paint")
    box, colour = [ladder.evidence(paint, one).candidates for one in paint.parameters]
    assert (box[0].type.cls, box[0].rungs) == ("sample:Box", ("class",))
    assert (colour[0].type.name, colour[0].rungs) == ("str", ("sibling",))
    own = ladder.evidence(called(subject, "Box"), called(subject, "Box").parameters[0])
    assert own.candidates[0].rungs == ("caller", "sibling")


#: Name of a parameter -> the type that it speaks for ('' for none).
NAMED = [
    ("timeout", "float"), ("thing", ""), ("text", "str"), ("is_open", "bool"),
    ("type_name", "str"), ("bufferSize", "int"), ("name_of_it", ""), ("max", ""),
]  # fmt: skip


def test_the_last_words_of_a_name_speak_for_a_class_unless_they_speak_for_a_builtin_type(subject):
    ladder = EvidenceLadder(subject)
    swap = called(subject, "swap")
    found = [ladder.evidence(swap, one).candidates[0] for one in swap.parameters]
    shown = [(one.type.cls or one.type.name, one.rungs) for one in found]
    assert shown == [("sample:Box", ("class",)), ("str", ("name",)), ("int", ("name",))]


def test_what_an_override_says_of_an_argument_counts_where_a_method_says_nothing(subject):
    ladder = EvidenceLadder(subject)

    def found(name):
        member = called(subject, name)
        return ladder.evidence(member, member.parameters[0])

    for name in ("Parcel.send", "Card.send"):
        (candidate,) = found(name).candidates[:1]
        assert (candidate.type.name, candidate.rungs) == ("str", ("kin",))
        assert {use.path.partition(".")[0] for use in found(name).uses} == {
            found(name).parameter.name
        }
    assert found("Letter.send").candidates[0].rungs == ("flow",)


def test_an_object_that_needs_one_like_it_first_is_not_made_for_its_own_constructor(subject):
    ladder = EvidenceLadder(subject)

    def classes(name):
        made = called(subject, name)
        return {one.type.cls for one in ladder.evidence(made, made.parameters[0]).candidates}

    assert classes("Relay") == classes("Loud") == set()
    assert "sample:Relay" in classes("forward")
    assert "sample:Link" in classes("Link")  # the first one has None before it


def test_what_is_asked_for_its_bases_is_a_class(judge):
    call = Call("function", "sample:kind", (Symbol("builtins", "int"),))
    assert judge.fit_of_sequence(Sequence((call,))) is Fit.FITS


def test_what_is_handed_on_to_a_base_is_judged_as_its_parameter(judge):
    def fit(*args, **kwargs):
        named = tuple([(name, Const(value)) for name, value in kwargs.items()])
        call = Call("function", "sample:Gift", tuple(map(Const, args)), named)
        return judge.fit_of_sequence(Sequence((call,)))

    assert (fit(colour="blue"), fit(colour=1)) == (Fit.FITS, Fit.DOUBTFUL)
    assert (fit("blue"), fit(1)) == (Fit.FITS, Fit.DOUBTFUL)


@pytest.mark.parametrize(("name", "expected"), NAMED)
def test_names_that_libraries_use_for_one_type_speak_for_it(subject, name, expected):
    upper = called(subject, "upper")
    found = ParameterNames(subject).witnesses(upper, type(upper.parameters[0])(name))
    told = [(type_.name, rung) for type_, rung in found]
    assert told == ([(expected, "name")] if expected else [])


#: Source of ``f(p)``, and the type that is likeliest for its parameter.
LIKELIEST = [
    ("def f(p):\n    return 1 if p else 2", "bool"),
    ("def f(p):\n    return p or 2", ""),
    ("def f(p):\n    return f'<{p}>'", "str"),
    ("class f:\n def __init__(self, p): self.p = p\n def __str__(self): return f'<{self.p}>'", ""),
    ("def f(p):\n    return '%s is %d' % ('it', p)", "int"),
    ("def f(p):\n    return '{}...{:.2f}'.format('it', p)", "float"),
    ("def f(p):\n    return '{}...'.format(p[:3]) if len(p) > 3 else p", "str"),
    ("import os\ndef f(p):\n    return p == os.environ.get('NAME')", "str"),
    ("def f(p):\n    return p.is_zero()", "decimal:Decimal"),
    ("def f(p):\n    return p.elements", ""),
    ("def f(p):\n    return p.elements()", "collections:Counter"),
    ("def f(p):\n    '''>>> f(None)'''\n    return [p]", ""),
    (
        "import datetime\ndef f(p):\n    '''>>> f(datetime.datetime.now())'''\n    return [p]",
        "datetime:datetime",
    ),
]


@pytest.mark.parametrize(("text", "expected"), LIKELIEST)
def test_what_the_code_does_tells_the_likeliest_type(lab, text, expected):
    subject = lab(text).subject
    parameter = called(subject, "f").parameters[0]
    found = EvidenceLadder(subject).evidence(called(subject, "f"), parameter)
    first = [one.type.cls or one.type.name for one in found.candidates[:1]]
    assert first == ([expected] if expected else [])
    assert found.takes_none is ("f(None)" in text)


def test_a_run_with_a_contradicted_argument_counts_only_where_the_subject_refuses_it(lab):
    one = lab(SOURCE + "\ndef count(items): return sum(1 for _ in items.values())\n")
    goals = one.goals()
    assert goals.sensible(one.run("upper('a')"))
    assert not goals.sensible(one.run("stated('a')"))
    assert goals.sensible(one.run("checked(1)"))


def test_a_doubtful_argument_costs_more_than_text_and_reaches_sites_only(lab):
    one = lab(SOURCE)
    goals = one.goals()
    plain, doubtful = one.run("flagged(True)"), one.run("flagged('a')")
    assert goals.price(doubtful) > goals.price(plain) + 100
    goals.offer(plain, goals.price(plain))
    assert not goals.offer(doubtful, goals.price(doubtful))


def test_a_text_that_a_table_shows_costs_less_than_a_typical_one(lab):
    one = lab(SOURCE)
    goals = one.goals()
    prices = [
        goals.price(one.run(f"load({text!r})"))
        for text in ("usr/share/dictionary/words.txt", "abc", "usr/share/dictionary/other.txt")
    ]
    assert prices[0] < prices[1] < prices[2]


def test_where_nothing_is_known_of_what_may_be_left_out_none_costs_less(lab):
    one = lab(SOURCE)
    goals = one.goals()
    assert goals.price(one.run("optional(None)")) < goals.price(one.run("optional(1)"))
    assert goals.price(one.run("kept(None)")) > goals.price(one.run("kept(1)"))
    plain = PlainArguments(goals.plausibility, ValuePools(one.subject))
    assert one.sequence("optional(None)") in plain.variants(one.sequence("optional(1)"))


def test_an_object_is_seldom_an_argument_of_its_own_method(lab):
    one = lab("class Box:\n    def take(self, other):\n        return [other]\n")
    goals = one.goals()
    alone = one.run("a = Box()\na.take(a)")
    apart = one.run("a = Box()\nb = Box()\na.take(b)")
    assert goals.price(alone) > goals.price(apart)


SPANS = """
class Box:
    def __init__(self, size):
        self.size = size

def days(name, start, end):
    return end - start

def boxes(found):
    return [one.size for one in found]
"""


def test_a_start_lies_before_its_end(lab):
    one = lab(SPANS)
    plain = PlainArguments(one.goals().plausibility, ValuePools(one.subject))
    found = list(plain.variants(one.sequence("days('abc', 5, end=3)")))
    assert one.sequence("days('abc', 3, end=5)") in found
    assert one.sequence("days('abc', 5, end=3)") not in list(
        plain.variants(one.sequence("days('abc', 3, end=5)"))
    )


def test_a_list_holds_two_objects_rather_than_one_twice(lab):
    one = lab(SPANS)
    plain = PlainArguments(one.goals().plausibility, ValuePools(one.subject))
    found = list(plain.variants(one.sequence("a = Box(1)\nboxes([a, a])")))
    assert one.sequence("a = Box(1)\nb = Box(1)\nboxes([a, b])") in found


COLOURS = """
import enum
class Colour(enum.Enum):
    RED = "r"
    BLUE = "b"

def paint(colour: Colour):
    return [colour]
"""


def test_a_member_of_an_enumeration_is_named(lab):
    one = lab(COLOURS)
    plain = PlainArguments(one.goals().plausibility, ValuePools(one.subject))
    found = list(plain.variants(one.sequence("a = Colour('b')\npaint(a)")))
    members = [Symbol("sample", f"Colour.{name}") for name in ("RED", "BLUE")]
    assert [Sequence((Call("function", "sample:paint", (one,)),)) for one in members] == found[:2]


PLAIN = """
class Job:
    def __init__(self, name): self.name = name.strip()

def together(first, *others): return [first, *others]
def cancel(job): return None
def kept(value): return value
def checked(text):
    if not isinstance(text, str):
        raise TypeError("a text, please")
    return text.replace("a", "b")
"""


def test_what_nothing_is_known_of_is_tried_as_a_word_or_a_number_and_args_alike(lab):
    one = lab(PLAIN)
    goals = one.goals()
    plain = PlainArguments(goals.plausibility, ValuePools(one.subject))
    for given, proposed in (
        ("kept([1])", "kept('abc')"),
        ("kept(None)", "kept(1)"),
        ("together('abc', 1, None, [1])", "together(1, 2, 3, 4)"),
        ("together('abc')", "together('abc', 'abc')"),
        ("checked(b'a')", "checked(1)"),
    ):
        assert one.sequence(proposed) in list(plain.variants(one.sequence(given))), given
        assert goals.price(one.run(proposed)) < goals.price(one.run(given)), given


def test_the_argument_that_fits_least_is_the_first_to_be_replaced_and_each_has_a_turn(lab):
    one = lab("""
        def pay(price: float, count: int, until: str, note: str):
            return price * count
        def till():
            return [pay(2.5, 3, "May", "a b"), pay(7.5, 8, "June", "c d")]
    """)
    goals = one.goals()
    plain = PlainArguments(goals.plausibility, ValuePools(one.subject))
    found = plain.variants(one.sequence("pay(1.5, 1, [1], 'abc')"))
    given = [run.calls[-1].args for run in islice(found, 6)]
    assert [one[2] for one in given[:1]] == [Const("May")]
    assert {args[0] for args in given} >= {Const(1.5), Const(2.5)}
    assert {args[3] for args in given} >= {Const("abc"), Const("a b")}
    documented = one.sequence("pay(2.5, 3, 'May', 'a b')")
    assert list(plain.variants(documented)) == [], "what others pass is no better than that"


def test_a_date_that_others_pass_costs_less_than_one_that_we_list(lab):
    one = lab("""
        from datetime import date
        def days(start: date, end: date):
            '''Days between.

            >>> start, end = date(2007, 12, 28), date(2008, 2, 28)
            >>> days(start, end=end)
            62
            '''
            return (end - start).days
    """)
    goals = one.goals()
    (documented,) = [example.sequence for example in one.subject.examples]
    call = documented.calls[-1]
    listed = VALUES["datetime:date"][0]
    ours = Sequence((replace(call, args=(listed,), kwargs=(("end", listed),)),))
    price = {key: cost(key) + goals.plausibility.penalty_of(key) for key in (documented, ours)}
    assert price[documented] < price[ours]


def test_an_object_of_which_nothing_is_known_is_tried_as_a_word_and_no_longer_made(lab):
    one = lab(PLAIN)
    goals = one.goals()
    plain = PlainArguments(goals.plausibility, ValuePools(one.subject))
    odd, word = "job = Job('abc')\nkept(job)", "kept('abc')"
    assert one.sequence(word) in list(plain.variants(one.sequence(odd)))
    assert goals.price(one.run(word)) < goals.price(one.run(odd))
    others = "job = Job('abc')\nlist = together(job, 'abc')\nkept({0})\ncancel(job)"
    kept = one.sequence(others.format("'abc'"))
    assert kept.calls[0] == one.sequence(others.format("job")).calls[0]
    assert kept in list(plain.variants(one.sequence(others.format("job"))))


def test_code_that_tells_kinds_apart_takes_others_too_unless_it_raises(lab):
    one = lab("""
        def told(value):
            if isinstance(value, dict):
                return len(value)
            return [value]
        def asked(value):
            if not isinstance(value, dict):
                raise TypeError(value)
            return len(value)
        def read(value):
            if isinstance(value, dict):
                return value["a"]
            return value.strip()
    """)
    fit = one.goals().plausibility.fit_of_sequence
    dicts = [fit(one.sequence(f"{name}({{'a': 1}})")) for name in ("told", "asked", "read")]
    words = [fit(one.sequence(f"{name}('abc')")) for name in ("told", "asked", "read")]
    assert dicts == [Fit.FITS] * 3
    assert words == [Fit.UNKNOWN, Fit.DOUBTFUL, Fit.UNKNOWN]
    assert not one.goals().sensible(one.run("read(1)")), "the code does what it cannot"


def test_what_is_taken_apart_into_characters_is_a_text(lab):
    one = lab("def codes(s):\n    return [ord(c) for c in s]\n"
              "def upper(s):\n    return [c.upper() for c in s]\n")  # fmt: skip
    plausibility = one.goals().plausibility
    codes, upper = (plausibility.evidence(function)["s"] for function in one.subject.invocables)
    assert codes.candidates[0].type.name == "str"
    assert upper.candidates[0].type.name == "list"
    assert plausibility.fit_of_sequence(one.sequence("codes('abc')")) is Fit.FITS


def test_an_alias_takes_what_the_method_that_it_uses_takes(lab):
    one = lab("""
        class Atlas:
            def state(self, abbr: bool = False): return "NY" if abbr else "New York"
            def region(self, *args, **kwargs): return self.state(*args, **kwargs)
            def both(self, *args): return [self.state(), self.region(), args]
    """)
    goals = one.goals()
    plain = PlainArguments(goals.plausibility, ValuePools(one.subject))

    def called(text):
        return one.sequence(f"atlas = Atlas()\natlas.{text}")

    odd, flag, bare = (called(f"region({arg})") for arg in ("1", "True", ""))
    fit = goals.plausibility.fit_of_sequence
    assert (fit(odd), fit(flag), fit(bare)) == (Fit.DOUBTFUL, Fit.FITS, Fit.FITS)
    assert flag in list(plain.variants(odd))
    penalty = goals.plausibility.penalty_of
    assert penalty(bare) == 0 < penalty(called("both()")), "of those one would be given some"


def test_an_object_is_put_where_its_class_is_meant(lab):
    one = lab(PLAIN)
    goals = one.goals()
    made = one.sequence("job = Job('abc')")
    plain = PlainArguments(goals.plausibility, ValuePools(one.subject), lambda _: [(made, 0)])
    proposed = one.sequence("job = Job('abc')\ncancel(job)")
    assert proposed in list(plain.variants(one.sequence("cancel(1)")))
    assert goals.price(one.run("job = Job('abc')\ncancel(job)")) < goals.price(one.run("cancel(1)"))


def test_a_container_that_is_worked_on_has_items(lab):
    one = lab("""
        class Bag:
            def __init__(self, items=None):
                self.items = [item for item in items] if items is not None else []
            def __len__(self): return len(self.items)
            def take(self, item): return item in self.items
    """)  # fmt: skip
    goals = one.goals()
    plain = PlainArguments(goals.plausibility, ValuePools(one.subject))
    empty = one.sequence("bag = Bag()\nbag.take(1)")
    filled = next(found for found in plain.variants(empty) if found.calls[0].args)
    assert goals.price(one.run("bag = Bag([1, 2])\nbag.take(1)")) < goals.price(
        one.run("bag = Bag()\nbag.take(1)")
    )
    assert isinstance(filled.calls[0].args[0], Display)
    none = "bag = Bag([])\nbag.take(1)"
    assert goals.price(one.run("bag = Bag([1, 2])\nbag.take(1)")) < goals.price(one.run(none))
    assert goals.price(one.run("Bag()")) < goals.price(one.run("Bag([1, 2])"))


def test_an_option_that_shows_in_an_empty_result_is_given(lab):
    one = lab("""
        class Leaf:
            def __init__(self, text, prefix: str = "", size: int | None = None):
                self.prefix = prefix
            def before(self): return self.prefix
    """)  # fmt: skip
    goals = one.goals()
    plain = PlainArguments(goals.plausibility, ValuePools(one.subject))
    bare = "leaf = Leaf('abc')\nleaf.before()"
    given = "leaf = Leaf('abc', prefix='abc')\nleaf.before()"
    found = list(plain.with_options(one.sequence(bare)))
    assert [dict(proposed.calls[0].kwargs).keys() for proposed in found] == [{"prefix"}, {"size"}]
    assert one.sequence(given) in found
    assert is_idle(one.run(bare))
    assert not is_idle(one.run(given))
    assert goals.price(one.run(given)) < goals.price(one.run(bare))


PILE = """
class Pile:
    def __init__(self, items=()):
        self.items = [item for item in items]
    @classmethod
    def of(cls, *items): return cls(items)
    def __len__(self): return len(self.items)
    def push(self, item): self.items.append(item)
    def place(self, item): return self.items.index(item)
    def join(self, others): return [item for item in others if item in self.items]
    def __add__(self, others): return [item for item in others if item in self.items]
"""


@pytest.mark.parametrize(
    ("given", "proposed"),
    [
        ("push('r')", "push(3)"),
        ("push('r')\nplace = pile.place('r')", "push(3)\nplace = pile.place(3)"),
        ("join('abc')", "join([1, 3])"),
        ("join(['a'])", "join([1, 3])"),
    ],
)
def test_what_is_put_into_a_collection_is_of_the_kind_of_its_items(lab, given, proposed):
    one = lab(PILE)
    goals = one.goals()
    plain = PlainArguments(goals.plausibility, ValuePools(one.subject))
    for made in ("Pile([1, 2])", "Pile(items=[1, 2])", "Pile.of(1, 2)"):
        start = f"pile = {made}\npile."
        assert one.sequence(start + proposed) in list(plain.variants(one.sequence(start + given)))
        assert goals.price(one.run(start + proposed)) < goals.price(one.run(start + given))


def test_a_text_is_no_container_for_a_collection_of_numbers(lab):
    one = lab(PILE)
    price = one.goals().price
    numbers, words = "pile = Pile([1, 2])\n", "pile = Pile(['abc', 'def'])\n"
    dear = price(one.run(numbers + "pile + 'abc'")) - price(one.run(numbers + "pile + [1, 2]"))
    fair = price(one.run(words + "pile + 'abc'")) - price(one.run(words + "pile + [1, 2]"))
    assert dear > fair > 0  # letters are no items either way


def test_where_the_items_are_not_known_nothing_is_of_another_kind():
    numbers = (Const(1), Const(2))
    assert is_of_other_kind(Const("abc"), numbers)
    assert is_of_other_kind(Build(Symbol("decimal", "Decimal"), (Const("1"),)), numbers)
    assert is_of_other_kind(Display("list", (Const("abc"),)), numbers)
    for arg in (Const(3), Const(None), Ref(0), Display("list", ()), Display("set", (Const(5),))):
        assert not is_of_other_kind(arg, numbers), arg
    assert not is_of_other_kind(Const("abc"), ())
    assert items_in((Display("dict", (Const("a"), Const(1))), Const(2)), alone=False) == (
        Const("a"),
    )
    assert items_in((Const(2), Const(None)), alone=True) == (Const(2),)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("iptables_path", "str"), ("is_path", "bool"), ("file_size", "int"), ("path", "str"),
        ("objKwargs", "dict"), ("thing", None), ("use", "str"), ("func", "callable"),
        ("cls", "type"),
    ],
)  # fmt: skip
def test_a_first_word_that_says_yes_or_no_speaks_before_the_last(name, expected):
    found = type_of_name(name)
    assert (found.name if found is not None else None) == expected


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("{'url': 'a'}", "{'url': 1}"),
        ("{'chain': 'a'}", "{'chain': None}"),
        ("{'retries': 1}", "{'retries': 'a'}"),
        ("{'abc': 1}", "{'url': 1}"),
        ("[{'url': 'a'}]", "[{'url': 1}]"),
    ],
)
def test_a_value_under_a_key_is_judged_by_that_name(better, worse):
    assert burden_of_names(_literal(better)) < burden_of_names(_literal(worse))


def test_a_table_of_several_values_of_one_kind_has_no_names():
    assert burden_of_names(_literal("{'url': 3, 'path': 1}")) == 0
    assert burden_of_names(_literal("{'url': 1, 'path': 1}")) > 0


def test_what_the_attributes_of_a_stand_in_hold_is_judged_by_their_names():
    made = Build(Symbol("types", "SimpleNamespace"), (), (("filename", Const(1)),))
    named = Build(Symbol("types", "SimpleNamespace"), (), (("filename", Const("a")),))
    assert burden_of_names(made) > burden_of_names(named) == 0


def _literal(text):
    found = literal_in(ast.parse(text, mode="eval").body)
    assert found is not None
    return found


def test_odd_values_under_names_are_replaced_by_what_the_names_mean():
    odd = _literal("{'url': None, 'chain': 1, 'abc': 2, 'retries': 3}")
    found = list(better_named(odd))
    assert found[0] == _literal("{'url': 'abc', 'chain': 'abc', 'abc': 2, 'retries': 3}")
    assert found[1:] == [
        _literal("{'url': 'abc', 'chain': 1, 'abc': 2, 'retries': 3}"),
        _literal("{'url': None, 'chain': 'abc', 'abc': 2, 'retries': 3}"),
    ]
    assert list(better_named(found[0])) == []


def test_odd_values_in_stand_ins_and_lists_are_replaced_too():
    made = Build(Symbol("types", "SimpleNamespace"), (), (("filename", Const(1)),))
    (better,) = better_named(Display("list", (made,)))
    assert better == Display("list", (replace(made, kwargs=(("filename", Const("abc")),)),))


@pytest.mark.parametrize(
    ("name", "item"),
    [
        ("field_names", TypeExpr("str")), ("boxes", None), ("old_colours", None), ("is", None),
        ("lines", TypeExpr("str")), ("entries", None), ("address", None),
    ],
)  # fmt: skip
def test_a_plural_speaks_for_items_of_what_its_singular_names(subject, name, item):
    assert ParameterNames(subject).type_of_items(name) == item


def test_items_are_of_the_class_that_has_all_that_the_code_asks_of_them():
    uses = (
        ProbeOperation("p", "iterate"),
        ProbeOperation("p[]", "attribute", "open_lid"),
        ProbeOperation("p[]", "attribute", "close_lid"),
    )
    open_, whole = (
        ClassInfo(f"m:{name}", "m", name, members=tuple(f"m:{name}.{one}" for one in members))
        for name, members in {"Open": ["open_lid"], "Box": ["open_lid", "close_lid"]}.items()
    )
    assert guess_types(uses, "p", (open_, whole))[0] == TypeExpr(
        "list", (TypeExpr("class", cls="m:Box"),)
    )
    assert guess_types(uses, "p", (open_,))[0].args == ()


PREDICATES = """
def pick(rows, wanted): return [row for row in rows if wanted(row)]
def change(rows, how): return [how(row) for row in rows]
"""


@pytest.mark.parametrize(
    ("text", "is_predicate"),
    [
        ("lambda x: x > 1", True), ("lambda x: not x", True), ("lambda x: x > 1 and x < 5", True),
        ("lambda x: False", True), ("lambda x: x", False), ("lambda x: x * 2", False),
        ("lambda x: isinstance(x, int)", True), ("lambda x: len(x)", False),
        ("lambda x: x.isdigit()", True), ("bool", True), ("str", False),
    ],
)  # fmt: skip
def test_a_function_whose_answers_are_conditions_answers_true_or_false(lab, text, is_predicate):
    one = lab(PREDICATES)
    pick, change = (called(one.subject, name) for name in ("pick", "change"))
    plausibility = Plausibility(one.subject)
    arg = Source(text) if text.startswith("lambda") else Symbol("builtins", text)
    fit = plausibility.fit(plausibility.evidence(pick)["wanted"], arg)
    assert (fit is Fit.FITS) is is_predicate
    assert plausibility.fit(plausibility.evidence(change)["how"], arg) is Fit.FITS


def test_what_becomes_the_exception_of_a_future_is_an_exception(lab):
    source = "def fail(job, why): job.set_exception(why)\n"
    source += "def end(job, found): job.set_exception(found[1])\n"
    one = lab(source)
    plausibility = Plausibility(one.subject)
    why = plausibility.evidence(called(one.subject, "fail"))["why"]
    assert plausibility.fit(why, Build(Symbol("builtins", "Exception"))) is Fit.FITS
    assert plausibility.fit(why, Const("abc")) is Fit.DOUBTFUL
    found = plausibility.evidence(called(one.subject, "end"))["found"]
    assert "str" not in [candidate.type.name for candidate in found.candidates]


@pytest.mark.parametrize(
    ("text", "arguments", "expected"),
    [
        ("lambda: 0", 1, False), ("lambda x: x", 1, True), ("lambda x, y: x", 1, False),
        ("lambda x, y=2: x", 1, True), ("lambda *args: 0", 3, True), ("lambda: 0", 0, True),
        ("iter([1]).__next__", 1, True),
    ],
)  # fmt: skip
def test_a_function_is_called_with_as_many_arguments_as_it_takes(text, arguments, expected):
    called = TypeExpr("callable", (TypeExpr("any"),) * (arguments + 1))
    assert takes_arguments(Source(text), called) is expected
    assert takes_arguments(Source(text), TypeExpr("callable"))


DISPATCH = """
from datetime import datetime
def put(key, value):
    if key == "expires":
        if not isinstance(value, datetime):
            raise TypeError("no date")
    return [key, value]
def refuse(value):
    if not isinstance(value, datetime):
        raise TypeError("no date")
    return [value]
"""


def test_a_text_is_as_good_as_a_class_asked_for_beside_one_value_of_another_parameter(lab):
    """``cookie["domain"]`` is no date, though ``cookie["expires"]`` has to be one."""
    described = lab(DISPATCH).subject
    ladder, judge = EvidenceLadder(described), Plausibility(described)
    found = {}
    for name in ("put", "refuse"):
        invocable = called(described, name)
        evidence = ladder.evidence(invocable, invocable.parameters[-1])
        found[name] = judge.fit(evidence, Const("abc"))
    assert found["put"] is Fit.FITS
    assert found["refuse"] is not Fit.FITS


def test_what_is_joined_to_a_container_holds_what_that_holds(lab):
    described = lab(
        "def options(spec=None):\n"
        "    known = dict(rate=dict(type='int'))\n"
        "    if spec:\n        known.update(spec)\n"
        "    return known\n"
    ).subject
    invocable = called(described, "options")
    evidence = EvidenceLadder(described).evidence(invocable, invocable.parameters[0])
    like = Display("dict", (Const("name"), Display("dict", (Const("type"), Const("int")))))
    fruit = Display("dict", (Const("pear"), Const(3)))
    judge = Plausibility(described)
    assert judge.fit(evidence, like) is Fit.FITS
    assert judge.fit(evidence, fruit) is not Fit.FITS


@pytest.mark.parametrize(
    ("value", "expected"),
    [("'abc'", 0), ("True", 0), ("{'abc': 1}", 5), ("[1]", 5), ("3", 5)],
)
def test_of_what_no_name_speaks_for_a_container_is_rarer_than_a_text(value, expected):
    """Nor does the name of a class of files speak for a builtin kind: ``stream=True``."""
    for name in ("frobnicated", "stream"):
        built = Build(Symbol("argparse", "Namespace"), (), ((name, literal_of_text(value)),))
        assert burden_of_names(built) == expected


def literal_of_text(text):
    return literal_in(ast.parse(text, mode="eval").body)


@pytest.mark.parametrize(
    ("kinds", "better", "worse"),
    [
        (("bool", "int"), Const(value=True), Const(1)),
        (("str", "bytes"), Const("a"), Const(b"a")),
        (("tuple", "list"), Display("tuple", (Const(1),)), Display("list", (Const(1),))),
        (("list", "tuple"), Display("list", (Const(1),)), Display("tuple", (Const(1),))),
    ],
)
def test_of_kinds_that_fit_the_rarer_one_costs_more(kinds, better, worse):
    known = tuple([Candidate(TypeExpr(kind), 9 - at, ()) for at, kind in enumerate(kinds)])
    evidence = Evidence(Parameter("it", "positional"), known)
    assert burden_of_rarer(evidence, better) == 0 < burden_of_rarer(evidence, worse)
    assert burden_of_rarer(Evidence(Parameter("it", "positional"), known[1:]), worse) == 0


@pytest.mark.parametrize(
    ("name", "kinds", "expected"),
    [
        ("seed", ("int", "str", "bytes", "none"), ("int", "none")),
        ("seed", ("str", "bytes"), ("str", "bytes")),
        ("title", ("int", "str"), ("int", "str")),
    ],
)
def test_a_number_seeds_chance_where_one_may(name, kinds, expected):
    declared = TypeExpr("union", tuple(map(TypeExpr, kinds)))
    model = model_of(Parameter(name, type=declared, origin="annotation"), "f")
    assert model.declared == TypeExpr("union", tuple(map(TypeExpr, expected)))


def test_an_heir_that_the_test_writes_is_made_as_its_base_is(lab):
    described = lab("""
        from abc import ABC, abstractmethod

        class Shape(ABC):
            def __init__(self, title):
                self.title = title

            @abstractmethod
            def area(self):
                pass
    """).subject
    define = Call("define", "class Square({0}):\n    pass", (Symbol("sample", "Shape"),))
    plausibility = Plausibility(described)

    def made_with(value):
        return Sequence((define, Call("operator", "call", (Ref(0), Const(value)))))

    run = made_with("abc")
    assert plausibility.called(run, run.calls[-1]).id == "sample:Shape"
    assert plausibility.penalty_of(made_with(1)) > plausibility.penalty_of(run)
    without_base = Call("define", "class Square:\n    pass")
    calls = (without_base, Call("operator", "call", (Ref(0),)), Call("method", "walk", (Ref(1),)))
    assert plausibility.called(Sequence(calls), calls[-1]) is None


def test_a_class_that_the_test_writes_is_no_flag_and_no_text(lab):
    described = lab("""
        def save(path: str, text, overwrite=False, make=None):
            with open(path, "w" if overwrite else "a") as file:
                file.write(text.strip())
            return make()
    """).subject
    judge = Plausibility(described)
    define = Call("define", "class Point:\n    pass")

    def given(**named):
        call = Call("function", "sample:save", (Const("abc"), Const("abc")), tuple(named.items()))
        return judge.fit_of_sequence(Sequence((define, call)))

    assert given(overwrite=Ref(0)) > given(overwrite=Const(value=True))
    assert given(make=Ref(0)) < given(overwrite=Ref(0))


def test_what_a_class_method_makes_of_items_has_some_before_other_calls(lab):
    bench = lab("""
class Outcome:
    def __init__(self, errors): self.errors = errors
    @classmethod
    def fail(cls, errors=[]): return cls(errors)
    def is_fail(self): return len(self.errors) > 0
""")
    judge = Plausibility(bench.subject)
    asked = Call("method", "is_fail", (Ref(0),))
    items = Display("list", (Const("abc"),))
    empty = Sequence((Call("function", "sample:Outcome.fail"), asked))
    filled = Sequence((Call("function", "sample:Outcome.fail", (items,)), asked))
    assert judge.items_left_out(empty, 0).parameter.name == "errors"
    assert judge.items_left_out(Sequence(empty.calls[:1]), 0) is None
    assert judge.items_left_out(filled, 0) is None


def test_nobody_passes_on_what_a_procedure_answers(lab):
    one = lab("""
        class Graph:
            def __init__(self):
                self.nodes = {}
            def add(self, node):
                self.nodes[node] = 1
            def last(self):
                return list(self.nodes)[-1]
        def size(graph, node):
            return len(graph.nodes) if node else 0
        def width(node: int):
            return node + 1
    """)
    fit = one.goals().plausibility.fit_of_sequence
    found = [
        fit(one.sequence(f"g = Graph()\nn = g.{call}\n{use}"))
        for call in ("add('abc')", "last()")
        for use in ("size(g, n)", "width(n)")
    ]
    assert found[:2] == [Fit.DOUBTFUL, Fit.DOUBTFUL]
    assert max(found[2:]) < Fit.DOUBTFUL
