"""Mutants of source text: operators, the functions and values they change, and code objects.

``mutation_operators`` is the table of operators.  ``function_mutants`` applies them to functions,
``data_mutants`` to constants and default values, ``source_mutants`` names the mutants of a module
and compiles them.  ``code_objects`` finds the live functions, ``line_marks`` adds line probes.

Entrances: ``source_mutants.ModuleSource`` and ``data_mutants.mutants_of_data``.

Invariant: which mutants exist, and their ids, follow from the source text alone; only
``data_mutants.DataSwap`` changes live objects.  May import ``suite.mutation.verdicts`` and the
standard library.
"""
