"""The functions that rewritten code calls in place of blind forms; each handles proxies.

Invariant: without a proxy among the operands an intercept does just what its form did; with one the
result is followed, or the value is concretized.  Nothing symbolic enters code that is not
rewritten without a trace of it.
"""

from __future__ import annotations

import operator
from collections import Counter, OrderedDict
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any, Final

from unitcraft.instrument import branch_probes, interception
from unitcraft.symbolic.containers import container_methods, set_methods, symbolic_keys
from unitcraft.symbolic.containers.container_classes import (
    PlainKeyDict,
    PlainKeyFrozenset,
    PlainKeySet,
)
from unitcraft.symbolic.intercept import builtin_models, call_dispatch, formatting
from unitcraft.symbolic.proxies import strings
from unitcraft.symbolic.proxies.int_float import SymInt
from unitcraft.symbolic.proxies.ranges import is_in_range
from unitcraft.symbolic.proxies.strings import SymBytes, SymStr
from unitcraft.symbolic.proxies.trace import (
    PROXIES,
    apply_operation,
    concrete_value,
    concretize,
    is_instance,
    is_symbolic,
    record,
    term_of,
    wrap,
)

_TEXTS: Final = frozenset({str, bytes, SymStr, SymBytes})
_SYMBOLIC_TEXTS: Final = frozenset({SymStr, SymBytes})
_ITEMS: Final = frozenset({int, float, str, bytes, bool})
_KEYS: Final = frozenset({int, float, str, bytes, bool, type(None)})
_BOUNDS: Final = frozenset({int, type(None)})
_MIN_SMALL_INT: Final = -5
_MAX_SMALL_INT: Final = 256
#: Elements of a sequence that becomes part of a term; the index of a longer one is concretized.
MAX_ITEMS: Final = 64


def call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """``function(*args, **kwargs)``."""
    kind = type(function)
    if kind is FunctionType:
        if interception.CALL in function.__globals__:
            return function(*args, **kwargs)
    elif kind is MethodType:
        inner = function.__func__
        if type(inner) is FunctionType and interception.CALL in inner.__globals__:
            return function(*args, **kwargs)
    elif kind is BuiltinFunctionType:
        instead = builtin_models.MODELS.get(function)
        if instead is not None:
            return instead(*args, **kwargs)
    return call_dispatch.enter(function, args, kwargs)


def get(container: Any, index: Any) -> Any:
    """``container[index]``."""
    if type(index) in _KEYS and type(container) in _DIRECT:
        return container[index]
    kind: Any = type(container)
    if kind is list or kind is tuple:
        return _get_item(container, index) if type(index) is SymInt else container[index]
    if kind in _SYMBOLIC_TEXTS or (kind in _TEXTS and type(index) is SymInt):
        return strings.get_item(container, index)
    if (
        is_instance(container, dict)
        and _has_builtin_getitem(kind)
        and symbolic_keys.needs_comparison(container, index)
    ):
        return container_methods.lookup(container, index)
    if is_symbolic(index) and not _has_rewritten_getitem(kind):
        return container[concretize(index)]
    return container[index]


#: Containers in which a plain index is looked up directly.
_DIRECT: Final[frozenset[type]] = frozenset(
    {list, tuple, dict, str, bytes, *symbolic_keys.PLAIN_KEY_CLASSES}
)


def _has_builtin_getitem(kind: type) -> bool:
    return kind in symbolic_keys.SYMBOLIC_KEY_CLASSES or kind.__getitem__ is dict.__getitem__  # type: ignore[index]


def _has_rewritten_getitem(kind: type) -> bool:
    """Is indexing ``kind`` rewritten code?"""
    method = getattr(kind, "__getitem__", None)
    return type(method) is FunctionType and interception.CALL in method.__globals__


def _is_out_of_range(index: SymInt, length: int) -> bool:
    """Is ``index`` out of range?  Records that, and on which side of zero it is."""
    value = concrete_value(index)
    record((("<", index.term, 0), value < 0))
    if value < 0:
        if length:
            record((("<", index.term, -length), value < -length))
        return bool(value < -length)
    if length:
        record((("<", index.term, length), value < length))
    return bool(value >= length)


def _get_item(items: Any, index: SymInt) -> Any:
    """An element by symbolic index: a term of all elements if these are atoms, else concretized."""
    if _is_out_of_range(index, len(items)):
        return items[concrete_value(index)]
    if len(items) <= MAX_ITEMS:
        kinds = {_kind(item) for item in items}
        if len(kinds) == 1 and kinds <= _ITEMS:
            base = concrete_value(items[concrete_value(index)])
            return wrap(base, ("[]", term_of(items), index.term))
    return items[concretize(index)]


def _kind(item: Any) -> type:
    kind = type(item)
    return item.__class__ if kind in PROXIES else kind


