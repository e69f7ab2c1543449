"""The written file is run by plain pytest in fresh guarded processes, and made to pass.

Entrance: ``verify.verify`` runs a file and drops the assertions and tests that fail until the rest
passes.  ``pytest_run.run_file`` is one such run, ``verifier_main`` the program in its process.
``bisect_failures.bisect_failures`` finds the tests that end their process,
``leaked_state.LeakDetector`` the tests that leave the interpreter changed;
``state_isolation.isolated_tests`` gives those that change their own project a state of their own.

Invariant: the text that comes out passed as a whole, in both orders, under two hash seeds and
two clocks, on the original code.

Imports: ``core``, ``subject``, ``execute``, the Tests of ``suite`` and how their arguments are put
back in place, and the parts ``arrange`` and ``write`` of ``emit``.
"""
