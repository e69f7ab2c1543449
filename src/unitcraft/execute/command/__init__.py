"""One guarded command line, such as a run of pytest, and the forks that it may make.

Entrance: ``guarded_command.run_guarded`` (parent); ``guarded_main.main`` becomes the command,
``forking`` is the only way for it to fork, ``lent_packages`` what it may import of ours.
``fork_service`` is the first code of all guarded processes, hosts too.

Invariant: nothing of the command runs before the layers are in force, and no process of it is
alive when ``run_guarded`` returns.

Imports ``policy``, ``frames``, ``sandbox``, ``pool.host_process`` and ``pool.fork_server`` of
``execute``.
"""
