"""Values that a person gives to a name, in place of those that stand for any.

``example_table`` has what the standard library gives to names, ``example_values`` finds the rows
for a name, and ``named_examples`` makes variants of selected runs with them.

Entrances: ``named_examples.with_named_examples`` and ``example_values.examples_of``.

Invariant: nothing is run here; a variant differs from its Sequence in atoms that stood for any.
May import: ``explore`` and lower packages, and modules of ``suite.telling``.
"""
