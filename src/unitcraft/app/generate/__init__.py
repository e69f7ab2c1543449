"""``unitcraft generate``: from targets to written suites and their report.

Entrance: ``generate_command.run``.  ``generate_targets.serve`` takes one target after another,
``generate_module.generate`` makes the suite of one module with the ``engine``, which ``mutants
kill`` uses too, ``delivery`` brings it to its file, and ``generate_report`` and ``console`` say
what happened.

Invariant: targets are independent: each is stored and delivered before the next begins, so that
an interrupt costs only the target at work.

Imports: all packages below ``app``, and the modules at the top of ``app``; no other command.
"""
