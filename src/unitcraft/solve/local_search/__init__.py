"""Search for values by evaluation alone, whatever the operations of the constraints.

``alternating_variable`` is the alternating variable method of search-based testing, guided by
``branch_distance``; ``finite_domains`` tries all values of inputs that have only a few.

Entrance: ``alternating_variable.AlternatingVariable`` and ``finite_domains.FiniteDomains``, two
layers.

Invariant: the search is deterministic and its work is counted in evaluated constraints.  Only
``finite_domains`` proves Unsat; the alternating variable method proves nothing by failing.

May import: ``solve.{protocol,layer,statistics,validate}``, ``solve.inversion``,
``solve.differences.linear``, ``symbolic.terms`` and ``core``.
"""
