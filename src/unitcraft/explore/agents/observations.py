"""What one object shows: observers are tried on it, and those are kept that tell most.

Invariant: an observer is proven harmless on the object at hand (its canonical state is the same
before and after), and its value has a term; observers are tried in one fixed order: contents, then
attributes, then methods, then text, then what the object holds.
"""

from __future__ import annotations

import dis
import itertools
import logging
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Final

from unitcraft.core.encoding import Plain, encode, encode_call
from unitcraft.core.outcomes import Opaque, ResultValue
from unitcraft.core.sequences import EACH, MAX_KEYS_TOLD, Atom, Build, Call, Const, Display, Ref
from unitcraft.execute import steps
from unitcraft.execute.guest.arg_of_value import to_arg
from unitcraft.execute.guest.continuations import MAX_ITEMS_DRAINED
from unitcraft.execute.guest.interpret import Results, type_name
from unitcraft.execute.guest.issued_messages import WARNED
from unitcraft.explore.agents.answers import SURROUNDINGS, ObservedObject
from unitcraft.explore.agents.known_results import as_plain, known_term
from unitcraft.explore.agents.observer_calls import (
    BUFFERS,
    deeper_observers,
    is_private,
    observer_call,
    observers,
    replaced_name,
)
from unitcraft.explore.agents.run_calls import INTERPRETER, run_calls, told_by_command
from unitcraft.state.heap.canonical import Token, tokens
from unitcraft.state.heap.object_layout import (
    UNREADABLE,
    Hidden,
    dictionary_of,
    plain_attribute,
)

#: Observers of one object whose values are kept; each may become an assertion of a test.
MAX_OBSERVERS: Final = 9
#: Items of a tuple that are looked at one by one: with more it is a list.
MAX_PLACES: Final = 4
#: Attributes of one object that are looked at, so that those are kept that show what was given.
MAX_LOOKED_AT: Final = 24
#: Observers of what it holds, whose values are kept.
MAX_DEEPER: Final = 9
#: Observers of what it holds that are tried.
MAX_LOOKED_AT_DEEPER: Final = 60
#: Objects inside each other that are looked at.
MAX_LEVELS: Final = 3
#: Observers of one object that changed it or did not end, after which no more are tried: each
#: costs a new run of the whole Sequence.
MAX_SPOILED: Final = 6
#: The instruction of a ``raise`` statement.
RAISE: Final = dis.opmap["RAISE_VARARGS"]
#: How the interpreter names a lambda whose arguments do not fit, after the test that it stands in.
_CALLED_LAMBDA: Final = "<lambda>()"
#: Operators that show all that a container holds.
_WHOLE: Final = ("items", "list", "itself")
#: Containers of which the keys, or the number of items, are asserted where items have no term.
_CONTAINERS: Final = frozenset((list, tuple, dict, set, frozenset))


def state_of(value: Any) -> list[Token]:
    """The canonical form of an object, for comparing it with itself a moment later.

    A logger belongs to the process, which is why its form is its name alone.
    """
    told = tuple(told_by_command(value).values()) or (value,)
    if issubclass(type(value), logging.Logger):  # a stand-in says it is one, and has no handlers
        handled = [type(handler) for handler in value.handlers]
        told = (value.level, handled, value.propagate, value.disabled)
    return [
        "unique" if type(token) is tuple and token[:1] == ("unique",) else token
        for token in tokens(told)
    ]


class _Impure(Exception):  # noqa: N818 - a signal, not an error
    """The observer changed the state of what it observed."""


def _observe(
    call: Plain, results: Results, before: list[Token] | None
) -> tuple[Any, ResultValue | None]:
    """What ``call`` observes, and its term: None when it has no term or raises.

    ``before`` is the state of the observed object so far; None when it is compared later.  Raises
    _Impure when the state is another one afterwards.
    """
    value = results[call[2][0][1]]
    try:
        seen = look(call, results)
    except steps.StepsExhausted:  # it never ends, or waits for ever
        steps.start(steps.COUNTER.limit)
        raise _Impure from None
    if before is not None and state_of(value) != before:
        raise _Impure
    return seen


def reads_plainly(path: str, value: Any) -> bool:
    """Does a ``get`` of ``path`` on ``value`` run no code, but for what makes a term of it?"""
    head, each, rest = path.partition(EACH)
    if each:
        held = _read_plainly(head, value)
        items = held if type(held) in (list, tuple) else [UNREADABLE]
        return all(_read_plainly(rest, item) is not UNREADABLE for item in items)
    return _read_plainly(path, value) is not UNREADABLE


def _read_plainly(path: str, value: Any) -> Any:
    for name in filter(None, path.split(".")):
        value = plain_attribute(value, name)
        if value is UNREADABLE:
            break
    return value


