"""From executions to Tests: mutation analysis, set cover, shrinking and assertions.

``round_trips`` joins functions that undo each other,
``mutant_goals`` finds the mutants that each execution kills, ``vary_for_mutants`` makes runs for
those that none kills, ``set_cover`` selects executions,
``shrink`` and ``shrink_selected`` make them smaller, ``acceptance`` leaves out what a reader
would not commit beside the rest, ``oracle`` observes the selection in fresh
processes, ``assertions`` turns what was observed into Checks, and ``invariant_checks`` adds
representation invariants.

Entrances: ``set_cover.select`` and ``oracle.observe``.

Invariant: the selected executions reach every branch that a run with a meant end reached, and a
Check states only what two processes with different hash seeds and clocks agreed on.  May import
``explore``, ``heaps`` and lower packages and ``suite.mutation.agents.kill_evidence``; nothing of
``existing`` or ``recording``.
"""
