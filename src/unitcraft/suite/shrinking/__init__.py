"""Smaller, plainer and more telling variants of executions, in place of these.

``shrink`` makes what the search found smaller, ``shrink_selected`` what a suite is made of;
``variant_runner`` runs variants and tells which of them can replace their original.

Entrances: ``shrink.shrink`` and ``shrink_selected.shrink_selection``.

Invariant: a variant is kept only where it reaches the Goals that its original is kept for.
May import: ``explore`` and lower packages, ``suite.brief``, ``suite.telling``, ``suite.generated``
and ``suite.mutation.agents.kill_evidence``.
"""
