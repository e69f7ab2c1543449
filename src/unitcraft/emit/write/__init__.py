"""Test functions, and the file that they make up.

Entrance: ``writer.write`` writes the Tests of a Subject; ``functions.write_functions`` writes the
functions of a file, ``function_body.body`` the statements of one, and ``inlining.choose_inlined``
decides which results need no variable.

Invariant: the same Subject and Tests give the same bytes, and every assertion line is traced to
the Check that it came from.

Imports: ``core``, the model of ``subject``, the Tests of ``suite``, and the parts ``code``,
``arrange`` and ``naming`` of ``emit``.
"""
