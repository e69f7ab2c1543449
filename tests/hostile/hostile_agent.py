"""Entry module of the hostile tests: imports a module by name, calls its functions."""

from __future__ import annotations

import types
from typing import Any

_MODULE: list[Any] = []


def prepare(options: dict[str, str], import_subject: Any) -> list[str]:
    module = import_subject(options["module"])
    _MODULE.append(module)
    return [
        name
        for name, value in vars(module).items()
        if isinstance(value, types.FunctionType) and value.__module__ == module.__name__
    ]


def call(item: tuple[str, tuple[Any, ...]]) -> Any:
    name, args = item
    try:
        value = getattr(_MODULE[0], name)(*args)
    except Exception as error:  # noqa: BLE001
        return ("raised", type(error).__name__)
    return ("returned", value if type(value) in (int, str, bool, float) else type(value).__name__)


SERVICES = {"call": call}
