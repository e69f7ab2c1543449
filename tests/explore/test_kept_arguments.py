"""Kept runs in, the plain arguments out that they passed, and texts with parts of others."""

from source_lab import rng

from unitcraft.core.sequences import Const, Display
from unitcraft.explore.search.values.kept_arguments import MAX_TEXT, KeptArguments

SHOP = """
class Cart:
    def __init__(self, limit: int = 3):
        self.limit = limit
        self.names = []

    def put(self, name: str, count=1):
        if count < 0:
            raise ValueError(count)
        self.names.append(name)

    def fill(self, names):
        self.names += names
"""


def kept(lab, *texts):
    made = lab(SHOP)
    found = KeptArguments()
    invocables = {
        one.owner if one.kind == "constructor" else one.id: one for one in made.subject.invocables
    }
    runs = [made.run(text) for text in texts]
    found.take(runs, invocables)
    found.take(runs, invocables)
    return found, {one.name: one.id for one in made.subject.invocables}


def drawn(found, invocable, parameter, count=200):
    random = rng("kept")
    return [found.draw(invocable, parameter, random) for _ in range(count)]


def test_arguments_of_all_calls_of_a_run_are_kept(lab):
    found, ids = kept(lab, "a = Cart(2); a.put('pear', count=4); a.put('fig')")
    assert set(drawn(found, ids["Cart"], "limit")) == {Const(2)}
    assert set(drawn(found, ids["put"], "count")) == {Const(4)}
    assert {Const("pear"), Const("fig")} <= set(drawn(found, ids["put"], "name"))


def test_nothing_is_drawn_where_no_run_passed_anything(lab):
    found, ids = kept(lab, "a = Cart(2); a.put('pear')")
    assert set(drawn(found, ids["put"], "count")) == {None}
    assert set(drawn(found, "sample:Cart.gone", "name")) == {None}


def test_runs_that_raise_say_nothing(lab):
    found, ids = kept(lab, "a = Cart(2); a.put('pear', -1)")
    assert set(drawn(found, ids["put"], "name")) == {None}


def test_a_text_gets_a_part_of_another(lab):
    found, ids = kept(lab, "Cart().put('ab')", "Cart().put('xyz')")
    texts = {one.value for one in drawn(found, ids["put"], "name")}
    assert any("x" in text and "a" in text for text in texts)
    assert max(map(len, texts)) <= MAX_TEXT


def test_a_text_in_a_list_changes_alone(lab):
    found, ids = kept(lab, "Cart().fill(['ab', 'cd'])", "Cart().put('z')")
    lists = drawn(found, ids["fill"], "names")
    assert all(isinstance(one, Display) and len(one.items) == 2 for one in lists)
    assert all(Const("ab") in one.items or Const("cd") in one.items for one in lists)
    assert len(set(lists)) > 2


def test_results_of_other_calls_are_left_out(lab):
    found, ids = kept(lab, "a = Cart(); a.put(a)", "a = Cart(); a.fill([a])")
    assert set(drawn(found, ids["put"], "name")) == {None}
    assert set(drawn(found, ids["fill"], "names")) == {None}


def test_what_went_well_with_a_callee_is_handed_on_to_it(lab):
    made = lab("""
        class Reader:
            def read(self, text):
                if not text.isupper():
                    raise ValueError(text)
                return text

        def first(text):
            return Reader().read(text)

        def each(texts):
            return [Reader().read(text) for text in texts]
        """)
    found = KeptArguments(made.subject.handed)
    ids = {one.name: one.id for one in made.subject.invocables}
    found.take([made.run("Reader().read('AB')"), made.run("Reader().read('no')")],
               {one.owner if one.kind == "constructor" else one.id: one
                for one in made.subject.invocables})  # fmt: skip
    assert set(drawn(found, ids["first"], "text")) == {Const("AB")}
    assert set(drawn(found, ids["each"], "texts")) == {Display("list", (Const("AB"),))}
