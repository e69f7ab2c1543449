"""Plans of test functions: the values of plain fixtures, and no plan for any other."""

from __future__ import annotations

from types import SimpleNamespace

from unitcraft.suite.mutation.session.fixture_plan import plan_of

MADE = []


def get_direct_param_fixture_func(request):
    return request.param


def base():
    MADE.append("base")
    return {"a": 1}


def derived(base, number):
    return base["a"] + number


def kept(base):
    MADE.append(base)


def generator():
    yield 1


def needs_request(request):
    return request.param


def checked(number, derived):
    return number, derived


def fixture(function, *takes, scope="function", params=None):
    return [SimpleNamespace(func=function, argnames=takes, scope=scope, params=params)]


def item(*, autouse=(), cls=None, **more):
    fixtures = {
        "number": fixture(get_direct_param_fixture_func, "request"),
        "base": fixture(base, scope="session"),
        "derived": fixture(derived, "base", "number"),
        **more,
    }
    info = SimpleNamespace(name2fixturedefs=fixtures, argnames=("number", "derived"))
    return SimpleNamespace(
        cls=cls, obj=checked, _fixtureinfo=info, callspec=SimpleNamespace(params={"number": 4}),
        fixturenames=[*autouse, "number", "derived"],
    )  # fmt: skip


def test_values_come_in_the_order_of_need_and_last_for_the_session():
    plan = plan_of(item())
    MADE.clear()
    lasting = {}
    assert plan.values(lasting) == {"number": 4, "derived": 5}
    assert plan.values(lasting) == {"number": 4, "derived": 5}
    assert MADE == ["base"]
    assert plan.values({}) == {"number": 4, "derived": 5}
    assert MADE == ["base", "base"]


def test_fixtures_that_nobody_takes_are_made_too():
    plan = plan_of(item(autouse=["more"], more=fixture(kept, "base")))
    MADE.clear()
    assert plan.values({}) == {"number": 4, "derived": 5}
    assert {"a": 1} in MADE


def test_what_needs_teardown_or_pytest_has_no_plan():
    assert plan_of(item(cls=object)) is None
    assert plan_of(item(autouse=["other"], other=fixture(generator))) is None
    assert plan_of(item(autouse=["other"], other=fixture(needs_request, "request"))) is None
    assert plan_of(item(autouse=["other"], other=fixture(base, scope="module"))) is None
    assert plan_of(item(base=fixture(base, "base"))) is None
    assert plan_of(item(number=fixture(base))) is None
