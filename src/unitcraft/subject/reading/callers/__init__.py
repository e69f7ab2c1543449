"""What others pass: the calls of a module in its package, its tests, its documents and docstrings.

Entrances: ``call_sites.read_call_sites``, ``docstring_examples.examples_of`` for the calls that
docstrings show, as Sequences (``docstring_examples.sessions`` finds the statements),
``example_files`` for the files in which others call.

Invariant: what is read is never run; text that does not parse is left out and raises nothing.

May import: ``core``, ``subject.reading`` and the modules at the top of ``subject``.
"""
