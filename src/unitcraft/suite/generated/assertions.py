"""From what two fresh processes observed to the Checks of a test.

Invariant: a Check states only what both processes agreed on; ``len`` and
``isinstance`` stand alone only where an object shows nothing better.
"""

from __future__ import annotations

from typing import Final

from unitcraft.core.encoding import (
    Plain,
    decode,
    decode_arg,
    decode_call,
    encode,
    encode_call,
    encode_sequence,
)
from unitcraft.core.goals import Goal
from unitcraft.core.outcomes import Opaque, Raised, ResultValue, Returned, Warned
from unitcraft.core.sequences import (
    EACH,
    Arg,
    Build,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    Symbol,
    refs_in,
)
from unitcraft.explore.agents.answers import IGNORED, OWN_STATE, SURROUNDINGS, WARNED, AfterAnswer
from unitcraft.explore.agents.observer_calls import KEY_IN_PATH
from unitcraft.explore.execution import weight
from unitcraft.suite.brief.told_once import told_once
from unitcraft.suite.generated.procedures import Answer
from unitcraft.suite.mutation.agents.kill_evidence import (
    FUNCTIONS,
    MAX_ASSERTED,
    beginning,
    first_items,
    has_public_name,
    has_value,
    is_long,
    says_more,
    telling_entries,
)
from unitcraft.suite.relations import CALLABLE, class_of_term, relation
from unitcraft.suite.telling.telling_observations import NO_CONTRAST, Contrast, Observation, told_by
from unitcraft.suite.tests import Check, Test

#: An exit tells its caller a number, and people what was printed.
EXIT: Final = "builtins:SystemExit"

#: What a function that records its calls knows of the last one, and where.
_PARTS_OF_CALL: Final = ("args", "kwargs")
_RECORD: Final = "call_args"
#: Values that much holds, so that they say little about any of it.
_EMPTY: Final = frozenset(
    map(repr, (Const(None), Const(""), Display("list", ()), Display("dict", ()))),
)


def build_test(
    invocable: str,
    sequence: Sequence,
    goals: tuple[Goal, ...],
    before: Plain,
    first: AfterAnswer | None,
    second: AfterAnswer | None,
    needed_keys: tuple[str, ...] = (),
    *,
    answer: Answer = Answer.UNKNOWN,
    contrast: Contrast = NO_CONTRAST,
) -> Test | None:
    """The Test, or None when the two runs ``first`` and ``second`` disagree on the outcome.

    ``needed_keys`` are the keys of the observations that the test needs to kill its mutants; others
    are asserted only where the test would have no Check.  ``before`` is the answer of the
    service of that name: rows of ``ObjectBefore``, or None.  ``answer``: of a function that
    answers nothing None is never asserted but what it changed or left alone; of one that answers a
    value elsewhere both are.  ``contrast``: what tells its result from others' of the invocable.
    """
    if first is None or second is None or not _same_outcome(first, second):
        return None
    earlier = dict(before or ())
    told = _agreed(first, second)
    warns, ignores = _warnings(told)
    agreed = [one for one in told if one[0] not in (WARNED, IGNORED)]
    raised, again = first.outcome, second.outcome
    if raised is not None and again is not None:
        stable = raised.message if raised.message == again.message else None
        outcome = Raised(raised.type, stable, bool(raised.inside), raised.line)
        needed = [seen for _, _, found in agreed for seen in _needed(found, needed_keys)]
        if raised.type == EXIT:
            needed += [
                seen for index, _, found in agreed if index == SURROUNDINGS for seen in found
            ]
        asserted = tuple(dict.fromkeys(checks_of(needed)))
        return Test(invocable, sequence, outcome, asserted, goals, warns, ignores)
    checks = _result(sequence, first, second, agreed, needed_keys, contrast)
    moved = _changes(sequence, earlier, agreed, needed_keys, alone=not checks)
    answers = not checks and has_value(encode_call(sequence.calls[-1]))
    if answers and _is_none(first) and _is_none(second):
        checks = _about_none(sequence, agreed, needed_keys, answer, moved)
    checks += moved
    if not (checks or warns or has_value(encode_call(sequence.calls[-1]))):
        checks = _not_set(sequence, agreed)
    acts = any(changed for index, changed, _ in agreed if 0 <= index < len(sequence) - 1)
    asserted = told_once(checks, len(sequence) - 1)
    return Test(invocable, sequence, Returned(), asserted, goals, warns, ignores, acts=acts)


