"""Records the heaps that a running suite gives to the functions of the subjects.

Invariant: a heap is read as it is when the test makes a call, without running code of the Subject;
each is reported once.
"""

from __future__ import annotations

import marshal
import threading
from collections.abc import Generator, Iterable, Mapping
from types import FunctionType
from typing import Any, Final

from unitcraft.heaps.guest.heap_form import form_of_object
from unitcraft.state.heap.object_layout import class_id
from unitcraft.suite.recording.guest.trampoline import Hooks, divert, is_diverted
from unitcraft.suite.recording.recorded_functions import RecordedFunction, Subjects, functions_of

#: Objects of one heap that is read: scopes of people have ten.
MAX_OBJECTS: Final = 200
#: Different heaps of one suite that are reported.
MAX_HEAPS: Final = 20_000

#: The number of a class of heaps, and its fields, by class id.
Layout = Mapping[str, tuple[int, tuple[str, ...]]]


class _Local(threading.local):
    busy = False


class HeapRecorder:
    """Abstract state: the diverted functions, and the heaps seen so far.

    ``layouts`` has for each class of receivers the classes of its heaps.
    """

    def __init__(self, subjects: Subjects, layouts: Mapping[str, Layout]) -> None:
        self._subjects = subjects
        self._layouts = layouts
        self._local = _Local()
        self._seen: dict[bytes, None] = {}
        self._new: list[Any] = []
        self._modules: set[str] = set()
        self.active = False
        self._hooks = Hooks(
            self._local, self.enter, self.leave, self.raised, self.drive, self.await_
        )

    def exclude(self, modules: Iterable[str], _files: Iterable[str]) -> None:
        """These modules hold tests: calls of their functions do not count."""
        self._subjects.exclude(modules)

    def divert_loaded(self) -> None:
        """Divert the functions of every loaded subject module that is not yet diverted."""
        for module in self._subjects.loaded():
            if module.__name__ in self._modules:
                continue
            self._modules.add(module.__name__)
            for function, site in functions_of(module):
                if not is_diverted(function):
                    self._divert(function, site)

    def _divert(self, function: FunctionType, site: RecordedFunction) -> None:
        try:
            divert(function, site, self._hooks)
        except (ValueError, SyntaxError, StopIteration):
            return  # its calls are not seen, those of others are

    def begin(self) -> None:
        """A test starts."""
        self.active = True

    def end(self) -> dict[str, Any]:
        """The test is over: (class, form) of the heaps that no test before it gave."""
        self.active = False
        new, self._new = self._new, []
        return {"heaps": new}

    def enter(self, site: RecordedFunction, values: tuple[Any, ...]) -> bool:
        """A call begins: keep the heaps of its receiver and arguments."""
        self._local.busy = True
        if self.active:
            for value in values[1:] if site.creates else values:
                self._look(value)
        return True

    def leave(self, _token: bool, _result: Any) -> None:  # noqa: FBT001 - of the stand-ins
        """The call returned."""
        self._local.busy = False

    def raised(self, _token: bool, _error: BaseException) -> None:  # noqa: FBT001
        """The call raised."""
        self._local.busy = False

    def drive(
        self, site: RecordedFunction, inner: Any, values: tuple[Any, ...]
    ) -> Generator[Any, Any, Any]:
        """Run a generator: its call is what counts."""
        self.enter(site, values)
        self._local.busy = False
        return (yield from inner)

    async def await_(self, site: RecordedFunction, inner: Any, values: tuple[Any, ...]) -> Any:
        """Run a coroutine: its call is what counts."""
        self.enter(site, values)
        self._local.busy = False
        return await inner

    def _look(self, value: Any) -> None:
        name = class_id(type(value))
        layout = self._layouts.get(name)
        if layout is None or len(self._seen) >= MAX_HEAPS:
            return
        form = form_of_object(value, layout, MAX_OBJECTS)
        if form is None:
            return
        key = marshal.dumps((name, form), 2)
        if key not in self._seen:
            self._seen[key] = None
            self._new.append((name, form))
