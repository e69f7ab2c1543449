"""The ``conftest.py`` with which tests find a project set up as the Subject was.

Invariant: the lines do for pytest what ``execute.guest.subject_import`` does before the import.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def conftest_text(functions: Sequence[str]) -> str:
    """The text that calls ``functions``, each a ``module:function``; '' for none."""
    places = [function.partition(":")[::2] for function in functions]
    imports = dict.fromkeys(f"import {module}" for module, _ in places)
    calls = [f"{module}.{name}()" for module, name in places]
    return "\n".join([*imports, "", *calls, ""]) if places else ""


def write_conftest(folder: Path, functions: Sequence[str]) -> None:
    """Give the tests in ``folder`` a ``conftest.py`` that calls ``functions``, if there are any."""
    if functions:
        (folder / "conftest.py").write_text(conftest_text(functions), encoding="utf-8")
