"""The concolic engine: runs code on proxies and records the path condition.

``terms`` has the terms, their operations and the constraint tree; ``proxies`` the values that know
their term, and the trace; ``containers`` dictionaries and sets with symbolic keys; ``intercept``
the functions that rewritten code calls where Python would not ask a proxy.

Entrances: ``proxies.trace`` (the trace of a run), ``intercept.intercepts`` (what rewritten code
calls), ``terms.constraint_tree.ConstraintTree`` (which paths are left).

Invariant: whoever runs the same code on inputs that satisfy all events of a trace meets the same
events; a value whose origin is not followed is concretized, and an event says so.

May import ``core`` and ``instrument``; no solver and no planner: branches are negated elsewhere.
"""
