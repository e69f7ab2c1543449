"""The agent that looks at objects made by calls: for a scope, and for heaps that calls reach.

Any host that has imported the Subject serves ``module:read`` of this module.  An item is (module,
class, paths of marshalled Calls whose receivers are observed); the answer is ((class, ((field,
kinds), ...)), ...) and the names of the invariants.  As an ``entry`` it serves the states of an
exploration too: ``reach`` as ``replay_agent`` does, and ``state`` for their forms.

Invariant: an answer depends on the Subject and the item alone.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

from unitcraft.explore.agents.replay_agent import reach
from unitcraft.explore.agents.replay_calls import replay
from unitcraft.heaps.guest.field_kinds import FieldKinds
from unitcraft.heaps.guest.heap_form import form_of_object
from unitcraft.heaps.guest.invariant_source import (
    answers_values,
    find_class,
    find_invariant,
    invariants_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from unitcraft.core.encoding import Plain


def prepare(options: Plain) -> Plain:
    """Import ``options["module"]``; answers {}."""
    importlib.import_module(options["module"])
    return {}


def read(item: Plain) -> Plain:
    """The kinds of all fields, and the names of invariants; what the item is the module says."""
    module, qualname, paths = item
    kind = find_class(f"{module}:{qualname}")
    kinds = FieldKinds(module)
    kinds.declare(kind)
    for path in paths:
        results: list[Any] = []
        replay(path, results)
        if results and type(results[0]) is kind:
            kinds.observe(results[0])
    classes = [
        (name, tuple([(field, tuple(known)) for field, known in fields.items()]))
        for name, fields in kinds.classes.items()
    ]
    return tuple(classes), tuple(invariants_of(kind))


def state(item: Plain) -> Plain:
    """(form of the receiver, does the invariant hold, what it raised); None without a receiver.

    The item is (module, class, invariant, ((class, fields), ...) in the order of forms, path).
    """
    module, qualname, invariant, classes, path = item
    results: list[Any] = []
    replay(path, results)
    kind = find_class(f"{module}:{qualname}")
    if not results or type(results[0]) is not kind:
        return None
    form = form_of_object(results[0], {name: (n, f) for n, (name, f) in enumerate(classes)})
    predicate = find_invariant(module, kind, invariant)
    try:
        answer = predicate(results[0])
    except Exception as error:  # noqa: BLE001 - how an invariant says no
        return form, False, type(error).__name__
    return form, bool(answer) or (answer is None and not answers_values(predicate)), ""


#: What the agent serves.
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {
    "read": read,
    "reach": reach,
    "state": state,
}
