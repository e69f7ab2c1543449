"""States of objects: when are two heaps the same, and does one state stand for another?

``heap`` gives concrete heaps a canonical form (WholeState of Rostra); ``symbolic`` compares
symbolic states, heaps with terms under a path condition (subsumption of Symstra).

Entrances: ``heap.canonical.canonical`` (the digest of a heap), ``symbolic.subsumption.Subsumption``
(the symbolic states that an exploration knows).

Invariant: two states are taken for one, or a state is pruned, only if that is certain; what cannot
be read or proven counts as different.

May import ``core``, ``symbolic.terms`` and, for implications, ``solve``.
"""
