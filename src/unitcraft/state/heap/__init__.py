"""Canonical forms of heaps: isomorphic heaps have one form, others have different ones.

Entrances: ``canonical.canonical`` (the digest), ``canonical.structure`` (the form itself),
``state_display.fields_of`` (the form as text for people).  ``class_plans`` says how objects of
each class are read, ``builtin_containers`` and ``object_layout`` how to do so without running
their code, ``atoms`` which values count by content, ``colour_refinement`` in which order the
members of sets come.

Invariant: no code of the Subject runs, and the form depends neither on addresses nor on the order
of hash tables.

Imports nothing of unitcraft but its own modules.
"""
