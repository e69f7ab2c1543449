"""Candidate arguments: from a TypeExpr to Args, the most promising first.

The entrance is ``value_pools.ValuePools.values``.  It merges what a person gives
(``user_factories``), what docstring examples pass (``example_arguments``), the numbers and texts
of the code (``constant_pool``), texts drawn from its regexes (``regex_generation``) and tables
of plain values (``default_values``, ``container_values``, ``callable_values``, ``stdlib_values``).

Invariant: the order depends on the Subject, the type, the scope and the parameter's name only,
and a shorter answer is a prefix of a longer one.

May import: ``core`` and the modules at the top of ``subject``.
"""
