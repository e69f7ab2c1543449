from __future__ import annotations

import builtins
import importlib

import pytest

from unitcraft.core.sequences import Arg, Build, Const, Display, Source, Symbol, arg_key
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject.model import Constant, Invocable, Parameter, Regex, Subject
from unitcraft.subject.values.callable_values import RAISING
from unitcraft.subject.values.stdlib_values import VALUES, values_of_class
from unitcraft.subject.values.user_factories import Factory, Pragma, UserValues
from unitcraft.subject.values.value_pools import ValuePools

INT, STR, FLOAT, BYTES = (TypeExpr(name) for name in ("int", "str", "float", "bytes"))
EMPTY = Subject("m", "m.py")


def evaluated(arg: Arg) -> object:
    """The object that an Arg means."""
    match arg:
        case Const(value):
            return value
        case Symbol(module, path):
            found: object = importlib.import_module(module)
            for part in path.split("."):
                found = getattr(found, part)
            return found
        case Source(text):
            return eval(text)
        case Build(callee, args, kwargs):
            named = {name: evaluated(one) for name, one in kwargs}
            return evaluated(callee)(*[evaluated(one) for one in args], **named)
        case Display("dict", items):
            values = [evaluated(one) for one in items]
            return dict(zip(values[::2], values[1::2], strict=True))
        case Display(kind, items):
            return getattr(builtins, kind)([evaluated(one) for one in items])
    raise AssertionError(arg)


@pytest.mark.parametrize(
    ("type_", "wanted"),
    [
        (INT, int), (FLOAT, float), (STR, str), (BYTES, bytes), (TypeExpr("bool"), bool),
        (TypeExpr("complex"), complex), (TypeExpr("none"), type(None)),
        (TypeExpr("list", (INT,)), list), (TypeExpr("set", (STR,)), set),
        (TypeExpr("frozenset"), frozenset), (TypeExpr("dict", (STR, INT)), dict),
        (TypeExpr("mapping"), dict), (TypeExpr("tuple", (INT, STR)), tuple),
        (TypeExpr("vartuple", (INT,)), tuple), (TypeExpr("type"), type),
    ],
    ids=str,
)  # fmt: skip
def test_values_are_of_the_type_and_distinct(type_: TypeExpr, wanted: type) -> None:
    found = ValuePools(EMPTY).values(type_)
    assert found
    assert all(type(evaluated(one)) is wanted for one in found)
    assert len({arg_key(one) for one in found}) == len(found)


def test_elements_are_of_the_element_type() -> None:
    nested = TypeExpr("dict", (STR, TypeExpr("list", (FLOAT,))))
    for one in ValuePools(EMPTY).values(nested):
        for name, numbers in evaluated(one).items():
            assert type(name) is str
            assert all(type(number) is float for number in numbers)


@pytest.mark.parametrize("element", ["bool", "none", "complex", "bytes", "int", "str"])
def test_containers_have_elements_of_every_kind(element) -> None:
    """Kinds with few values, too."""
    found = [
        evaluated(one) for one in ValuePools(EMPTY).values(TypeExpr("list", (TypeExpr(element),)))
    ]
    assert {len(one) for one in found} >= {0, 1}


def test_containers_are_empty_single_many_unsorted_and_repeated() -> None:
    found = [evaluated(one) for one in ValuePools(EMPTY).values(TypeExpr("list", (INT,)))]
    assert found[0] == [1, 2, 3]
    assert [] in found
    assert [1] in found
    assert any(one != sorted(one) for one in found)
    assert any(len(set(one)) < len(one) for one in found)


def test_every_rich_value_can_be_made() -> None:
    for home in VALUES:
        for one in values_of_class(home):
            assert evaluated(one) is not None


@pytest.mark.parametrize(
    ("home", "wanted"),
    [("datetime:timedelta", "timedelta"), ("decimal:Decimal", "Decimal"),
     ("pathlib:Path", "PosixPath"),
     ("builtins:KeyError", "KeyError"), ("re:Pattern", "Pattern"), ("uuid:UUID", "UUID")],
)  # fmt: skip
def test_rich_types(home: str, wanted: str) -> None:
    found = ValuePools(EMPTY).values(TypeExpr("class", cls=home))
    assert found
    assert {type(evaluated(one)).__name__ for one in found} == {wanted}


