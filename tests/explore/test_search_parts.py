"""Parts of the search and of the explanation: models, pairs, constraints, agents."""

from __future__ import annotations

import ast
import marshal
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from source_lab import rng

from unitcraft.core.encoding import encode_call
from unitcraft.core.sequences import Call, Const, Display, Ref
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.agents import concolic_agent, replay_agent
from unitcraft.explore.agents.concolic_answer import ConcolicAnswer
from unitcraft.explore.concolic.branch_negation import BranchNegation
from unitcraft.explore.explain.call_references import CallReferences
from unitcraft.explore.explain.implied_constraints import drop_implied, find_clash, solver_reads
from unitcraft.explore.explain.uncovered_branches import branch_sites, decided_lines, find_uncovered
from unitcraft.explore.search.def_use_search import ARGUMENT_TRIES, DefUseSearch
from unitcraft.explore.search.search_result import Limits
from unitcraft.explore.search.values.object_pool import Composer
from unitcraft.explore.search.values.parameter_model import Compound, Record, model_of, realise
from unitcraft.instrument.sites import BranchSite
from unitcraft.solve.chain import chain
from unitcraft.subject.model import Invocable, Parameter
from unitcraft.symbolic.terms.interning import interned

X, Y = ("v", 0), ("v", 1)
INT = TypeExpr("int")

# -- parameters -----------------------------------------------------------------------


def test_a_rate_begins_at_one_half_and_learns():
    assert (Record().rate, Record(2, 2).rate, Record(8, 0).rate) == (0.5, 0.75, 0.1)


def test_only_annotations_declare_a_type():
    declared = model_of(Parameter("n", type=INT, origin="annotation"), "f")
    hinted = model_of(Parameter("n", type=INT, origin="docstring"), "f")
    assert (declared.declared, declared.hints) == (INT, [])
    assert (hinted.declared, hinted.hints) == (ANY, [INT])


def test_hints_have_turns_by_their_weight():
    model = model_of(Parameter("n"), "f")
    for name, weight in (("int", 17), ("str", 5)):
        model.add_hint(TypeExpr(name), weight)
    turns = [model.next_hint() for _ in range(22)]
    assert [hint.name for hint, _ in turns].count("str") == 5
    assert turns[0] == (INT, 0)
    assert [before for hint, before in turns if hint.name == "str"] == list(range(5))
    model.add_hint(TypeExpr("bytes"))
    model.add_hint(INT)
    assert [hint.name for hint in model.hints] == ["int", "str", "bytes"]
    assert model.next_hint()[0].name == "bytes"


def test_shares_are_of_what_is_left():
    limits = Limits(1_000)
    assert [limits.leaving(0.5, done).executions for done in (0, 600, 1_200)] == [500, 800, 1_000]


def test_values_become_terms():
    value = Compound("list", (Const(1), Compound("tuple", (Const(2),))))
    assert realise(value, Composer()) == Display("list", (Const(1), Display("tuple", (Const(2),))))


# -- def-use pairs --------------------------------------------------------------------

BOX = """
class Box:
    def __init__(self):
        self.size = 0

    def grow(self):
        self.size = self.size + 1

    def look(self, times: int):
        return self.size * times
"""


def test_a_use_is_proposed_after_each_definition_once_for_a_state(lab):
    box = lab(BOX, fields=True)
    run = box.run("box = Box()\nbox.grow()")

    class Goals:
        def wanted_uses(self, definition):
            return [("sample:Box.look", (definition, 9))]

    proposers = {"sample:Box.look": box.proposer("Box.look")}
    search = DefUseSearch(Goals(), proposers, {})
    ran = replace(run, defined=(4,))
    found = search.proposals(ran, rng("pairs"))
    assert 1 <= len(found) <= ARGUMENT_TRIES
    assert {name for name, _ in found} == {"sample:Box.look"}
    assert all(made.calls[:2] == run.sequence.calls for _, made in found)
    assert all(made.calls[2].args[0] == Ref(0) for _, made in found)
    assert search.proposals(ran, rng("pairs")) == []
    assert DefUseSearch(Goals(), proposers, {}).proposals(replace(ran, defined=()), rng("x")) == []


# -- explanations ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terms", "values", "kept"),
    [
        ([(">", X, 1), (">", X, 5)], (9, 0), [(">", X, 5)]),
        ([("<", X, Y), ("<", X, Y)], (1, 2), [("<", X, Y)]),
        ([("<", X, Y), ("<", Y, 9), ("<", X, 20)], (1, 2), [("<", X, Y), ("<", Y, 9)]),
        ([(">", X, 1), ("==", ("%", X, 2), 1)], (9, 0), [(">", X, 1), ("==", ("%", X, 2), 1)]),
    ],
)
def test_implied_constraints_are_dropped(terms, values, kept):
    found = drop_implied([(term, True) for term in terms], ("int", "int"), values)
    assert [term for term, _ in found] == kept


def test_an_operation_that_raises_a_named_error_need_not_be_said_to_fail():
    failing, named = (("ok", X), False), (("same", ("raises", X), "ValueError"), True)
    assert drop_implied([failing, named], ("int",), (1,)) == (named,)


