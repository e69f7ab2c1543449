"""Solvers of path conditions: which values of the symbolic inputs satisfy the constraints?

``protocol`` defines Query and Verdict, ``layer`` a decorator that answers some Queries and passes
on the others, and ``chain.chain`` assembles the layers from the cheapest to the strongest:
``validate``, ``independence``, ``differences``, ``cache``, ``inversion``, ``local_search`` and
``smt``.  ``readable`` afterwards replaces found values by ones that a person would write.

Entrance: ``chain.chain`` and ``Chain.solve``; ``readable.readable_values`` for the values.

Invariant: a Sat has been evaluated by CPython on the whole Query, an Unsat is proven, and
everything else is Unknown.  Work is counted in evaluations and visits, never in time, so that a
Verdict depends on the Query alone.

May import: ``symbolic.terms``, ``core`` and (for texts of regular expressions) ``subject.values``.
"""
