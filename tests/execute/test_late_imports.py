"""What functions import when they are called can be loaded before."""

from __future__ import annotations

import importlib
import sys

from unitcraft.execute.guest.subject_import import load_late_imports

SOURCE = """
def f():
    import latepackage.first
    from .second import answer
    from latepackage import missing, third
    import not_there_at_all
    import latepackage.stops


def late():
    raise ImportError
"""


def test_what_functions_import_is_loaded_as_far_as_it_can_be(tmp_path, monkeypatch):
    package = tmp_path / "latepackage"
    package.mkdir()
    files = {"__init__": "", "first": "", "second": "answer = 1", "stops": "raise SystemExit"}
    for name, text in {**files, "third": "", "subject": SOURCE}.items():
        (package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.import_module("latepackage.subject")
    load_late_imports("latepackage.subject")
    loaded = {name for name in sys.modules if name.startswith("latepackage.")}
    for name in ("latepackage", *loaded):
        monkeypatch.delitem(sys.modules, name)
    assert loaded == {"latepackage.subject", "latepackage.first", "latepackage.second"}
    load_late_imports("no_such_module")
