"""The part of ``explain`` that reads the paths of a function.

``implied_constraints`` drops the constraints of a path condition that the others imply,
``uncovered_branches`` says why no path took a branch, and ``call_references`` writes the paths of
a recursive function in terms of each other.

Entrances: ``uncovered_branches`` and ``implied_constraints``, one function each, and the class of
``call_references``; all three read a forest that ``explore.concolic`` has grown.

Invariant: "infeasible" and "implied" are said only where a solver proved it.

May import ``explore.concolic``, instrument, solve and symbolic; runs nothing.
"""
