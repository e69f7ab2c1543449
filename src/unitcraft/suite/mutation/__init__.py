"""Mutation analysis: mutants of the code under test, and which tests kill them.

``mutants`` derives mutants from source text, ``agents`` runs generated tests on mutants in a
worker, ``session`` runs an existing suite on mutants, ``campaign`` is the parent side of a session,
``verdicts`` and ``code_digest`` are what both sides share.

Entrances: ``campaign.run_campaign`` for an existing suite; ``agents.kill_check`` is started by
``suite.generated.mutant_goals``.

Invariant: a test kills a mutant only if it behaves differently on the mutant than on the original
in the same conditions.  May import ``core``, ``instrument``, ``execute``, and of ``explore`` its
``agents``; of ``suite.recording`` the run of a suite and its options, nothing else.
"""
