"""The import of the Subject, after what its project does before: ``django:setup`` and the like.

Invariant: the functions run once in each process that imports the Subject, after the import hook
stands, as they may import the Subject themselves.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from operator import attrgetter
from types import ModuleType
from typing import Final

from unitcraft.core.errors import UnitcraftError

#: Exceptions of frameworks that were not set up, and the function that does it.
_MISSED: Final = {
    "django.core.exceptions.AppRegistryNotReady": "django:setup",
    "django.core.exceptions.ImproperlyConfigured": "django:setup",
}


def import_subject(functions: Sequence[str], name: str) -> ModuleType:
    """Call ``functions``, each a ``module:function``, then import the module ``name``.

    Raises UnitcraftError (``no-such-function``) and whatever functions and module raise.
    """
    for function in functions:
        _call(function)
    return importlib.import_module(name)


def _call(function: str) -> None:
    module, _, name = function.partition(":")
    try:
        found = attrgetter(name)(importlib.import_module(module))
    except (ModuleNotFoundError, AttributeError) as error:
        raise UnitcraftError(
            "no-such-function",
            f"there is no function {function} to call before the import",
            cause=f"{type(error).__name__}: {error}",
            advice="correct before-import in the settings, or --before-import",
        ) from error
    found()


def advice_on(error: BaseException) -> str:
    """The option that helps where a framework was not set up; '' for other exceptions."""
    kind = type(error)
    function = _MISSED.get(f"{kind.__module__}.{kind.__qualname__}")
    return f"a function sets the project up before: --before-import {function}" if function else ""
