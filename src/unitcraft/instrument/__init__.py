"""Import-hook rewriting: branch probes, comparison tracing and step counting.

Invariant: rewritten code computes what the original computes; only time and the
recorder differ.  Figures and expected values never come from rewritten code.
"""
