"""What follows from what: laws are proved from other laws, and those that follow are not shown.

``rewriting`` decides it, by ``proof`` of one equation case by case over the rows of a universe,
with ``definitions`` of observers, ``simplification`` of computed values, ``polynomials`` and
``builtin_rules``, and by ``observation`` of what tells objects apart.

Entrance: ``rewriting.follows`` and ``pruning.without_consequences``.

Invariant: a law that is proved holds wherever the laws hold that it is proved from; what no proof
of bounded work shows is taken to be new.

May import core, ``infer.universe``, ``infer.algebraic`` and the layers below.
"""
