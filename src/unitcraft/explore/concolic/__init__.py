"""Concolic testing: run on proxies, negate a branch of the path condition, solve, run again.

``concolic_run`` runs programs with symbolic inputs through a pool, for everybody who does.
``path_exploration`` grows the constraint tree of one program, ``path_forest`` those of all
candidate sequences that end in one call (``candidate_sequences``, with the argument forms of
``input_shapes``), and ``branch_negation`` negates branches of runs that a search has kept.
``sequence_exploration`` explores sequences of several objects call by call, and drops those that
``influence_criteria`` find redundant.  ``known_beginnings`` says which earlier calls of paths come
to nothing new.  ``symbolic_inputs`` decides which constants of a Call are
inputs.

Entrances: ``path_forest`` (all paths of a function) and ``branch_negation`` (a search's).

Invariant: a path counts only when a run took it; an unexplored branch is given to the solver at
most once.

May import the top of explore, ``explore.influence``, the answers that ``explore.agents`` defines,
and all layers below;
no other part of explore.
"""