def _warnings(
    agreed: list[tuple[int, bool, list[Observation]]],
) -> tuple[tuple[Warned, ...], tuple[str, ...]]:
    """The warnings that the last Call issues, and the classes of others."""
    found = {index: value for index, _, pairs in agreed for _, value, _ in pairs}
    own, others = found.get(WARNED), found.get(IGNORED)
    warns = [
        Warned(*[part.value for part in one.items if isinstance(part, Const)])  # type: ignore[arg-type]
        for one in (own.items if isinstance(own, Display) else ())
        if isinstance(one, Display)
    ]
    kinds = [one.value for one in (others.items if isinstance(others, Display) else ())
             if isinstance(one, Const)]  # fmt: skip
    return tuple(warns), tuple(map(str, kinds))


def _about_none(
    sequence: Sequence,
    agreed: list[tuple[int, bool, list[Observation]]],
    needed_keys: tuple[str, ...],
    answer: Answer,
    moved: tuple[Check, ...],
) -> tuple[Check, ...]:
    """The Checks of a Call that answered None, beside those of what it changed."""
    last = len(sequence) - 1
    changed = any(one for index, one, _ in agreed if index != last)
    mute = answer is Answer.NOTHING
    says_none = answer is Answer.VALUE or (answer is Answer.UNKNOWN and not changed)
    told = (Check(Ref(last), "is", Const(None)),) if says_none else ()
    return (*told, *(() if moved else left_alone(agreed, needed_keys, alone=mute)))


def _is_none(answer: AfterAnswer) -> bool:
    shown = decode(answer.shown)
    return isinstance(shown, Const) and shown.value is None


def _same_outcome(first: AfterAnswer, second: AfterAnswer) -> bool:
    one, two = first.outcome, second.outcome
    if one is None or two is None:
        return one is two
    return (one.position, one.type) == (two.position, two.type)


def _agreed(first: AfterAnswer, second: AfterAnswer) -> list[tuple[int, bool, list[Observation]]]:
    """(result, changed, observations) for the focus objects, as far as both runs agree."""
    others = {index: observations for index, _, observations in second.focus}
    agreed = []
    for index, changed, observations in first.focus:
        known = dict(others.get(index, ()))
        pairs = [
            (decode_call(call), decode_arg(term), repr(call))
            for call, term in observations
            if repr(known.get(call)) == repr(term)
        ]
        agreed.append((index, changed, pairs))
    return agreed


def _result(
    sequence: Sequence,
    first: AfterAnswer,
    second: AfterAnswer,
    agreed: list[tuple[int, bool, list[Observation]]],
    needed_keys: tuple[str, ...],
    contrast: Contrast,
) -> tuple[Check, ...]:
    term, same = first.shown, first.same
    last = len(sequence) - 1
    calls = encode_sequence(sequence)
    if not has_value(calls[last]):
        return ()
    if same >= 0 and second.same == same:
        return (Check(Ref(last), "is", Ref(same)),)
    shown: ResultValue = decode(term)
    made = [seen for index, _, found in agreed if index == last for seen in found]
    asked = _needed(made, needed_keys)
    needed = checks_of(asked)
    if made and not (isinstance(shown, Build) and says_more(term, calls)):
        best, own = told_by(made, asked, sequence, contrast)
        return (*checks_of([*best, *asked]), *checks_of(own))
    if isinstance(shown, Opaque):
        return _class_only(last, first.type) if first.type == second.type else ()
    if repr(term) != repr(second.shown):
        return tuple(needed)
    return tuple(needed) if _is_none(first) else (*_checks(Ref(last), shown), *needed)