def test_unknown_classes_have_no_values_and_enums_have_their_members(subject) -> None:
    found = subject("import enum\nclass C(enum.Enum):\n  A = 1\n  B = 2\nclass K: ...")
    pools = ValuePools(found)
    assert pools.values(TypeExpr("class", cls="sample:K")) == ()
    assert pools.values(TypeExpr("class", cls="nowhere:X")) == ()
    members = (Symbol("sample", "C.A"), Symbol("sample", "C.B"))
    assert pools.values(TypeExpr("class", cls="sample:C")) == members
    assert pools.values(TypeExpr("type", (TypeExpr("class", cls="sample:K"),))) == (
        Symbol("sample", "K"),
    )


def test_unions_alternate_and_literals_are_exact() -> None:
    found = ValuePools(EMPTY).values(TypeExpr("union", (INT, STR, TypeExpr("none"))), limit=4)
    assert [type(evaluated(one)).__name__ for one in found] == ["int", "str", "NoneType", "int"]
    choice = TypeExpr("literal", literals=(Const("r"), Const("w")))
    assert ValuePools(EMPTY).values(choice) == (Const("r"), Const("w"))


@pytest.mark.parametrize(
    ("args", "given"),
    [((ANY,), ()), ((INT, ANY), (3,)), ((INT, TypeExpr("bool")), (3,)), ((INT, INT, INT), (3, 4)),
     ((STR, TypeExpr("list")), ("a",)), ((ANY, ANY, ANY, ANY), (1, 2, 3))],
)  # fmt: skip
def test_callables_accept_what_they_are_asked_for(args, given) -> None:
    found = [evaluated(one) for one in ValuePools(EMPTY).values(TypeExpr("callable", args))]
    accepted = 0
    for one in found:
        try:
            one(*given)
        except (TypeError, ValueError):
            continue
        accepted += 1
    assert accepted >= len(found)


def test_where_nobody_knows_what_is_passed_one_function_raises() -> None:
    found = ValuePools(EMPTY).values(TypeExpr("callable"))
    assert found.count(RAISING) == 1
    assert RAISING not in ValuePools(EMPTY).values(TypeExpr("callable", (INT, ANY)))
    with pytest.raises(ZeroDivisionError):
        evaluated(RAISING)(1, 2)


def test_predicates_return_booleans() -> None:
    predicate = TypeExpr("callable", (INT, TypeExpr("bool")))
    assert all(type(evaluated(one)(2)) is bool for one in ValuePools(EMPTY).values(predicate))


SUBJECT = Subject(
    "m", "m.py",
    constants=(
        Constant(40, "f", "compare"), Constant(900, "g"), Constant("near", "f", "compare"),
        Constant("far", "g"), Constant("everywhere", ""),
    ),
    regexes=(Regex(r"^\d{3}-x$", 0, "f"),),
    calls=(("caller", ("f",)),),
)  # fmt: skip


def test_constants_of_the_scope_come_first_with_neighbours() -> None:
    found = [evaluated(one) for one in ValuePools(SUBJECT).values(INT, "f")]
    assert found[3:6] == [40, 41, 39]
    assert found.index(900) > found.index(39)


def test_texts_of_the_scope_come_before_others_and_regexes_are_drawn() -> None:
    found = [evaluated(one) for one in ValuePools(SUBJECT).values(STR, "f")]
    assert found.index("near") < found.index("everywhere") < found.index("far")
    assert found.index("111-x") < found.index("everywhere")


def test_what_a_callee_mentions_is_near() -> None:
    found = [evaluated(one) for one in ValuePools(SUBJECT).values(INT, "caller")]
    assert found[3] == 40


def test_a_shorter_answer_is_a_prefix_of_a_longer_one() -> None:
    pools = ValuePools(SUBJECT)
    assert (
        pools.values(ANY, "f", 5)
        == pools.values(ANY, "f", 60)[:5]
        == ValuePools(SUBJECT).values(ANY, "f", 5)
    )


def test_any_is_diverse() -> None:
    kinds = {type(evaluated(one)).__name__ for one in ValuePools(EMPTY).values(ANY)}
    assert {"int", "str", "list", "dict", "NoneType", "float", "function", "tuple", "bool"} <= kinds


