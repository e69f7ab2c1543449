"""unitcraft explores what Python code can do and writes the pytest suite for it.

Entrance: the command line, ``app.cli.main``; from Python, ``generate`` of
``app.generate.generate_module``.
Each package is a layer and imports only the layers before it: ``core`` (values), ``subject``
(descriptions of the code under test), ``execute`` (guarded workers), ``instrument`` (probes in the
code), ``symbolic`` (terms and proxies), ``solve`` (constraint solvers), ``state`` (heaps),
``explore`` (search, concolic testing, state exploration), ``suite`` (tests chosen, judged,
recorded), ``emit`` (tests as text) and ``app`` (the application).

Invariant: this file imports nothing, so that a worker that needs only
``unitcraft.execute`` never pays for the command line.
"""

__version__ = "0.1.0"
