"""The kinds that the code of a module passes to parameters without an annotation.

Entrance: ``passing_agent``, which a planner asks in a worker of its own once the Subject is
described: ``passed_kinds`` reads the arguments of each call whose Invocable ``called_invocables``
finds, ``implied_kinds`` what stands in the place of a parameter, or beside it in an operation,
``entry_kinds`` what is kept under the keys of records, ``key_kinds`` by what it is looked up.
``expression_kinds`` has the type of an argument, by the loaded module and by what a tree
tells: ``name_bindings`` (what names are bound to), ``display_types`` (the parts of an expression),
``operator_results`` (operands and items), ``library_results`` (what functions, methods and objects
of the standard library give).

Invariant: nothing of the Subject is run; what is not certain says nothing.

May import: ``core``, the modules at the top of ``subject``, its ``description`` and ``reading``.
"""
