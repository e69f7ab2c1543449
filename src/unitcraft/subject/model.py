"""The description of a Subject: its classes, Invocables and the values its code mentions.

Invariant: a description is plain data, made inside a guarded worker by
``subject.description.describe`` and carried to the parent by ``subject.subject_codec``; the
parent never imports the Subject.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from unitcraft.core.sequences import Arg, Atom, Sequence, Symbol, Then
from unitcraft.core.types import ANY, TypeExpr

ParameterKind = Literal["positional_only", "positional", "keyword", "var_positional", "var_keyword"]

TypeOrigin = Literal["", "annotation", "docstring", "default"]

InvocableKind = Literal[
    "constructor", "function", "classmethod", "staticmethod", "method", "property", "field"
]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter; the receiver is never among them.

    ``origin`` says where ``type`` comes from; a type from a docstring or a default is a guess
    that a run may contradict.
    """

    name: str
    kind: ParameterKind = "positional"
    type: TypeExpr = ANY
    required: bool = True
    default: Arg | None = None  # None: no default, or one that has no literal
    origin: TypeOrigin = ""


@dataclass(frozen=True, slots=True)
class CommandOption:
    """An option or argument of a command of click, as it is declared.

    ``name`` is ``--count``, or an argument's without dashes, ``off`` the name by which a flag is
    turned off.  ``kind`` is among ``flag bool int float path choice text``; ``count`` the number of
    its values, -1 for any; ``default`` a text, '' where there is none.  ``prompts``: how often a
    person is asked for it where it is left out.
    """

    name: str
    kind: str = "text"
    off: str = ""
    choices: tuple[str, ...] = ()
    count: int = 1
    required: bool = False
    default: str = ""
    prompts: int = 0


@dataclass(frozen=True, slots=True)
class Command:
    """The way to a command of click: from ``root``, a ``module:qualname``, through its groups.

    ``parts`` are (name, options) of each command on that way, '' for the root.  ``asks``: its
    module asks a person something.
    """

    root: str
    parts: tuple[tuple[str, tuple[CommandOption, ...]], ...]
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Invocable:
    """A function, method, constructor, property or field; ``id`` is how a caller reaches it.

    ``id`` is ``module:qualname``; ``owner`` is the class id of a member.  ``module``, ``first``
    and ``last`` are the module and lines of its code ('' and 0 when it is not Python code of
    the Subject's package); an inherited member has the module of the base.  A property or field
    that can be assigned has one parameter, others have none.  ``reads`` and ``writes`` are the
    receiver's fields that the source reads and writes directly.  ``uses_own``: a member whose code
    is in another module uses, by itself or through other members, a name that a class of the
    Subject's module defines.  ``manages``: it makes a context manager of a generator function.
    ``trivial``: a stub for heirs, or private and no more than the value that it returns.
    ``beside_length``: it iterates over what has a length that acts when it is asked for.
    ``command``: it is the code behind a command of click, and takes the words of a line.
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
    manages: bool = False
    public: bool = True
    doc: str = ""
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    uses_own: bool = False
    trivial: bool = False
    beside_length: bool = False
    command: Command | None = None

    @property
    def is_open_field(self) -> bool:
        """Is it a field that its class leaves to users to store (``open_fields``)?"""
        return self.kind == "field" and bool(self.writes)

    def continuation(self, *, drains: bool) -> Then:
        """What is done with the result for the code to run; ``drains``: generators are iterated."""
        if self.manages:
            return "await enter" if self.is_async else "enter"
        if self.is_async:
            return "collect" if self.is_generator else "await"
        return "drain" if drains else ""


@dataclass(frozen=True, slots=True)
class ClassInfo:
    """A class of the Subject.

    ``tags`` are among ``abstract protocol enum dataclass namedtuple exception metaclass
    context iterator callable descriptor setter equatable hashable collaborator template``; a
    collaborator belongs to the package but not to the module, and serves to build arguments only,
    a template leaves methods to its heirs.  ``bases`` are class
    ids, nearest first (the MRO without the class itself and object).  ``members`` are Invocable
    ids, the constructor first.  ``fields`` are public attribute names with their types.
    ``enum_members`` are names.  ``concrete`` are the ids of classes whose instances can be passed
    where an abstract class or a Protocol is asked for.  ``unimplemented`` are the constructor and
    the members that a subclass of an abstract class has to define.  ``variables`` are the names of
    the public data of the class itself.
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
    unimplemented: tuple[Invocable, ...] = ()
    variables: tuple[str, ...] = ()

    def names(self) -> set[str]:
        """The names of the members, the fields and the data of the class."""
        members = [one.rpartition(".")[2] for one in self.members]
        return {*members, *self.variables, *[name for name, _ in self.fields]}


