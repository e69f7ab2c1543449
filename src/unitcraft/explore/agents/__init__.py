"""Agents: the code that a worker runs on our behalf, in the process of the code under test.

``search_agent`` runs Sequences on code with branch probes and observes objects; ``concolic_agent``
runs Calls on proxies and answers the events that they met; ``call_tracing_agent`` answers the
calls between functions too; ``replay_agent`` replays paths on the original code.  A planner
names one of these modules in a HostSpec; its ``prepare`` loads the Subject and its ``SERVICES``
answer items.  ``replay_calls`` is the loop that all of them run Calls in, and ``concolic_answer``
what those on proxies answer.

Entrance: the module named as a host's ``entry``; its ``prepare`` is called once, its ``SERVICES``
for each item.

Invariant: answers are plain data that depends on the item alone; objects of the Subject stay in
the worker.  A test asserts that no planner is loaded here.

May import core, subject (description and probes, not values), the guest side of execute,
instrument, symbolic and state; never ``explore.search``, ``explore.concolic``,
``explore.statespace``, ``explore.explain``, ``subject.values``, ``execute.pool`` or ``solve``.
"""
