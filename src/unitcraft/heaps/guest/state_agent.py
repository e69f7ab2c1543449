"""The agent that looks at objects that calls make: for a scope, and for heaps that calls reach.

``observe`` answers the kinds of values that the receivers of some paths hold, ``reach`` the digest
of a state as ``replay_agent`` does, ``state`` the form of a state and whether it is valid,
``verdict`` what the invariant says after the calls of a test.

Invariant: an answer depends on the Subject and the item alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from unitcraft.execute.steps import COUNTER
from unitcraft.explore.agents.replay_agent import reach
from unitcraft.explore.agents.replay_calls import replay
from unitcraft.heaps.field_kind import encode_kinds
from unitcraft.heaps.guest.field_kinds import FieldKinds
from unitcraft.heaps.guest.heap_form import form_of_object
from unitcraft.heaps.guest.invariant_function import answers_values, find_invariant
from unitcraft.heaps.guest.invariant_source import find_class
from unitcraft.instrument.import_hook import Hook
from unitcraft.instrument.step_probes import StepProbes

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from unitcraft.core.encoding import Plain


def prepare(options: Plain, import_subject: Callable[[str], ModuleType]) -> Plain:
    """Import ``options["module"]`` with counted steps; answers {}."""
    hook = Hook(options["module"], StepProbes())
    hook.install()
    import_subject(options["module"])
    hook.choice.settle()
    return {}


def observe(item: Plain) -> Plain:
    """The kinds of what receivers hold; the item is (module, class, path of marshalled Calls)."""
    module, qualname, path = item
    kind = find_class(f"{module}:{qualname}")
    kinds = FieldKinds(module)
    results: list[Any] = []
    replay(path, results)
    if results and type(results[0]) is kind:
        kinds.observe(results[0], is_new=len(path) == 1)
    return encode_kinds(kinds.classes)


def state(item: Plain) -> Plain:
    """(form of the receiver, does the invariant hold, what it raised, steps); None without one.

    The item is (module, class, invariant, ((class, fields), ...) in the order of forms, path);
    an invariant '' is not asked.  Steps are those of the calls and of the invariant.
    """
    module, qualname, invariant, classes, path = item
    results: list[Any] = []
    replay(path, results)
    kind = find_class(f"{module}:{qualname}")
    if not results or type(results[0]) is not kind:
        return None
    form = form_of_object(results[0], {name: (n, f) for n, (name, f) in enumerate(classes)})
    if not invariant:
        return form, True, "", COUNTER.taken()
    predicate = find_invariant(module, kind, invariant)
    try:
        answer = predicate(results[0])
    except Exception as error:  # noqa: BLE001 - how an invariant says no
        return form, False, type(error).__name__, COUNTER.taken()
    holds = bool(answer) or (answer is None and not answers_values(predicate))
    return form, holds, "", COUNTER.taken()


def verdict(item: Plain) -> Plain:
    """``true``, ``silent`` (it answers None and would raise), ``broken``, or '' without a receiver.

    The item is (module, class, invariant, path); the last Call of the path may raise.
    """
    module, qualname, invariant, path = item
    results: list[Any] = []
    replay(path, results)
    kind = find_class(f"{module}:{qualname}")
    if not results or type(results[0]) is not kind:
        return ""
    predicate = find_invariant(module, kind, invariant)
    try:
        answer = predicate(results[0])
    except Exception:  # noqa: BLE001 - how an invariant says no
        return "broken"
    if answer is None and not answers_values(predicate):
        return "silent"
    return "true" if answer is True else "" if answer else "broken"


#: What the agent serves.
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {
    "observe": observe,
    "reach": reach,
    "state": state,
    "verdict": verdict,
}
