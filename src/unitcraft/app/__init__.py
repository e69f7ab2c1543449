"""The application: command line, settings, store, files and terminal.

Entrance: ``cli.main`` finds the sub-command in ``commands``; each one reads its flags and calls
the part that does the work: ``generate``, ``suites``, ``mutants`` or ``exploration``.
``config.load`` reads the settings, ``store.Store`` keeps finished results.

Invariant: only this package reads arguments and settings, prints, and writes files
that outlive the run; the packages below return values and raise UnitcraftError.

Imports: every other package.  A module that each start of the program imports reaches them inside
functions only, so that ``--help`` and a mistyped flag answer at once.
"""
