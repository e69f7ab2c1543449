"""Values of standard-library classes without literals: dates, decimals, paths and others.

Invariant: each value is a Build or Symbol of the standard library, and does not depend on the
file system or the environment; of the clock only a log record knows.
"""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from unitcraft.core.sequences import Arg, Build, Const, Display, DisplayKind, Source, Symbol


def symbol_of(home: str) -> Symbol:
    """The Symbol of ``module:qualname``."""
    module, _, path = home.partition(":")
    return Symbol(module, path)


def arg_of(value: Any) -> Arg:
    """The Arg of an atom, an Arg, or a container of these."""
    if isinstance(value, list):
        return Display("list", tuple([arg_of(item) for item in value]))
    if isinstance(value, tuple):
        return Display("tuple", tuple([arg_of(item) for item in value]))
    if isinstance(value, dict):
        return Display("dict", tuple([arg_of(part) for pair in value.items() for part in pair]))
    if isinstance(value, set | frozenset):
        kind: DisplayKind = "set" if isinstance(value, set) else "frozenset"
        return Display(kind, tuple([arg_of(item) for item in sorted(value)]))
    if isinstance(value, Const | Build | Symbol | Source | Display):
        return value
    return Const(value)


def build(home: str, *args: Any, **kwargs: Any) -> Build:
    """The Build of ``module:qualname`` called with atoms, Args or containers of these."""
    named = tuple([(name, arg_of(value)) for name, value in kwargs.items()])
    return Build(symbol_of(home), tuple([arg_of(value) for value in args]), named)


_UTC: Final = Symbol("datetime", "timezone.utc")

_DATETIMES: Final = (
    build("datetime:datetime", 2024, 1, 31, 12, 30),
    build("datetime:datetime", 2024, 2, 29),
    build("datetime:datetime", 1999, 12, 31, 23, 59, 59),
    build("datetime:datetime", 2024, 1, 31, 12, 30, tzinfo=_UTC),
)
_DATES: Final = (
    build("datetime:date", 2024, 1, 31),
    build("datetime:date", 2024, 2, 29),
    build("datetime:date", 1999, 12, 31),
)
_STREAMS: Final = (build("io:StringIO", "first line\nsecond line\n"), build("io:StringIO", ""))
_DOCUMENTS: Final = (
    '<shop id="1"><item>pear</item><item>fig</item></shop>', "<item>pear</item>",
)  # fmt: skip
_HOST: Final = "https://example.com"
_URL: Final = "https://example.com/shop?item=1#top"
_PATHS: Final = (
    build("pathlib:Path", "notes.txt"),
    build("pathlib:Path", "folder/data.tar.gz"),
    build("pathlib:Path", "folder"),
)

