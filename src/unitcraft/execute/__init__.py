"""Guarded execution: one zygote per Subject, workers forked from it, layers that contain them.

Invariant: the code under test runs only in processes that this package started, after the
guard was raised, and reaches the parent only as bounded plain data.
"""