def test_a_clash_is_minimal():
    solver = chain()
    constraints = tuple((term, True) for term in [("<", Y, 3), (">", X, 5), ("<", X, 2)])
    found = find_clash(constraints, ("int", "int"), (9, 0), solver)
    assert [term for term, _ in found] == [(">", X, 5), ("<", X, 2)]
    fine = tuple((term, True) for term in [(">", X, 5), ("<", X, 20)])
    assert find_clash(fine, ("int", "int"), (9, 0), solver) == ()
    assert solver_reads(solver, fine[0], ("int", "int"), (9, 0))


SOURCE = """def f(a, b):
    if a:
        return [n for n in b if n]
    assert b
    return 1 if b else a < 2
"""


def test_lines_that_decide_without_a_statement():
    assert decided_lines(SOURCE) == {3, 4, 5}


def test_branches_of_the_lines_of_a_function():
    rows = [
        ("m", "f", 2, "if", "true"),
        ("m", "f", 2, "compare", "x"),
        ("m", "f", 3, "condition", "true"),
        ("m", "f", 2, "condition", "true"),
        ("m", "g", 9, "if", "true"),
        ("o", "f", 2, "if", "true"),
    ]
    sites = [BranchSite(*row) for row in rows]
    assert branch_sites(sites, "m", (1, 5), SOURCE) == [0, 2]


class Forest:
    """A forest in which nothing was explored."""

    found = jobs = ()
    blocked = ()

    counts = SimpleNamespace(unknown=0, cut=0, diverged=0)

    def leaves(self, _status):
        return ()


def test_a_branch_that_nothing_came_to_is_unreached():
    sites = [BranchSite("m", "f", 2, "if", "true")]
    found = find_uncovered(Forest(), sites, [0], chain())
    assert [(one.line, one.outcome, one.why, one.details) for one in found] == [
        (2, "true", "unreached", ())
    ]


def test_a_method_has_no_references_to_paths():
    class Path:
        pass

    references = CallReferences(Invocable("m:C.f", "method", "f", "m:C"), [Path()])
    assert references.condition(Path()) == ()


# -- agents ---------------------------------------------------------------------------


def marshalled(*calls):
    return tuple(marshal.dumps(encode_call(call), 2) for call in calls)


MADE = Call("function", "collections:deque", (Display("list", (Const(1), Const(2))),))


def test_a_path_is_replayed_to_the_state_that_it_reaches():
    pop, push = Call("method", "pop", (Ref(0),)), Call("method", "append", (Ref(0), Const(2)))
    start = replay_agent.reach(marshalled(MADE))
    assert start[0] == ""
    assert replay_agent.reach(marshalled(MADE, pop, push)) == start
    assert replay_agent.reach(marshalled(MADE, pop))[1] != start[1]
    assert replay_agent.show(marshalled(MADE)) == replay_agent.show(marshalled(MADE, pop, push))


def test_a_call_that_raises_is_an_outcome_and_a_constructor_that_raises_leaves_no_state():
    missing = Call("method", "remove", (Ref(0), Const(9)))
    assert replay_agent.reach(marshalled(MADE, missing)) == (
        "builtins:ValueError",
        replay_agent.reach(marshalled(MADE))[1],
    )
    broken = Call("function", "collections:deque", (Const(1),))
    assert replay_agent.reach(marshalled(broken)) == ("builtins:TypeError", b"")
    assert replay_agent.show(marshalled(broken)) == ()


def test_the_concolic_agent_answers_the_path_condition(tmp_path):
    (tmp_path / "sample.py").write_text(
        "def f(n):\n    if n > 5:\n        return 1\n    return 0\n"
    )
    call = marshal.dumps(("function", "sample:f", (("x", 0),), (), ""), 2)
    spec = HostSpec(concolic_agent.__name__, {"module": "sample", "sites": True}, (str(tmp_path),))
    with Pool(spec, 1) as pool:
        one = ConcolicAnswer(*pool.one("follow", ((call,), (7,), b"")).value)
        other = ConcolicAnswer(*pool.one("follow", ((call,), (2,), b"")).value)
    assert (one.outcome, one.whole) == ("", True)
    assert interned(one.events) == (((">", X, 5), True),)
    assert interned(other.events) == (((">", X, 5), False),)
    assert one.marks != other.marks


def test_a_branch_of_a_run_is_negated_and_its_boundary_proposed(lab, tmp_path):
    folder = tmp_path / "subject"
    folder.mkdir()
    text = "def f(n):\n    if n > 5:\n        return 1\n    return 0\n"
    (folder / "sample.py").write_text(text)
    run = lab(text).run("f(7)")
    spec = HostSpec(concolic_agent.__name__, {"module": "sample", "sites": True}, (str(folder),))
    with Pool(spec, 1) as pool:
        found = BranchNegation(pool, chain()).proposals([run], 100)
    values = [made.calls[0].args[0].value for name, made in found if name == "sample:f"]
    assert values[0] <= 5
    assert {5, 6} <= set(values)


def test_agents_serve_plain_values_only():
    assert concolic_agent.SERVICES.keys() == {"reach", "follow", "end", "fields"}
    assert replay_agent.SERVICES.keys() == {"reach", "show"}
    assert ast.parse(Path(replay_agent.__file__).read_text()).body
