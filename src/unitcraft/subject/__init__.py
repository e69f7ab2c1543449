"""The Subject (the module under test) as plain data, and values to call it with.

Entrances: ``locate.locate`` (from what a person types to files, nothing imported),
``description.describe.describe`` (from a loaded module to a ``model.Subject``, inside a worker),
``values.value_pools.ValuePools`` (candidate arguments for a type, in the parent) and
``ducktypes.type_inference.guess_types`` (types of unannotated parameters from observed operations).
``subject_codec`` carries a Subject from the worker to the parent.

Invariant: describing runs none of the Subject's functions, and a description is the same in every
process: it depends on the module's objects and source only, in source order.

May import: ``core``.  The sub-packages import the modules at the top; only ``description`` imports
another sub-package (``reading``), and ``passing`` these two.
"""
