"""A Specification as Hypothesis properties: a property for each law, a state machine for a class.

The module imports hypothesis and the Subject; the objects and values that Hypothesis draws
from are those on which the laws were tried, and the histories of the machine are its own.

Invariant: the expressions are those of the test suite, evaluated to True in a guarded worker; a
law that only the machine's histories refute is a finding of whoever runs it.

Source: MUTUAL, generation from a specification; stateful testing as Hypothesis does it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unitcraft.core.call_text import arg_text
from unitcraft.infer.output.specs_suite import law_name, maker_name, module_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unitcraft.infer.specification import ShownLaw, Specification

#: Values of a variable that a property draws from.
MAX_VALUES: Final = 30
_HEAD: Final = '"""Laws of {}, as properties of objects that it was tried on and of others."""\n\n'
_IMPORTS: Final = """\
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule"""


def as_properties(found: Specification) -> str:
    """The text of a test module for the laws that have examples."""
    laws = [law for law in found.laws if law.examples]
    examples = [one for law in laws for one in law.examples]
    makers: dict[str, str] = {}
    names: dict[str, None] = {}
    values = _values(laws)
    for example in examples:
        maker_name(example, makers)
    tests = [_property(law, law_name(law.text, names), values) for law in laws]
    objects = f"MAKERS = [{', '.join(makers.values())}]"
    parts = [objects, *tests, *_machine(found, laws, values)]
    return module_text(_HEAD.format(found.target), _IMPORTS, examples, makers, parts)


def _values(laws: Sequence[ShownLaw]) -> dict[str, list[str]]:
    """The values of each sort in the examples, as texts."""
    found: dict[str, dict[str, None]] = {}
    for law in laws:
        sorts = dict(law.variables)
        for example in law.examples:
            for name, arg in example.values:
                found.setdefault(sorts.get(name, ""), {})[arg_text(arg)] = None
    return {sort: list(texts)[:MAX_VALUES] for sort, texts in found.items()}


def _strategy(sort: str, values: Mapping[str, Sequence[str]]) -> str:
    """Makes each value anew: a list that a call changes is no other's."""
    texts = ", ".join(f"lambda: {text}" for text in values.get(sort, ["None"]))
    return f"st.sampled_from([{texts}]).map(lambda make: make())"


def _property(law: ShownLaw, name: str, values: Mapping[str, Sequence[str]]) -> str:
    """A property of one law; where its condition does not hold, there is nothing to check."""
    drawn = [f"{one}={_strategy(sort, values)}" for one, sort in law.variables]
    given = ", ".join(["S=st.sampled_from(MAKERS).map(lambda make: make())", *drawn])
    names = ", ".join(["S", *(one for one, _ in law.variables)])
    lines = [
        f"@given({given})",
        f"def test_{name}({names}):",
        f'    """{law.text}."""'.replace("\\", "\\\\"),
    ]
    return "\n".join([*lines, f"    assert {law.asserted}"])


def _machine(
    found: Specification, laws: Sequence[ShownLaw], values: Mapping[str, Sequence[str]]
) -> list[str]:
    """A machine that calls what changes an object; laws of the object alone are its invariants."""
    cls = found.target.rpartition(":")[2].replace(".", "")
    always = [law for law in laws if not law.variables]
    steps = [one for one in found.steps if all(sort in values for _, sort in one[2])]
    if not steps or not always or found.assumed:
        return []
    lines = [
        f"class {cls}Machine(RuleBasedStateMachine):",
        f'    """Histories of {cls}: what holds of every object holds after every call."""',
        "",
        "    @initialize(make=st.sampled_from(MAKERS))",
        "    def begin(self, make):",
        "        self.S = make()",
    ]
    for number, (name, text, variables) in enumerate(steps, 1):
        drawn = ", ".join(f"{one}={_strategy(sort, values)}" for one, sort in variables)
        given = ", ".join(["self", *(one for one, _ in variables)])
        lines += [
            "",
            f"    @rule({drawn})",
            f"    def call_{number}({given}):",
            f'        """{name}; what it refuses is no failure."""',
            "        S = self.S",
            f"        raised(lambda: {text})",
        ]
    for number, law in enumerate(always, 1):
        lines += [
            "",
            "    @invariant()",
            f"    def law_{number}(self):",
            f'        """{law.text}."""'.replace("\\", "\\\\"),
            "        S = self.S",
            f"        assert {law.asserted}",
        ]
    return ["\n".join(lines), f"Test{cls}Machine = {cls}Machine.TestCase"]