def look(call: Plain, results: Results) -> tuple[Any, ResultValue | None]:
    """What ``call`` observes, and its term: None when it has no term, raises or warns."""
    known = len(WARNED)
    try:
        seen = INTERPRETER.step(call)(results)
        shown = as_plain(seen) if call[0] == "method" else seen
        term = None if shown is None and call[0] == "method" else to_arg(shown)
    except steps.BOUNDS:
        raise
    except BaseException:  # noqa: BLE001 - an observer that raises tells nothing
        return None, None
    if isinstance(term, Opaque | Build | Display):
        term = known_term(seen, results, observed(call)) or term
    is_told = not (
        len(WARNED) > known
        or isinstance(term, Opaque)
        or _too_long(call, term)
        or says_where_written(term)
    )
    if is_told and isinstance(term, Const) and type(term.value) is str:
        is_told = not any(words in term.value for words in _foreign_words(call, results))
    return seen, term if is_told else None


def _foreign_words(call: Plain, results: Results) -> Iterator[str]:
    """The words of the interpreter in errors that the observed object is, or holds.

    Its wording may change; a key that was missing is none of it.
    """
    index = observed(call)
    value = results[index] if index != SURROUNDINGS else None
    for error in (value, *_fields_of(value)):
        if isinstance(error, BaseException) and type(error).__module__ == "builtins":
            words = error.args[0] if error.args else None
            is_key = isinstance(error, KeyError)
            if type(words) is str and words and not is_key and not _is_stated(error):
                yield words


def _fields_of(value: Any) -> Iterable[Any]:
    try:
        getter = dictionary_of(type(value))
    except Hidden:
        return ()
    return () if getter is None else getter(value).values()


def _is_stated(error: BaseException) -> bool:
    """Did a ``raise`` statement raise it last, or nothing at all?"""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is None or trace.tb_frame.f_code.co_code[trace.tb_lasti] == RAISE


def says_where_written(term: ResultValue | None) -> bool:
    """Is there a text in ``term`` by which the interpreter says in what test a lambda stands?"""
    if isinstance(term, Display):
        return any(map(says_where_written, term.items))
    text = term.value if isinstance(term, Const) else None
    return isinstance(text, str) and _CALLED_LAMBDA in text


def observed(call: Plain) -> int:
    """The number of the result that an observer asks; SURROUNDINGS for one of these."""
    return call[2][0][1] if call[2] and call[2][0][0] == "r" else SURROUNDINGS


def _too_long(call: Plain, term: ResultValue | None) -> bool:
    most = MAX_KEYS_TOLD if call[1].endswith(EACH) else MAX_ITEMS_DRAINED
    return isinstance(term, Display) and len(term.items) > most


def _given_atoms(calls: Plain) -> frozenset[Atom]:
    """The texts and numbers that ``calls`` are given, but those that many values are."""
    args = [arg for call in calls for arg in (*call[2], *(value for _, value in call[3]))]
    found = {arg[1] for arg in args if arg[0] == "c" and type(arg[1]) in (str, int, float)}
    return frozenset(found - {0, 1, ""})


def _shows(term: Plain, given: frozenset[Atom]) -> bool:
    """Is one of the values ``given`` in the encoded ``term``?"""
    if term[0] == "c":
        return type(term[1]) in (str, int, float) and term[1] in given
    return term[0] == "d" and any(_shows(item, given) for item in term[2])


class _Observing:
    """The observations of one result, as they are made (mutable).

    The Sequence is run again after an observer that changed something.
    """

    def __init__(
        self, index: int, results: Results, calls: Plain, commands: frozenset[str] | None
    ) -> None:
        #: Those of the result itself, then those of what it holds.
        self.found: list[Plain] = []
        self._index = index
        self._results = results
        self._calls = calls
        self._commands = commands
        self._given = _given_atoms(calls)
        self._state = state_of(results[index])
        self._spoiled = 0

    def look(self) -> None:
        """Find what the object itself shows, and what the objects that it holds show."""
        value = self._results[self._index]
        name = replaced_name(self._calls, self._index)
        tried = [observer_call("get", one, self._index) for one in told_by_command(value)]
        tried = tried or list(observers(value, self._index, name, self._commands))
        found, held = self._try_out(tried)
        self.found += self._telling(found, MAX_OBSERVERS)
        if not any(call[0] == "operator" and call[1] in _WHOLE for call, _ in found):
            held.insert(0, list(deeper_observers(value, "", self._index)))
            held += [list(row) for row in _parts_observers(value, self._index)]
        deeper: list[Plain] = []
        left = MAX_LOOKED_AT_DEEPER
        for _ in range(MAX_LEVELS):
            # one of each object in turn: a large one must not hide what the others tell
            level = [call for row in itertools.zip_longest(*held) for call in row if call][:left]
            left -= len(level)
            found, held = self._try_out(level)
            deeper += found
        self.found += self._telling(deeper, MAX_DEEPER)

    def _telling(self, found: list[Plain], most: int) -> list[Plain]:
        """At most ``most`` of the observations: those that show what was given, then the first."""
        ranked = sorted(found, key=lambda pair: not _shows(pair[1], self._given))[:most]
        return [pair for pair in found if pair in ranked]

    def _try_out(self, observers: list[Plain]) -> tuple[list[Plain], list[list[Plain]]]:
        """What the ``observers`` show, and the observers of each object without a term.

        Attributes that are read without running code are proven harmless together: proving takes
        ten times as long as reading.
        """
        try:
            return self._try_each(observers, trusts=True)
        except _Impure:
            self._make_again()
            return self._try_each(observers, trusts=False)

    def _try_each(
        self, observers: list[Plain], *, trusts: bool
    ) -> tuple[list[Plain], list[list[Plain]]]:
        """The same one by one; with ``trusts`` it raises _Impure when reading changed the state."""
        found: list[Plain] = []
        held: list[list[Plain]] = []
        is_pending = False
        for at, call in enumerate(observers):
            is_cheap = call[0] == "get" and at < MAX_LOOKED_AT
            if self._spoiled > MAX_SPOILED or (len(found) >= MAX_OBSERVERS and not is_cheap):
                break
            is_plain = trusts and self._reads_plainly(call)
            if is_pending and not is_plain:
                self._check()
            is_pending = is_plain
            try:
                state = None if is_plain else self._state
                seen, term = _observe(call, self._results, state)
            except _Impure:
                self._spoiled += 1
                self._make_again()
                continue
            if term is not None:
                found.append((call, encode(term)))
            elif call[0] == "get":
                held.append(list(deeper_observers(seen, call[1], self._index)))
        if is_pending:
            self._check()
        return found, held

    def _reads_plainly(self, call: Plain) -> bool:
        return call[0] == "get" and reads_plainly(call[1], self._results[self._index])

    def _check(self) -> None:
        """Raises _Impure when the state is another one than it was."""
        if state_of(self._results[self._index]) != self._state:
            raise _Impure

    def _make_again(self) -> None:
        again: Results = []
        run_calls(self._calls, again)
        if len(again) >= len(self._results):
            self._results[:] = again
            if state_of(again[self._index]) == self._state:
                return
        self._spoiled = MAX_SPOILED + 1  # it cannot be made again: nothing more is certain


