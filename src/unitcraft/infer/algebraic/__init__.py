"""Algebraic specifications: equations between calls, found by running terms (Henkel and Diwan).

``law_terms`` are terms and laws, ``term_vectors`` the values of a term on all rows of a universe,
``enumeration`` makes terms by size and finds those of equal value, ``guards`` are conditions,
``conditional_laws`` the laws under a guard with one of ``right_sides``, ``confirmation`` the rows
of another universe that refute a law.  ``computed_values`` are made by Python of values of calls.

Entrance: ``enumeration.Enumeration`` and ``conditional_laws.ConditionalSearch``.

Invariant: a law is a statement about rows of a universe, with the rows where it is defined; the
order of laws follows from the order of operations, states and values.

May import core, ``infer.universe`` and the layers below.
"""