#: Class id -> values, the simplest first.
VALUES: Final[Mapping[str, tuple[Arg, ...]]] = MappingProxyType(
    {
        "datetime:datetime": _DATETIMES,
        "datetime:date": _DATES,
        "datetime:time": (
            build("datetime:time", 12, 30), build("datetime:time", 0, 0),
            build("datetime:time", 23, 59, 59),
        ),
        "datetime:timedelta": (
            build("datetime:timedelta", days=1), build("datetime:timedelta", 0),
            build("datetime:timedelta", hours=1, minutes=30),
            build("datetime:timedelta", seconds=-1),
        ),
        "datetime:timezone": (
            _UTC, build("datetime:timezone", build("datetime:timedelta", hours=2)),
        ),
        "datetime:tzinfo": (_UTC,),
        "decimal:Decimal": tuple(
            [build("decimal:Decimal", text) for text in ("1", "0", "1.5", "-2.25", "100", "NaN")]
        ),
        "fractions:Fraction": (
            build("fractions:Fraction", 1, 2), build("fractions:Fraction", 0),
            build("fractions:Fraction", -3, 4), build("fractions:Fraction", 5),
        ),
        "pathlib:Path": _PATHS,
        "pathlib:PurePath": tuple([Build(Symbol("pathlib", "PurePath"),
            one.args) for one in _PATHS]),
        "pathlib:PurePosixPath": (
            build("pathlib:PurePosixPath", "folder/notes.txt"),
            build("pathlib:PurePosixPath", "/"),
        ),
        "os:PathLike": _PATHS,
        "urllib.error:HTTPError": (
            build("urllib.error:HTTPError", _HOST, 404, "Not Found", {}, build("io:BytesIO")),
            build("urllib.error:HTTPError", _HOST, 500, "Server Error", {}, build("io:BytesIO")),
        ),
        "subprocess:CalledProcessError": (build("subprocess:CalledProcessError", 1, ["git"]),),
        "subprocess:TimeoutExpired": (build("subprocess:TimeoutExpired", ["git"], 1.5),),
        "json.decoder:JSONDecodeError": (build("json.decoder:JSONDecodeError", "message", "", 0),),
        "sqlite3:Connection": (build("sqlite3:connect", ":memory:"),),
        "uuid:UUID": (
            build("uuid:UUID", int=1), build("uuid:UUID", "12345678123456781234567812345678"),
        ),
        "ipaddress:IPv4Address": (
            build("ipaddress:IPv4Address", "192.168.0.1"),
            build("ipaddress:IPv4Address", "127.0.0.1"),
        ),
        "ipaddress:IPv6Address": (build("ipaddress:IPv6Address", "::1"),),
        "ipaddress:IPv4Network": (build("ipaddress:IPv4Network", "192.168.0.0/24"),),
        "ipaddress:IPv6Network": (build("ipaddress:IPv6Network", "2001:db8::/32"),),
        "re:Pattern": (
            build("re:compile", "a+"), build("re:compile", r"(\w+)@(\w+)"), build("re:compile", ""),
        ),
        "io:StringIO": _STREAMS,
        "io:BytesIO": (build("io:BytesIO", b"first line\nsecond line\n"), build("io:BytesIO", b"")),
        "builtins:bytearray": (
            build("builtins:bytearray", b"abc"), build("builtins:bytearray", b""),
        ),
        "builtins:memoryview": (build("builtins:memoryview", b"abc"),),
        "builtins:range": (
            build("builtins:range", 3), build("builtins:range", 0), build("builtins:range", 1, 10,
                3),
        ),
        "builtins:slice": (
            build("builtins:slice", 1, 3), build("builtins:slice", None),
            build("builtins:slice", None, None, -1), build("builtins:slice", 0, 10, 2),
        ),
        "builtins:object": (build("builtins:object"),),
        "collections:Counter": (
            build("collections:Counter", "aab"), build("collections:Counter"),
        ),
        "collections:deque": (
            build("collections:deque", [1, 2, 3]), build("collections:deque"),
            build("collections:deque", [1, 2], maxlen=2),
        ),
        "collections:OrderedDict": (
            build("collections:OrderedDict", [("a", 1), ("b", 2)]),
            build("collections:OrderedDict"),
        ),
        "collections:defaultdict": (
            build("collections:defaultdict", symbol_of("builtins:int")),
            build("collections:defaultdict", symbol_of("builtins:list"), {"a": [1]}),
        ),
        "collections:ChainMap": (build("collections:ChainMap", {"a": 1}, {"a": 2, "b": 3}),),
        "array:array": (build("array:array", "i", [1, 2, 3]), build("array:array", "i")),
        "random:Random": (build("random:Random", 0),),
        "logging:Logger": (build("logging:Logger", "test"),),
        "logging:LogRecord": (
            build("logging:LogRecord", "test", 20, "shop.py", 7, "ready", None, None),
            build("logging:LogRecord", "test", 40, "shop.py", 7, "%d items", (3,), None),
            build(
                "logging:LogRecord", "test", 40, "shop.py", 7, "failed", None,
                (symbol_of("builtins:ValueError"), build("builtins:ValueError", "no"), None),
            ),
        ),
        "logging:Formatter": (build("logging:Formatter", "%(levelname)s %(message)s"),),
        "logging:StreamHandler": (build("logging:StreamHandler", build("io:StringIO")),),
        "types:SimpleNamespace": (build("types:SimpleNamespace"),),
        "types:MappingProxyType": (build("types:MappingProxyType", {"a": 1}),),
        "string:Template": (build("string:Template", "$name is $value"),),
        "string:Formatter": (build("string:Formatter"),),
        "argparse:Namespace": (build("argparse:Namespace", name="a", verbose=True),),
        "argparse:ArgumentParser": (build("argparse:ArgumentParser", prog="prog"),),
        "configparser:ConfigParser": (build("configparser:ConfigParser"),),
        "itertools:count": (build("itertools:count", 1),),
        "decimal:Context": (build("decimal:Context", prec=6),),
        "threading:Lock": (build("threading:Lock"),),
        "queue:Queue": (build("queue:Queue"),),
        "http:HTTPStatus": (
            symbol_of("http:HTTPStatus.OK"), symbol_of("http:HTTPStatus.NOT_FOUND"),
        ),
        "enum:Enum": (symbol_of("uuid:SafeUUID.safe"),),
        "enum:IntEnum": (symbol_of("http:HTTPStatus.OK"),),
        "enum:IntFlag": (symbol_of("re:RegexFlag.IGNORECASE"),),
        "xml.etree.ElementTree:Element": tuple(
            build("xml.etree.ElementTree:fromstring", text) for text in _DOCUMENTS
        ),
        "subprocess:CompletedProcess": (
            build("subprocess:CompletedProcess", ["git"], 0, "out", ""),
            build("subprocess:CompletedProcess", ["git"], 1, "", "error"),
        ),
        "email.message:EmailMessage": (build("email.message:EmailMessage"),),
        "urllib.parse:ParseResult": (build("urllib.parse:urlparse", _URL),),
        "urllib.parse:SplitResult": (build("urllib.parse:urlsplit", _URL),),
        "urllib.request:Request": (build("urllib.request:Request", _URL),),
        "types:ModuleType": (build("types:ModuleType", "shop"),),
        "time:struct_time": (build("time:struct_time", (2024, 1, 31, 12, 30, 0, 2, 31, 0)),),
        "threading:Event": (build("threading:Event"),),
        "struct:Struct": (build("struct:Struct", "<H"),),
        "http.cookies:SimpleCookie": (build("http.cookies:SimpleCookie", "name=value"),),
        "concurrent.futures:Future": (build("concurrent.futures:Future"),),
        "contextlib:ExitStack": (build("contextlib:ExitStack"),),
        "contextlib:nullcontext": (build("contextlib:nullcontext"),),
        "threading:RLock": (build("threading:RLock"),),
        "threading:Thread": (build("threading:Thread"),),
        "asyncio.queues:Queue": (build("asyncio.queues:Queue"),),
        "email.message:Message": (build("email.message:Message"),),
        "json.encoder:JSONEncoder": (build("json.encoder:JSONEncoder"),),
        "json.decoder:JSONDecoder": (build("json.decoder:JSONDecoder"),),
        "csv:DictReader": (build("csv:DictReader", ["name,size", "a,1"]),),
        "calendar:Calendar": (build("calendar:Calendar"),),
        "optparse:OptionParser": (build("optparse:OptionParser", prog="prog"),),
        "contextvars:ContextVar": (build("contextvars:ContextVar", "name"),),
    }
)  # fmt: skip

