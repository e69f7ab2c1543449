"""The agent of specification inference: what a worker runs beside the code under test.

``table_agent`` replays a path and its last Call, compares objects by ``==`` and evaluates the
expressions of laws.

Entrance: ``table_agent``, named as a host's ``entry``.

Invariant: answers are plain data that depends on the item alone; objects stay in the worker.

May import core, ``explore.agents``, the guest side of execute and ``state.heap``.
"""
