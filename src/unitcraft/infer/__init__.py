"""Specification inference: laws that are true of a class, found by running it.

``universe`` has the states, Calls and outcomes of a class as a table, ``algebraic`` laws between
terms (Henkel and Diwan), ``axiomatic`` what holds before, after and between calls (Daikon),
``output`` the texts.  ``class_request`` is the question, ``stated_contracts`` what the class
itself says, ``law_goals`` the tests that refuted laws, for a search; ``specification`` the result,
``infer_class`` the loop that learns, refutes and learns again; ``agents`` runs beside the code
under test.

Entrance: ``infer_class.infer_specification``.

Invariant: the planner never runs the Subject: every outcome comes from a guarded worker, once;
a law is shown only when no row of a second, larger universe refutes it.

May import all layers below (core to suite); ``agents`` is guarded and imports none of the other
rooms.
"""
