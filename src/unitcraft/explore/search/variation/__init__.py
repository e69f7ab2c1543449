"""Variations of a run by what it showed.

A comparison that saw a part of an input says what else the input may be; an attribute, a key or an
item that a run missed says what its argument lacks.

Runs that came near to a missing site are varied in other ways too, each a kind of its own
(``variation_kind``): the kinds compete in ``schedule``, and ``stepping_stones`` knows the runs.

Entrance: ``input_to_state.substitutions``, ``grow_stand_ins.grow``, ``fill_mappings.fill_missed``,
and ``stepping_stones.SteppingStones``.
Invariant: a variation is made from one run and a given stream of chance; it changes arguments and
surroundings only, never which Calls are made.
May import: ``core``, ``execute``, ``subject``, and ``explore`` at its top.
"""
