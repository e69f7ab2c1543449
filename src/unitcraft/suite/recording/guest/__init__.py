"""The part of recording that runs inside the guarded process, beside the suite.

``recorder_main`` runs pytest with a plugin that brackets each test.  ``trampoline`` replaces the
code of subject functions, ``recorder`` records their executions, ``heap_recorder`` the heaps that
they are given, ``test_branches`` measures branches with coverage.py, ``test_locations`` says where
a test is written and which calls are pytest's own, ``lru_caches`` and ``unrecorded_results`` handle
caches and results of other libraries.

Entrance: ``recorder_main.main``.

Invariant: the suite cannot tell that it is recorded, except by time and by ``==`` on copies of its
objects.  May import ``suite.recording``, ``state.heap``, ``heaps.guest.heap_form``,
``execute.sandbox`` and pytest.
"""
