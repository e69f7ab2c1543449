"""Exploration: which sequences of calls reach which branches, states and paths.

``search`` looks for tests of a module, ``concolic`` finds paths by negating branches,
``statespace`` enumerates the states of a class, ``explain`` reads the paths of one function,
``influence`` knows which calls can influence which, and ``agents`` is what workers run beside the
code under test.  The modules of this level are shared: ``execution`` (a run and what it reached),
``intent`` (was its exception meant), ``calls`` (the Call of an Invocable), ``domains`` (argument
lists), ``declared_types`` (does an argument keep to a type) and ``subject_request`` (asks a host
for the described Subject).

Entrances: ``search.goal_search``, ``concolic.path_forest``, ``statespace.concrete_task`` and
``statespace.symbolic_task``.

Invariant: what is explored follows from the description, the options and the seed; the order of
answers is that of the plan, so the outcome is the same for any number of workers.

May import every layer below (core, subject, execute, instrument, symbolic, solve, state).
``agents`` imports none of the other parts, and of those parts only ``concolic`` and
``influence`` are imported by others.
"""
