"""Axiomatic specifications: what holds before, after and between calls (Daikon's idea).

``variables`` are what the axioms speak of, ``families`` the forms that they have, ``axioms`` finds
those that hold on every row and are no consequence of others.

Entrance: ``axioms.find_axioms``.

Invariant: an axiom is shown only when it held on every row of both universes.

May import core, ``infer.universe``, ``infer.algebraic`` and the layers below.
"""
