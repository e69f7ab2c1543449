"""Axiomatic specifications: what holds before, after and between calls (Daikon's idea).

``axioms`` are frames: what a call leaves as it was.  ``value_laws`` are bounds and orders of what
calls show, and what the lists among that have in common with the rest, ``observer_definitions``
what one observer shows in terms of others, ``constructor_laws`` what new objects show; they are
laws like others, confirmed and pruned with
them.

Entrance: ``value_laws.ValueLaws.run`` and ``axioms.frame_axioms``.

Invariant: an axiom is shown only when it held on every row of both universes.

May import core, ``infer.universe``, ``infer.algebraic`` and the layers below.
"""