def put(value: Any, container: Any, index: Any) -> None:
    """``container[index] = value``."""
    if type(index) in _KEYS and type(container) in _DIRECT:
        container[index] = value
        return
    kind = type(container)
    if is_instance(container, dict):
        if _has_builtin_setitem(kind) and symbolic_keys.needs_comparison(container, index):
            symbolic_keys.put(container, index, value)
            return
    elif type(index) is SymInt and kind is list and _is_out_of_range(index, len(container)):
        index = concrete_value(index)
    if is_symbolic(index) and not _has_rewritten_setitem(kind):
        index = concretize(index)
    container[index] = value


def _has_builtin_setitem(kind: type) -> bool:
    return kind in symbolic_keys.SYMBOLIC_KEY_CLASSES or kind.__setitem__ in _SETTERS  # type: ignore[index]


_SETTERS: Final = (dict.__setitem__, OrderedDict.__setitem__)


def _has_rewritten_setitem(kind: type) -> bool:
    method = getattr(kind, "__setitem__", None)
    return type(method) is FunctionType and interception.CALL in method.__globals__


def delete(container: Any, index: Any) -> None:
    """``del container[index]``."""
    kind = type(container)
    if is_instance(container, dict):
        deleter = kind.__delitem__
        if (
            kind in symbolic_keys.SYMBOLIC_KEY_CLASSES or deleter in _DELETERS
        ) and symbolic_keys.needs_comparison(container, index):
            container_methods.remove(container, index)
            return
    elif type(index) is SymInt and kind is list and _is_out_of_range(index, len(container)):
        index = concrete_value(index)
    method = getattr(kind, "__delitem__", None)
    rewritten = type(method) is FunctionType and interception.CALL in method.__globals__
    del container[index if rewritten else concretize(index)]


_DELETERS: Final = (dict.__delitem__, OrderedDict.__delitem__, Counter.__delitem__)


def slice_of(container: Any, start: Any, stop: Any, step: Any) -> Any:
    """``container[start:stop:step]``; of ``...`` the slice itself, its bounds concretized."""
    if container is ...:
        return slice(concretize(start), concretize(stop), concretize(step))
    plainly = type(start) in _BOUNDS and type(stop) in _BOUNDS and type(step) in _BOUNDS
    if plainly and type(container) in _DIRECT:
        return container[start:stop:step]
    if type(container) in _TEXTS and is_symbolic((container, start, stop, step)):
        return strings.get_slice(container, start, stop, step)
    if is_symbolic((start, stop, step)) and not _has_rewritten_getitem(type(container)):
        return container[concretize(start) : concretize(stop) : concretize(step)]
    return container[start:stop:step]


def member(negated: bool, item: Any, container: Any) -> bool:  # noqa: FBT001
    """``item in container``."""
    if type(item) in _KEYS and type(container) in _DIRECT_MEMBERS:
        return (item in container) is not negated
    return contains(item, container) is not negated


def contains(item: Any, container: Any) -> bool:
    """``item in container``."""
    kind = type(container)
    if kind in _HASHED:
        return symbolic_keys.contains(container, item)
    if is_instance(container, (dict, set, frozenset)):
        if kind.__contains__ in _MEMBERS:
            return symbolic_keys.contains(container, item)
    elif kind is _VIEW and is_symbolic(item):
        return symbolic_keys.contains(dict(container.mapping), item)
    elif kind in _TEXTS and is_symbolic((item, container)):
        if not strings.can_be_term(item):
            return bool(item in concretize(container))
        return bool(apply_operation("in", item, container))
    elif kind is range and type(item) is SymInt:
        return is_in_range(item, container)
    return item in container


#: Containers in which a plain item is looked for directly.
_DIRECT_MEMBERS: Final = frozenset(
    {
        list,
        tuple,
        dict,
        set,
        frozenset,
        str,
        bytes,
        PlainKeyFrozenset,
        *symbolic_keys.PLAIN_KEY_CLASSES,
    }
)
_HASHED: Final = frozenset(
    {dict, set, frozenset, PlainKeyFrozenset, *symbolic_keys.PLAIN_KEY_CLASSES}
)
_MEMBERS: Final = (dict.__contains__, set.__contains__, frozenset.__contains__)
_VIEW: Final[type] = type({}.keys())


def identical(negated: bool, first: Any, second: Any) -> bool:  # noqa: FBT001
    """``first is second``."""
    if type(first) in PROXIES or type(second) in PROXIES:
        return _are_one_object(first, second) is not negated
    return (first is second) is not negated


def _is_small_int(number: Any) -> bool:
    """Is ``number`` among the integers for which CPython keeps one object each?"""
    return bool(number >= _MIN_SMALL_INT and number <= _MAX_SMALL_INT)


def _are_one_object(first: Any, second: Any) -> bool:
    """Are two values one object?  Equal small integers are; all others by identity."""
    known, other = concrete_value(first), concrete_value(second)
    if first is second:
        return True
    if type(known) is int and type(other) is int:
        equal = known == other
        record((("==", term_of(first), term_of(second)), equal))
        if equal and not _is_small_int(first if type(first) is SymInt else second):
            concretize(first)
        return equal
    if type(known) is type(other):
        concretize(first), concretize(second)
    return known is other


