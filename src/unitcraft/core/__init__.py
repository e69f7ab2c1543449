"""The vocabulary of every other package: Args, Calls, Sequences, Outcomes and TypeExprs.

``sequences`` defines what unitcraft runs and writes, ``outcomes`` what a run came to, ``types``
what a parameter accepts, ``operators`` what a Call of kind ``operator`` may name, ``encoding``
how all of these cross a process boundary, ``call_text`` how a person reads a Call.  ``goals`` says
what a run or a test may be kept for; ``criteria`` and ``rule_codes`` hold the names that a person
reads and writes; ``errors`` and ``events`` are how the engine reports; ``interpreter`` is what is
known of the Python that runs the code under test; ``randomness`` is the only
source of random choices.

Entrance: ``sequences.Sequence``, ``goals``, ``outcomes`` and ``types``; ``encoding`` carries them
as plain tuples.

Invariant: values are frozen and slotted; nothing here opens a file, prints, or holds an object
of the code under test.

May import: the standard library only.
"""
