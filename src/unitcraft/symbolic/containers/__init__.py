"""Dictionaries and sets whose keys may be symbolic (heap reasoning about keys).

Entrances: ``symbolic_keys`` (look a key up by comparing it with the stored keys),
``container_classes`` (the classes that stand for dict, set and their kin in rewritten code),
``container_methods`` and ``set_methods`` (what their methods do), ``dict_views``.

Invariant: a container holds the very keys that it would hold after the same operations on plain
values; one whose class has plain keys only holds no proxy that is not concretized.

May import ``symbolic.terms`` and ``symbolic.proxies``.
"""
