"""The agent that sees which Call of a Sequence passed a value to which: by fields and elements.

Invariant: an answer holds numbers, names and atoms only; objects of the Subject are held for one
run, so that an identity means one object.

Source: JTESTCRAFT, section 4.4.1.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from unitcraft.explore.agents.run_calls import run_calls
from unitcraft.instrument import field_probes
from unitcraft.instrument.import_hook import Hook
from unitcraft.instrument.reaching_definitions import FollowedFields
from unitcraft.instrument.step_probes import StepProbes

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from unitcraft.core.encoding import Plain

#: Containers whose elements are followed.
_CONTAINERS: Final = (list, dict, set, deque, bytearray)
#: Elements of a container that are compared: bounds the time of one Call.
MAX_ELEMENTS: Final = 1000


class InfluenceAnswer(NamedTuple):
    """One run: ``pairs`` are (Call that defined, Call that used), each once.

    ``live`` are (Call, field) of the definitions that are not overwritten, elements of the
    container in a field among them.  ``ended`` is the index of the Call that raised, or -1.
    """

    pairs: tuple[tuple[int, int], ...]
    live: tuple[tuple[int, str], ...]
    ended: int


class Trace:
    """The definitions of the run under way; ``call`` is the index of its current Call."""

    def __init__(self) -> None:
        self.call = 0
        self.pairs: dict[tuple[int, int], None] = {}
        self.fields: dict[tuple[int, str], tuple[Any, int]] = {}
        #: identity -> [container, field, its elements, the Calls that stored some]
        self.containers: dict[int, list[Any]] = {}

    def use(self, value: Any, name: str) -> None:
        """A field is read: with it the elements of a container that it holds."""
        known = self.fields.get((id(value), name))
        if known is not None and known[1] != self.call:
            self.pairs[known[1], self.call] = None
        held = getattr(value, "__dict__", {}).get(name)
        if isinstance(held, _CONTAINERS):
            entry = self.containers.setdefault(id(held), [held, name, _elements(held), []])
            for stored in entry[3]:
                if stored != self.call:
                    self.pairs[stored, self.call] = None

    def define(self, value: Any, name: str) -> None:
        """A field is stored."""
        self.fields[id(value), name] = (value, self.call)

    def end_call(self) -> None:
        """Note which containers the Call changed."""
        for entry in self.containers.values():
            elements = _elements(entry[0])
            if elements != entry[2]:
                entry[2] = elements
                entry[3].append(self.call)
        self.call += 1

    def answer(self, ended: int) -> InfluenceAnswer:
        """What was seen."""
        live = [(call, name) for (_, name), (_, call) in self.fields.items()]
        live += [(call, entry[1]) for entry in self.containers.values() for call in entry[3]]
        return InfluenceAnswer(tuple(self.pairs), tuple(dict.fromkeys(live)), ended)


def _elements(container: Any) -> tuple[Any, ...]:
    """The identities of the elements, in order."""
    items = container.items() if isinstance(container, dict) else container
    return (len(container), *[
        (id(one[0]), id(one[1])) if isinstance(container, dict) else id(one)
        for one, _ in zip(items, range(MAX_ELEMENTS), strict=False)
    ])  # fmt: skip


#: The trace of this process: one run at a time.
_TRACE: Final = [Trace()]


def _use(_site: int, value: Any, name: str) -> Any:
    _TRACE[0].use(value, name)
    return value


def _define(_site: int, value: Any, name: str) -> Any:
    _TRACE[0].define(value, name)
    return value


def _augment(_site: int, value: Any, name: str, operand: Any) -> Any:
    _TRACE[0].define(value, name)
    return operand


def _use_and_define(_used: int, _defined: int, value: Any, name: str) -> Any:
    _TRACE[0].use(value, name)
    _TRACE[0].define(value, name)
    return value


class TracedFields(FollowedFields):
    """The fields of one module, reported to the trace."""

    probes: ClassVar[dict[str, Any]] = {
        field_probes.USE: _use,
        field_probes.DEFINE: _define,
        field_probes.FORGET: _define,
        field_probes.AUGMENT: _augment,
        field_probes.USE_AND_DEFINE: _use_and_define,
    }


def prepare(options: Plain, import_subject: Callable[[str], ModuleType]) -> Plain:
    """Import ``options["module"]`` with probes around its fields; answers {}."""
    name: str = options["module"]
    hook = Hook(name, TracedFields(name), StepProbes())
    hook.install()
    import_subject(name)
    hook.choice.settle()
    return {}


def influences(calls: Plain) -> Plain:
    """Run ``calls`` up to the first that raises; answers an InfluenceAnswer."""
    _TRACE[0] = trace = Trace()
    results: list[Any] = []
    for count in range(1, len(calls) + 1):
        failure = run_calls(calls[:count], results)
        trace.end_call()
        if failure is not None:
            return tuple(trace.answer(failure.position))
    return tuple(trace.answer(-1))


#: What the agent serves.
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {"influences": influences}
