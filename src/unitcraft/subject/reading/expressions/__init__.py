"""What expressions come to as far as a tree tells.

Entrances: ``name_bindings.scopes_of`` for what names are bound to,
``display_types.structural_type`` for the type of an expression by those of its parts,
``operator_results`` for operands and items,
``library_results`` for what functions, methods and objects of the standard library give.

Invariant: nothing of the Subject is looked at; ``subject.description.expression_kinds`` asks the
loaded module and these tables together.

May import: ``core`` and the modules at the top of ``subject``.
"""
