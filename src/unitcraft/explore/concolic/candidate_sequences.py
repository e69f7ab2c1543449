"""Candidate sequences: straight-line programs that end in one call, by shapes of arguments.

A Variant is one candidate: which earlier calls prepare the receiver, and which shape each
argument has.

Invariant: the Variants of an Invocable are finite and ordered: few earlier calls before many,
plain shapes before rich ones; the constants of a Variant are its symbolic inputs.

Source: JTESTCRAFT, section 4.2; simplified: earlier calls are methods that may write a field
which the target may read, in every order up to a bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import Final

from unitcraft.core.sequences import Arg, Build, Call, Ref
from unitcraft.core.sequences import Sequence as Program
from unitcraft.explore.calls import call_of
from unitcraft.explore.concolic.input_shapes import InputShapes
from unitcraft.explore.concolic.shape_model import InputShape, bind_arguments
from unitcraft.subject.model import ClassInfo, Invocable, Subject

#: Variants of one target: each has a constraint tree of its own.
MAX_VARIANTS: Final = 96
#: Shapes of the arguments of one earlier call: they multiply with the shapes of the target's.
MAX_EARLIER: Final = 2
#: Shapes of the receiver when no call comes before the target; with earlier calls there are two.
MAX_RECEIVERS: Final = 4


@dataclass(frozen=True, slots=True)
class Variant:
    """A program whose last Call is the target; ``when`` says which shapes were chosen.

    ``holes`` names the symbolic inputs in source order, ``after`` the earlier calls on the
    receiver.
    """

    when: tuple[str, ...]
    program: Program
    holes: tuple[str, ...]
    after: tuple[str, ...] = ()


@dataclass(slots=True)
class _Draft:
    """An unfinished program: the choices so far, its Calls, the names of its inputs."""

    when: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    holes: tuple[str, ...] = ()

    def then(self, when: tuple[str, ...], calls: Sequence[Call], holes: tuple[str, ...]) -> _Draft:
        """The draft with more at its end."""
        return _Draft((*self.when, *when), (*self.calls, *calls), (*self.holes, *holes))


def helper_methods(target: Invocable, subject: Subject) -> list[Invocable]:
    """The methods that may prepare a receiver for ``target``, in the order of the class.

    These are public methods that may write a field which the target may read or write; all that
    write anything where none does.
    """
    members = next((info.members for info in subject.classes if info.id == target.owner), ())
    by_id = {one.id: one for one in subject.invocables}
    writers = [
        one
        for one in [by_id[name] for name in members if name in by_id]
        if one.kind == "method" and one.public and not one.name.startswith("__") and one.writes
    ]
    wanted = {*target.reads, *target.writes}
    return [one for one in writers if wanted.intersection(one.writes)] or writers


class Variants:
    """The Variants of the Invocables of one Subject."""

    def __init__(self, subject: Subject, shaping: InputShapes) -> None:
        self._subject = subject
        self._shaping = shaping
        self._classes = {info.id: info for info in subject.classes}

    def of(self, target: Invocable, calls: int) -> Iterator[Variant]:
        """The Variants of ``target`` with up to ``calls`` earlier calls on its receiver."""
        if target.kind not in ("method", "property"):
            yield from self._end(_Draft(), target, ())
            return
        info = self._classes[target.owner]
        helpers = helper_methods(target, self._subject)
        for count in range(calls + 1):
            for start in islice(self._receivers(info), MAX_RECEIVERS if not count else 2):
                for chosen in product(helpers, repeat=count):
                    yield from self._after_calls(start, chosen, target)

    def _after_calls(
        self, start: _Draft, chosen: tuple[Invocable, ...], target: Invocable
    ) -> Iterator[Variant]:
        drafts = [start]
        seen: Counter[str] = Counter()
        for one in chosen:
            seen[one.name] += 1
            label = one.name if seen[one.name] == 1 else f"{one.name}_{seen[one.name]}"
            drafts = [
                made
                for draft in drafts
                for made in islice(self._with_call(draft, one, (Ref(0),), f"{label}."), MAX_EARLIER)
            ]
        for draft in drafts:
            yield from self._end(draft, target, (Ref(0),), tuple(one.name for one in chosen))

    def _end(
        self,
        draft: _Draft,
        target: Invocable,
        receiver: tuple[Arg, ...],
        after: tuple[str, ...] = (),
    ) -> Iterator[Variant]:
        for made in self._with_call(draft, target, receiver, ""):
            yield Variant(made.when, Program(made.calls), made.holes, after)

    def _receivers(self, info: ClassInfo) -> Iterator[_Draft]:
        """The constructor with shapes of its arguments; a subclass's for an abstract class."""
        usable = [info.id] if "abstract" not in info.tags else list(info.concrete)
        for cls in usable:
            if cls not in self._classes:
                continue
            for form in self._shaping.made(
                self._classes[cls], cls.partition(":")[2], _variable_name(cls)
            ):
                yield _Draft(form.when, (_constructor_call(form.arg),), form.holes)

    def _with_call(
        self, draft: _Draft, invocable: Invocable, receiver: tuple[Arg, ...], prefix: str
    ) -> Iterator[_Draft]:
        """``draft`` with a Call of ``invocable`` for each shape of its arguments."""
        scope = invocable.id.partition(":")[2]
        lists = self._shaping.argument_lists(invocable.parameters, scope, prefix)
        names = [prefix + parameter.name for parameter in invocable.parameters]
        for forms in lists:
            yield from self._with_forms(draft, invocable, receiver, forms)
            yield from self._with_aliases(draft, invocable, receiver, forms, names)

    def _with_forms(
        self,
        draft: _Draft,
        invocable: Invocable,
        receiver: tuple[Arg, ...],
        forms: Sequence[InputShape],
    ) -> Iterator[_Draft]:
        args, kwargs = bind_arguments(invocable.parameters, forms)
        drains = invocable.is_generator and not invocable.is_async
        call = call_of(invocable, receiver, list(args), list(kwargs), drains=drains)
        if call is not None:
            when = tuple(text for form in forms for text in form.when)
            yield draft.then(when, (call,), tuple(hole for form in forms for hole in form.holes))

    def _with_aliases(
        self,
        draft: _Draft,
        invocable: Invocable,
        receiver: tuple[Arg, ...],
        forms: Sequence[InputShape],
        names: list[str],
    ) -> Iterator[_Draft]:
        """The same Call with one object for two parameters, or the receiver for a parameter."""
        for later, form in enumerate(forms):
            if receiver and form.cls and form.cls == invocable.owner:
                same = InputShape((f"{names[later]} is self",), Ref(0))
                yield from self._with_forms(
                    draft, invocable, receiver, _replace(forms, later, same)
                )
            for first in range(later):
                if form.cls and forms[first].cls == form.cls and forms[first].arg == form.arg:
                    yield from self._share(draft, invocable, receiver, forms, (first, later), names)

    def _share(
        self,
        draft: _Draft,
        invocable: Invocable,
        receiver: tuple[Arg, ...],
        forms: Sequence[InputShape],
        places: tuple[int, int],
        names: list[str],
    ) -> Iterator[_Draft]:
        first, later = places
        made = forms[first]
        ref = Ref(len(draft.calls))
        started = draft.then((), (_constructor_call(made.arg),), made.holes)
        alone = InputShape(made.when, ref)
        same = InputShape((f"{names[later]} is {names[first]}",), ref)
        given = _replace(_replace(forms, first, alone), later, same)
        yield from self._with_forms(started, invocable, receiver, given)


def _replace(forms: Sequence[InputShape], place: int, form: InputShape) -> tuple[InputShape, ...]:
    return (*forms[:place], form, *forms[place + 1 :])


def _constructor_call(arg: Arg | None) -> Call:
    """The Call that makes the object of ``arg``, which is a Build."""
    if not isinstance(arg, Build):
        message = f"not a fresh object: {arg!r:.60}"
        raise TypeError(message)
    name = f"{arg.callee.module}:{arg.callee.qualname}"
    return Call("function", name, arg.args, arg.kwargs)


def _variable_name(cls: str) -> str:
    """A name for an object of a class, as a variable would have it."""
    name = cls.rpartition(".")[2].rpartition(":")[2]
    return name[:1].lower() + name[1:]
