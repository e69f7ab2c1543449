"""What functions and methods of the standard library answer, and what its objects hold.

A type is written as in an annotation, but for classes, which are named ``module:qualname``; None is
left out where it is one of two answers.

Invariant: an entry is true of all arguments that the function takes; what depends on them, as
``re.sub`` of bytes does, is listed by what most code passes only where that is a text.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from unitcraft.core.types import TypeExpr

_OF_TEXTS: Final = """
    str = capitalize casefold center expandtabs format format_map join ljust lower lstrip replace
        rjust rstrip strip swapcase title translate upper zfill removeprefix removesuffix
    list[str] = split rsplit splitlines; bytes = encode; int = count find index rfind rindex
    bool = startswith endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower
        isnumeric isprintable isspace istitle isupper
    tuple[str,str,str] = partition rpartition
"""
_OF_SETS: Final = "bool = isdisjoint issubset issuperset"
_OF_DATES: Final = """
    int = weekday isoweekday toordinal year month day; str = isoformat strftime ctime
"""
_OF_STREAMS: Final = "int = tell seek fileno write; bool = closed readable seekable writable"
#: Class, or module -> ``type = names`` of its methods and attributes, or of its functions.
_STUBS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "builtins:str": _OF_TEXTS,
        "builtins:bytes": """
            bytes = capitalize center join ljust lower lstrip replace rjust rstrip strip title
                translate upper zfill removeprefix removesuffix
            list[bytes] = split rsplit splitlines; str = decode hex; int = count find index rfind
            bool = startswith endswith isalnum isalpha isdigit islower isspace isupper
            tuple[bytes,bytes,bytes] = partition rpartition
        """,
        "builtins:int": "int = bit_length bit_count; bytes = to_bytes",
        "builtins:float": "bool = is_integer; str = hex",
        "builtins:list": "int = index count",
        "builtins:tuple": "int = index count",
        "builtins:set": _OF_SETS,
        "builtins:frozenset": _OF_SETS,
        "re:Match": """
            int = start end pos endpos lastindex; str = group expand lastgroup string
            tuple = groups span; dict = groupdict; re:Pattern = re
        """,
        "re:Pattern": """
            re:Match = match search fullmatch; iterator[re:Match] = finditer
            list = findall split; str = sub pattern; int = flags groups
        """,
        "datetime:date": f"{_OF_DATES}; datetime:date = replace",
        "datetime:datetime": f"""{_OF_DATES}; datetime:datetime = replace astimezone
            datetime:date = date; datetime:time = time; float = timestamp
            int = hour minute second microsecond""",
        "datetime:timedelta": "float = total_seconds; int = days seconds microseconds",
        "decimal:Decimal": """
            decimal:Decimal = quantize normalize copy_abs copy_negate sqrt to_integral_value
            bool = is_nan is_finite is_infinite is_zero is_signed; int = adjusted
        """,
        "fractions:Fraction": "int = numerator denominator; fractions:Fraction = limit_denominator",
        "pathlib:Path": """
            str = read_text as_posix as_uri name stem suffix anchor root drive; bytes = read_bytes
            bool = exists is_file is_dir is_symlink is_absolute
            pathlib:Path = absolute resolve expanduser joinpath with_suffix with_name relative_to
                parent
            iterator[pathlib:Path] = iterdir glob rglob; list[str] = suffixes
            tuple = parts
        """,
        "io:StringIO": f"{_OF_STREAMS}; str = read readline getvalue; list[str] = readlines",
        "io:BytesIO": f"{_OF_STREAMS}; bytes = read readline getvalue; list[bytes] = readlines",
        "logging:Logger": "int = getEffectiveLevel level; bool = isEnabledFor; str = name",
        "os:_Environ": "str = get",
        "sqlite3:Connection": "sqlite3:Cursor = execute executemany executescript cursor",
        "builtins": """
            int = len ord hash id; str = repr chr ascii bin hex oct format input
            bool = all any callable hasattr isinstance issubclass; list[str] = dir
            dict = vars globals locals
        """,
        "posixpath": """
            str = join basename dirname abspath expanduser expandvars normpath realpath relpath
                normcase
            bool = exists isfile isdir islink isabs lexists; tuple[str,str] = split splitext
            int = getsize; float = getmtime getctime getatime
        """,
        "genericpath": """
            bool = exists isfile isdir islink lexists; int = getsize
            float = getmtime getctime getatime
        """,
        "os": """
            str = getcwd getenv getlogin; list[str] = listdir
            int = getpid getppid getuid getgid cpu_count; bytes = urandom
        """,
        "time": "float = time monotonic perf_counter process_time; str = strftime ctime; "
        "int = time_ns monotonic_ns",
        "json": "str = dumps",
        "re": """
            re:Pattern = compile; re:Match = match search fullmatch
            iterator[re:Match] = finditer; list = findall split; str = sub escape
        """,
        "datetime": """
            datetime:date = date.today date.fromisoformat date.fromordinal
            datetime:datetime = datetime.now datetime.utcnow datetime.strptime datetime.today
                datetime.fromtimestamp datetime.utcfromtimestamp datetime.fromisoformat
                datetime.combine
        """,
        "pathlib": "pathlib:Path = Path.cwd Path.home",
        "sqlite3": "sqlite3:Connection = connect",
        "_sqlite3": "sqlite3:Connection = connect",
        "textwrap": "str = dedent fill indent shorten; list[str] = wrap",
        "random": "float = random uniform gauss; int = randint randrange getrandbits",
        "math": """
            int = ceil floor factorial comb perm gcd isqrt
            float = sqrt exp log log2 log10 sin cos tan atan atan2 hypot fabs fsum radians degrees
            bool = isnan isinf isfinite isclose
        """,
        "urllib.parse": """
            str = quote quote_plus unquote unquote_plus urlencode
            dict = parse_qs
        """,
        "uuid": "uuid:UUID = uuid1 uuid3 uuid4 uuid5",
        "shlex": "list[str] = split; str = quote join",
        "logging": "logging:Logger = getLogger",
        "shutil": "str = which",
        "tempfile": "str = mkdtemp gettempdir",
        "getpass": "str = getpass getuser",
        "base64": "bytes = b64encode b64decode urlsafe_b64encode urlsafe_b64decode",
        "html": "str = escape unescape",
        "inspect": "str = getsource getdoc cleandoc",
        "traceback": "str = format_exc",
        "itertools": "iterator = chain",
    }
)
#: Methods that answer the same kind whatever object they are called on, as far as code goes that
#: does not define one of that name.
_OF_ANY: Final = """
    str = casefold capitalize decode format isoformat lower lstrip rstrip strftime strip upper
    list = split rsplit splitlines readlines; bytes = encode
    bool = startswith endswith isdigit isalpha isalnum isspace isupper islower is_file is_dir
