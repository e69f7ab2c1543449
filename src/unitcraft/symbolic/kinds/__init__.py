"""The kinds of symbolic inputs, each with one record of what is known about its values.

Entrances: ``kinds.KINDS`` (name -> record) and ``kinds.kind_of`` (value -> name);
``symbolic_kind.SymbolicKind`` says what a record holds.  ``int_kind``, ``float_kind``, ``str_kind``
and ``bytes_kind`` make one each.

Invariant: every value that a record holds or makes is of exactly its type.

May import ``symbolic.terms.term``; solvers, states and planners read the records.  What a proxy of
a kind does stands in ``symbolic.proxies``, beside the Subject.
"""
