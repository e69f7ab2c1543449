"""One guarded command line, such as a run of pytest, and the forks that it may make.

Entrance: ``guarded_command.run_guarded`` (parent); ``guarded_main.main`` is the first code of the
command, ``forking`` the only way for it to fork, ``lent_packages`` what it may import of ours.

Invariant: nothing of the command runs before the layers are in force, and no process of it is
alive when ``run_guarded`` returns.

Imports ``policy``, ``sandbox`` and ``pool.host_process`` of ``execute``.
"""
