"""Import-hook rewriting: branch probes, comparison tracing, field probes and interception.

Entrance: ``import_hook.Hook``, which loads a module and those that it may call from rewritten
trees.
The agent that asks for it hands it the rewritings that it needs, and loads no other.
``branch_probes`` rewrites branches and comparisons and ``branch_recorder`` is what they call;
``step_probes`` only counts steps, also in a tree that is compiled many times;
``field_probes``, ``reaching_definitions`` and ``def_use_pairs`` do the same for def-use pairs of
fields; ``interception`` rewrites the forms that a symbolic proxy cannot see.

Invariant: rewritten code computes what the original computes; only time and the recorders
differ.  Figures and expected values never come from rewritten code.

Imports ``core`` and ``execute.steps``.
"""
