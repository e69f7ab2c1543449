"""State spaces of a class: concrete states (Rostra) and symbolic states (Symstra).

``state_exploration`` is the one loop; a state space answers three questions (initial states,
actions, steps), ``frontier`` orders the states that wait.  ``concrete_exploration`` and
``symbolic_exploration`` are the two state spaces, ``branch_coverage`` guides the second,
``state_graph`` draws the first.

Entrances: ``concrete_task.explore_class`` and ``symbolic_task.explore_symbolically``.

Invariant: a state is a path that workers replay from the constructor; counts do not depend on
the number of workers.

May import the top of explore, ``explore.concolic`` and all layers below.
"""
