"""Candidate arguments for a type: the user's, of examples, of the code's constants, defaults.

Invariant: the order depends on the Subject, the type, the scope and the name only; a
shorter answer is a prefix of a longer one; values that a type excludes never appear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, islice
from types import MappingProxyType
from typing import Final

from unitcraft.core.outcomes import Position
from unitcraft.core.sequences import Arg, Atom, Build, Const, DisplayKind, Symbol
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject.ducktypes.answer_shapes import AnswerShapes
from unitcraft.subject.ducktypes.nested_structure import ParameterStructures
from unitcraft.subject.ducktypes.result_uses import result_uses
from unitcraft.subject.known_types import STR
from unitcraft.subject.model import ClassInfo, Subject
from unitcraft.subject.reading.answer_uses import answer_uses
from unitcraft.subject.reading.command_lines import command_lines, takers
from unitcraft.subject.reading.environment_names import global_readers, names_read, telling_values
from unitcraft.subject.reading.replaceable_calls import (
    asked_results,
    attribute_uses,
    calls_on_host,
    calls_outside,
    clock_calls,
    hooks,
    replaceable_calls,
    stored_attributes,
    texts_of_calls,
    tree_of,
)
from unitcraft.subject.values import default_values
from unitcraft.subject.values.callable_values import function_values
from unitcraft.subject.values.constant_pool import FIRST_DEFAULTS, ConstantPool, matching_texts
from unitcraft.subject.values.container_values import (
    dicts,
    interleave,
    tuples,
    typed_dicts,
    unique,
    with_elements,
)
from unitcraft.subject.values.example_arguments import ExampleArguments, fits, given_to_name
from unitcraft.subject.values.stdlib_values import VALUES, symbol_of, values_of_class
from unitcraft.subject.values.telling_texts import changed_forms, telling_texts
from unitcraft.subject.values.texts.file_texts import FileTexts
from unitcraft.subject.values.user_factories import UserValues

MAX_DEPTH: Final = 4  # levels of nested type arguments; deeper ones have no values
MAX_POOL: Final = 200  # values computed for one type, scope and name

#: Distinct values from which the containers of one type are built.
#: Halved: no site of 153, 19 % more runs.
MAX_ELEMENTS: Final = 8
#: Elements that come first, of the simplest there are; as many of the code's own follow.
FIRST_ELEMENTS: Final = 3

#: Containers whose values are displays with items of one type -> the kind of the display.
_DISPLAYS: Final[Mapping[str, DisplayKind]] = {
    "list": "list", "set": "set", "frozenset": "frozenset", "vartuple": "tuple",
}  # fmt: skip
#: Classes passed for a parameter that takes a class.
_TYPES: Final = tuple(
    [symbol_of(f"builtins:{name}") for name in ["int", "str", "list", "dict", "float", "object"]]
)


class ValuePools:
    """Candidate arguments for the parameters of one Subject (mutable: a cache).

    ``source`` is the text of the module; ``files`` are contents for the files that it reads,
    ``variables`` those of the environment that it names, with ``telling_values``;
    ``changed_texts`` are texts that functions which it calls change, ``changed_forms`` methods of
    texts that it calls, by scope;
    ``callees`` are the functions of others that it calls, ``asked_results`` those of whose results
    it asks an attribute, ``stored_attributes`` the attributes that it sets, ``attribute_uses`` how
    it uses those that it reads, ``result_uses`` what it does with results of calls,
    ``looks_at_host`` the names by which it looks at the machine, by scope: functions, and those
    that ``told`` has with the values by which it knows that an optional module is missing,
    ``hooks`` its methods that others define, by line;
    ``mocks``: may tests replace functions and objects?  ``answers``: what it does with theirs.
    ``takers`` are the functions that take one of the ``command_lines``.
    """

    def __init__(
        self,
        subject: Subject,
        user: UserValues | None = None,
        source: str = "",
        *,
        mocks: bool = True,
        told: Mapping[str, Atom] = MappingProxyType({}),
    ) -> None:
        self._subject = subject
        self.mocks = mocks
        self.source = source
        self.files = FileTexts(subject, source)
        self.variables = names_read(source)
        self.telling_values = telling_values(source)
        self.changed_texts = telling_texts(source)
        self.changed_forms = changed_forms(source)
        self.command_lines = command_lines(source)
        self.takers = takers(source)
        self.module = subject.module
        self.callees = replaceable_calls(source, subject.module)
        self.stored_attributes = frozenset(stored_attributes(tree_of(source)))
        ends = dict(subject.endings)
        self.attribute_uses = {
            name: use._replace(raises=ends.get(name))
            for name, use in attribute_uses(tree_of(source)).items()
        }
        self.result_uses = result_uses(tree_of(source))
        self.asked_results = asked_results(source, subject.module)
        self._texts_of_calls = texts_of_calls(source)
        self.answers = AnswerShapes(answer_uses(tree_of(source)) if mocks else (), matching_texts)
        self.hooks = hooks(source, subject.module)
        self.told = {f"{subject.module}.{name}": Const(value) for name, value in told.items()}
        called = calls_on_host(source, subject.module) if mocks else {}
        readers = global_readers(source, subject.module, frozenset(told))
        self.looks_at_host = {
            scope: called.get(scope, ()) + readers.get(scope, ()) for scope in {**called, **readers}
        }
        self._outside = calls_outside(source, subject.module) if mocks else {}
        self.clocks = clock_calls(source, subject.module) if mocks else ()
        self._errors: dict[str, dict[tuple[str, str, Arg], None]] = {}
        for caught in subject.caught if mocks else ():
            known = self._errors.setdefault(caught.scope, {})
            for error in VALUES.get(caught.class_id, (caught.error,)):
                known[(self.callees.get(caught.call, ""), caught.name, error)] = None
        self.block_errors = dict(subject.block_errors)
        self._structures = ParameterStructures(tree_of(source), subject.uses)
        self._user = user or UserValues()
        self._constants = ConstantPool(subject)
        self._examples = ExampleArguments(subject)
        self._classes = {info.id: info for info in subject.classes}
        self._stated: dict[str, tuple[Arg, ...]] = {}
        for one in subject.callers:
            if not one.invocable:
                held = self._stated.get(one.parameter, ())
                self._stated[one.parameter] = (*held, one.value)
        self._known: dict[tuple[TypeExpr, str, str, bool], _Memo] = {}

    def values(
        self,
        type_: TypeExpr,
        scope: str = "",
        limit: int = 40,
        *,
        name: str = "",
        strictly: bool = False,
    ) -> tuple[Arg, ...]:
        """At most ``limit`` values of ``type_``, the most promising first.

        ``scope`` is the qualname of the Invocable, ``name`` that of the parameter; what others pass
        to it may be of another type, unless ``strictly``.  () means that only calls of the Subject
        can make such a value.
        """
        asked = (type_, scope, name, strictly)
        if asked not in self._known:
            self._known[asked] = _Memo(unique(self._ranked(*asked)))
        return self._known[asked].first(min(limit, MAX_POOL))

    def _ranked(self, type_: TypeExpr, scope: str, name: str, strictly: bool) -> Iterator[Arg]:  # noqa: FBT001
        """The user's values, the examples', what people give to the name, then the pool.

        There, two values stand before one that an example passes to that name elsewhere.
        """
        yield from self._user.for_parameter(scope, name)
        own = self._examples.of(scope, name)
        yield from [one for one in own if not strictly or fits(one, type_)]
        yield from given_to_name(name, type_)
        yield from self._structures.values(type_, scope, name)
        pool = iter(self._candidates(type_, scope, name, 0))
        yield from interleave([pool, pool, self._examples.alike(name, type_)])

    def tokens(self, scope: str) -> tuple[str, ...]:
        """Texts of the code and of its regular expressions, those near to ``scope`` first."""
        return self._constants.tokens(scope)

    def wanted_texts(self, call: Position) -> tuple[str, ...]:
        """Texts that the call at ``call`` in the source names, or that match what it names."""
        found: list[Atom] = []
        for text in self._texts_of_calls.get(call, ()):
            drawn = self._constants.drawn(text)
            found += [arg.value for arg in drawn if isinstance(arg, Const)] or [text]
        return tuple([one for one in found if isinstance(one, str)])

    def keys(self, scope: str) -> tuple[str, ...]:
        """Texts by which the code looks something up, those near to ``scope`` first."""
        return self._constants.keys(scope)

    def stated(self, key: object) -> tuple[Arg, ...]:
        """The values that the module shows for a key of that name."""
        return self._stated.get(key, ()) if isinstance(key, str) else ()

    def errors(self, scope: str) -> tuple[tuple[str, str, Arg], ...]:
        """(function that may be replaced or '', last name, exception) of what ``scope`` catches."""
        return tuple(self._errors.get(scope, ()))

    def outside(self, scope: str) -> tuple[tuple[str, bool], ...]:
        """The functions that ``scope`` calls and that may reach out of the project.

        True: they are of a part of the standard library that does.
        """
        return self._outside.get(scope, ())

    def numbers(self, scope: str) -> tuple[int, ...]:
        """Integers of the code, those near to ``scope`` first."""
        return self._constants.numbers(scope)

    def kinds(self) -> tuple[str, ...]:
        """The names of all kinds, in the order in which they are tried first."""
        return tuple([one for one in default_values.KINDS if self.mocks or one != "namespace"])

    def values_of_kind(
        self, kind: str, scope: str = "", limit: int = 40, *, name: str = ""
    ) -> tuple[Arg, ...]:
        """At most ``limit`` values of one kind of ``kinds()``.  Raises KeyError on others."""
        return self.values(default_values.KINDS[kind], scope, limit, name=name, strictly=True)

    def _candidates(self, type_: TypeExpr, scope: str, name: str, depth: int) -> Iterable[Arg]:
        if depth > MAX_DEPTH:
            return ()
        return _MAKERS[type_.name](self, type_, scope, name, depth)

    def _elements(self, type_: TypeExpr, at: int, scope: str, depth: int) -> list[Arg]:
        """At most MAX_ELEMENTS values for the type argument ``at`` (ANY if it is missing)."""
        inner = type_.args[at] if at < len(type_.args) else ANY
        first = [Const(atom) for atom in default_values.ELEMENTS.get(inner.name, ())]
        if inner == ANY:
            return [*first]
        skipped = FIRST_ELEMENTS if first else 0  # what ``first`` says in few characters
        others = self._candidates(inner, scope, "", depth + 1)
        more = islice(others, skipped, 2 * FIRST_ELEMENTS)
        return list(islice(unique(chain(first[:FIRST_ELEMENTS], more, first)), MAX_ELEMENTS))

    # One method for each name of a TypeExpr.

    def _any(self, _type: TypeExpr, scope: str, name: str, depth: int) -> Iterable[Arg]:
        columns = [
            iter(self._candidates(default_values.KINDS[kind], scope, name, depth + 1))
            for kind in self.kinds()
        ]
        return interleave(columns)

    def _none(self, *_: object) -> Iterable[Arg]:
        return (Const(None),)

    def _bool(self, *_: object) -> Iterable[Arg]:
        return (Const(value=True), Const(value=False))

    def _int(self, _type: TypeExpr, scope: str, *_: object) -> Iterable[Arg]:
        return self._constants.ints(scope)

    def _float(self, _type: TypeExpr, scope: str, *_: object) -> Iterable[Arg]:
        return self._constants.floats(scope)

    def _complex(self, *_: object) -> Iterable[Arg]:
        return [Const(value) for value in default_values.COMPLEXES]

    def _str(self, _type: TypeExpr, scope: str, *_: object) -> Iterable[Arg]:
        texts = self._constants.texts(scope)
        return chain(islice(texts, FIRST_DEFAULTS), self.files.documents(scope), texts)

    def _bytes(self, _type: TypeExpr, scope: str, *_: object) -> Iterable[Arg]:
        return self._constants.byte_strings(scope)

    def _display(self, type_: TypeExpr, scope: str, _name: str, depth: int) -> Iterable[Arg]:
        return self._container(_DISPLAYS[type_.name], type_, scope, depth)

    def _container(
        self, kind: DisplayKind, type_: TypeExpr, scope: str, depth: int
    ) -> Iterable[Arg]:
        made = with_elements(kind, self._elements(type_, 0, scope, depth))
        if type_.args[:1] in ((), (ANY,)):
            letters: list[Arg] = [Const(text) for text in ("a", "b", "c", "a")]
            return interleave([made, with_elements(kind, letters)])
        return made

    def _sequence(self, type_: TypeExpr, scope: str, _name: str, depth: int) -> Iterable[Arg]:
        lists = self._container("list", type_, scope, depth)
        tuple_ = self._container("tuple", type_, scope, depth)
        return interleave([lists, lists, tuple_, self._letters(type_)])

    def _iterable(self, type_: TypeExpr, scope: str, name: str, depth: int) -> Iterable[Arg]:
        lists = list(self._container("list", type_, scope, depth))
        rest = list(self._iterator(type_, scope, name, depth))[1:3]
        tuple_ = list(self._container("tuple", type_, scope, depth))[1:]
        return interleave([lists, lists[1:], self._letters(type_), tuple_, rest])

    def _letters(self, type_: TypeExpr) -> list[Arg]:
        fits = not type_.args or type_.args[0].name in ("any", "str")
        return [Const(text) for text in ("abc", "", "aab")] if fits else []

    def _iterator(self, type_: TypeExpr, scope: str, _name: str, depth: int) -> Iterable[Arg]:
        wrap = Symbol("builtins", "iter")
        lists = self._container("list", type_, scope, depth)
        return [Build(wrap, (one,)) for one in lists]

    def _dict(self, type_: TypeExpr, scope: str, _name: str, depth: int) -> Iterable[Arg]:
        if type_.literals:
            columns = [
                self._elements(TypeExpr("list", (part,)), 0, scope, depth)
                for part in type_.args[2:]
            ]
            return typed_dicts(type_.literals, columns)
        if not type_.args or type_.args[0] == ANY:
            type_ = TypeExpr("dict", (STR, *type_.args[1:]))
        keys, values = (self._elements(type_, at, scope, depth) for at in (0, 1))
        return dicts(keys, values)

    def _tuple(self, type_: TypeExpr, scope: str, _name: str, depth: int) -> Iterable[Arg]:
        return tuples([self._elements(type_, at, scope, depth) for at in range(len(type_.args))])

    def _callable(self, type_: TypeExpr, _scope: str, name: str, _: int) -> Iterable[Arg]:
        answers = self.answers.of(name)
        return function_values(type_, self._subject, answers, name=name, mocks=self.mocks)

    def _union(self, type_: TypeExpr, scope: str, name: str, depth: int) -> Iterable[Arg]:
        return interleave([self._candidates(part, scope, name, depth + 1) for part in type_.args])

    def _literal(self, type_: TypeExpr, *_: object) -> Iterable[Arg]:
        return type_.literals

    def _type(self, type_: TypeExpr, *_: object) -> Iterable[Arg]:
        inner = type_.args[0] if type_.args else ANY
        if inner.name == "class":
            info = self._classes.get(inner.cls)
            below = [one.id for one in self._classes.values() if inner.cls in one.bases]
            own = [] if info and "abstract" in info.tags and below else [inner.cls]
            return [symbol_of(home) for home in (*own, *below)]
        if inner == ANY:
            return _TYPES
        return [one for one in _TYPES if one.qualname == inner.name]

    def _class(self, type_: TypeExpr, *_: object) -> Iterable[Arg]:
        given = self._user.of_class(type_.cls)
        info = self._classes.get(type_.cls)
        if info is None:
            return (*given, *values_of_class(type_.cls))
        return (*given, *_enum_members(info))


@dataclass(slots=True)
class _Memo:
    """An iterator whose values are kept (mutable: it draws from ``source`` on demand)."""

    source: Iterator[Arg]
    taken: list[Arg] = field(default_factory=list)

    def first(self, count: int) -> tuple[Arg, ...]:
        """The first ``count`` values, or all if there are fewer."""
        self.taken += islice(self.source, max(count - len(self.taken), 0))
        return tuple(self.taken[:count])


def _enum_members(info: ClassInfo) -> Iterator[Arg]:
    for name in info.enum_members:
        yield Symbol(info.module, f"{info.qualname}.{name}")


_Maker = Callable[[ValuePools, TypeExpr, str, str, int], Iterable[Arg]]

_MAKERS: Final[Mapping[str, _Maker]] = {
    "any": ValuePools._any,  # noqa: SLF001  (the table belongs to the class)
    "none": ValuePools._none,  # noqa: SLF001
    "bool": ValuePools._bool,  # noqa: SLF001
    "int": ValuePools._int,  # noqa: SLF001
    "float": ValuePools._float,  # noqa: SLF001
    "complex": ValuePools._complex,  # noqa: SLF001
    "str": ValuePools._str,  # noqa: SLF001
    "bytes": ValuePools._bytes,  # noqa: SLF001
    **dict.fromkeys(_DISPLAYS, ValuePools._display),  # noqa: SLF001
    "dict": ValuePools._dict,  # noqa: SLF001
    "tuple": ValuePools._tuple,  # noqa: SLF001
    "iterable": ValuePools._iterable,  # noqa: SLF001
    "iterator": ValuePools._iterator,  # noqa: SLF001
    "sequence": ValuePools._sequence,  # noqa: SLF001
    "mapping": ValuePools._dict,  # noqa: SLF001
    "callable": ValuePools._callable,  # noqa: SLF001
    "union": ValuePools._union,  # noqa: SLF001
    "literal": ValuePools._literal,  # noqa: SLF001
    "type": ValuePools._type,  # noqa: SLF001
    "class": ValuePools._class,  # noqa: SLF001
}
