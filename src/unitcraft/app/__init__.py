"""The edge: command line, settings, store, files and terminal.

Invariant: only this package reads arguments and settings, prints, and writes files
that outlive the run; the packages below return values and raise UnitcraftError.
"""
