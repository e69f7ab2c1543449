"""Views of dictionaries do what those of C do, in the same order, and note which keys agree."""

from __future__ import annotations

import pytest
from harness import agree

FORMS = """
return list({True: 0}.keys() & {1}), list({1} & {True: 0}.keys())
return list({x: 0}.keys() & {1.0}), list({1.0} & {x: 0}.keys()), list({x: 0, 2: 0}.keys() & {1.0})
return list({1.0: 0}.keys() & {x: 0, 5: 5}.keys()), list({x: 0}.keys() & [1.0])
return sorted({1: 1, 2: 2}.keys() - {x}), sorted({x, 3} - {True: 1}.keys())
return sorted({1: 1, 2: 2}.keys() | {x, y}), sorted({1.0} | {x: 1}.keys())
return sorted({1: 1, 2: 2}.keys() ^ {x, y}), sorted([1.0, 2] ^ {x: 1}.keys())
return sorted({1.0: 1}.items() & {(x, 1)}), sorted({x: y}.items() & {(1.0, 1.0)})
return (x, y) in {1: 1}.items(), 5 in {x: 1}.items(), x in {1: 2}.keys()
return list(reversed({x: 1, 2: y}.keys())), list(reversed({x: 1, 2: y}.items()))
return str({x: y}.keys()), str({x: y}.items()), len({x: 1, y: 2}.items())
return str(OrderedDict([(x, y)]).keys()), list(OrderedDict([(x, 1), (2, y)]).items())
return {1: 1}.keys() == {x}, {x: 1}.items() >= {(1, 1)}, {1: 1}.keys().isdisjoint({x})
return type({}.keys()).__name__, type({}.items()).__name__, {x: 1}.keys().mapping == {1: 1}
return {x: 1}.keys() & y
d = {x: 1}
for key, _ in d.items(): d[key - 1] = 2
""".strip().splitlines()
FORMS = [*FORMS[:-2], "\n    ".join(FORMS[-2:])]


@pytest.mark.parametrize("body", FORMS)
@pytest.mark.parametrize("inputs", [(1, 1), (2, 1), (5, -3)])
def test_as_the_view_of_c(body, inputs):
    agree(f"from collections import OrderedDict\ndef f(x, y):\n    {body}\n", "f", *inputs)


def test_an_operator_notes_which_keys_agree():
    events = agree("def f(x): return len({1: 1, 2: 2}.keys() - {x})", "f", 2)
    assert (("==", ("v", 0), 2), True) in events or (
        ("in", ("v", 0), ("tuple", 1, 2)),
        True,
    ) in events
