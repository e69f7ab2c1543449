"""Mutants of source text: operators, the functions and values they change, and code objects.

``mutation_operators`` is the table of operators.  ``function_mutants`` applies them to functions,
``data_mutants`` to constants and default values, ``source_mutants`` names the mutants of a module
and compiles them, ``mutant_sample`` chooses among them.  ``code_swap`` puts one into live functions
and values, which ``code_objects`` finds and marks by line.

Entrances: ``source_mutants.ModuleSource`` and ``code_swap.CodeSwap``.

Invariant: which mutants exist, and their ids, follow from the source text alone; only ``code_swap``
changes live objects.  May import ``suite.mutation.verdicts`` and the
standard library.
"""
