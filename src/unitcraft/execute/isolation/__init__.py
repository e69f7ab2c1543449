"""State between the items of one worker: what is saved, compared and put back.

Entrance: ``reset.Reset``, taken in the host after the import, with ``after_item`` and
``after_batch`` in the worker.  ``heap_snapshot`` finds what to save, ``holders`` and
``process_holders`` put it back, ``holder_snapshot`` compares it, ``process_state`` looks after
streams, threads, folders and random numbers, ``entropy`` seeds what nobody seeds,
``counters`` replaces ``itertools.count``, ``own_state`` names the places that one run changed,
``subject_modules`` says which modules are the Subject's.

Invariant: within the limits that ``heap_snapshot`` lists, every item meets the state that the
import left behind; state is restored in place, without running code of the Subject.

Imports ``sandbox`` and ``frames`` of ``execute``; nothing else of unitcraft.
"""
