"""What the name of a parameter says about its type: a class of that name, a sibling of that name.

A parameter is mostly called after what it takes: ``journal_entry`` takes a JournalEntry, and what
one function of a package calls ``start`` is what its siblings do.  ``parent_block`` takes a Block,
unless the words of the name speak for a type of the language.  Names that libraries use for one
type almost alone are in ``TYPED_NAMES``, first and last words of such names in the other two
tables: ``benchmarks/typeshed_names.py`` prints all three.

Invariant: a name is a weak witness: it orders what nothing else tells apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from unitcraft.core.types import ANY, TypeExpr
from unitcraft.explore.plausibility.operands import owner_of
from unitcraft.subject.model import Invocable, Parameter, Subject

#: Type -> names that take it in 60 of 100 sources of typeshed, of at least four: whole names.
TYPED_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "bool": """
            active all allow_nan allow_none auto autocommit block blocking bold
            canonical check_circular check_hostname close closefd compact copy
            create debug decode deep delete deprecated deterministic dry_run duplex
            eager_start enabled ensure_ascii exclusive expand final flush
            follow_symlinks force full hidden immediate inheritable inplace
            is_active keep_blank_values lazy line_buffering mangle_from_ normalized
            nowait optional overwrite preserve_mode preserve_times pretty_print
            quiet raise_errors read read_only readonly recursive replace required
            reverse secure server_side short_empty_elements skip_idle skipkeys
            sort_keys ssl stack_info standalone strict strict_parsing strip
            temporary toplevel trim unicode unique update use_cache verbose verify
            visible warn write_through xml_declaration
        """,
        "bytes": "salt",
        "callable": """
            callable callback func getter hook initializer object_hook
            object_pairs_hook onerror opener parse_constant parse_float parse_int
            predicate preexec_fn progress protocol_factory timer
        """,
        "dict": "attrib dct dict dictionary extra globals kwargs kwds locals proxies",
        "float": """
            alpha angle beta delay distance gamma gap radius ratio rot sample_rate
            ssl_handshake_timeout ssl_shutdown_timeout start_time ticks timeout
        """,
        "int": """
            backlog batch_size block_size blocksize buffer_size buflen bufsize
            chunk_size chunksize column compresslevel count day days debuglevel
            depth dir_fd fileno flags gid hint hour hours how idx index lasti length
            level limit line_number lineno major max_age max_depth max_length
            max_line_length max_size maxlen maxsize maxsplit minimum minor minute
            minutes month months nargs nbytes ncols ndigits num number offset
            optimize optname parties phase pid places port pos preset processes
            proto rate repeat retries sample_interval_usec sig signal signalnum
            signum size sizehint stacklevel status_code steps stop tabsize thread_id
            tries uid verbosity weekday weight whence width year
        """,
        "list": """
            argv children choices components dependencies depends dirs events fds
            filenames formats frames groups handlers include include_dirs items
            iterable languages libraries library_dirs lines list lst members paths
            patterns resources sequence stack_frames strings targets tokens weights
        """,
        "str": """
            access_token algorithm alias attr attribute audience author base_dir
            base_name base_url basename bits boundary cafile capath certfile
            challenge char chars charset className client_id client_secret cmd
            command comment content_type country cwd database default_namespace
            delim delimiter desc description dest detail dir directory dirname
            display_name doc domain email encoding endpoint errors executable
            expression ext field_name filename filepath fill_color fmt fname format
            format_spec full_name fullname funcname group help host hostname ident
            issuer key_type keyfile label lang language lib line linesep link
            location message method_name mod_name module_name modulename msg name
            newline nonce old opt output_dir output_file package param passwd
            password pat path pathname pattern prefix prog prompt
            provider publicId query reason refresh_token region repl response_type
            root_dir rounding scheme script script_name sep separator
            server_hostname space sql statement str string subject subtype suffix
            symbol systemId tagName tagname tail template text theme title
            token_type txt typename uri url usage use user user_id username var what
            word
        """,
        "tuple": "bases separators sockaddr type_params",
        "type": "cls exc_type typ",
    }
)
#: Type -> first words of names that take it in 60 of 100, as ``is_valid``.
FIRST_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "bool": """
            add all allow as binary bind check clear delete disable do enable expand
            force has hide ignore include is keep no only preserve raise remove
            require resolve restore short show skip sort strict strip use validate
            with write xml
        """,
        "int": "block buffer byte first max num sample size status",
        "str": """
            access attr base cert code display ext mod package password path root
            script store text
        """,
    }
)
#: The same for last words, as ``type_name``.
LAST_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "bool": """
            all comments default elements empty entities errors exceptions first
            form keys match nan none ok only output override print start symlinks
            thread unicode whitespace
        """,
        "callable": "callback constant fn func hook int",
        "dict": "kwargs vars",
        "float": "delay ratio timeout",
        "int": "count depth fd len length limit lineno num pid size threshold usec",
        "list": "codes dirs frames list patterns protocols",
        "str": """
            algorithm attr char description dir file filename hint hostname msg name
            namespace package path pattern prefix section sep str string text uri
            url
        """,
        "type": "cls",
    }
)


def _by_word(table: Mapping[str, str]) -> Mapping[str, TypeExpr]:
    return MappingProxyType(
        {name: TypeExpr(type_) for type_, names in table.items() for name in names.split()}
    )


#: Stands for the class of whichever method has the parameter.
_OWN: Final = TypeExpr("own")
_BY_NAME: Final = _by_word(TYPED_NAMES)
_BY_FIRST: Final = _by_word(FIRST_WORDS)
_BY_LAST: Final = _by_word(LAST_WORDS)
#: Last words for functions and classes name one alone as well: ``func``, ``cls``.
_CODE_BY_LAST: Final = {
    word: type_ for word, type_ in _BY_LAST.items() if type_.name in ("callable", "type")
}
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class ParameterNames:
    """The types that names of parameters speak for, in one Subject (immutable once made)."""

    def __init__(self, subject: Subject) -> None:
        self._classes = {_snake(info.qualname): info.id for info in reversed(subject.classes)}
        self._bases = {info.id: info.bases for info in subject.classes}
        self._siblings: dict[str, dict[TypeExpr, None]] = {}
        for invocable in subject.invocables:
            for one in invocable.parameters:
                if one.type != ANY and one.origin in ("annotation", "docstring"):
                    is_own = bool(one.type.cls) and one.type.cls == owner_of(invocable)
                    type_ = _OWN if is_own else one.type
                    self._siblings.setdefault(one.name, {})[type_] = None

    def note(self, name: str, type_: TypeExpr) -> None:
        """A sibling's parameter ``name`` takes values of the type."""
        self._siblings.setdefault(name, {})[type_] = None

    def witnesses(
        self, invocable: Invocable, parameter: Parameter
    ) -> Iterator[tuple[TypeExpr, str]]:
        """(type, rung) for what the name speaks for: ``sibling``, ``class`` or ``name``.

        What siblings take of their own class, ``concat`` of a Sum another Sum, is of the class of
        ``invocable``; so is what is called after a base of that class.
        """
        name = parameter.name.strip("_")
        if len(name) < 2 or parameter.kind.startswith("var_"):  # noqa: PLR2004 - one letter
            return  # names nothing, and ``kwargs`` names no value of its own
        owner = owner_of(invocable)
        own = TypeExpr("class", cls=owner) if owner else ANY
        for sibling in self._siblings.get(parameter.name, ()):
            type_ = own if sibling == _OWN else sibling
            if type_ != parameter.type:
                yield type_, "sibling"
        type_of = type_of_name(name)
        if (cls := self._class_called(name, by_last_words=type_of is None)) is not None:
            is_base = cls in self._bases.get(owner, ())
            yield own if is_base else TypeExpr("class", cls=cls), "class"
        if type_of is not None:
            yield type_of, "name"

    def type_of_items(self, name: str) -> TypeExpr | None:
        """The type that the name speaks for as one of several, as ``field_names`` are texts."""
        one = singular(name.strip("_"))
        type_of = type_of_name(one) if one else None
        cls = self._class_called(one, by_last_words=type_of is None) if one else None
        return TypeExpr("class", cls=cls) if cls is not None else type_of

    def _class_called(self, name: str, *, by_last_words: bool) -> str | None:
        """The id of the class of that name, or of the one that its last words name."""
        words = _snake(name).split("_")
        for at in range(len(words) if by_last_words else 1):
            called = self._classes.get("_".join(words[at:]))
            if called is not None:
                return called
        return None