_CONVERSIONS: Final = {-1: "", 115: "s", 114: "r", 97: "a"}


def format_field(value: Any, conversion: int, spec: Any) -> Any:
    """One part of an f-string."""
    return formatting.format_field(value, _CONVERSIONS[conversion], spec)


def modulo_in_place(first: Any, second: Any) -> Any:
    """The value of ``first`` after ``first %= second``."""
    if type(first) in _TEXTS:
        return formatting.modulo(first, second)
    first %= second
    return first


def in_place(op: str, first: Any, second: Any) -> Any:
    """The value of ``first`` after ``first op= second``, also for sets with symbolic keys."""
    if type(first) is set and type(second) in symbolic_keys.SYMBOLIC_KEY_CLASSES:
        return set_methods.SET_METHODS[op](first, second)
    return _IN_PLACE[op](first, second)


_IN_PLACE: Final[dict[str, Any]] = {
    "__ior__": operator.ior, "__iand__": operator.iand, "__isub__": operator.isub,
    "__ixor__": operator.ixor,
}  # fmt: skip


def dict_display(*flat: Any) -> Any:
    """A dictionary display; the key ``UNPACKED`` stands before each mapping that ``**`` unpacks."""
    made = PlainKeyDict()
    for key, value in zip(flat[::2], flat[1::2], strict=True):
        if key is UNPACKED:
            container_methods.update(made, value)
        elif type(key) in _KEYS and type(made) is PlainKeyDict:
            made[key] = value
        else:
            container_methods.store(made, key, value)
    return made


UNPACKED: Final = object()


def unpack_mapping(value: Any) -> Any:
    """A copy of what ``**`` unpacks, made before later operands are run.  Raises TypeError."""
    if not hasattr(value, "keys"):
        raise TypeError(f"'{type(value).__name__}' object is not a mapping")
    made = PlainKeyDict()
    container_methods.update(made, value)
    return made


def dict_of(pairs: list[tuple[Any, Any]]) -> Any:
    """A dictionary comprehension."""
    return dict_display(*[part for pair in pairs for part in pair])


def set_of(items: list[Any]) -> Any:
    """A set display or comprehension."""
    made = PlainKeySet()
    set_methods.update_set(made, items)
    return made


INTERCEPTS: Final[dict[str, Any]] = {
    interception.CALL: call,
    interception.GET: get,
    interception.SET: put,
    interception.DELETE: delete,
    interception.SLICE: slice_of,
    interception.MEMBER: member,
    interception.IS: identical,
    interception.FORMATTED: format_field,
    interception.JOINED: formatting.join_parts,
    interception.MODULO: formatting.modulo,
    interception.DICT: dict_display,
    interception.DICT_OF: dict_of,
    interception.SET_OF: set_of,
    interception.PLAIN: concretize,
    interception.MODULO_IN_PLACE: modulo_in_place,
    interception.UNPACKED: UNPACKED,
    interception.NEW_DICT: PlainKeyDict,
    interception.NEW_SET: PlainKeySet,
    interception.NEW_FROZEN: PlainKeyFrozenset,
    interception.IN_PLACE: in_place,
    interception.MAPPING: unpack_mapping,
}


def branch_intercepts(hits: Any) -> dict[str, Any]:
    """Replacements for the recorder's branch probes, which follow proxies and mark ``hits``."""

    def mark(site: int, outcome: object) -> Any:
        if type(outcome) is bool:
            hits[site if outcome else site + 1] = 1
        return outcome

    def compare(site: int, op: str, left: Any, right: Any) -> Any:
        return mark(site, _COMPARE[op](left, right))

    def within(site: int, negated: bool, left: Any, right: Any) -> bool:  # noqa: FBT001
        return bool(mark(site, member(negated, left, right)))

    def lookup(site: int, container: Any, index: Any) -> Any:
        del site
        return get(container, index)

    def method(site: int, name: str, receiver: Any, *args: Any, **kwargs: Any) -> Any:
        function = getattr(receiver, name)
        return mark(site, call(function, *args, **kwargs) if args or kwargs else function())

    def instance(site: int, value: Any, classes: Any) -> Any:
        return mark(site, isinstance(value, classes))

    def attribute(site: int, function: Any, *args: Any) -> Any:
        return mark(site, call(function, *args))

    return {
        branch_probes.HITS: hits, branch_probes.COMPARE: compare, branch_probes.CONTAINS: within,
        branch_probes.TRUTH: mark, branch_probes.LOOKUP: lookup, branch_probes.METHOD: method,
        branch_probes.INSTANCE: instance, branch_probes.ATTRIBUTE: attribute,
    }  # fmt: skip


_COMPARE: Final[dict[str, Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
