"""Which calls can influence which: the effects of each Invocable, and the sequences they allow.

``source_types`` knows the classes of a module, ``expression_types`` what the expressions of a
function stand for; ``source_effects`` reads what each function defines, uses and calls, and
``influence_analysis`` follows the calls and gives every Invocable its ``effects``.
``sequence_enumeration`` makes the sequences that end in a target and in which every call may
influence it, by an ``influence_matrix`` and the check of ``data_flow``; ``sequence_drawing`` draws
long ones.

Entrances: ``influence_analysis.analyse_influence`` and
``sequence_enumeration.CandidateSequences``.

Invariant: effects are read from source and never from a run; what the source leaves open counts
as an effect, so that a call without influence on another has none in any run that the source
shows.

May import ``core``, ``subject`` and ``instrument``; no other part of explore.
"""
