"""Readable values: what a person would write in place of a solver's values.

``readability`` orders values by how hard they are to read, ``small_integers`` assigns 1, 2, 3...
to ints of which only the order matters, and ``readable_values`` searches for the most readable
values of all inputs.

Entrance: ``readable_values.make_readable``.

Invariant: the constraints stay satisfied (each value is evaluated before it is taken), and the
result depends on the arguments alone.

May import: ``solve.inversion``, ``solve.differences`` and ``symbolic.terms``.
"""
