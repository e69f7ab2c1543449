"""Replaces modules, also those of whoever runs it."""

from __future__ import annotations

import json
import sys


def forget() -> str:
    """Empty sys.modules."""
    sys.modules.clear()
    return "forgotten"


def replace() -> str:
    """Put strings where modules were."""
    for name in list(sys.modules):
        sys.modules[name] = name
    return "replaced"


def sabotage() -> str:
    """Spoil the modules of the framework."""
    for name, module in list(sys.modules.items()):
        if name.startswith("unitcraft") and module is not None:
            for attribute in list(vars(module)):
                try:
                    setattr(module, attribute, None)
                except Exception:
                    continue
    return "spoilt"


def patch_json() -> str:
    """Replace a function of the standard library."""
    json.dumps = lambda value: "42"
    return json.dumps([])


def dump() -> str:
    """What json says of an empty list."""
    return json.dumps([])


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
