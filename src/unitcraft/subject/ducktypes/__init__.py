"""Duck-type inference: types of unannotated parameters from the operations on a probe.

Entrances: ``duck_probe.make_probe`` makes an object that supports every operation and records each
one; ``type_inference.guess_types`` ranks the types that support what was recorded.  The Subject is
called with probes in a worker, the ranking happens in the parent.  ``answer_shapes.AnswerShapes``
infers what stand-ins answer first from what the code does with answers.

Invariant: the ranking is a function of the recorded operations and the Subject's classes only;
a run with probes ends, because the number of recorded operations is bounded.

May import: ``core``, the modules at the top of ``subject``, and ``subject.reading``.
"""
