"""Tests are rearranged before they are written: simplified, merged, put into tables, named.

Entrance: ``simplify.simplify`` (default arguments and repeated Checks go),
``merge_observers.merge_observers`` (several observers of one object in one test) and
``parametrize.group_units`` (equal but for their literals: one function with a row for each);
``variable_names.name_results`` chooses the names of results.

Invariant: a rearranged Test makes the Calls and expects the values of the Tests behind it.

Imports: ``core``, the model of ``subject``, the Tests of ``suite`` and ``emit.code``.
"""
