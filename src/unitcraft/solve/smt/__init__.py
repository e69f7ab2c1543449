"""The layer that asks z3, and the translation of terms into z3's integers, reals and strings.

``z3_terms`` walks a term; ``z3_operations`` holds the table of translated operations, filled by
``z3_numbers``, ``z3_floats``, ``z3_strings``, ``z3_case_and_strip`` and ``z3_regex``;
``z3_values`` represents Python values inside z3.  z3 is optional: it is imported when first asked.

Entrance: ``z3_layer.Z3``.

Invariant: a model is evaluated by CPython before it is believed, and Unsat is believed only of an
exact translation.

May import: ``solve.{protocol,layer,statistics,validate}`` and ``symbolic.terms``.
"""
