"""The parent's side: starts hosts, gives batches to their workers, reads the replies.

Entrance: ``worker_pool.Pool``, whose ``map`` yields a Reply for each item, in order.
``batch_runner`` runs one ``map``, ``batches`` cuts the items, ``workers`` and ``host_process``
own the processes, ``worker_death`` reads an exit status, ``fork_server`` starts processes.

Invariant: every item is answered exactly once, and the answer does not depend on the number of
workers or on their speed; no code of the Subject runs in this process.

Imports ``frames``, ``spec``, ``scratch`` and ``steps`` of ``execute``, and ``core``.
"""
