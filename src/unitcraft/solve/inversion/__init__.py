"""Inversion: which value of one input makes a term take a wanted value?

An operation is inverted by a rule: given the present values of its arguments and the wanted
result, a rule lists values for one argument.  ``invert`` follows the rules from the top of a
constraint down to an input; the tables of rules are ``invert_numbers``, ``invert_texts``,
``invert_methods``, ``invert_regexes`` and ``invert_raising``.  ``candidates`` lists constants of
the constraints and plain values, and ``repair`` is the layer that tries both.

Entrance: ``repair.Repair`` and ``invert.suggest_values``.

Invariant: everything here is a suggestion; whoever uses one evaluates the constraints.

May import: ``solve.{protocol,layer}``, ``solve.differences.linear``, ``symbolic.{kinds,terms}``,
``core`` and ``subject.values.regex_generation``.
"""
