"""What a test can do without: calls before the one that it is about.

``needless_steps`` takes them out of the selected executions.

Entrance: ``needless_steps.without_needless_steps``.

Invariant: the selection reaches afterwards every Goal that it was kept for.
May import: ``explore`` and lower packages; nothing of ``suite``.
"""
