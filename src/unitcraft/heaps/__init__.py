"""Heaps of a class on which its representation invariant holds, and what they cover.

``heap_task`` derives a ``heap_scope`` (which classes, how many objects, which values);
``heap_generation`` has workers (``heaps.guest``) search it, by lazy initialisation or as Korat
does; ``field_coverage`` measures the pairs that fields take in heaps, ``transcoping`` predicts them
for larger scopes, ``reaching_sequences`` looks for calls that reach them, ``heap_graph`` is a
picture of them.

Entrances: ``heap_task.generation_task``, ``heap_generation.HeapGenerator``.

Invariant: heaps come in an order that depends on the class and the scope alone, and the invariant
runs in guarded workers only.

May import core, subject, execute and explore; ``guest`` imports none of the planning side.
"""
