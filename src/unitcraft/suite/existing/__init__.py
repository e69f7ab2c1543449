"""Judgements on an existing suite: redundancy, minimisation, order, flakiness, weak tests.

``redundancy`` finds redundant tests (Rostra), ``minimise`` drops them where no branch is lost,
``prioritise`` orders tests, ``assess`` counts and predicts, ``assess_fields`` measures field
coverage, ``flakiness`` compares two runs, ``weak_tests`` finds tests without a working assertion.
``suite_sources``, ``assertion_finder`` and ``assertion_normal_form`` read the source text of tests.

Entrances: ``redundancy.redundant_tests`` and ``minimise.minimise_suite``.

Invariant: nothing is executed or imported here; a judgement is a function of a Recording, measured
branches and source text.  May import ``core``, ``heaps``, ``suite.recording`` and ``suite.tests``.
"""
