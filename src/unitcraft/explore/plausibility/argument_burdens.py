"""What an argument of an unknown or unlikely kind adds to the cost of reading a test.

Invariant: burdens are characters, so that they weigh against the length of what else would do.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from unitcraft.core.sequences import Arg, Build, Call, Const, Display, Ref, Symbol
from unitcraft.explore.calls import CALLED
from unitcraft.explore.plausibility.parameter_evidence import Evidence
from unitcraft.subject.ducktypes.kind_support import kind_of, kind_of_type, takes_number
from unitcraft.subject.scopes import word_set

#: Kinds of values that a caller may pass where nothing is known -> what they add to the cost beyond
#: that, in characters: a text rather than a number, as of 700 such parameters of typed projects 237
#: take a text and 97 a number; a container or None last.
PLAIN_KINDS: Final = {
    "str": 0, "int": 9, "float": 10, "bool": 10, "list": 12, "dict": 13, "tuple": 13,
    "NoneType": 14,
}  # fmt: skip
#: Names of the types of containers.
CONTAINERS: Final = word_set(
    "list set frozenset dict mapping iterable sequence iterator tuple vartuple"
)
#: What a value costs beside that where evidence speaks for others: more than a table of one entry.
OTHER_KIND_BURDEN: Final = 12
#: What a value of a rarer kind costs than callers pass most: more than ``True`` beside ``1``.
RARER_BURDEN: Final = 6
#: What a value costs beside that for a parameter that may be left out or None: more than None.
LEAVABLE_BURDEN: Final = 14
#: What an object costs as an argument of its own method: more than another object.
ITSELF_BURDEN: Final = 40
#: What it costs that a container holds one object twice, where no container of ours would.
TWICE_BURDEN: Final = 40
#: What a start after its end costs: more than any other date is long.
DISORDER_BURDEN: Final = 40
#: Words of names of what begins and of what ends a span.
_STARTS: Final = word_set("start begin since from first low lower min minimum")
_ENDS: Final = word_set("end stop until to last high upper max maximum")
#: Names of what chance is seeded with.
SEEDS: Final = word_set("seed random_seed random_state")
#: Names of places in what may have a single item: the first place is there in all of them.
_INDICES: Final = word_set("i idx index pos position")
#: What any place but the first costs: more than a zero, which elsewhere says less than a digit.
INDEX_BURDEN: Final = 6
#: Names of records, whose keys the code knows: of three readings of suites every one found entries
#: that are anything, ``options={"pear": 3}``, to be noise.
RECORDS: Final = word_set(
    "params options opts config configuration settings context kwargs kwds env environ headers"
    " cookies task_vars metadata ssl_options"
)
#: What entries of a record cost: more than none, where any will do.
RECORD_BURDEN: Final = 30
#: What a text costs where items are meant, whose letters would be taken: more than a short list.
LETTERS_BURDEN: Final = 24


def burden_of_rarer(evidence: Evidence, arg: Arg) -> int:
    """What ``arg`` adds to the cost, which fits, but is of a rarer kind than the likeliest one.

    Callers pass True for a flag, and a text where bytes do as well; for a float many pass an
    integer, but none True.  Chance is seeded with a number.  What anything may be given for is
    mostly given a text.  What is unpacked is given a tuple, what is looped over a list.
    """
    kind = kind_of(arg)
    kinds = [kind_of_type(one.type) for one in evidence.candidates]
    is_bytes = kind == "bytes" and "str" in kinds
    is_other = kinds[:1] == ["bool"] and kind in ("int", "float", "str")
    is_truth = kind == "bool" and bool(kinds) and "bool" not in kinds
    is_odd_seed = evidence.parameter.name in SEEDS and kind not in ("int", "NoneType", "")
    is_twin = {*kinds[:1], kind} == {"list", "tuple"}
    rarer = is_bytes + is_other + is_truth + is_twin + 2 * is_odd_seed
    is_told = bool(evidence.candidates) or evidence.takes_none
    plain = 0 if is_told else PLAIN_KINDS.get(kind, 0)
    special = burden_of_place(evidence, arg) + burden_of_record(evidence, arg)
    return RARER_BURDEN * rarer + plain + special


def burden_of_record(evidence: Evidence, arg: Arg) -> int:
    """What entries of a record add to the cost: those that the test needs stay."""
    has_entries = isinstance(arg, Display) and arg.kind == "dict" and bool(arg.items)
    return RECORD_BURDEN * (has_entries and evidence.parameter.name in RECORDS)


def burden_of_place(evidence: Evidence, arg: Arg) -> int:
    """What a place that few containers have adds to the cost."""
    value = arg.value if isinstance(arg, Const) else None
    if not isinstance(value, int) or evidence.parameter.name not in _INDICES:
        return 0
    return INDEX_BURDEN + min(abs(value), INDEX_BURDEN) if value else 0


def burden_of_unknown(evidence: Evidence, arg: Arg) -> int:
    """What ``arg`` adds to the cost, of which it is unknown whether a caller would pass it."""
    left_out = evidence.takes_none and not evidence.candidates
    burden = PLAIN_KINDS.get(kind_of(arg), 0) + LEAVABLE_BURDEN * left_out
    burden += OTHER_KIND_BURDEN * bool(evidence.candidates)
    is_text = isinstance(arg, Const) and isinstance(arg.value, str | bytes) and bool(arg.value)
    burden += burden_of_record(evidence, arg)
    return burden + LETTERS_BURDEN * (is_text and means_items(evidence))


def means_items(evidence: Evidence) -> bool:
    """Are several things meant, not the letters of one text?

    The code does the same with both: what tells is the name, ``allowed_methods``, or that the value
    is passed on to a parameter that takes items.
    """
    name = evidence.parameter.name
    is_plural = name.endswith("s") and not name.endswith("ss") and len(name) > len("vs")
    items = [one for one in evidence.candidates if one.type.name in CONTAINERS]
    is_likely = evidence.candidates[:1] == tuple(items[:1]) and bool(items)
    return is_likely and (is_plural or any("callee" in one.rungs for one in items))


def burden_of_call(call: Call, given: Iterable[tuple[Evidence, Arg]]) -> int:
    """What arguments of ``call`` cost that nobody would pass beside each other.

    An object is seldom given to itself or twice in one list, and an end seldom before its start.
    ``given`` are those of which something is known.
    """
    named = tuple([(evidence.parameter.name, arg) for evidence, arg in given])
    arguments = (*call.args, *dict(call.kwargs).values())
    is_itself = call.kind == "method" and call.args[0] in call.args[1:]
    burden = ITSELF_BURDEN * is_itself + TWICE_BURDEN * sum(map(_held_twice, arguments))
    return burden + DISORDER_BURDEN * bool(put_in_order(named))


def _held_twice(arg: Arg) -> bool:
    refs = [one for one in arg.items if isinstance(one, Ref)] if isinstance(arg, Display) else []
    return len(refs) > len(set(refs))


def put_in_order(named: tuple[tuple[str, Arg], ...]) -> dict[str, Arg]:
    """Name -> what it gets where all from a start to its end lie in order; {} if they do."""
    words = [_STARTS & {*name.split("_")} for name, _ in named]
    first = next((at for at, found in enumerate(words) if found), len(named))
    span = named[first:]
    while span and not _ENDS & {*span[-1][0].split("_")}:
        span = span[:-1]
    keys = [_order_key(arg) for _, arg in span]
    if not span or keys[0] is None or keys[-1] is None or keys[0][0] != keys[-1][0]:
        return {}
    alike = [pair for key, pair in zip(keys, span, strict=True) if key and key[0] == keys[0][0]]
    placed = sorted(alike, key=lambda pair: _order_key(pair[1]) or ("", ()))
    new = {name: arg for (name, _), (_, arg) in zip(alike, placed, strict=True)}
    return {} if new == dict(alike) else new


def _order_key(arg: Arg) -> tuple[str, tuple[float, ...]] | None:
    """(kind, what to sort by) of a number or a date; None for all else."""
    match arg:
        case Const(int() | float() as number) if not isinstance(number, bool):
            return "number", (number,)
        case Build(Symbol("datetime", name), args, ()):
            parts = [one.value for one in args if isinstance(one, Const)]
            numbers = [one for one in parts if isinstance(one, int)]
            return (name, tuple(numbers)) if len(numbers) == len(args) else None
    return None


#: What an argument adds that fits, and one of which that is unknown.
BURDENS: Final = (burden_of_rarer, burden_of_unknown)


def wraps_unfit(calls: tuple[Call, ...]) -> bool:
    """Is a function wrapped whose wrapper is called with arguments that it does not take?

    A reader takes what it raises for a fault of the wrapper.
    """
    for call in calls:
        made = call.args[0] if (call.kind, call.name) == CALLED else None
        given = calls[made.index].args if isinstance(made, Ref) else ()
        if not call.kwargs and not all(takes_number(one, len(call.args) - 1) for one in given):
            return True
    return False
