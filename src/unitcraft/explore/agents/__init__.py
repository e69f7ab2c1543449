"""Agents: the code that a worker runs on our behalf, in the process of the code under test.

``description_agent`` describes the Subject; ``search_agent`` runs Sequences on code with branch
probes and observes objects; ``concolic_agent`` runs Calls on proxies and answers the events that
they met, and the calls between functions for those who ask; ``replay_agent`` replays paths on the
original code.  A planner names one of these modules in a HostSpec; its ``prepare``
loads the Subject and its ``SERVICES`` answer items.  ``run_calls`` runs
the Calls of a Sequence, ``replay_calls`` those of a marshalled path; ``answers`` and
``concolic_answer`` name the fields of answers for planners too.

Entrance: the module named as a host's ``entry``; its ``prepare`` is called once, its ``SERVICES``
for each item.  ``description_agent`` has services only: a worker of any host loads it when asked.

Invariant: answers are plain data that depends on the item alone; objects of the Subject stay in
the worker.  A test asserts that no planner is loaded here.

May import core, subject (probes; description for its agent alone), the guest side of execute,
instrument, symbolic and state; never ``explore.search``, ``explore.concolic``,
``explore.statespace``, ``explore.explain``, ``subject.values``, ``execute.pool`` or ``solve``.
"""
