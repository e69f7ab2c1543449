"""Builds a heap that no calls are known to reach: makes its objects and stores their fields.

Objects are made by their constructors where these ask for no more than the values of fields, else
by ``object.__new__``; what a constructor stores by itself is not stored again.

Invariant: a build that is answered was run, gave exactly the heap that was asked for, and the
invariant held on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from unitcraft.core.encoding import pack_call
from unitcraft.core.sequences import Arg, Build, Call, Const, Display, Ref, Symbol, refs_in
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.heaps.field_kind import MEMBER, ROWS, SET, SETS, TABLES, is_object

if TYPE_CHECKING:
    from unitcraft.core.encoding import Plain
    from unitcraft.heaps.heap_generation import GenerationTask
    from unitcraft.heaps.heap_scope import HeapModel
    from unitcraft.subject.model import Invocable, Subject

#: Makes an object without its constructor.
NEW: Final = "builtins:object.__new__"
#: Containers of ``collections``.
_COLLECTIONS: Final = ("deque", "OrderedDict")
#: The agent that looks at what a build made.
AGENT: Final = "unitcraft.heaps.guest.state_agent"


def build_heaps(
    task: GenerationTask, subject: Subject, forms: Sequence[Plain]
) -> list[tuple[Call, ...] | None]:
    """The calls that build each of ``forms``, the receiver first; None where that fails."""
    module = task.target.partition(":")[0]
    spec = replace(task.spec, entry=AGENT, options={"module": module})
    if not forms:
        return []
    with Pool(spec, 1) as pool:
        builder = HeapBuilder(task, subject, pool)
        return [builder.build(form) for form in forms]


class HeapBuilder:
    """Builds heaps of one class; ``pool`` serves ``state_agent``."""

    def __init__(self, task: GenerationTask, subject: Subject, pool: Pool) -> None:
        self._model = task.model
        self._pool = pool
        module, _, qualname = task.target.partition(":")
        self._about = (module, qualname, task.model.invariant, task.model.layout())
        made = {one.owner: one for one in subject.invocables if one.kind == "constructor"}
        self._makers = [made.get(one.name) for one in task.model.classes]

    def build(self, form: Plain) -> tuple[Call, ...] | None:
        """The calls that build ``form``, as few as its constructors allow."""
        for makers in (self._makers, [None] * len(self._makers)):
            made, stores = _Writing(self._model, form, makers).calls()
            if not self._gives((*made, *stores), form):
                continue
            for idle in dict.fromkeys([_kind_of(store) for store in stores]):
                fewer = [store for store in stores if _kind_of(store) != idle]
                if not idle[1].startswith("Ref") and self._gives((*made, *fewer), form):
                    stores = fewer
            return (*made, *stores)
        return None

    def _gives(self, calls: tuple[Call, ...], form: Plain) -> bool:
        path = tuple([pack_call(call) for call in calls])
        (reply,) = self._pool.map("state", [(*self._about, path)])
        return reply.value is not None and tuple(reply.value[:2]) == (form, True)


def _kind_of(store: Call) -> tuple[str, str]:
    """The field and the value: stores of one kind are left out together."""
    return store.name, repr(store.args[1])


class _Writing:
    """The calls for one heap; an object is the result of the call with its place in the form."""

    def __init__(self, model: HeapModel, form: Plain, makers: Sequence[Invocable | None]) -> None:
        self._classes = model.classes
        self._form = form
        self._makers = makers
        counts = [0] * len(model.classes)
        self._places: dict[Plain, int] = {}
        for place, (number, _) in enumerate(form):
            self._places[number, counts[number]] = place
            counts[number] += 1

    def calls(self) -> tuple[list[Call], list[Call]]:
        """The creations, then the stores: references first, as a reader follows them."""
        made: list[Call] = []
        stores: list[Call] = []
        for place, (number, cells) in enumerate(self._form):
            fields = self._classes[number].fields
            values = {info.name: self._arg_of(cell, info.kinds)
                      for info, cell in zip(fields, cells, strict=True)}  # fmt: skip
            call, given = self._creation(number, place, values)
            made.append(call)
            found = [
                Call("set", name, (Ref(place), value))
                for name, value in values.items()
                if name not in given
            ]
            stores += sorted(found, key=lambda call: not isinstance(call.args[1], Ref))
        return made, stores

    def _arg_of(self, cell: Plain, kinds: Sequence[Plain]) -> Arg:
        """What a cell stands for, where values are of ``kinds``."""
        if is_object(cell):
            return Ref(self._places[cell])
        if type(cell) is list:
            return self._row(cell, kinds)
        if type(cell) is dict and SET in cell:
            items = tuple([_key_arg(item) for item in cell if item != SET])
            tag = _tag(kinds, SETS)
            return Display("frozenset" if tag == "frozenset" else "set", items)
        if type(cell) is dict:
            tag = _tag(kinds, TABLES)
            values = next((kind[2] for kind in kinds if kind[0] == tag), ())
            pairs = [(_key_arg(key), self._arg_of(value, values)) for key, value in cell.items()]
            return _made(tag, Display("dict", tuple([one for pair in pairs for one in pair])))
        return _key_arg(cell)

    def _row(self, cell: Plain, kinds: Sequence[Plain]) -> Arg:
        tag = _tag(kinds, ROWS)
        parts = next((kind[1:] for kind in kinds if kind[0] == tag), ((),))
        items = [self._arg_of(item, parts[min(place, len(parts) - 1)])
                 for place, item in enumerate(cell)]  # fmt: skip
        is_tuple = tag in ("tuple", "row")
        return _made(tag, Display("tuple" if is_tuple else "list", tuple(items)))

    def _creation(
        self, number: int, place: int, values: dict[str, Arg]
    ) -> tuple[Call, frozenset[str]]:
        """The Call that makes an object, and the fields that it was given.

        What is made later is stored later: its parameter gets None.
        """
        name, maker = self._classes[number].name, self._makers[number]
        fields = {one.lstrip("_"): one for one in values}
        needed = [one.name for one in maker.parameters if one.required] if maker else []
        if maker is None or not all(one in fields for one in needed):
            module, _, qualname = name.partition(":")
            return Call("function", NEW, (Symbol(module, qualname),)), frozenset()
        args: list[Arg] = []
        given = []
        for one in needed:
            value = values[fields[one]]
            is_made = all(ref < place for ref in refs_in(value))
            args.append(value if is_made else Const(None))
            given += [fields[one]] if is_made else []
        return Call("function", name, tuple(args)), frozenset(given)


def _tag(kinds: Sequence[Plain], tags: Sequence[str]) -> str:
    """The kind of container that ``kinds`` have of ``tags``; the first of these if none."""
    return next((kind[0] for kind in kinds if kind[0] in tags), tags[0])


def _made(tag: str, content: Arg) -> Arg:
    """The container of a kind that has no display of its own."""
    if tag == "defaultdict":
        return Build(Symbol("collections", tag), (Const(None), content))
    return Build(Symbol("collections", tag), (content,)) if tag in _COLLECTIONS else content


def _key_arg(key: Plain) -> Arg:
    if type(key) is not tuple:
        return Const(key)
    if key[:1] == (MEMBER,):
        module, _, qualname = key[1].partition(":")
        return Symbol(module, f"{qualname}.{key[2]}")
    return Display("tuple", tuple(map(_key_arg, key)))