@dataclass(frozen=True, slots=True)
class Example:
    """Calls that a docstring shows, as a Sequence; ``invocable`` is the id of the last call."""

    invocable: str
    sequence: Sequence


@dataclass(frozen=True, slots=True)
class Regex:
    """A regular expression of the code; ``scope`` as in Constant."""

    pattern: str | bytes
    flags: int
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal of the code; ``scope`` is the qualname of the enclosing function ('': the module).

    ``role`` is its use: ``compare member key format default``, or ``plain`` for any other.
    """

    value: Atom
    scope: str = ""
    role: str = "plain"


@dataclass(frozen=True, slots=True)
class ParameterUse:
    """What the source does with a parameter of ``invocable``, as a probe would record it.

    ``path`` is how it is reached (``p``, ``p.x()``, ``p[]``), ``operand`` an attribute name or the
    class name of the other operand, ``arity`` a number of arguments or items, FORWARDED for those
    that ``*args`` or ``**kwargs`` stand for.  ``certain``: the code neither tests the kind of the
    parameter nor catches what a wrong kind raises.
    """

    invocable: str
    path: str
    operation: str
    operand: str = ""
    arity: int = 0
    certain: bool = True


#: The operation of what the module passes itself: the operand has the kinds of the argument.
PASSED: Final = "passed"
#: The operation of what it keeps under a key, the path, of its records: the operand has its kind.
ENTRY: Final = "entry"
#: The number of arguments of which it is unknown how many there are.
FORWARDED: Final = -1
#: The place of a value that the code itself compares its parameter with or looks it up in.
COMPARED: Final = "a comparison"
#: The place of a value under a name in an example or in choices.
STATED: Final = "an example of the module"
#: The place of a value that is like what stands in a container to which its parameter is joined.
JOINED: Final = "a container that it is joined to"


@dataclass(frozen=True, slots=True)
class CallerValue:
    """A value that a caller passes: the ``place`` is the file or the docstring that shows it.

    The module itself may state it; one without an Invocable is for keys of that name.
    """

    invocable: str
    parameter: str
    value: Arg
    place: str


@dataclass(frozen=True, slots=True)
class CaughtError:
    """An exception that the code in ``scope`` catches from the call at ``call``.

    ``name`` is the last name of what is called, ``class_id`` the class of the exception and
    ``error`` a call that makes it.
    """

    scope: str
    call: tuple[int, int, int, int]
    name: str
    class_id: str
    error: Arg


@dataclass(frozen=True, slots=True)
class Subject:
    """A module under test: its classes, invocables, and the values its code mentions.

    ``skipped`` are (id, UC5xx code, sentence) of the Invocables and classes that cannot be
    tested.  ``calls`` is the call graph by name: (scope, scopes that its code mentions).
    ``uses`` is what functions do with their parameters, ``callers`` what others pass to them,
    ``caught`` the exceptions that they expect of what they call, ``block_errors`` (scope, what
    makes them) those that a manager looks for in its block.  ``returned`` are the functions that
    its functions return: the id of what ``m:f`` returns is ``m:f()``.  ``handed`` are
    (Invocable, path, other Invocable, its parameter) of what it hands on: a parameter or its items.
    ``endings`` are (name, exception) of the methods of others that it calls and that never return.
    """

    module: str
    file: str
    classes: tuple[ClassInfo, ...] = ()
    invocables: tuple[Invocable, ...] = ()
    constants: tuple[Constant, ...] = ()
    regexes: tuple[Regex, ...] = ()
    examples: tuple[Example, ...] = ()
    skipped: tuple[tuple[str, str, str], ...] = ()
    calls: tuple[tuple[str, tuple[str, ...]], ...] = ()
    uses: tuple[ParameterUse, ...] = ()
    callers: tuple[CallerValue, ...] = ()
    caught: tuple[CaughtError, ...] = ()
    block_errors: tuple[tuple[str, tuple[Arg, ...]], ...] = ()
    returned: tuple[Invocable, ...] = ()
    handed: tuple[tuple[str, str, str, str], ...] = ()
    endings: tuple[tuple[str, Symbol], ...] = ()

    def trivial_lines(self) -> frozenset[int]:
        """The lines of the module's own functions without behaviour of their own."""
        own = [one for one in self.invocables if one.trivial and one.module == self.module]
        return frozenset(line for one in own for line in range(one.first, one.last + 1))
