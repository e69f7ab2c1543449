"""The kinds of variation that compete for runs, one in each module.

Entrance: the classes with ``vary`` (``variation_kind.VariationKind``); ``schedule.KINDS`` lists
them, with ``fill_mappings``, which others use too.
Invariant: a kind changes one respect of a run, by what the source, the run or others like it show.
May import: what stands beside this folder and serves all kinds (``places``, ``variation_kind``,
``grow_stand_ins``), never ``schedule`` or ``stepping_stones``.
"""
