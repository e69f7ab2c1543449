"""Recordings of an existing suite: the executions of its tests, taken while pytest runs them.

``record`` runs a suite in a guarded process and assembles the Recording (``recordings``);
``cover`` measures the branches of each test; ``guest`` is what runs inside that process;
``representations`` computes the five state representations of each execution.
``recorded_functions`` and ``pytest_options`` serve both sides.

Entrances: ``record.record_suite`` and ``cover.cover_suite``.

Invariant: the parent process imports nothing of the suite; it reads frames of plain values.  May
import ``core``, ``execute`` and ``state.heap``.
"""
