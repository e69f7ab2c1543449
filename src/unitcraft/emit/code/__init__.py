"""Single expressions, statements and comments as source text.

Entrance: ``literal_code.code`` (a value), ``call_code.expression`` and ``call_code.statement`` (a
Call), ``assert_statements.assertion`` (a Check), ``imports.Imports`` (the names of a file),
``formatter.render`` (lines of 88 columns) and ``digest_comments.digest`` (what a person edited).

Invariant: the text means exactly what the Arg, Call or Check means, and ``ruff format`` leaves
its lines as they are.

Imports: ``core``, the model of ``subject``, the limits of ``execute`` and the Tests of ``suite``;
no other part of ``emit``.
"""
