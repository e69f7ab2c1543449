"""The written file is run by plain pytest in fresh guarded processes, and made to pass.

Entrance: ``verify.verify`` runs a file and drops what fails until all of it passes;
``pytest_run.run_file`` is one such run, ``verifier_main`` the program in its process.
``bisect_failures.culprits`` finds the tests that end their process, ``leaked_state.Leftovers``
those that leave the interpreter changed.

Invariant: the text that comes out passed as a whole, in both orders, under two hash seeds and
two clocks, on the original code.

Imports: ``core``, ``subject``, ``execute``, the Tests of ``suite`` and ``emit.write``.
"""
