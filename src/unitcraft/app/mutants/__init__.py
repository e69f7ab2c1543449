"""``unitcraft mutants``: mutation testing of an existing suite.

Entrance: ``mutants_command.run`` tries the mutants, ``mutants_command.list_mutants`` and
``mutants_command.render_mutant`` report on them, ``kill_mutant.kill`` writes a test that kills
one; ``verdict_store.VerdictStore`` keeps the verdicts between runs.

Invariant: a stored verdict is used only while the code of subjects and tests is the same; only
``kill`` writes a test file.

Imports: all packages below ``app``, the modules at the top of ``app``, and ``app.generate``, whose
engine ``kill`` uses.
"""
