"""The Calls that observe an object, the most informative first.

Invariant: a Call here has no argument but what it observes; whether it is harmless and tells
something is for the observer of the run to see.
"""

from __future__ import annotations

import ast
import contextlib
import dis
import inspect
import io
import itertools
import logging
import re
import sys
import threading
from collections.abc import Iterator
from keyword import iskeyword
from types import FunctionType, MappingProxyType, SimpleNamespace
from typing import Any, Final

from unitcraft.core.encoding import Plain
from unitcraft.core.sequences import EACH

#: Containers that are asserted as a whole, and files in memory, by their content.
_COMPARED_WHOLE: Final = frozenset((list, dict, set, bytearray))
BUFFERS: Final = (io.StringIO, io.BytesIO)
#: An object whose class is defined here is not observed by attributes.
_PLAIN: Final = frozenset({"builtins", "types", "functools", "itertools", "_io", "re"})
#: Characters of what a function was called with; of more a test states that it was called.
MAX_CALL_TEXT: Final = 400
#: Calls of a function that a reader counts.
MAX_COUNTED: Final = 5
#: Namespaces inside each other whose functions are looked at.
MAX_DEPTH: Final = 3
#: In a text: an address.
_SENT: Final = re.compile(r"\w://")
#: Modules of the standard library whose functions reach other processes and machines.
_BEYOND: Final = frozenset(
    ("ftplib", "http", "imaplib", "poplib", "smtplib", "socket", "ssl", "subprocess", "urllib",
     "webbrowser", "xmlrpc")
)  # fmt: skip
#: Keys of a dictionary under which is looked: the items of many are of one kind.
MAX_KEYS: Final = 3
#: Such a key, as it stands between quotes.
KEY_IN_PATH: Final = re.compile(r'[^"\\\[\]*\n]{1,40}')
#: Modules of nodes of syntax trees that ``ast`` does not know -> the function that shows one whole.
_WRITERS: Final = MappingProxyType({"typed_ast._ast3": "typed_ast.ast3:dump"})
#: Flags of code that does not answer when it is called.
_SUSPENDS: Final = inspect.CO_COROUTINE | inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR
#: Instructions that change what outlives the run of a function.
_STORES: Final = re.compile("(STORE|DELETE)_(?!FAST)")
#: The name of the record of branches in code that is searched (``instrument.branch_probes.HITS``).
_RECORD: Final = "__unitcraft_hits__"
#: The threads of this process itself.
_THREADS: Final = threading.active_count()
#: The module of futures that threads do: whether one is done is a matter of luck.
_OF_THREADS: Final = "concurrent.futures._base"
#: Containers whose items are observed all at once, in their order.
_ORDERED: Final = (list, tuple)


def observer_call(kind: str, name: str, index: int) -> Plain:
    """The encoded Call of ``kind`` on result number ``index`` alone."""
    return (kind, name, (("r", index),), (), "")


def _content(value: Any, index: int) -> Iterator[Plain]:
    """Whole contents through public protocols."""
    cls = type(value)
    if hasattr(cls, "items") and hasattr(cls, "keys") and hasattr(cls, "__getitem__"):
        yield observer_call("operator", "items", index)
    elif hasattr(cls, "__iter__") and not hasattr(cls, "__next__"):
        yield observer_call("operator", "list", index)
    elif hasattr(cls, "__len__"):
        yield observer_call("operator", "len", index)


def _attribute_names(value: Any) -> Iterator[str]:
    """Fields of a named tuple, public attributes and slots as they are defined, properties."""
    cls = type(value)
    fields = getattr(cls, "_fields", ()) if isinstance(value, tuple) else ()
    names: dict[str, None] = dict.fromkeys(fields)
    with contextlib.suppress(AttributeError):
        names.update(dict.fromkeys(object.__getattribute__(value, "__dict__")))
    for base in reversed(cls.__mro__[:-1]):
        slots = base.__dict__.get("__slots__", ())
        names.update(dict.fromkeys((slots,) if isinstance(slots, str) else slots))
        for name, member in base.__dict__.items():
            if isinstance(member, property) or type(member).__name__ == "cached_property":
                names[name] = None
    for name in names:
        is_public = isinstance(name, str) and not name.startswith("_")
        if is_public and name.isidentifier() and not iskeyword(name):
            yield name


