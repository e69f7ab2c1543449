"""Difference logic: constraints of the form x - y <= c over unbounded integers.

``linear`` recognises the constraints of this form, ``difference_logic`` is the layer that decides
them starting from the values of the parent path, and ``difference_bounds`` is the closed
difference bound matrix, which the symbolic states of ``state.symbolic`` also use.

Entrance: ``difference_logic.DifferenceLogic``, ``linear.difference_of`` and
``difference_bounds.DifferenceBounds``.

Invariant: everything here is exact: a constraint of another form is refused, never approximated.

May import: ``solve.{protocol,layer,statistics}`` and ``symbolic.terms``.
"""
