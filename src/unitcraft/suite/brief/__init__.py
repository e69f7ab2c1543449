"""What a test can do without: calls before the one that it is about, Checks that others imply.

``needless_steps`` takes calls out of the selected executions, ``told_once`` Checks out of a test.

Entrances: ``needless_steps.without_needless_steps`` and ``told_once.told_once``.

Invariant: the selection reaches afterwards every Goal that it was kept for.
May import: ``explore`` and lower packages, and ``suite.tests``; no other room of ``suite``.
"""