def _class_only(last: int, kind: str) -> tuple[Check, ...]:
    if kind in FUNCTIONS:
        return (Check(Ref(last), "isinstance", CALLABLE),)
    if not has_public_name(kind):
        return ()
    module, _, qualname = kind.partition(":")
    return (Check(Ref(last), "isinstance", Symbol(module, qualname)),)


def _changes(
    sequence: Sequence,
    earlier: dict[int, Plain],
    agreed: list[tuple[int, bool, list[Observation]]],
    needed_keys: tuple[str, ...],
    *,
    alone: bool,
) -> tuple[Check, ...]:
    """For each object that the last Call changed, the Checks of the observations that are needed.

    ``alone``: there is no other Check, so that each object shows at least one that is another than
    before.  A container that was changed, or what a receiver holds, is always shown: it is as much
    a result as what is returned.  What stayed as it was is asserted where a mutant would change it,
    and what a function was called with also where there is nothing else.
    """
    last = len(sequence) - 1
    call = sequence.calls[-1]
    first = call.args[0] if call.args and call.kind != "function" else None
    receiver = first.index if isinstance(first, Ref) else None
    checks: list[Check] = []
    spare: list[Check] = []
    for index, changed, pairs in agreed:
        if index == last or not changed:
            continue
        old = {repr(decode_call(call)): repr(decode(term)) for call, term in earlier.get(index, ())}
        old = {repr(look): repr(term) for look, term, _ in pairs if repr(term) in _EMPTY} | old
        moved = [pair for pair in pairs if old.get(repr(pair[0])) != repr(pair[1])]
        best = max(moved, key=_holds_most, default=None)
        holds = best is not None and index == receiver and any(_holds_most(best))
        shown = alone or holds or _is_whole(pairs) or index == OWN_STATE
        was_read = not moved and all(pair[0].name == "getvalue" for pair in pairs)
        needed = [] if was_read else _needed(pairs, needed_keys)
        telling = needed
        is_called = all(pair[0].name.startswith("call_args") for pair in pairs)
        if shown and best and not any(seen in moved for seen in telling):
            telling = [*_whole_calls([best], moved), *telling]
        (spare if is_called and not needed else checks).extend(checks_of(telling))
    return tuple(checks or spare)


def _holds_most(seen: Observation) -> tuple[bool, bool]:
    """The rank of an observation: objects of the test say more than items, those than one value."""
    term = seen[1]
    return bool(refs_in(term)), isinstance(term, Display)


def left_alone(
    agreed: list[tuple[int, bool, list[Observation]]],
    needed_keys: tuple[str, ...],
    *,
    alone: bool,
) -> tuple[Check, ...]:
    """The Checks that the Call left what it was given as it was, where a mutant does not.

    ``alone``: without any the content of the first container that has some is asserted; that one
    which the test made empty stayed so says nothing.
    """
    shown = [
        seen
        for index, changed, found in agreed
        for seen in found
        if index != SURROUNDINGS and not changed
    ]
    whole = [
        seen
        for seen in shown
        if _tells_all(seen[0]) and (seen[0].name == "getvalue" or repr(seen[1]) not in _EMPTY)
    ]
    return tuple(checks_of(_needed(shown, needed_keys) or (whole[:1] if alone else [])))


def _not_set(
    sequence: Sequence, agreed: list[tuple[int, bool, list[Observation]]]
) -> tuple[Check, ...]:
    """The Check that a statement left its container, even an empty one, as it was.

    That it set nothing is then what it does: a key is not there.
    """
    call = sequence.calls[-1]
    found = [
        seen
        for index, changed, pairs in agreed
        for seen in pairs
        if call.args[:1] == (Ref(index),) and not changed and _tells_all(seen[0])
    ]
    if found and call.name == "[]=" and repr(call.args[1]) not in repr(found[0][1]):
        absent = Call("operator", "in", call.args[:2])
        return (Check(absent, "is", Const(value=False)),)
    return tuple(checks_of(found[:1]))


def _tells_all(observer: Call) -> bool:
    """Does it show all of a container, or the content of a buffer?"""
    return (observer.kind, observer.name) in _CONTENTS


