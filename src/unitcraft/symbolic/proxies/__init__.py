"""Values that know the term they came from, and the trace of the events they met.

Entrances: ``trace`` (record an event, concretize a value, apply an operation),
``int_float.sym_int``, ``int_float.sym_float``, ``strings.sym_str`` and ``strings.sym_bytes`` (the
proxy of an input).  ``ranges`` and ``regex_match`` follow ranges and matches.

Invariant: a proxy behaves as the plain value would, errors included; every truth value that depends
on an input is an event of the trace.

May import ``symbolic.terms`` and ``instrument.interception``.
"""