def _attributes(value: Any, index: int) -> Iterator[Plain]:
    return (observer_call("get", name, index) for name in _attribute_names(value))


def _methods(value: Any, index: int) -> Iterator[Plain]:
    """Public methods without required parameters that the class's own Python code defines."""
    cls = type(value)
    seen: set[str] = set()
    for base in cls.__mro__[:-1]:
        for name, member in base.__dict__.items():
            if name.startswith("_") or name in seen:
                continue
            seen.add(name)
            if inspect.isfunction(member) and _without_arguments(member):
                yield observer_call("method", name, index)


def _without_arguments(function: Any) -> bool:
    code, defaults = function.__code__, len(function.__defaults__ or ())
    keyword_only = code.co_kwonlyargcount - len(function.__kwdefaults__ or {})
    return (code.co_argcount - defaults, keyword_only) == (1, 0) and not code.co_flags & _SUSPENDS


def _texts(value: Any, index: int) -> Iterator[Plain]:
    """Text forms that a Python class defines itself; one made of its fields says what they say."""
    cls = type(value)
    if inspect.isfunction(cls.__str__):
        yield observer_call("operator", "str", index)
    made = getattr(cls.__repr__, "__wrapped__", cls.__repr__)
    if inspect.isfunction(made) and not made.__code__.co_filename.startswith("<"):
        yield observer_call("operator", "repr", index)