#: (kind, name) of observers that show a whole content.
_CONTENTS: Final = (
    ("operator", "itself"), ("operator", "items"), ("operator", "list"), ("method", "getvalue"),
)  # fmt: skip


def _is_whole(pairs: list[Observation]) -> bool:
    """Does one observation tell all of the object: a container, or the content of a buffer?"""
    return len(pairs) == 1 and pairs[0][0].name in ("itself", "getvalue")


def _needed(found: list[Observation], needed_keys: tuple[str, ...]) -> list[Observation]:
    """The observations that kill mutants."""
    return _whole_calls([seen for seen in found if seen[2] in needed_keys], found)


def _whole_calls(shown: list[Observation], found: list[Observation]) -> list[Observation]:
    """``shown``, and of a recorded call in it also what ``found`` has of its other arguments."""
    calls = [seen[0].name.rpartition(".") for seen in shown]
    parts = {
        f"{call}.{part}" for call, _, told in calls for part in _PARTS_OF_CALL
        if told in _PARTS_OF_CALL and call.endswith(_RECORD)
    }  # fmt: skip
    return [
        seen for seen in found
        if seen in shown or (seen[0].name in parts and weight(seen[1]) <= MAX_ASSERTED)
    ]  # fmt: skip


def checks_of(found: list[Observation]) -> list[Check]:
    """The Checks of the observations: one each, but for what is too long to read."""
    return [check for call, term, _ in found for check in _checks(_plainest(call), term)]


def _checks(seen: Ref | Call, term: Arg) -> list[Check]:
    """The Check that ``seen`` is ``term``; of what is long, its length and a part, or its class.

    Nobody reads more than a few lines of a literal, and each change would ask for a new one, as
    each new entry of a dictionary would for another length.
    """
    text = term.value if isinstance(term, Const) else None
    if weight(term) <= MAX_ASSERTED or (isinstance(text, (str, bytes)) and not is_long(text)):
        return [Check(seen, relation(term), term)]
    if isinstance(text, (str, bytes)):
        start = Check(seen, "startswith", Const(beginning(text)))
        if not isinstance(seen, Ref):
            return [start]
        return [Check(Call("operator", "len", (seen,)), "==", Const(len(text))), start]
    if isinstance(seen, Ref) and isinstance(term, Display):
        part, each = _part_of(seen, term), 2 if term.kind == "dict" else 1
        size = Check(Call("operator", "len", (seen,)), "==", Const(len(term.items) // each))
        return part if part and term.kind == "dict" else [size, *part]
    if isinstance(term, Display) and isinstance(seen, Call):
        return _entries_of(seen, term)
    kind = class_of_term(term)
    return [Check(seen, "isinstance", kind) if kind else Check(seen, relation(term), term)]


def _part_of(seen: Ref, term: Display) -> list[Check]:
    """Checks of the first items of a long list or tuple, of values under names in a dictionary."""
    items = first_items(encode(term))
    if items:
        start = Display(term.kind, tuple(map(decode_arg, items)))
        index = Build(Symbol("builtins", "slice"), (Const(len(items)),))
        head = Call("operator", "[]", (seen, index))
        return [Check(head, relation(start), start)]
    return [
        Check(Call("operator", "[]", (seen, Const(name))), relation(value), value)
        for name, value in _telling_entries(term)
    ]


def _entries_of(seen: Call, term: Display) -> list[Check]:
    """Checks of the values under names in a long dictionary; that it is one says nothing."""
    is_attribute = seen.kind == "get" and not seen.name.endswith(EACH)
    return [
        Check(Call("get", f'{seen.name}["{name}"]', seen.args), relation(value), value)
        for name, value in (_telling_entries(term) if is_attribute else ())
        if KEY_IN_PATH.fullmatch(name)
    ]


def _telling_entries(term: Display) -> list[tuple[str, Arg]]:
    """The names and values of a long dictionary that are asserted."""
    return [(key[1], decode_arg(value)) for key, value in telling_entries(encode(term))]


def _plainest(observer: Call) -> Ref | Call:
    if observer.kind != "operator" or observer.name != "itself":
        return observer
    seen = observer.args[0]
    return seen if isinstance(seen, Ref) else observer
