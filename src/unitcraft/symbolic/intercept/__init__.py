"""The functions that rewritten code calls in place of forms that would not ask a proxy.

Entrance: ``intercepts`` (subscripts, ``in``, ``is``, f-strings, displays, calls).  A call
goes on to ``call_dispatch``, which hands it to a model of a builtin function or class
(``builtin_models``), to ``formatting``, or to the function itself with values that
``deep_concretization`` has cleared of proxies.

Invariant: without a proxy among the operands an intercept does just what its form does; no proxy
enters code that is not rewritten without an event about it.

May import the other parts of ``symbolic`` and ``instrument``.
"""
