"""Reports as JSON: every document says by ``format`` what it is, and in which version.

Invariant: a field that a version has keeps its name, type and meaning; ``docs/json.md`` has a table
of the formats and a schema of each.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

#: The version of all formats; it changes when a field goes or changes its meaning.
VERSION: Final = 1


def render_document(name: str, data: Mapping[str, Any]) -> str:
    """The JSON text of ``data`` in the format ``name``."""
    return json.dumps({"format": f"unitcraft {name} {VERSION}", **data}, indent=2)
