"""Data that shows a reader what code does with it: pure variants of Sequences.

``telling_values`` tells apart what a Sequence gives twice and fills containers, ``telling_options``
proposes data for which an option changes what is seen, ``telling_functions`` functions whose
answers show what they are given, ``keyed_answers`` stand-ins that answer what the test is about.

Entrances: ``telling_values.telling_variants`` and ``telling_options.telling_data``.

Invariant: nothing is run here; whoever keeps a variant has observed that it reaches the same Goals.
May import: ``explore`` and lower packages; nothing of ``suite``.
"""
