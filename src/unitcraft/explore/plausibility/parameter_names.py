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
from types import MappingProxyType
from typing import Final

from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject.model import Parameter, Subject

#: Type -> names that take it in at least four files of typeshed and in 75 of 100 signatures.
TYPED_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "bool": """
            block blocking debug dry_run duplex final follow_symlinks force inheritable
            line_buffering recursive reverse server_side skipkeys sort_keys strict verbose
            write_through
        """,
        "callable": "callable callback initializer predicate",
        "dict": "dict extra globals kwargs kwds locals",
        "float": "timeout",
        "int": """
            backlog buffer_size bufsize chunksize compresslevel count debuglevel depth index level
            limit lineno max_length maxsize nbytes num offset optimize pid pos priority processes
            size sizehint stacklevel status tabsize verbosity weight whence width
        """,
        "list": "dirs fds files frames include_dirs items iterable libraries lines list",
        "str": """
            attribute base_dir cafile capath certfile content description dest dir directory doc
            domain encoding errors executable filename format_spec fullname group keyfile language
            line linesep name newline opt pathname prefix prompt reason root_dir server_hostname
            statement str symbol title uri url user version
        """,
    }
)
#: Type -> first words of names that take it in 75 of 100 signatures, as ``is_valid``.
FIRST_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "bool": "all allow check ignore is keep preserve show skip sort strict use",
        "callable": "parse", "int": "end max", "list": "extra", "str": "base output",
    }
)  # fmt: skip
#: The same for last words, as ``type_name``; a name may be such a word alone.
LAST_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "bool": "default ok symlinks", "callable": "hook", "float": "timeout", "int": "fd size",
        "list": "dirs frames list", "str": "dir name string text",
    }
)  # fmt: skip


def _by_word(table: Mapping[str, str]) -> Mapping[str, TypeExpr]:
    return MappingProxyType(
        {name: TypeExpr(type_) for type_, names in table.items() for name in names.split()}
    )


_BY_NAME: Final = _by_word(TYPED_NAMES)
_BY_FIRST: Final = _by_word(FIRST_WORDS)
_BY_LAST: Final = _by_word(LAST_WORDS)
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class ParameterNames:
    """The types that names of parameters speak for, in one Subject (immutable once made)."""

    def __init__(self, subject: Subject) -> None:
        self._classes = {_snake(info.qualname): info.id for info in reversed(subject.classes)}
        self._siblings: dict[str, dict[TypeExpr, None]] = {}
        for invocable in subject.invocables:
            for one in invocable.parameters:
                if one.type != ANY and one.origin in ("annotation", "docstring"):
                    self._siblings.setdefault(one.name, {})[one.type] = None

    def note(self, name: str, type_: TypeExpr) -> None:
        """A sibling's parameter ``name`` takes values of the type."""
        self._siblings.setdefault(name, {})[type_] = None

    def witnesses(self, parameter: Parameter) -> Iterator[tuple[TypeExpr, str]]:
        """(type, rung) for what the name speaks for: ``sibling``, ``class`` or ``name``."""
        name = parameter.name.strip("_")
        if len(name) < 2 or parameter.kind.startswith("var_"):  # noqa: PLR2004 - one letter
            return  # names nothing, and ``kwargs`` names no value of its own
        for type_ in self._siblings.get(parameter.name, ()):
            if type_ != parameter.type:
                yield type_, "sibling"
        type_of = _by_its_words(name)
        if (cls := self._class_called(name, by_last_words=type_of is None)) is not None:
            yield TypeExpr("class", cls=cls), "class"
        if type_of is not None:
            yield type_of, "name"

    def _class_called(self, name: str, *, by_last_words: bool) -> str | None:
        """The id of the class of that name, or of the one that its last words name."""
        words = _snake(name).split("_")
        for at in range(len(words) if by_last_words else 1):
            called = self._classes.get("_".join(words[at:]))
            if called is not None:
                return called
        return None


def _by_its_words(name: str) -> TypeExpr | None:
    """The type that the name as a whole speaks for, else its last or its first word."""
    *before, last = _snake(name).split("_")
    first = _BY_FIRST.get(before[0]) if before else None
    known = _BY_LAST.get(last) if before or last in ("string", "text") else None
    return _BY_NAME.get(name) or known or first or (_counted(last) if before else None)


def _counted(last: str) -> TypeExpr | None:
    """Int if names that are such a word alone take one, as of ``retry_count``.

    Of the 30 uses of such longer names in typeshed 23 do; of those that end in the name of a text
    18 of 40, so that no other type counts.
    """
    found = _BY_NAME.get(last)
    return found if found is not None and found.name == "int" else None


def _snake(qualname: str) -> str:
    return _HUMP.sub("_", qualname.rpartition(".")[2]).lower().strip("_")