#: Class id -> ids of classes whose values also fit (subclasses).
_ALSO: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "datetime:date": ("datetime:datetime",),
        "pathlib:PurePath": ("pathlib:Path",),
        "datetime:tzinfo": ("datetime:timezone",),
        "logging:Handler": ("logging:StreamHandler",),
    }
)

#: Classes whose objects have the attributes that they are made with.
OPEN_CLASSES: Final = (Symbol("types", "SimpleNamespace"), Symbol("argparse", "Namespace"))
#: Exceptions whose constructor takes more than a message.
_ODD_EXCEPTIONS: Final = frozenset(
    [
        "UnicodeDecodeError",
        "UnicodeEncodeError",
        "UnicodeTranslateError",
        "BaseExceptionGroup",
        "ExceptionGroup",
    ]
)


def values_of_class(home: str) -> tuple[Arg, ...]:
    """Values of the standard-library class with id ``home``; () if there are none."""
    module, _, name = home.partition(":")
    if module == "builtins" and _is_exception(name):
        return (build(home, "message"), build(home))
    others = [value for other in _ALSO.get(home, ()) for value in VALUES[other]]
    return (*VALUES.get(home, ()), *others)


def makes_object(callee: Symbol, home: str) -> bool:
    """Is it the class ``home`` itself, or a function that makes objects of it: ``re.compile``?"""
    made = [one.callee for one in VALUES.get(home, ()) if isinstance(one, Build)]
    return callee == symbol_of(home) or callee in made


def _is_exception(name: str) -> bool:
    found = vars(builtins).get(name)
    known = isinstance(found, type) and issubclass(found, BaseException)
    return known and name not in _ODD_EXCEPTIONS
