"""The answer of the agents that run Calls on proxies, for both sides of the socket.

Invariant: an answer holds terms and atoms only; it crosses the socket as plain tuples, and its
fields are read by name on both sides.  Most events were met by earlier runs: each is marshalled by
itself, so that the planner need not build it to know it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from unitcraft.core.encoding import Plain
    from unitcraft.symbolic.terms.term import Term


class SymbolicHeap(NamedTuple):
    """The receiver, or all objects that the Calls returned, after a run.

    ``shape`` is the digest of the heap with marks in its symbolic slots, ``slots`` are the terms
    in them, ``digest`` is that of the same heap with the values of the run.
    """

    shape: bytes
    slots: tuple[Term, ...]
    digest: bytes


class ConcolicAnswer(NamedTuple):
    """One run on proxies.

    ``outcome`` is '' for a return of the Call that ended the run, else the class that it raised;
    ``last`` is the index of that Call.  ``as_known``: had the expected events the expected
    outcomes?  ``events`` are those after the expected ones, each marshalled, all of them if
    ``whole``.  ``marks`` are (site, number of events before it).  ``calls`` are those of rewritten
    functions, where they are traced; ``heap`` is () where nobody asked for it or there is no
    receiver.  ``fields`` are the (name, Term) of the receiver's fields with atoms in them, where
    somebody asked.
    """

    outcome: str
    as_known: bool
    events: tuple[bytes, ...]
    whole: bool
    marks: tuple[tuple[int, int], ...]
    last: int
    calls: tuple[tuple[int, str, tuple[Any, ...]], ...] = ()
    heap: tuple[Any, ...] = ()
    fields: tuple[tuple[str, Term], ...] = ()

    def plain(self) -> Plain:
        """The answer as marshal takes it."""
        return tuple(self)
