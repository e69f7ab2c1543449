"""Extensions of fields, on heaps written by hand."""

from __future__ import annotations

from unitcraft.heaps.field_coverage import FieldExtensions, PairReader

READER = PairReader((("T.root", ""), ("N.left", "N.right")), frozenset())
EMPTY = ((0, (None, 0)),)
ONE = ((0, ((1, 0), 1)), (1, (None, None)))
LEFT = ((0, ((1, 0), 2)), (1, ((1, 1), None)), (1, (None, None)))


def test_extensions_are_pairs_of_numbers_and_values():
    extensions = FieldExtensions(READER)
    assert [extensions.add(form) for form in (EMPTY, ONE, LEFT, LEFT)] == [True, True, True, False]
    assert {label: list(pairs) for label, pairs in extensions.pairs.items()} == {
        "T.root": [(0, None), (0, (1, 0))],
        "N.left": [(0, None), (0, (1, 1)), (1, None)],
        "N.right": [(0, None), (1, None)],
    }
    assert not extensions.covers_non_null()


def test_missing_pairs_say_why_a_criterion_is_not_satisfied():
    small, large = FieldExtensions(READER), FieldExtensions(READER)
    small.add(ONE)
    large.add(LEFT)
    assert small.missing(large) == [("N.left", (0, (1, 1))), ("N.left", (1, None)),
                                    ("N.right", (1, None))]  # fmt: skip
    assert large.missing(small) == [("N.left", (0, None))]
