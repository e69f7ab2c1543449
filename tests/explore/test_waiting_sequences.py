"""The queues of ``waiting_sequences``: first in front, taken once, advance told once."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

from unitcraft.core.sequences import Call, Const, Display, Sequence, Source
from unitcraft.explore.search.waiting_sequences import MANY_LACKING, WaitingSequences
from unitcraft.subject.values.value_pools import ValuePools


def sequence(name):
    return Sequence((Call("function", name),))


def test_what_is_put_first_is_taken_first_and_once():
    waiting = WaitingSequences(None, {}, 0)
    waiting.put_first("m:f", [sequence("a")])
    waiting.put_first("m:f", [sequence("b"), sequence("c")])
    waiting.put_first("m:g", [sequence("d")])
    assert waiting.take("m:f", 2) == [sequence("c"), sequence("b")]
    assert waiting.take("m:f", 9) == [sequence("a")]
    assert waiting.take("m:f", 9) == []
    assert waiting.take("m:g", 9) == [sequence("d")]


def test_a_search_that_came_to_new_code_says_so_once(lab):
    one = lab("""
        def f(thing):
            if thing.size:
                return 1
            return 0
        """)
    waiting = WaitingSequences(one.goals(), {"sample:f": one.proposer("f")}, 0)
    run = one.run("f(1)")
    assert not one.goals().sensible(run)
    waiting.note("sample:f", run, kept=False, is_new=True)
    assert waiting.take_advanced() == {"sample:f"}
    assert not waiting.take_advanced()
    assert waiting.take("sample:f", 99)


def test_a_place_where_runs_end_is_new_once_whoever_comes_there(lab):
    one = lab("""
        def halve(number):
            return divmod(number, 2)

        def f(number):
            return halve(number)

        def g(number):
            return halve(number)
        """)
    proposers = {f"sample:{name}": one.proposer(name) for name in "fg"}
    waiting = WaitingSequences(one.goals(), proposers, 0)
    for name, advanced in (("f", {"sample:f"}), ("g", set())):
        run = replace(one.run(f"{name}('a')"), calling=(3, 3, 11, 28))
        waiting.note(f"sample:{name}", run, kept=False, is_new=False)
        assert waiting.take_advanced() == advanced


def test_a_key_that_was_missed_is_waited_for_a_bounded_number_of_times(lab):
    one = lab("""
        def f(config):
            if "host" in config:
                return 1
            return 0
        """)
    goals = one.goals()
    waiting = WaitingSequences(goals, {"sample:f": one.proposer("f")}, 0)
    for number in range(20):
        run = one.run(f"f({{'k{number}': 1}})")
        goals.offer(run, 1)
        waiting.note("sample:f", run, kept=False, is_new=False)
    texts = [found.key for found in waiting.take("sample:f", 999)]
    assert any("host" in text and "k0" in text for text in texts)
    assert not any("host" in text and "k19" in text for text in texts)


def test_a_keyword_that_was_missed_has_a_value_that_the_base_takes(lab):
    one = lab("""
        class Bar:
            def __init__(self, quiet=False):
                self.quiet = quiet

        class Coloured(Bar):
            def __init__(self, **options):
                given = dict(options)
                if "quiet" in given:
                    super().__init__(**given)
        """)
    goals = one.goals()
    pools = ValuePools(one.subject, "")
    waiting = WaitingSequences(goals, {"sample:Coloured": one.proposer("Coloured")}, 0, pools)
    run = one.run("Coloured()")
    goals.offer(run, 1)
    waiting.note("sample:Coloured", run, kept=True, is_new=True)
    given = [
        dict(found.calls[-1].kwargs).get("quiet") for found in waiting.take("sample:Coloured", 99)
    ]
    assert type(next(one for one in given if one is not None).value) is bool


def test_a_dictionary_that_was_left_out_has_the_key_that_was_missed_last(lab):
    one = lab("""
        def check(table, actions=None, guards=None):
            known = dict(guards or {})
            done = dict(actions or {})
            for name in table:
                if "on" in name and name not in known:
                    raise KeyError(name)
                known[name](table)
                done[name](table)
            return 1
        """)
    goals = one.goals()
    pools = ValuePools(one.subject, "")
    waiting = WaitingSequences(goals, {"sample:check": one.proposer("check")}, 0, pools)
    run = one.run("check(['onset', 'one'])")
    goals.offer(run, 1)
    waiting.note("sample:check", run, kept=True, is_new=True)
    first, *_ = waiting.take("sample:check", 99)
    ((name, given),) = first.calls[-1].kwargs
    assert (name, given.items[0]) in (("actions", Const("onset")), ("guards", Const("onset")))
    assert isinstance(given.items[1], Source)


def test_documents_have_their_turns_whatever_other_containers_missed(lab):
    one = lab("""
        import json

        def f(config):
            if isinstance(config, str):
                config = json.loads(config)
            if "host" in config:
                return 1
            return 0
        """)
    goals = one.goals()
    waiting = WaitingSequences(goals, {"sample:f": one.proposer("f")}, 0)
    for given in (*(f"{{'k{number}': 1}}" for number in range(20)), """'{"d": 1}'"""):
        run = one.run(f"f({given})")
        goals.offer(run, 1)
        waiting.note("sample:f", run, kept=False, is_new=False)
    found = [str(sequence.calls[-1].args[0]) for sequence in waiting.take("sample:f", 999)]
    assert any('{"d": 1, "host"' in text for text in found)


def test_the_promise_of_a_declared_type_is_broken_once_for_each_parameter(lab):
    one = lab("""
        def f(text: str, size: int, other=0):
            return text * size
        """)
    waiting = WaitingSequences(one.goals(), {"sample:f": one.proposer("f")}, 0)
    for text in ("ab", "abc"):
        waiting.note("sample:f", one.run(f"f('{text}', 2, 3)"), kept=True, is_new=False)
    calls = [found.calls[-1] for found in waiting.take("sample:f", 999)]
    given = {tuple(arg.value for arg in call.args) for call in calls}
    assert {(1, 2, 3), (None, 2, 3), ("ab", "a", 3), ("ab", None, 3)} <= given
    assert ("abc", "a", 3) not in given


def test_an_item_of_a_kind_that_is_refused_becomes_one_of_the_kind_that_is_asked_for(lab):
    one = lab("""
        def f(terms: list):
            if not isinstance(terms[1], str):
                raise ValueError("no key")
            return terms[1].split(".")
        """)
    pools = ValuePools(one.subject)
    waiting = WaitingSequences(one.goals(), {"sample:f": one.proposer("f")}, 0, pools)
    waiting.note("sample:f", one.run("f([[2], [3]])"), kept=True, is_new=True)
    given = [found.calls[-1].args[0] for found in waiting.take("sample:f", 999)]
    assert any(isinstance(arg.items[1].value, str) for arg in given if is_pair(arg))


def is_pair(arg):
    return isinstance(arg, Display) and len(arg.items) > 1 and isinstance(arg.items[1], Const)


def test_runs_that_return_are_varied_although_many_that_raised_were_before(lab):
    one = lab("""
        def f(name, mode):
            if name == "root":
                return 1
            return mode.upper()
        """)
    waiting = WaitingSequences(one.goals(), {"sample:f": one.proposer("f")}, 0)
    for number in range(60):
        waiting.note("sample:f", one.run(f"f('a{number}', {number})"), kept=False, is_new=False)
    waiting.note("sample:f", one.run("f('abc', 'def')"), kept=False, is_new=False)
    texts = [found.key for found in waiting.take("sample:f", 9_999)]
    assert any("'root'" in text and "'def'" in text for text in texts)


LOG = """
    class Log:
        def open(self, options):
            self.folder = options.config.folder

        def write(self, line):
            return self.folder + line
    """


def test_an_attribute_that_no_call_comes_to_set_is_set_after_many_runs_that_lack_it(lab):
    one, name = lab(LOG), "sample:Log.write"
    pools = ValuePools(one.subject, source=dedent(LOG))
    waiting = WaitingSequences(one.goals(), {name: one.proposer("Log.write")}, 0, pools)
    run = one.run("Log().write('a')")
    taken = []
    for _ in range(MANY_LACKING):
        assert taken == []
        waiting.note(name, run, kept=False, is_new=False)
        taken = waiting.take(name, 99)
    made = {(found.calls[1].kind, found.calls[1].name) for found in taken}
    assert made == {("set", "folder")}