def commands_of(source: str, package: str) -> frozenset[str]:
    """The names in the text of a module of ``package`` that say of a call that it is a command.

    They are the last names of functions of which an answer is left unused, and what is imported of
    other projects and of modules that reach out.  What a command was given is its effect, as in
    ``log.warning("gone")``.  What a question was asked shows in what comes of its answer, and how
    often or in which order is nobody's affair.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Expr(ast.Call(func)) | ast.Expr(ast.Await(ast.Call(func))):
                names.add(func.attr if isinstance(func, ast.Attribute) else ast.unparse(func))
            case ast.Import(aliases):
                found = [(one.asname or one.name.partition(".")[0], one.name) for one in aliases]
                names.update(name for name, home in found if _is_beyond(home, package))
            case ast.ImportFrom(str() as home, aliases, 0) if _is_beyond(home, package):
                names.update(one.asname or one.name for one in aliases)
    return frozenset(names)


def _is_beyond(home: str, package: str) -> bool:
    """Is the module of another project, or one by which code reaches out?"""
    top = home.partition(".")[0]
    return top in _BEYOND or (top != package and top not in sys.stdlib_module_names)


def _recorded(
    stand_in: Any, index: int, name: str, commands: frozenset[str] | None
) -> Iterator[Plain]:
    """Observer Calls for what a function, or those of an object, were called with.

    ``name`` is that of the function which result number ``index`` replaces, '' if it is none.
    Without ``commands`` all calls are shown.
    """
    if type(stand_in) is SimpleNamespace:
        yield from _recorded_inside(stand_in, index, commands)
        return
    if _is_shown(stand_in, name, commands):
        yield from _calls_of(stand_in, index)
    for inner, member in vars(stand_in)["_mock_children"].items():
        if _is_shown(member, inner, commands):
            yield from _calls_of(member, index, f"{inner}.")


def _recorded_inside(
    stand_in: Any, index: int, commands: frozenset[str] | None, path: str = ""
) -> Iterator[Plain]:
    """The same of the functions of a namespace, and of those of a namespace that they answer."""
    for name, value in vars(stand_in).items():
        held, inner = value, f"{path}{name}."
        if records_calls(value):
            if _is_shown(value, name, commands):
                yield from _calls_of(value, index, inner)
            held, inner = _answer_of(value), f"{inner}return_value."
        if type(held) is SimpleNamespace and path.count(".") < MAX_DEPTH:
            yield from _recorded_inside(held, index, commands, inner)


def _is_shown(function: Any, name: str, commands: frozenset[str] | None) -> bool:
    """Are the calls of the function an effect?  Of one without a name nobody can tell."""
    if commands is None or not name or not commands.isdisjoint(name.split(".")):
        return True
    return any(_is_sent(arg) for call in function.call_args_list for arg in call.args[:1])


def _is_sent(arg: Any) -> bool:
    """Is it a command line, as a list of words, or an address?"""
    if type(arg) is list:
        return bool(arg) and all(type(word) is str for word in arg)
    return type(arg) is str and _SENT.search(arg) is not None


def _calls_of(function: Any, index: int, path: str = "") -> Iterator[Plain]:
    """What a function was called with; ``path`` leads to it.

    How often code asks for the same thing is its own affair, but of what it might have kept.
    """
    told = path + "call_args."
    plain = len(repr(function.call_args)) <= MAX_CALL_TEXT
    count = function.call_count
    calls = function.call_args_list
    if 1 < count <= MAX_COUNTED and len(repr(calls)) <= MAX_CALL_TEXT:
        if any(call.args for call in calls):
            yield observer_call("get", f"{path}call_args_list{EACH}args", index)
        if any(call.kwargs for call in calls):
            yield observer_call("get", f"{path}call_args_list{EACH}kwargs", index)
    is_asked = _answer_of(function) is not None and not any(
        call.args or call.kwargs for call in calls
    )
    if (1 < count <= MAX_COUNTED and not is_asked) or (count == 1 and not plain):
        yield observer_call("get", f"{path}call_count", index)
    if function.call_count and plain:
        if function.call_args.args or not function.call_args.kwargs:
            yield observer_call("get", f"{told}args", index)
        if function.call_args.kwargs:
            yield observer_call("get", f"{told}kwargs", index)
    if count == 1 and plain and isinstance(function.side_effect, FunctionType):
        yield observer_call("get", f"{path}call_count", index)


def _answer_of(function: Any) -> Any:
    """What a function that replaces another was told to answer; None for nothing.

    To ask it, or to call it, makes an answer where it has none.
    """
    answer = vars(function)["_mock_return_value"]
    return None if type(answer).__module__ == "unittest.mock" else answer


def records_calls(value: Any) -> bool:
    """Is it a Mock?  Others of that module, such as ``call`` and ``DEFAULT``, record nothing."""
    is_of_mock = type(value).__module__ == "unittest.mock"
    return is_of_mock and "_mock_children" in getattr(value, "__dict__", ())


def replaced_name(calls: Plain, index: int) -> str:
    """The dotted name of what the result number ``index`` of the encoded ``calls`` replaces."""
    for kind, name, args, *_ in calls:
        if (kind, name) == ("arrange", "setattr") and args[1] == ("r", index):
            return str(args[0][1])
    return ""


def _of_function(function: Any, index: int) -> Iterator[Plain]:
    """The functions in attributes of a function that take no arguments and store nothing.

    ``cached(...)(load).cache_info()`` tells what the calls of the function before it did.
    """
    for name, told in vars(function).items() if type(function) is FunctionType else ():
        if type(told) is FunctionType and not name.startswith("_"):
            code, steps = told.__code__, dis.get_instructions(told)
            stores = sum(bool(_STORES.match(one.opname)) - (one.argval == _RECORD) for one in steps)
            if not (stores > 0 or code.co_argcount or code.co_kwonlyargcount):
                yield observer_call("method", name, index)


def _of_logger(logger: Any, index: int) -> Iterator[Plain]:
    """Which records a logger takes, and who handles them if that is not as in a fresh one."""
    yield observer_call("get", "name", index)
    yield observer_call("get", "level", index)
    told = {f"handlers{EACH}__class__": logger.handlers, "propagate": not logger.propagate}
    for name, is_told in {**told, "disabled": logger.disabled}.items():
        if is_told:
            yield observer_call("get", name, index)


def _of_syntax_node(node: Any, index: int) -> Iterator[Plain]:
    """The source that a node stands for, and its fields; a reader asks no node where it stood."""
    writer = _WRITERS.get(type(node).__module__, "ast:unparse")
    yield ("function", writer, (("r", index),), (), "")
    for name in node._fields:
        if isinstance(getattr(node, name, None), str | int | bytes | list):
            yield observer_call("get", name, index)


def observers(
    value: Any, index: int, name: str = "", commands: frozenset[str] | None = None
) -> Iterator[Plain]:
    """Observer Calls for ``value`` (result number ``index``), the most informative first.

    ``name`` is that of the function which it replaces, ``commands`` those whose calls are shown.
    """
    if type(value) is SimpleNamespace or records_calls(value):
        is_alone = threading.active_count() <= _THREADS  # others may yet call it
        yield from _recorded(value, index, name, commands) if is_alone else ()
        return
    if any(base.__module__ == _OF_THREADS for base in type(value).__mro__):
        yield observer_call("method", "result", index)  # which waits for it
        return
    if issubclass(type(value), logging.Logger):
        yield from _of_logger(value, index)
        return
    if isinstance(value, ast.AST) or type(value).__module__ in _WRITERS:
        yield from _of_syntax_node(value, index)
        return
    if isinstance(value, BaseException):
        yield observer_call("operator", "str", index)
    if type(value) in _COMPARED_WHOLE:
        yield observer_call("operator", "itself", index)
    elif isinstance(value, (*BUFFERS, re.Match)):
        names = ("getvalue",) if isinstance(value, BUFFERS) else ("group", "groups")
        yield from [observer_call("method", name, index) for name in names]
    if type(value).__module__ in _PLAIN:
        yield from _of_function(value, index)
        return
    for source in (_content, _attributes, _methods, _texts):
        yield from source(value, index)


def warning_observer(name: str) -> Plain:
    """The encoded Call of what a run ``warns`` of, or of the classes of warnings it ``ignores``."""
    return ("output", name, (), (), "")


def state_observers(module: str, qualname: str) -> list[Plain]:
    """What reads the place ``qualname`` of a module's state, the plainest first.

    Of a place with a private name that are the functions of the module that answer without
    arguments and whose code names it, before the name itself.
    """
    owner, _, name = qualname.rpartition(".")
    is_of_class = inspect.isclass(vars(sys.modules[module]).get(owner))
    path, receiver = (name, ("y", module, owner)) if is_of_class else (qualname, ("y", module, ""))
    is_reachable = is_of_class or _is_reachable(module)
    reading = [("get", one, (receiver,), (), "") for one in (path, path + EACH) if is_reachable]
    if not is_private(qualname):
        return reading
    first = qualname.partition(".")[0]
    functions = [
        ("function", f"{module}:{function.__name__}", (), (), "")
        for function in vars(sys.modules[module]).values()
        if inspect.isfunction(function) and _asks_for(function, first, module)
    ]
    return [*functions, *reading]


def is_private(qualname: str) -> bool:
    """Has a part of ``qualname`` a name that others are not to use?"""
    return any(part.startswith("_") for part in qualname.split("."))


def _is_reachable(module: str) -> bool:
    """Does its package have the module under its name, and nothing else?"""
    package, _, name = module.rpartition(".")
    return not package or vars(sys.modules[package]).get(name) is sys.modules[module]


def _asks_for(function: Any, name: str, module: str) -> bool:
    """Is it a public function of ``module`` without required parameters that names ``name``?"""
    code = function.__code__
    is_own = function.__module__ == module and not function.__name__.startswith("_")
    is_found = vars(sys.modules[module]).get(function.__name__) is function
    without = not code.co_argcount + code.co_kwonlyargcount and not code.co_flags & _SUSPENDS
    return is_own and is_found and without and name in code.co_names


def deeper_observers(value: Any, path: str, index: int) -> Iterator[Plain]:
    """Observer Calls for what is in ``value``, which has no term itself.

    ``value`` is what ``path`` reads from result number ``index``, '' for the result.  Of the items
    of a list, each attribute is read from all.
    """
    if type(value) in _ORDERED and value and all(map(is_of_project, value)):
        if EACH not in path:
            for name in _attribute_names(value[0]):
                yield observer_call("get", f"{path}{EACH}{name}", index)
    elif isinstance(value, dict):
        for key in itertools.islice(filter(is_key, dict.keys(value)), MAX_KEYS):
            yield observer_call("get", f'{path}["{key}"]', index)
    if path and is_of_project(value):
        for name in _attribute_names(value):
            yield observer_call("get", f"{path}.{name}", index)


def is_key(key: object) -> bool:
    """Can ``key`` stand in the path of a ``get``, and does a reader take it in at a glance?"""
    return type(key) is str and KEY_IN_PATH.fullmatch(key) is not None


def is_of_project(value: Any) -> bool:
    """Is the class of ``value`` neither the interpreter's nor the standard library's?"""
    package = type(value).__module__.partition(".")[0]
    return package not in sys.stdlib_module_names
