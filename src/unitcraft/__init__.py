"""unitcraft explores what Python code can do and writes the pytest suite for it.

Invariant: this file imports nothing, so that a worker that needs only
``unitcraft.execute`` never pays for the command line.
"""

__version__ = "0.1.0"
