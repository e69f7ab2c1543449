"""Guarded execution: one host process for each Subject, workers forked from it, layers around them.

Entrances: ``pool.worker_pool.Pool`` runs items of a service in workers;
``command.guarded_command.run_guarded`` runs one command line (pytest) under the same layers.
``spec`` says what a host is asked to be, ``policy`` which effects are refused, ``steps`` counts
the step budget, ``frames`` carries messages between the processes.

Invariant: the code under test runs only in processes that this package started, after the
guard was raised, and reaches the parent only as bounded plain data.

Imports ``core`` only.
"""
