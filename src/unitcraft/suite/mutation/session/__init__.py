"""The guarded process that runs an existing suite on mutants, mostly in forked children.

``session_main`` runs pytest with ``fork_points``, which forks ``warm_session`` before conftest
files are loaded.  The warm session collects the suite once and tries mutants in forked children:
one in each or many in one (``shared_child``), started by ``forked_children``.
Mutants of code that runs during collection go to ``reimport_trials``.  ``item_runner`` and
``hookless_runner`` run tests, ``line_probes`` and ``collection_coverage`` record which lines run,
``state_restore`` resets state.

Entrance: ``session_main.main``.

Invariant: every test runs in a fork, so that it starts from the state right after collection.  Runs
beside the Subject: may import pytest, ``suite.mutation``, ``execute.command``,
``execute.isolation`` and ``suite.recording.pytest_options``.
"""
