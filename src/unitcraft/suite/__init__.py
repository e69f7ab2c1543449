"""Suites: the tests that unitcraft generates, and the tests that a project already has.

``generated`` turns executions into a small set of Tests, ``telling`` has data that show what code
does, ``brief`` takes out what a test can do without, ``existing`` judges recorded suites,
``mutation`` makes mutants and finds out which tests kill them, ``recording`` runs an existing suite
and records what each test executes.  ``tests`` holds the Test and its Checks.

Entrances: ``generated.oracle.observe``, ``existing.minimise.minimise_suite``,
``mutation.campaign.run_campaign``, ``recording.record.record_suite``.

Invariant: whatever a Test expects, and whatever is said of an existing test, was observed in a
guarded process.  May import every package below it: ``explore`` and lower, never ``emit`` or
``app``.
"""
