"""Type expressions: what a parameter accepts, as far as annotations or observation show.

Invariant: a TypeExpr is plain structure; it names classes and never refers to a class object.
"""

from __future__ import annotations

from dataclasses import dataclass

from unitcraft.core.sequences import Arg


@dataclass(frozen=True, slots=True)
class TypeExpr:
    """A named type with type arguments.

    ``name`` is one of ``any none bool int float complex str bytes list set frozenset dict
    tuple`` (fixed length) ``vartuple`` (one argument) ``iterable iterator sequence mapping
    callable`` (arguments: parameters, then the result, which may be ``awaitable``) ``union literal
    type``, or
    ``class`` with the class as ``module:qualname`` in ``cls``.  ``literals`` holds the
    values of a Literal.
    """

    name: str
    args: tuple[TypeExpr, ...] = ()
    cls: str = ""
    literals: tuple[Arg, ...] = ()


ANY = TypeExpr("any")
