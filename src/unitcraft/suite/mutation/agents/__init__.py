"""The worker side of mutation analysis for generated tests.

``kill_check`` is the agent of a guarded worker: it swaps a mutant in (``mutants.code_swap``), runs
tests, and compares their observations with those on the original (``kill_evidence``).

Entrance: ``kill_check.prepare``, called by the host process; then the services in ``SERVICES``.

Invariant: between two services the Subject has its original code and values.  Runs in the process
of the Subject: may import ``core``, ``instrument``, ``execute.steps``, ``explore.agents`` and
``suite.mutation.mutants``; nothing of the planner.
"""
