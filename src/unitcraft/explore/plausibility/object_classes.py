"""Of which class an argument is, and whether its objects pass for those of another class.

A node that a test picks out of a syntax tree has the class that the parsed code gives it.

Invariant: an answer depends on the Subject and the Sequence only; where nothing is known, the class
is '' and an object passes.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from typing import Final

from unitcraft.core.operators import SPECIAL_METHODS
from unitcraft.core.sequences import Arg, Build, Call, Ref, Sequence, Symbol
from unitcraft.explore.calls import CALLED
from unitcraft.explore.plausibility.parameter_evidence import Candidate
from unitcraft.subject.ducktypes.kind_support import is_instance, kind_of
from unitcraft.subject.known_types import NONE
from unitcraft.subject.model import Invocable, Subject
from unitcraft.subject.scopes import word_set
from unitcraft.subject.values.syntax_nodes import class_of_node, is_node_of

#: Declared classes whose methods an object may have without being an instance.
_BY_METHODS: Final = ("typing:", "io:", "collections.abc:", "contextlib:", "numbers:", "os:")
#: Kinds of members that mostly make an object of their class.
_MAKERS: Final = ("classmethod", "staticmethod")
#: The class whose objects have every attribute.
_MOCK: Final = Symbol("unittest.mock", "Mock")
_MOCKS: Final = (_MOCK, Symbol("unittest.mock", "AsyncMock"))
#: How a class that a test writes is derived from the first class that its text is given.
_FROM_FIRST: Final = "({0}"
#: Operator that gives an object arguments -> the special method that takes them.  What is compared
#: may be of any class.
_TAKING: Final = {
    operator: special
    for special, (operator, is_right) in SPECIAL_METHODS.items()
    if operator in word_set("call [] []= del[] + - * / // % ** @ << >> & | ^") and not is_right
}
#: The class of stand-ins with the attributes that a test gives them.
_NAMESPACE: Final = "types:SimpleNamespace"

#: Operator -> the kind of its result, whatever it is applied to.
_KINDS_OF_RESULTS: Final = {
    **{kind: kind for kind in ("list", "tuple", "set", "dict", "int", "float", "str", "bytes")},
    "bool": "bool", "complex": "complex", "format": "str", "hash": "int", "in": "bool",
    "isinstance": "bool", "items": "list", "len": "int", "repr": "str", "sorted": "list",
}  # fmt: skip
#: Kinds of types of which a class may be an object.
_CLASS_KINDS: Final = frozenset(("any", "callable", "type"))


class ObjectClasses:
    """The classes of the objects in Sequences of one Subject (immutable once made)."""

    def __init__(self, subject: Subject) -> None:
        of_heirs = [one for info in subject.classes for one in info.unimplemented[:1]]
        known = (*of_heirs, *subject.invocables, *subject.returned)
        self._invocables = {one.id: one for one in known}
        self._classes = {info.id: info for info in subject.classes}
        own = [info for info in subject.classes if "collaborator" not in info.tags]
        members = [member for info in own for member in info.members]
        count = Counter(member.rpartition(".")[2] for member in members)
        self._only = {
            member.rpartition(".")[2]: member
            for member in members
            if count[member.rpartition(".")[2]] == 1
        }

    def handed_on(self, invocable: Invocable) -> list[Invocable]:
        """The members that ``*args`` and ``**kwargs`` of ``invocable`` are meant for.

        Of that name in the bases of its class, nearest first; else the one method of the class that
        a method without parameters of its own uses: an alias of it.
        """
        info = self._classes.get(invocable.owner)
        name = invocable.id.removeprefix(invocable.owner)  # '' of a constructor
        homes = [base + name for base in info.bases] if info is not None else []
        found = [self._invocables[home] for home in homes if home in self._invocables]
        if found or not all(one.kind.startswith("var_") for one in invocable.parameters):
            return found
        used = [self._invocables.get(f"{invocable.owner}.{read}") for read in invocable.reads]
        methods = [one for one in used if one is not None and one.kind == "method"]
        return methods if len(methods) == len(used) == 1 else []

    def maker(self, sequence: Sequence, call: Call) -> Invocable | None:
        """The Invocable that ``call`` calls, if it is known."""
        return self._invocables.get(self.id_called(sequence, call))

    def id_called(self, sequence: Sequence, call: Call) -> str:
        """The id of the Invocable that ``call`` calls ('' if it is not known).

        An heir that the test writes is made as its base is.  A method of an object of unknown class
        is that of the class whose class method made it, or the only one of that name.
        """
        if call.kind == "function":
            return call.name
        receiver = call.args[0] if call.args else None
        if (call.kind, call.name) == CALLED and isinstance(receiver, Ref):
            base = self._base_of_written(sequence, call)
            made = f"{self.id_called(sequence, sequence.calls[receiver.index])}()"
            if base or made in self._invocables:
                return base or made
        if call.kind == "operator" and call.name in _TAKING:
            special = f"{self.likely_class_of(sequence, receiver)}.{_TAKING[call.name]}"
            return special if special in self._invocables else ""
        if call.kind not in ("method", "set"):
            return ""
        owner = self.class_of(sequence, receiver)
        likely = f"{self._home_of_maker(sequence, receiver)}.{call.name}"
        found = likely if likely in self._invocables else self._only.get(call.name, "")
        return f"{owner}.{call.name}" if owner else found

    def _home_of_maker(self, sequence: Sequence, receiver: Arg | None) -> str:
        """The class whose class method or static method made ``receiver``; '' for none."""
        made = receiver if isinstance(receiver, Ref) else None
        maker = self.maker(sequence, sequence.calls[made.index]) if made is not None else None
        return maker.owner if maker is not None and maker.kind in _MAKERS else ""

    def class_of(self, sequence: Sequence, arg: Arg | None) -> str:
        """The class of an object that an earlier Call made ('' if it is not known)."""
        if not isinstance(arg, Ref):
            return ""
        call = sequence.calls[arg.index]
        made = self.maker(sequence, call)
        return made.returns.cls if made is not None else self._base_of_written(sequence, call)

    def _base_of_written(self, sequence: Sequence, call: Call) -> str:
        """The class of the Subject whose heir, which the test writes, ``call`` makes an object of.

        '' for any other Call.
        """
        cls = call.args[0] if (call.kind, call.name) == CALLED and call.args else None
        define = sequence.calls[cls.index] if isinstance(cls, Ref) else None
        if define is None or define.kind != "define" or _FROM_FIRST not in define.name:
            return ""
        base = define.args[0]
        if not isinstance(base, Symbol):
            return ""
        home = f"{base.module}:{base.qualname}"
        return home if home in self._classes else ""

    def likely_class_of(self, sequence: Sequence, arg: Arg | None) -> str:
        """``class_of``; else the class whose class method or static method made the object."""
        return self.class_of(sequence, arg) or self._home_of_maker(sequence, arg)

    def class_of_arg(self, arg: Arg, sequence: Sequence | None) -> str:
        """The class of any argument; '' for a stand-in that has every attribute, too."""
        if isinstance(arg, Build):
            return "" if arg.callee in _MOCKS else f"{arg.callee.module}:{arg.callee.qualname}"
        if isinstance(arg, Ref) and sequence is not None:
            call = sequence.calls[arg.index]
            told = _KINDS_OF_RESULTS.get(call.name, "") if call.kind == "operator" else ""
            return told or self.class_of(sequence, arg) or class_of_node(sequence, arg.index)
        return kind_of(arg)

    def answers_nothing(self, arg: Arg, sequence: Sequence | None) -> bool:
        """Is it the None that a procedure answered, which nobody passes on?"""
        if sequence is None or not isinstance(arg, Ref):
            return False
        made = self.maker(sequence, sequence.calls[arg.index])
        return made is not None and made.kind != "constructor" and made.returns == NONE

    def is_misplaced(
        self, candidates: Iterable[Candidate], sequence: Sequence | None, arg: Ref
    ) -> bool:
        """Is it a class that the test writes, where all that is known speaks for values?"""
        kinds = {one.type.name for one in candidates}
        is_class = sequence is not None and sequence.calls[arg.index].kind == "define"
        return is_class and bool(kinds) and not kinds & _CLASS_KINDS

    def is_instance(self, made: str, cls: str) -> bool:
        """May an object of class ``made`` be an instance of ``cls``, or pass for one?"""
        bases = self._classes[made].bases if made in self._classes else (made,)
        if cls in (made, *bases):
            return True
        if made in self._classes:  # of those of projects all bases are named
            bases = tuple([base for base in bases if _top_package(base) in sys.stdlib_module_names])
        if (node := is_node_of(made, cls)) is not None:
            return node
        if cls in self._classes:
            return self._is_open(cls, made)
        if cls.startswith(_BY_METHODS) and ":" in made:
            return True
        return any(is_instance(base, cls) is not False for base in bases)

    def _is_open(self, cls: str, made: str) -> bool:
        """May values of class ``made`` be passed as well: is it a Protocol or abstract?

        Where classes at hand stand in for it, or a test writes a stub of the Protocol, those of the
        interpreter and its library do not, nor do others that are known; a namespace has what it
        is given.
        """
        info = self._classes[cls]
        if "protocol" not in info.tags and "abstract" not in info.tags:
            return False
        module = _top_package(made) if ":" in made else "builtins"
        is_protocol = "protocol" in info.tags
        is_filled = bool(info.concrete) or (is_protocol and bool(info.unimplemented))
        if not is_filled or made in info.concrete or (is_protocol and made == _NAMESPACE):
            return True
        return made not in self._classes and module not in sys.stdlib_module_names


def _top_package(home: str) -> str:
    return home.partition(":")[0].partition(".")[0]


def stood_for(arg: Arg, sequence: Sequence | None = None) -> Arg:
    """``arg``; of a stand-in that is told what it passes for an object of that class.

    What ``sequence`` only gives a name is that which it names.
    """
    if isinstance(arg, Ref) and sequence is not None:
        named = sequence.calls[arg.index]
        arg = named.args[0] if (named.kind, named.name) == ("operator", "itself") else arg
    spec = dict(arg.kwargs).get("spec") if isinstance(arg, Build) and arg.callee == _MOCK else None
    return Build(spec) if isinstance(spec, Symbol) else arg


def as_made(arg: Arg, sequence: Sequence | None) -> Arg:
    """``arg``; of the result of an earlier Call of the standard library what it makes."""
    if isinstance(arg, Ref) and sequence is not None:
        call = sequence.calls[arg.index]
        module, _, qualname = call.name.partition(":")
        if call.kind == "function" and module.partition(".")[0] in sys.stdlib_module_names:
            return Build(Symbol(module, qualname), call.args)
    return arg
