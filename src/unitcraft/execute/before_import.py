"""What a project does before its modules can be imported: ``django:setup`` and the like.

Invariant: the functions run once in each process that imports the Subject, after the import hook
stands, as they may import the Subject themselves.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Final

from unitcraft.core.errors import UnitcraftError

#: ``MODULE:FUNCTION``, each with dots.
_PLACE: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")

#: The functions to call before the import of the Subject (mutable: the host sets them).
_FUNCTIONS: Final[list[str]] = []

#: Exceptions of frameworks that were not set up, and the function that does it.
_MISSED: Final = {
    "django.core.exceptions.AppRegistryNotReady": "django:setup",
    "django.core.exceptions.ImproperlyConfigured": "django:setup",
}


def is_place(text: str) -> bool:
    """Is ``text`` a ``MODULE:FUNCTION``?"""
    return _PLACE.fullmatch(text) is not None


def announce(functions: Sequence[str]) -> None:
    """Have ``import_subject`` call these functions first."""
    _FUNCTIONS[:] = functions


def import_subject(name: str) -> ModuleType:
    """Import the module ``name``, after the announced functions.

    Raises UnitcraftError (``no-such-function``) and whatever functions and module raise.
    """
    for place in _FUNCTIONS:
        _call(place)
    return importlib.import_module(name)


def _call(place: str) -> None:
    module, _, function = place.partition(":")
    try:
        found = attrgetter(function)(importlib.import_module(module))
    except (ModuleNotFoundError, AttributeError) as error:
        raise UnitcraftError(
            "no-such-function",
            f"there is no function {place} to call before the import",
            cause=f"{type(error).__name__}: {error}",
            advice="correct before-import in the settings, or --before-import",
        ) from error
    found()


def conftest_text(functions: Sequence[str]) -> str:
    """The lines of a ``conftest.py`` that does the same for the tests."""
    places = [place.partition(":")[::2] for place in functions]
    imports = dict.fromkeys(f"import {module}" for module, _ in places)
    calls = [f"{module}.{function}()" for module, function in places]
    return "\n".join([*imports, "", *calls, ""]) if places else ""


def write_conftest(folder: Path, functions: Sequence[str]) -> None:
    """Give the tests in ``folder`` a ``conftest.py`` that calls ``functions``, if there are any."""
    if functions:
        (folder / "conftest.py").write_text(conftest_text(functions), encoding="utf-8")


def advice_on(error: BaseException) -> str:
    """The option that helps where a framework was not set up; '' for other exceptions."""
    kind = type(error)
    function = _MISSED.get(f"{kind.__module__}.{kind.__qualname__}")
    return f"a function sets the project up before: --before-import {function}" if function else ""
