"""A Specification as an icontract sidecar: a module that puts contracts on the methods of a class.

Whoever imports it has invariants and postconditions checked from then on; the source of the class
stays as it is.

Invariant: a contract that stands here was evaluated on the examples of its law, as this text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unitcraft.infer.output.law_expressions import PRELUDE, imports_for

if TYPE_CHECKING:
    from unitcraft.infer.specification import ShownLaw, Specification

_BEFORE: Final = "def before(self):\n    return copy.deepcopy(self)"
_HEAD: Final = '"""Contracts of {}: import this module, and they are checked."""\n\n'


def as_contracts(found: Specification) -> str:
    """The text of the sidecar module; laws that are no contracts are not in it."""
    home, _, qualname = found.target.partition(":")
    standard, _, functions = PRELUDE.partition("\n\n\n")
    name = qualname.partition(".")[0]
    laws = [law for law in found.laws if law.contract is not None]
    named = [arg for law in laws for example in law.examples for arg in example.named]
    needed = dict.fromkeys([f"from {home} import {name}", *imports_for(named, ())])
    imports = "\n".join(["import icontract\n", *needed])
    parts = [functions.rstrip(), _BEFORE]
    parts += [_function(number, law) for number, law in enumerate(laws, 1)]
    numbered = list(enumerate(laws, 1))
    always = [pair for pair in numbered if not _method_of(pair[1])]
    lines = [_attached(qualname, *pair) for pair in numbered if pair not in always]
    lines += [
        f"{qualname}.{method} = icontract.snapshot(before, name='before')({qualname}.{method})"
        for method in dict.fromkeys(map(_looks_back, laws))
        if method
    ]
    lines += [_attached(qualname, *pair) for pair in always]
    parts.append("\n".join(lines))
    return (
        f"{_HEAD.format(found.target)}{standard}\n\n{imports}\n\n\n" + "\n\n\n".join(parts) + "\n"
    )


def _function(number: int, law: ShownLaw) -> str:
    """The condition of a law as a function: violations of a lambda are not told well."""
    contract = law.contract
    if contract is None:
        return ""
    special = [name for name in ("result", "OLD") if name in contract.condition]
    given = ", ".join(["self", *contract.arguments, *special])
    return f"def law_{number}({given}):\n    return {contract.condition}"


def _attached(qualname: str, number: int, law: ShownLaw) -> str:
    """The statement that puts a law on its method, or on the class."""
    method = _method_of(law)
    if not method:
        return f"icontract.invariant(law_{number}, {law.text!r})({qualname})"
    place = f"{qualname}.{method}"
    return f"{place} = icontract.ensure(law_{number}, {law.text!r})({place})"


def _method_of(law: ShownLaw) -> str:
    return law.contract.method if law.contract is not None else ""


def _looks_back(law: ShownLaw) -> str:
    """The method whose object is copied before the call, for ``law`` to look at; '' for none."""
    contract = law.contract
    return contract.method if contract is not None and "OLD." in contract.condition else ""
