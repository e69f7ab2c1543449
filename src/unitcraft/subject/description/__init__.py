"""From a loaded module to its Subject: classes, their members, functions and signatures.

The entrance is ``describe.describe``.  ``classes`` and ``members`` list what a class offers,
``invocables`` and ``signatures`` describe each function with the best known type of every
parameter, ``field_effects`` lists the receiver's fields that a method reads and writes.

Invariant: objects of the Subject are read by ``static_lookup`` only, so no descriptor, metaclass
or ``__getattr__`` of the Subject runs, and no parameter list comes from a ``__signature__``.

May import: ``core``, the modules at the top of ``subject``, and ``subject.reading``.
"""
