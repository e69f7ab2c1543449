"""What unitcraft knows of a Subject without running its behaviour, as plain data.

Invariant: made inside a guarded worker by ``subject.description.describe`` and carried to
the parent as plain tuples (``as_plain``/``from_plain`` in ``subject.subject_codec``); the parent
never imports the Subject.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from unitcraft.core.sequences import Arg, Atom, Sequence
from unitcraft.core.types import ANY, TypeExpr

ParameterKind = Literal["positional_only", "positional", "keyword", "var_positional", "var_keyword"]

TypeOrigin = Literal["", "annotation", "docstring", "default"]

InvocableKind = Literal[
    "constructor", "function", "classmethod", "staticmethod", "method", "property", "field"
]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; the receiver is never among them.

    ``origin`` says where ``type`` comes from; from a docstring or a default it is a hint
    that running may contradict.
    """

    name: str
    kind: ParameterKind = "positional"
    type: TypeExpr = ANY
    required: bool = True
    default: Arg | None = None  # None: no default, or one that has no literal
    origin: TypeOrigin = ""


@dataclass(frozen=True, slots=True)
class Invocable:
    """Something to call: ``id`` is ``module:qualname`` as a caller reaches it.

    ``owner`` is the class id for members.  ``module``, ``first`` and ``last`` say where
    its code is (empty and 0 when it is not Python code of the Subject's package): an
    inherited member has the module of the base.  ``settable`` applies to
    properties and fields.  ``reads`` and ``writes`` are names of receiver fields, as far
    as the source shows.
    """

    id: str
    kind: InvocableKind
    name: str
    owner: str = ""
    parameters: tuple[Parameter, ...] = ()
    returns: TypeExpr = ANY
    module: str = ""
    first: int = 0
    last: int = 0
    is_async: bool = False
    is_generator: bool = False
    settable: bool = False
    public: bool = True
    doc: str = ""
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ClassInfo:
    """A class of the Subject.

    ``tags`` are among ``abstract protocol enum dataclass namedtuple exception metaclass
    context iterator callable equatable hashable collaborator`` (a collaborator belongs to the
    package and is here for building arguments only).  ``bases`` are class ids, nearest first
    (the MRO without the class itself and object).  ``members`` are Invocable ids, the
    constructor first.  ``fields`` are public annotated or slot names with their types.
    ``enum_members`` are names.  ``concrete`` are the ids of classes that can stand in for an
    abstract class or a Protocol.
    """

    id: str
    module: str
    qualname: str
    bases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    members: tuple[str, ...] = ()
    fields: tuple[tuple[str, TypeExpr], ...] = ()
    enum_members: tuple[str, ...] = ()
    public: bool = True
    concrete: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A run found in a docstring, as a Sequence; ``invocable`` is the id of its last call."""

    invocable: str
    sequence: Sequence


@dataclass(frozen=True, slots=True)
class Regex:
    """A regular expression of the code and where it stands (``scope`` as in Constant)."""

    pattern: str | bytes
    flags: int
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal of the code: ``scope`` is the qualname of the enclosing function ('' = module).

    ``role`` tells how it is used: ``compare key member format default plain``.
    """

    value: Atom
    scope: str = ""
    role: str = "plain"


@dataclass(frozen=True, slots=True)
class Subject:
    """A module under test: its classes, invocables, and the values its code mentions.

    ``instances`` are module-level objects: (name, class id).  ``skipped`` are
    (id, UC5xx code, sentence) for what cannot be tested.  ``calls`` are (scope, scopes of the
    module that its code mentions directly).
    """

    module: str
    file: str
    classes: tuple[ClassInfo, ...] = ()
    invocables: tuple[Invocable, ...] = ()
    constants: tuple[Constant, ...] = ()
    regexes: tuple[Regex, ...] = ()
    examples: tuple[Example, ...] = ()
    instances: tuple[tuple[str, str], ...] = ()
    skipped: tuple[tuple[str, str, str], ...] = ()
    calls: tuple[tuple[str, tuple[str, ...]], ...] = ()
