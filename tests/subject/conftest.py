"""Modules from source text, imported for one test only."""

from __future__ import annotations

import importlib
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from unitcraft.subject.description.describe import describe
from unitcraft.subject.model import ClassInfo, Invocable, Subject

Load = Callable[..., ModuleType]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], Path]:
    """Write a file below a fresh folder, with its parent folders."""

    def write_file(name: str, text: str = "") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")
        return path

    return write_file


@pytest.fixture
def load(write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Load]:
    """Import ``sample`` (or another name) from source text; other files are keyword texts."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)

    def load_module(text: str, name: str = "sample") -> ModuleType:
        write(name.replace(".", "/") + ".py", text)
        importlib.invalidate_caches()
        return importlib.import_module(name)

    yield load_module
    for name in set(sys.modules) - before:
        del sys.modules[name]


@pytest.fixture
def subject(load: Load) -> Callable[..., Subject]:
    """The Subject of a module with this source text."""
    return lambda text, name="sample": describe(load(text, name))


@pytest.fixture
def invocable(subject) -> Callable[[str, str], Invocable]:
    """The Invocable with this qualname in a module with this source text."""

    def find(text: str, path: str) -> Invocable:
        return next(one for one in subject(text).invocables if one.id == f"sample:{path}")

    return find


@pytest.fixture
def class_info(subject) -> Callable[[str, str], ClassInfo]:
    """The ClassInfo with this qualname in a module with this source text."""

    def find(text: str, path: str) -> ClassInfo:
        return next(one for one in subject(text).classes if one.qualname == path)

    return find
