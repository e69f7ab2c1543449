"""Which modules of a package are rewritten: nearest first, and the same for every import."""

from __future__ import annotations

import importlib
import sys

import pytest

from unitcraft.execute.steps import TICK
from unitcraft.instrument import import_hook
from unitcraft.instrument.branch_recorder import RecordedBranches
from unitcraft.instrument.import_hook import Hook, RewriteChoice

FILES = {
    "__init__.py": "from . import far0",
    "target.py": "from .near import helper\nfrom . import level\nimport chosen.sub.deep\n",
    "near.py": "def helper():\n    from chosen import late\n",
    "level.py": "X = 1\n",
    "late.py": "Y = 1\n",
    "far0.py": "Z = 1\n",
    "far1.py": "Z = 2\n",
    "broken.py": "def\n",
    "sub/__init__.py": "",
    "sub/deep.py": "from .. import broken\nfrom ... import nothing\n",
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    for name, text in FILES.items():
        file = tmp_path / "chosen" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    finders = list(sys.meta_path)
    yield tmp_path
    sys.meta_path[:] = finders
    for name in [one for one in sys.modules if one.partition(".")[0] == "chosen"]:
        del sys.modules[name]


def chosen(*names, choice):
    return [name for name in names if choice.includes(f"chosen.{name}", 10)]


NEAR = ("target", "near", "level", "late", "sub.deep", "broken")
FAR = ("far0", "far1")


def test_what_the_target_imports_is_near_at_any_distance(package, monkeypatch):
    monkeypatch.setattr(import_hook, "MAX_OTHER_BYTES", 0)
    choice = RewriteChoice("chosen.target")
    assert chosen(*NEAR, *FAR, choice=choice) == list(NEAR)
    assert not any(name.partition(".")[0] == "chosen" for name in sys.modules)


def test_nearest_first_within_the_bounds(package, monkeypatch):
    monkeypatch.setattr(import_hook, "MAX_OTHER_BYTES", 0)
    monkeypatch.setattr(import_hook, "MAX_NEAR_MODULES", 2)
    assert chosen(*NEAR, choice=RewriteChoice("chosen.target")) == ["target", "near"]
    monkeypatch.setattr(import_hook, "MAX_NEAR_MODULES", 99)
    monkeypatch.setattr(import_hook, "MAX_NEAR_BYTES", 5)
    assert chosen(*NEAR, choice=RewriteChoice("chosen.target")) == ["target"]


def test_other_modules_are_taken_in_the_order_of_import_until_the_bytes_are_spent(
    package, monkeypatch
):
    monkeypatch.setattr(import_hook, "MAX_OTHER_BYTES", 25)
    choice = RewriteChoice("chosen.level")
    assert chosen("near", "late", "far0", "near", choice=choice) == ["near", "late", "near"]


def test_after_the_import_the_choice_no_longer_depends_on_what_came_before(package, monkeypatch):
    monkeypatch.setattr(import_hook, "MAX_OTHER_BYTES", 15)
    choice = RewriteChoice("chosen.level")
    choice.settle()
    assert chosen("near", "late", "far0", "near", choice=choice) == ["near", "late", "far0", "near"]


def test_modules_of_other_packages_are_never_chosen(package):
    choice = RewriteChoice("chosen.target")
    assert not choice.includes("chosenly", 1)
    assert not choice.includes("other.chosen", 1)


def test_only_chosen_modules_are_rewritten(package, monkeypatch):
    monkeypatch.setattr(import_hook, "MAX_OTHER_BYTES", 0)
    Hook("chosen.level").install()
    importlib.import_module("chosen.level")
    assert TICK in vars(sys.modules["chosen.level"])
    assert TICK not in vars(sys.modules["chosen.far0"])


def test_a_module_that_is_imported_again_keeps_its_sites(package):
    branches = RecordedBranches()
    Hook("chosen.near", branches).install()
    importlib.import_module("chosen.near")
    sites = len(branches.table.sites)
    del sys.modules["chosen.near"]
    importlib.import_module("chosen.near")
    assert len(branches.table.sites) == sites > 0


def test_what_functions_of_loaded_modules_import_is_loaded_once_and_before_they_run(
    tmp_path, monkeypatch
):
    package = tmp_path / "lately"
    package.mkdir()
    files = {
        "target": "from lately import near\ndef f():\n    from lately import first, fails\n",
        "near": "if 0:\n    from lately import never\ndef g():\n    import lately.second\n",
        "second": "def h():\n    from . import third\n",
        "fails": "raise ValueError",
        **dict.fromkeys(("__init__", "first", "third", "never"), ""),
    }
    for name, text in files.items():
        (package / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    choice = RewriteChoice("lately.target")
    importlib.import_module("lately.target")
    choice.load_late()
    loaded = {name for name in sys.modules if name.startswith("lately.")}
    for name in ("lately", *loaded):
        monkeypatch.delitem(sys.modules, name)
    assert loaded == {f"lately.{name}" for name in ("target", "near", "first", "second", "third")}
