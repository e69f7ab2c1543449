"""Reads the source text of a module: literals, regexes, names used, and docstrings.

Entrances: ``constants.constants_in``, ``constants.collect_references`` and
``regexes.regexes_in`` for the values that the code mentions;
``docstring_types.stated_types`` for types that docstrings state; ``args_from_source`` converts
expressions; ``callers`` is what others pass.

Invariant: source is read as syntax trees and never evaluated; text that does not parse is left
out and raises nothing.

May import: ``core`` and the modules at the top of ``subject``.
"""
