"""What is passed: a model of each parameter, the objects found so far, and the choice among them.

``parameter_model`` keeps what is known of a parameter and how kinds of values fared,
``object_pool`` the ways to objects, of which ``receiver_choice`` takes one to call something on,
and ``value_choice`` takes one of all values for the next run.

Entrance: ``value_choice.ValueChooser``.

Invariant: a declared type is respected, and what is learned comes from runs alone.  May import
``explore.plausibility`` and lower packages; nothing of the search that asks for values.
"""
