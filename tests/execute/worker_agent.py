"""Entry module of these tests: runs Python source text inside a guarded worker."""

from __future__ import annotations

import builtins
import os
import time
from typing import Any

_MODULE: list[Any] = []


def prepare(options: dict[str, Any], import_subject: Any) -> Any:
    if options.get("module"):
        _MODULE.append(import_subject(options["module"]))
    return {"hash": hash("seed"), "pid": os.getpid(), "environment": sorted(os.environ)}


def run(source: str) -> Any:
    """Execute ``source`` in a fresh namespace; its ``answer``."""
    namespace: dict[str, Any] = {"m": _MODULE[0] if _MODULE else None, "__builtins__": builtins}
    exec(source, namespace)
    return namespace.get("answer")


def echo(item: Any) -> Any:
    return item


def whoami(_: Any) -> int:
    return os.getpid()


def slow(item: float) -> float:
    deadline = time.monotonic() + item
    while time.monotonic() < deadline:
        pass
    return item


def unplain(_: Any) -> Any:
    return object()


def broken(_: Any) -> Any:
    raise LookupError("our own mistake")


def hungry(_: Any) -> Any:
    raise MemoryError


SERVICES = {
    "run": run, "echo": echo, "whoami": whoami, "slow": slow, "unplain": unplain,
    "broken": broken, "hungry": hungry,
}  # fmt: skip
