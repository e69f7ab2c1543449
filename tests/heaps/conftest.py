"""``service``: a HeapService in this process, for a module from source text."""

from __future__ import annotations

import importlib
import itertools
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from unitcraft.execute.steps import COUNTER
from unitcraft.heaps.guest import heaps_agent
from unitcraft.symbolic.proxies.trace import PROXY_MAKERS, reset_trace


class Found:
    """What a search through a service came to."""

    def __init__(self, service, bounds, chunk):
        self.explored, self.forms, self.put_off, self.notes = 0, [], [], {}
        tokens = ((0, (), (), ()),)
        while tokens:
            answer = service((tokens, bounds, chunk))
            explored, valid, _, put_off, tokens, notes = answer
            self.explored += explored
            self.forms += valid
            self.put_off += put_off
            for name, count in notes:
                self.notes[name] = self.notes.get(name, 0) + count


@pytest.fixture
def service(tmp_path, monkeypatch):
    """``service(source, classes, length, ...)`` answers a search over the scope."""
    numbers = itertools.count()
    loaded = []
    finders = sys.meta_path.copy()

    def make(source, classes, length=3, *, invariant="rep_ok"):
        name = f"heaps_{tmp_path.name}_{next(numbers)}".replace("-", "_")
        (tmp_path / f"{name}.py").write_text(source)
        loaded.append(name)
        scope = {
            "classes": tuple((f"{name}:{cls}", count, fields) for cls, count, fields in classes),
            "length": length,
            "invariant": invariant,
        }
        heaps_agent.prepare({"module": name, "scope": scope}, importlib.import_module)
        search = heaps_agent.SERVICES.pop("search")
        counts = (*(count for _, count, _ in classes), length)
        return lambda bounds=counts, chunk=1000: Found(search, bounds, chunk)

    for kind in set(PROXY_MAKERS) - {int, float}:  # the agent's process follows no other kinds
        monkeypatch.delitem(PROXY_MAKERS, kind)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield make
    COUNTER.stop()
    reset_trace()
    sys.meta_path[:] = finders
    for name in loaded:
        sys.modules.pop(name, None)
