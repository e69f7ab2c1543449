"""The universe of a class: its states, the Calls on them and what they come to.

``class_operations`` are the methods with the kinds of their parameters and ``pools`` the values of
each kind; ``values`` numbers values, ``transition_table`` runs each (state, Call) once,
``state_equality`` says which states are equal, ``preconditions`` which Calls are meant, and
``universes`` explores a table breadth first, then by long walks.

Entrance: ``universes.explore_universe``.

Invariant: a number stands for one value or one state in all of inference; ids are given in the
order of discovery, so nothing depends on the number of workers.

May import core, subject, execute, ``explore`` and ``infer.agents`` (by name only).
"""
