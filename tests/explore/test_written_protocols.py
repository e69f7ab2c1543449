"""Stubs of Protocols: what a test writes where no class has the names that are asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Symbol
from unitcraft.explore.plausibility.argument_fit import Fit, Plausibility
from unitcraft.explore.plausibility.written_members import WrittenMembers
from unitcraft.explore.search.surroundings.member_answers import MemberAnswers
from unitcraft.explore.search.surroundings.written_classes import pool_with_heirs
from unitcraft.subject.values.value_pools import ValuePools

SHOP = """
    from dataclasses import dataclass
    from typing import Protocol

    @dataclass
    class Money:
        cents: int

    @dataclass
    class Order:
        price: Money
        note: str = ""

    class StoreProtocol(Protocol):
        closed: bool

        def find(self, key: str) -> Order | None: ...

        def all(self) -> list[Order]:
            \"\"\"The orders.\"\"\"

        async def load(self) -> str:
            raise NotImplementedError

        def put(self, order: Order, *, twice: bool = False) -> None: ...

        def count(self) -> int:
            return len(self.all())

    def total(store: StoreProtocol) -> int:
        return sum(one.price.cents for one in store.all())
    """


@pytest.fixture
def stubs(lab):
    made = lab(SHOP)
    source = Path(made.folder, "sample.py").read_text()
    pool = pool_with_heirs(made.subject, ValuePools(made.subject, source=source))
    return made, pool.seeds("sample:StoreProtocol")


def test_a_stub_defines_what_the_protocol_only_declares(stubs):
    """It inherits what does something: ``count``."""
    made, seeds = stubs
    assert seeds[0].sequence.calls[0].name.splitlines() == [
        "class StubStore({0}):",
        "    closed = {1}",
        "",
        "    def find(self, key):",
        "        return {2}",
        "",
        "    def all(self):",
        "        return {3}",
        "",
        "    async def load(self):",
        "        return {4}",
        "",
        "    def put(self, order, *, twice=None):",
        "        pass",
    ]
    assert [made.run(seed.sequence, "total").failed for seed in seeds] == [None] * len(seeds)


def test_answers_are_of_the_declared_types(stubs):
    _, seeds = stubs
    money = Build(Symbol("sample", "Money"), (Const(1),))
    order = Build(Symbol("sample", "Order"), (money,))
    found = [seed.sequence.calls[0].args[2] for seed in seeds]
    assert found[:2] == [order, Const(None)]
    assert [len(seed.sequence.calls[0].args[3].items) for seed in seeds] == [1, 0, 1]


@pytest.mark.parametrize(
    ("at", "value", "fit"),
    [
        (1, Const(1), Fit.DOUBTFUL),
        (1, Const(value=False), Fit.FITS),
        (2, Const("abc"), Fit.DOUBTFUL),
        (2, Const(None), Fit.FITS),
        (4, Const(1), Fit.DOUBTFUL),
    ],
)
def test_an_answer_of_another_type_is_doubtful(stubs, at, value, fit):
    made, seeds = stubs
    define, *rest = seeds[0].sequence.calls
    args = (*define.args[:at], value, *define.args[at + 1 :])
    changed = Sequence((Call("define", define.name, args), *rest))
    assert Plausibility(made.subject).fit_of_sequence(changed) is fit


def test_an_answer_has_evidence_where_its_member_is_declared(stubs):
    made, seeds = stubs
    define, make = seeds[0].sequence.calls
    written = WrittenMembers(made.subject)
    assert [one.parameter.name for one, _ in written.given(define)] == [
        "closed", "find", "all", "load",
    ]  # fmt: skip
    assert written.given(make) == []


@pytest.mark.parametrize(
    ("declared", "answers"),
    [
        ("", [Const(1), Const("a")]),
        ("-> None", [None, None]),
        ("-> bool", [Const(value=True), Const(value=False)]),
        ("-> 'Money'", [Build(Symbol("sample", "Money"), (Const(at),)) for at in (1, 0)]),
    ],
)
def test_members_answer_what_they_declare(lab, declared, answers):
    made = lab(f"""
        class Money:
            def __init__(self, cents: int): self.cents = cents
        def ask(key) {declared}: ...
        """)
    (member,) = [one for one in made.subject.invocables if one.name == "ask"]
    found = MemberAnswers(made.subject, ValuePools(made.subject))
    assert [found.answer(member, number) for number in (0, 1)] == answers


def test_a_stub_is_an_object_of_what_it_is_derived_from_alone(lab):
    made = lab(f"""{SHOP}
    class LogProtocol(Protocol):
        def write(self, text: str) -> None: ...

    def note(log: LogProtocol, order: Order | None, name: str) -> str:
        return name
    """)
    source = Path(made.folder, "sample.py").read_text()
    pool = pool_with_heirs(made.subject, ValuePools(made.subject, source=source))
    judge = Plausibility(made.subject)

    def fit_of(protocol, place):
        calls = pool.seeds(f"sample:{protocol}")[0].sequence.calls
        given = [Const(None), Const(None), Const("a")]
        given[place] = Ref(len(calls) - 1)
        return judge.fit_of_sequence(
            Sequence((*calls, Call("function", "sample:note", tuple(given))))
        )

    assert fit_of("LogProtocol", 1) is Fit.DOUBTFUL
    assert fit_of("LogProtocol", 2) is Fit.DOUBTFUL
    assert fit_of("StoreProtocol", 0) is Fit.DOUBTFUL


def test_the_command_line_is_a_list_of_texts(lab):
    judge = Plausibility(lab("def main(): pass").subject)

    def fit_of(value):
        arrange = Call("arrange", "setattr", (Const("sys.argv"), value))
        return judge.fit_of_sequence(Sequence((arrange, Call("function", "sample:main"))))

    assert fit_of(Display("list", (Const("prog"), Const("-v")))) is Fit.FITS
    assert fit_of(Display("set", (Const("prog"),))) is Fit.DOUBTFUL
    assert fit_of(Display("list", (Const(1),))) is Fit.DOUBTFUL


def test_an_object_of_a_project_is_of_no_class_of_the_library_that_none_of_its_bases_is(lab):
    made = lab(
        """
        import datetime

        class Money: pass
        class Price(Money): pass
        class Day(datetime.date): pass

        def note(when: datetime.date): return when
        """
    )
    judge = Plausibility(made.subject)

    def fit_of(cls, *args):
        calls = (
            Call("function", f"sample:{cls}", args),
            Call("function", "sample:note", (Ref(0),)),
        )
        return judge.fit_of_sequence(Sequence(calls))

    assert fit_of("Price") is Fit.DOUBTFUL
    assert fit_of("Day", Const(2024), Const(1), Const(31)) is Fit.FITS
