"""The commands about an existing suite: check, minimize, select, prioritize, assess.

Entrance: ``check_command.check_suite``, ``minimize_command.minimize_suite``, ``fix.fix_suite``,
``compare_command`` (select, prioritize and assess), ``fields_command`` (its field coverage) and the
pytest plugin in ``plugin``;
``existing_suite.spec_of`` turns the flags into a run of the suite.

Invariant: the suite runs in guarded processes only, and no file of it changes unless ``fix`` has
shown that the verdicts and the branches stay as they were.

Imports: ``core``, ``subject``, ``execute``, ``suite`` and the modules at the top of ``app``.
"""