def observations(
    index: int, results: Results, calls: Plain, commands: frozenset[str] | None = None
) -> Plain:
    """(observer, term) pairs of a result; an iterator is read as a list or by ``next``.

    ``results`` are those of ``calls``; of functions that record theirs the ``commands`` are shown.
    """
    value = results[index]
    if hasattr(type(value), "__next__") and not isinstance(value, BUFFERS):
        return drain(index, value)
    observing = _Observing(index, results, calls, commands)
    observing.look()
    found = observing.found
    if type(value) is tuple and not any(EACH in call[1] for call, _ in found):
        found[:0] = _items(index, results, len(value))
    if not found and type(value) in _CONTAINERS:
        outline = observer_call("operator", "list" if type(value) is dict else "len", index)
        _, term = look(outline, results)
        found += [(outline, encode(term))] if term is not None else []
    return tuple(found)


def _parts_observers(value: Any, index: int) -> Iterator[Iterator[Plain]]:
    """Observers of the parts of a short tuple that are objects: each place has its meaning."""
    if type(value) is tuple and len(value) <= MAX_PLACES:
        for place, part in enumerate(value):
            yield deeper_observers(part, f"[{place}]", index)


def _items(index: int, results: Results, size: int) -> Iterator[Plain]:
    """(observer, term) of the items of a short tuple that have one: each place has its meaning."""
    for place in range(size if size <= MAX_PLACES else 0):
        call = encode_call(Call("operator", "[]", (Ref(index), Const(place))))
        _, term = look(call, results)
        if term is not None:
            yield call, encode(term)


def drain(index: int, value: Any) -> Plain:
    """All items of an iterator, or as many as the operator ``list`` takes here."""
    try:
        items = list(itertools.islice(value, MAX_ITEMS_DRAINED + 1))
    except Exception:  # noqa: BLE001 - what came before the raise is not asserted
        return ()
    term = to_arg(items)
    return (
        ()
        if isinstance(term, Opaque)
        else ((observer_call("operator", "list", index), encode(term)),)
    )


def looks_at_error(position: int | None, results: Results) -> list[Plain]:
    """The public attributes of the exception at ``position``, but for the standard library's own.

    No code of its class is asked which it has; None: there is no exception.
    """
    error = results[position] if position is not None else None
    home = type_name(type(error)).partition(":")[0]
    if position is None or home.partition(".")[0] in sys.stdlib_module_names:
        return []
    held = object.__getattribute__(error, "__dict__")
    names = [name for name in held if type(name) is str and name.isidentifier()]
    seen: list[Plain] = []
    for name in names:
        call = observer_call("get", name, position)
        term = None if is_private(name) else look_in_bounds(call, results)
        if term is not None and _is_plain(encode(term)):
            seen.append((call, encode(term)))
    return [tuple(ObservedObject(position, changed=True, observations=tuple(seen)))] if seen else []


def look_in_bounds(call: Plain, results: Results) -> ResultValue | None:
    """The term of what ``call`` observes; None when it has none, raises or does not end."""
    try:
        return look(call, results)[1]
    except steps.StepsExhausted:
        steps.start(steps.COUNTER.limit)
        return None


def _is_plain(term: Plain) -> bool:
    """Is it a constant, or a container of such?"""
    return term[0] == "c" or (term[0] == "d" and all(map(_is_plain, term[2])))
