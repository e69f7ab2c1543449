"""``unitcraft report``: one HTML page of what the last runs in a project came to.

Entrance: ``report_command.write_report``. ``recorded_runs`` reads what the commands kept,
``branch_reasons`` says in words which branches no test takes and why, ``module_section`` and
``report_page`` make the page of ``html_elements``.

Invariant: nothing is run and nothing is searched again; the page asks for nothing from elsewhere,
runs no script, and whatever it quotes is escaped.

Imports: ``core``, ``subject``, the stored verdicts of ``app.mutants``, and the modules at the top
of ``app``.
"""
