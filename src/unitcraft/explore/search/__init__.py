"""The search of ``generate``: Sequences that reach the goals of a module, in rounds.

Entrance: ``goal_search``, which asks ``sequence_generator`` for each Invocable, ``random_walks``
for each class and (by ``explore.influence``) for each target, ``def_use_search`` for each pair,
``variation`` for each comparison and for what a run missed, and ``concolic.branch_negation`` when
guessing brings nothing new.  ``goal_map`` keeps the cheapest run for each goal, ``object_pool`` the
shortest Sequence to each state, and ``goal_criteria`` translates coverage criteria.

Invariant: rounds are barriers; answers are taken in the order of the plan, and chance comes from
generators that are seeded by purpose.

May import the top of explore, ``explore.concolic``, ``explore.influence`` and all layers below,
among them ``subject.values`` and ``execute.pool``; never ``explore.agents``.
"""
