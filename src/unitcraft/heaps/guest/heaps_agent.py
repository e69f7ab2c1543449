"""The agent of heap generation: builds the scope once, then searches parts of it.

``prepare`` imports the Subject with counted steps, resolves the classes of the scope and has their
objects choose missing fields.  An item of ``search`` is (tokens, bounds, candidates); the answer is
(candidates run, forms of the valid heaps, the candidate at which each came, searches put off, the
tokens that are left, notes).

Invariant: an answer depends on the item alone; between items no field of any object exists.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from unitcraft.core.encoding import Plain
from unitcraft.execute.isolation.entropy import ENTROPY
from unitcraft.heaps.guest.candidate_search import CandidateSearch
from unitcraft.heaps.guest.field_choices import build_domain
from unitcraft.heaps.guest.field_kinds import content_base
from unitcraft.heaps.guest.heap_form import read_all, write_form
from unitcraft.heaps.guest.invariant_check import InvariantCheck
from unitcraft.heaps.guest.invariant_function import answers_values, find_invariant
from unitcraft.heaps.guest.invariant_source import find_class
from unitcraft.heaps.guest.lazy_heap import LazyHeap, NoValueError
from unitcraft.heaps.guest.monitored_classes import (
    ObjectFields,
    fields_of_object,
    identity,
    watch_class,
)
from unitcraft.instrument.import_hook import Hook
from unitcraft.instrument.step_probes import StepProbes

#: What the agent serves; filled by ``prepare``.
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {}


def prepare(options: Plain, import_subject: Callable[[str], ModuleType]) -> Plain:
    """Import ``options["module"]`` and prepare ``options["scope"]``.

    The scope holds ``classes``: (``module:qualname``, number of objects, ((field, domain), ...)),
    the class of the receiver first; ``length``, the bound of lists; and ``invariant``, the name of
    a method or function.
    """
    hook = Hook(options["module"], StepProbes())
    hook.install()
    import_subject(options["module"])
    hook.choice.settle()
    service = HeapService(options["module"], options["scope"])
    SERVICES["search"] = service.search
    return {}


class HeapService:
    """The objects of one scope, without fields between items."""

    def __init__(self, module: str, scope: Plain) -> None:
        kinds = [find_class(name) for name, _, _ in scope["classes"]]
        counts = [count for _, count, _ in scope["classes"]]
        pools = [
            [_bare(kind) for _ in range(count)] for kind, count in zip(kinds, counts, strict=True)
        ]
        self._heap = LazyHeap((*counts, scope["length"]))
        self._objects: dict[int, ObjectFields] = {}
        self._classes: dict[int, int] = {}
        for number, (_, _, fields) in enumerate(scope["classes"]):
            domains = {name: build_domain(plain, pools) for name, plain in fields}
            for value in pools[number]:
                self._objects[identity(value)] = fields_of_object(value, domains)
                self._classes[identity(value)] = number
        for kind, (_, _, fields) in zip(kinds, scope["classes"], strict=True):
            watch_class(kind, [name for name, _ in fields], self._objects, self._heap.choose)
        self._root = pools[0][0]
        predicate = find_invariant(module, kinds[0], scope["invariant"])
        raising = not answers_values(predicate)
        check = InvariantCheck(predicate, self._heap, self._objects, by_raising=raising)
        self._check = check
        self._search = CandidateSearch(
            self._root, self._heap, check, self._complete, self._describe
        )

    def search(self, item: Plain) -> Plain:
        """Search from tokens on; what the item and the answer are the module says."""
        tokens, bounds, limit = item
        self._heap.bounds = bounds
        self._heap.used[0] = 1
        explored, valid, at, put_off = 0, [], [], []
        restore = self._check.redirect()
        ENTROPY.start()
        try:
            for place, token in enumerate(tokens):
                if explored >= limit:
                    tokens = tokens[place:]
                    break
                found = self._search.run(token, limit - explored)
                valid += found.valid
                at += [explored + one for one in found.at]
                put_off += found.put_off
                explored += found.explored
                if found.rest:
                    tokens = (*found.rest, *tokens[place + 1 :])
                    break
            else:
                tokens = ()
        finally:
            self._heap.clear()
            restore()
        if ENTROPY.drawn():  # asked once: that takes as long as several short runs
            self._check.note("drew random numbers (perhaps more runs did)")
        return (explored, valid, at, put_off, tokens, self._check.take_notes())

    def _complete(self) -> bool:
        """Choose what the invariant did not read of the objects that are reachable."""
        try:
            read_all(self._root, self._objects)
        except NoValueError:
            return False
        return True

    def _describe(self) -> Plain:
        return write_form(self._root, self._objects, self._classes)


def _bare(kind: type) -> Any:
    """An object without fields, its constructor not run."""
    made: Any = content_base(kind) or object
    return made.__new__(kind)
