"""The part of JSON Schema that ``docs/report.schema.json`` uses."""

from __future__ import annotations

import json
from pathlib import Path

SCHEMA = json.loads((Path(__file__).parents[2] / "docs" / "report.schema.json").read_text())
TYPES = {
    "string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list,
    "object": dict, "null": type(None),
}  # fmt: skip


def check_document(text):
    """Fail where ``text`` is a report of ours that breaks its schema; other texts pass."""
    if text.startswith('{\n  "format": "unitcraft '):
        document = json.loads(text)
        name = document["format"].split()[1]
        problems = list(_problems(document, SCHEMA["$defs"][name], name))
        assert problems == []


def _problems(value, schema, where):
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    fits = any(isinstance(value, TYPES[name]) for name in names)
    if not fits or (isinstance(value, bool) and "boolean" not in names):
        yield f"{where}: {value!r:.40} is no {names}"
        return
    if value not in schema.get("enum", [schema.get("const", value)]):
        yield f"{where}: {value!r}"
    if isinstance(value, list):
        for item in value:
            yield from _problems(item, schema["items"], f"{where}[]")
    if isinstance(value, dict):
        yield from _problems_of_object(value, schema, where)


def _problems_of_object(value, schema, where):
    known, more = schema.get("properties", {}), schema.get("additionalProperties", True)
    missing = [name for name in schema.get("required", ()) if name not in value]
    yield from (f"{where}.{name} is missing" for name in missing)
    for name, item in value.items():
        if name in known:
            yield from _problems(item, known[name], f"{where}.{name}")
        elif isinstance(more, dict):
            yield from _problems(item, more, f"{where}.{name}")
        elif not more:
            yield f"{where}.{name} is not in the schema"