def test_every_kind_has_values() -> None:
    pools = ValuePools(EMPTY)
    for kind in pools.kinds():
        assert pools.values_of_kind(kind, limit=3)


def test_what_others_pass_is_of_the_kind_that_was_asked_for(subject) -> None:
    found = subject(
        '''
        def f(code):
            """
            >>> f("XY-1")
            """
        '''
    )
    pools = ValuePools(found)
    first = [pools.values_of_kind(kind, "f", 1, name="code")[0] for kind in ("str", "none")]
    assert first == [Const("XY-1"), Const(None)]


def test_what_the_user_gives_comes_first_in_every_kind(subject) -> None:
    given = Pragma("f", "values", name="code", values=(Const("XY-2"),))
    pools = ValuePools(subject("def f(code): return [code]"), UserValues((given,)))
    for kind in ("str", "none", "dict"):
        assert pools.values_of_kind(kind, "f", 1, name="code") == (Const("XY-2"),)


def test_docstring_examples_come_first_and_serve_others_of_the_name(subject) -> None:
    found = subject(
        '''
        def f(code: str):
            """
            >>> f("XY-1")
            """
        def g(code: str): ...
        def h(code: int): ...
        '''
    )
    pools = ValuePools(found)
    assert pools.values(STR, "f", 1, name="code") == (Const("XY-1"),)
    assert Const("XY-1") in pools.values(STR, "g", name="code")
    assert Const("XY-1") not in pools.values(INT, "h", name="code")


def test_values_and_factories_of_a_person_come_first() -> None:
    user = UserValues(
        (Pragma("f", "values", name="n", values=(Const(77),)),),
        (Factory("m:K", Symbol("unitcraft_factories", "make_k")),),
    )
    pools = ValuePools(EMPTY, user)
    assert pools.values(INT, "f", 1, name="n") == (Const(77),)
    assert pools.values(TypeExpr("class", cls="m:K")) == (
        Build(Symbol("unitcraft_factories", "make_k")),
    )


def test_typed_dicts_have_just_their_keys() -> None:
    movie = TypeExpr("dict", (STR, ANY, STR, INT), literals=(Const("title"), Const("year")))
    for one in ValuePools(EMPTY).values(movie):
        assert list(evaluated(one)) == ["title", "year"]
        assert type(evaluated(one)["year"]) is int


def test_functions_of_the_module_are_passed_where_their_kind_is_asked_for() -> None:
    text, number, more = Parameter("text", type=STR), Parameter("n", type=INT), Parameter("x")
    rows = [("is_word", (text,), TypeExpr("bool")), ("double", (number,), INT),
            ("_own", (text,), INT), ("mix", (more, more, more), ANY)]  # fmt: skip
    subject = Subject("m", "m.py", (), tuple([
        Invocable(f"m:{name}", "function", name, "", parameters, returns)
        for name, parameters, returns in rows
    ]))  # fmt: skip

    def first(*types: TypeExpr) -> Arg:
        return ValuePools(subject).values(TypeExpr("callable", types))[0]

    assert first(STR, TypeExpr("bool")) == Symbol("m", "is_word")
    assert first(INT, INT) == Symbol("m", "double")
    assert isinstance(first(INT, TypeExpr("bool")), Source)
    assert first(ANY, ANY, ANY, FLOAT) == Symbol("m", "mix")


def test_a_text_that_people_give_to_the_name_comes_first():
    pools = ValuePools(EMPTY)
    assert pools.values(STR, "f", 1, name="base_url") == (Const("http://example.com"),)
    assert pools.values(ANY, "f", 1, name="base_url") == (Const("http://example.com"),)
    assert Const("http://example.com") not in pools.values(INT, "f", name="base_url")
    assert pools.values(INT, "f", 1, name="size") == pools.values(INT, "f", 1, name="other")


def test_dates_are_written_in_the_formats_of_the_code():
    found = Subject("m", "m.py", constants=(Constant("%d.%m.%Y", ""), Constant("%H:%M", "f")))
    values = [one.value for one in ValuePools(found).values(STR, "f")]
    assert values.index("12:30") < values.index("%H:%M")
    assert values.index("31.01.2024") < values.index("%d.%m.%Y")