def type_of_name(name: str) -> TypeExpr | None:
    """The type of names like it: the whole, a first word that says yes or no, the last, the first.

    ``is_path`` is true or false, and ``file_size`` a number.
    """
    *before, last = _snake(name).split("_")
    if not before:
        return _BY_NAME.get(name) or _CODE_BY_LAST.get(name)
    first = _BY_FIRST.get(before[0])
    flag = first if first is not None and first.name == "bool" else None
    return _BY_NAME.get(name) or flag or _BY_LAST.get(last) or first or _counted(last)


def singular(name: str) -> str:
    """The name of one of those that ``name`` stands for ('' if it is no plural)."""
    if not name.endswith("s") or name.endswith("ss") or len(name) < len("abs"):
        return ""
    return f"{name[:-3]}y" if name.endswith("ies") else name[:-1]


def _counted(last: str) -> TypeExpr | None:
    """Int if names that are such a word alone take one, as of ``retry_count``.

    Of the 30 uses of such longer names in typeshed 23 do; of those that end in the name of a text
    18 of 40, so that no other type counts.
    """
    found = _BY_NAME.get(last)
    return found if found is not None and found.name == "int" else None


@cache
def _snake(qualname: str) -> str:
    return _HUMP.sub("_", qualname.rpartition(".")[2]).lower().strip("_")
