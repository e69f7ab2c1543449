"""A Specification as a test module: one test for each law, on the examples that it was run on.

The module imports pytest and the Subject, and brings the few functions that its expressions call.

Invariant: every row of a test has been evaluated to True in a guarded worker, as the expression
that stands here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from unitcraft.core.call_text import arg_text
from unitcraft.infer.output.law_expressions import PRELUDE, imports_for, statements

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unitcraft.infer.specification import Example, ShownLaw, Specification

#: Characters of the name of a test; a number tells longer ones apart.
MAX_NAME: Final = 60
_HEAD: Final = '"""Laws of {}, each on objects and values on which it was tried."""\n\n'


def as_suite(found: Specification) -> str:
    """The text of a test module for the laws that have examples."""
    laws = [law for law in found.laws if law.examples]
    examples = [one for law in laws for one in law.examples]
    examples += [one for pair in found.apart for one in pair]
    makers: dict[str, str] = {}
    names: dict[str, None] = {}
    tests = [_test(law, makers, names) for law in laws]
    tests += [_inequality(found.apart, makers)] if found.apart else []
    return module_text(_HEAD.format(found.target), "import pytest", examples, makers, tests)


def module_text(
    head: str,
    imports: str,
    examples: Sequence[Example],
    makers: Mapping[str, str],
    parts: Sequence[str],
) -> str:
    """A test module: its docstring, what it imports, the prelude, the makers, and ``parts``."""
    args = [arg for example in examples for arg in example.mentioned]
    calls = [call for example in examples for call in example.calls]
    standard, _, functions = PRELUDE.partition("\n\n\n")
    lines = "\n".join([imports, *imports_for(args, calls)])
    made = [f"def {name}():\n{body}" for body, name in makers.items()]
    whole = "\n\n\n".join([functions.rstrip(), *made, *parts])
    return f"{head}{standard}\n\n{lines}\n\n\n{whole}\n"


def _test(law: ShownLaw, makers: dict[str, str], names: dict[str, None]) -> str:
    """A test function with a row for each example."""
    variables = [name for name, _ in law.variables]
    given = ", ".join(["make", *variables])
    rows = []
    for example in law.examples:
        values = {name: arg_text(arg) for name, arg in example.values}
        row = ", ".join([maker_name(example, makers), *(values[name] for name in variables)])
        rows.append(f"({row})" if variables else row)
    lines = [
        f'@pytest.mark.parametrize("{given}", [{", ".join(dict.fromkeys(rows))}])',
        f"def test_{law_name(law.text, names)}({given}):",
        f'    """{law.text}."""'.replace("\\", "\\\\"),
        "    S = make()",
        f"    assert {law.asserted}",
    ]
    return "\n".join(lines)


def _inequality(pairs: Sequence[tuple[Example, Example]], makers: dict[str, str]) -> str:
    """The test that objects which differ are not equal."""
    rows = [f"({maker_name(one, makers)}, {maker_name(other, makers)})" for one, other in pairs]
    return "\n".join(
        [
            f'@pytest.mark.parametrize("make,make_other", [{", ".join(rows)}])',
            "def test_objects_that_differ_are_not_equal(make, make_other):",
            "    assert (make() == make_other()) is False",
            "    assert (make_other() == make()) is False",
        ]
    )


def maker_name(example: Example, makers: dict[str, str]) -> str:
    """The name of the function that makes the object of ``example``."""
    *lines, last = statements(example.calls, example.result, ())
    body = "\n".join(f"    {line}" for line in [*lines, last.replace("S = ", "return ")])
    return makers.setdefault(body, f"make_{len(makers) + 1}")


def law_name(text: str, names: dict[str, None]) -> str:
    """The words of ``text`` as a name that is not in ``names`` yet."""
    words = re.findall(r"[A-Za-z0-9_]+", text.replace("==", " is ").lower())
    base = "_".join(words)[:MAX_NAME].strip("_")
    name, number = base, 2
    while name in names:
        name, number = f"{base}_{number}", number + 1
    names[name] = None
    return name
