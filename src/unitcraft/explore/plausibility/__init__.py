"""Plausible inputs: what is known of each parameter, and whether an argument agrees with it.

Entrances: ``evidence_ladder.gather_evidence`` combines all that speaks for a parameter's kind;
``argument_fit.Plausibility`` judges the arguments of a Sequence by it;
``plain_arguments.PlainArguments`` proposes others that fit better.

Invariant: evidence orders and prices arguments; a declared type is never overruled by it.

May import: ``core``, ``subject`` and ``explore.agents.answers``.
"""
