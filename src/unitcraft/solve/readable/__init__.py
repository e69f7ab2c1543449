"""Readable values: what a person would write in place of a solver's values.

``small_integers`` assigns 1, 2, 3... to ints of which only the order matters, and
``readable_values`` searches for the most readable values of all inputs: how hard a value is to
read is the ``burden`` of its kind.

Entrance: ``readable_values.make_readable``.

Invariant: the constraints stay satisfied (each value is evaluated before it is taken), and the
result depends on the arguments alone.

May import: ``solve.inversion``, ``solve.differences``, ``symbolic.kinds`` and ``symbolic.terms``.
"""
