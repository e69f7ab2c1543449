"""The five state representations of Rostra, as digests of the input of a method execution.

``representations`` computes all five and WholeState itself; ``method_sequences`` adds WholeSeq and
ModifyingSeq; ``equality_representations`` adds MonitorEquals and PairwiseEquals, with
``field_monitor`` (which fields ``==`` reads) on ``equality_copies``.

Entrances: ``representations.InputReader`` and
``equality_representations.EqualityRepresentations``.

Invariant: digests that are equal under one representation are equal under every coarser one.  Runs
in the guarded process: may import ``state.heap``, ``suite.recording.recordings`` and
``suite.recording.recorded_functions``.

Source: ROSTRA, "Five State-Representation Techniques".
"""
