"""Symbolic states and their subsumption, decided by projecting path conditions on the heap.

Entrance: ``subsumption.Subsumption``, which asks ``implication``.  ``theory_split`` divides a path
condition into ``difference_constraints`` and ``residual_constraints``; ``projection`` and
``elimination`` remove the inputs that left the heap, on unions of ``zones`` (difference bound
matrices with disequalities); ``quick_checks`` are proofs that need none of this.

Invariant: a state is pruned only if it is proven that a known state stands for it.

May import ``symbolic.terms``, ``solve`` and ``state.heap``.
"""
