"""Variations of a run by what it showed.

A comparison that saw a part of an input says what else the input may be; an attribute, a key or an
item that a run missed says what its argument lacks, and a path that it looked at, where a file may
stand.

Entrance: ``input_to_state.substitutions``, ``grow_stand_ins.grow`` and ``place_files.own_paths``.
Invariant: a variation is a function of one run; it changes arguments only, never which Calls are
made.
May import: ``core``, ``execute``, ``subject``, and ``explore`` at its top.
"""
