"""Replaces the code of a function by a stand-in that calls the recorder and the original code.

Invariant: the function object stays the same, and so do its signature, its kind (plain,
generator, coroutine), its defaults, its closure and its names; inside an execution that is being
recorded the original runs at the cost of one more frame.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import CodeType, FunctionType
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Hooks:
    """The functions that a stand-in calls.

    ``local.busy``: is an execution being recorded in this thread?  ``enter(site, values)`` gives
    a token for ``leave(token, result)`` or ``raised(token, error)``; ``drive(site, iterator,
    values)`` runs a generator or coroutine to its end.
    """

    local: Any
    enter: Callable[[Any, tuple[Any, ...]], Any]
    leave: Callable[[Any, Any], None]
    raised: Callable[[Any, BaseException], None]
    drive: Callable[[Any, Any, tuple[Any, ...]], Any]
    await_: Callable[[Any, Any, tuple[Any, ...]], Any]


_PLAIN: Final = """\
    if "<local>".busy:
        return "<original>"({call})
    _uc_token = "<enter>"("<site>", ({values}))
    try:
        _uc_result = "<original>"({call})
    except BaseException as _uc_error:
        "<raised>"(_uc_token, _uc_error)
        raise
    "<leave>"(_uc_token, _uc_result)
    return _uc_result
"""

_GENERATOR: Final = """\
    if "<local>".busy:
        return (yield from "<original>"({call}))
    return (yield from "<drive>"("<site>", "<original>"({call}), ({values})))
"""

_COROUTINE: Final = """\
    if "<local>".busy:
        return await "<original>"({call})
    return await "<await_>"("<site>", "<original>"({call}), ({values}))
"""

_ASYNC_GENERATOR: Final = """\
    _uc_source = "<original>"({call})
    _uc_step, _uc_sent = _uc_source.asend, None
    try:
        while True:
            try:
                _uc_item = await "<await_>"("<site>", _uc_step(_uc_sent), ({values}))
            except StopAsyncIteration:
                return
            try:
                _uc_step, _uc_sent = _uc_source.asend, (yield _uc_item)
            except GeneratorExit:
                raise
            except BaseException as _uc_error:
                _uc_step, _uc_sent = _uc_source.athrow, _uc_error
    finally:
        await _uc_source.aclose()
"""

_KINDS: Final = (
    (inspect.CO_ASYNC_GENERATOR, "async def", _ASYNC_GENERATOR),
    (inspect.CO_COROUTINE, "async def", _COROUTINE),
    (inspect.CO_GENERATOR, "def", _GENERATOR),
    (0, "def", _PLAIN),
)


def divert(function: FunctionType, site: Any, hooks: Hooks) -> None:
    """Have ``function`` report its executions to ``hooks``, as executions of ``site``."""
    code = function.__code__
    original = FunctionType(
        code, function.__globals__, function.__name__, None, function.__closure__
    )
    original.__qualname__ = function.__qualname__
    meant = {
        "<original>": original,
        "<site>": site,
        **{f"<{name}>": getattr(hooks, name) for name in Hooks.__slots__},
    }
    stand_in = _stand_in(code)
    function.__code__ = stand_in.replace(
        co_consts=tuple(
            meant.get(const, const) if type(const) is str else const for const in stand_in.co_consts
        )
    )


def is_diverted(function: FunctionType) -> bool:
    """Has ``divert`` been called for this function?"""
    return any(type(const) is FunctionType for const in function.__code__.co_consts)


@cache
def _stand_in(code: CodeType) -> CodeType:
    """The stand-in for ``code``; names in angle brackets among its constants are to be replaced."""
    _, keyword, body = next(row for row in _KINDS if not row[0] or code.co_flags & row[0])
    parameters, call, values = _signature(code)
    free = "".join(f"{name}, " for name in code.co_freevars)
    lines = [
        "def outer():",
        *[f"  {name} = None" for name in code.co_freevars],
        f"  {keyword} stand_in({parameters}):",
        *[f"    if 0: ({free})" for _ in free[:1]],
        body.format(call=call, values=values),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # a text that is called
        module = compile("\n".join(lines), code.co_filename, "exec", dont_inherit=True)
    outer = next(const for const in module.co_consts if isinstance(const, CodeType))
    made = next(const for const in outer.co_consts if isinstance(const, CodeType))
    kept = code.co_flags & inspect.CO_ITERABLE_COROUTINE
    return made.replace(
        co_name=code.co_name,
        co_qualname=code.co_qualname,
        co_firstlineno=code.co_firstlineno,
        co_flags=made.co_flags | kept,
    )


def _signature(code: CodeType) -> tuple[str, str, str]:
    """The parameters as source, the call that hands them on, and the tuple of their values."""
    names = code.co_varnames
    plain, total = code.co_argcount, code.co_argcount + code.co_kwonlyargcount
    only = code.co_posonlyargcount
    parameters = list(names[:plain])
    if only:
        parameters.insert(only, "/")
    call = list(names[:plain])
    values = list(names[:total])
    rest = total
    if code.co_flags & inspect.CO_VARARGS:
        parameters.append(f"*{names[rest]}")
        call.append(f"*{names[rest]}")
        values.append(names[rest])
        rest += 1
    elif total > plain:
        parameters.append("*")
    parameters += names[plain:total]
    call += [f"{name}={name}" for name in names[plain:total]]
    if code.co_flags & inspect.CO_VARKEYWORDS:
        parameters.append(f"**{names[rest]}")
        call.append(f"**{names[rest]}")
        values.append(names[rest])
    return ", ".join(parameters), ", ".join(call), "".join(f"{name}, " for name in values)
