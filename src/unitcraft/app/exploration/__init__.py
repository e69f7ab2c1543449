"""``unitcraft explore`` and ``unitcraft explain``: states of a class, paths of a function.

Entrance: ``explore_command.run_explore`` counts the states that sequences of calls reach,
``explain_command.run_explain`` lists paths with path condition, example and outcome,
``message_pages.page`` explains a code; ``explain_report`` and ``program_text`` put it into words.

Invariant: the Subject is described and run by guarded workers only, and no test is written.

Imports: all packages below ``app`` but ``emit``, the modules at the top of ``app``, and the wording
of ``app.generate.generate_report``.
"""