"""


def _type_of(text: str) -> TypeExpr:
    """The type that a stub names."""
    head, _, inner = text.rstrip("]").partition("[")
    parts = tuple([_type_of(part) for part in inner.split(",")]) if inner else ()
    if ":" in head:
        return TypeExpr("class", cls=head)
    return TypeExpr("vartuple" if head == "tuple" and not parts else head, parts)


def _read(text: str) -> dict[str, TypeExpr]:
    """Name -> type of what it answers or holds."""
    found: dict[str, TypeExpr] = {}
    type_ = ""
    words = text.replace(";", " ").split()
    for word, after in zip(words, [*words[1:], ""], strict=True):
        if after == "=":
            type_ = word
        elif word != "=":
            found[word] = _type_of(type_)
    return found


#: ``module:qualname`` of a function, or a method or attribute of an object of a class -> its type.
RESULTS: Final[Mapping[str, TypeExpr]] = MappingProxyType(
    {
        f"{home}.{name}" if ":" in home else f"{home}:{name}": type_
        for home, text in _STUBS.items()
        for name, type_ in _read(text).items()
    }
)
#: Name of a method -> what it answers where the class of its object is not known.
BY_METHOD: Final[Mapping[str, TypeExpr]] = MappingProxyType(_read(_OF_ANY))
