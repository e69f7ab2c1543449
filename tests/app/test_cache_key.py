from __future__ import annotations

import shutil

import pytest

from unitcraft.app.generate import cache_key
from unitcraft.app.generate.cache_key import result_key
from unitcraft.app.generate.import_closure import import_closure


@pytest.fixture
def write_files(tmp_path):
    def write(files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path

    return write


@pytest.fixture
def shop(write_files):
    """A package ``shop`` with data beside its modules, and a lone module next to it."""
    return write_files({
        "shop/__init__.py": "", "shop/cart.py": "from . import prices\n",
        "shop/prices.py": "VAT = 19\n", "shop/data/rates.json": "{}",
        "shop/__pycache__/cart.pyc": "cached", "lone.py": "import helper\n", "helper.py": "",
    })  # fmt: skip


def key(root, module="shop.cart", file="shop/cart.py", more=("seed 0",), files=()):
    return result_key(module, root / file, root, more, files)


def test_same_sources_and_options_give_the_same_key(shop):
    assert key(shop) == key(shop)


@pytest.mark.parametrize("name", ["shop/cart.py", "shop/prices.py", "shop/__init__.py"])
def test_change_of_what_the_module_imports_changes_the_key(shop, name):
    before = key(shop)
    (shop / name).write_text("# changed\n")
    assert key(shop) != before


@pytest.mark.parametrize(
    "name", ["lone.py", "shop/new.py", "shop/data/rates.json", "shop/__pycache__/cart.pyc"]
)
def test_change_elsewhere_keeps_the_key(shop, name):
    before = key(shop)
    (shop / name).write_text("# changed\n")
    assert key(shop) == before


@pytest.mark.parametrize("text", ["open('x')", "import importlib.resources as resources"])
def test_data_count_where_code_reads_files(shop, text):
    (shop / "shop/prices.py").write_text(f"{text}\n")
    before = key(shop)
    (shop / "shop/other.py").write_text("")
    assert key(shop) == before
    (shop / "shop/data/rates.json").write_text("[1]")
    assert key(shop) != before


def test_all_modules_count_where_code_imports_by_computed_names(shop):
    (shop / "shop/prices.py").write_text("import importlib\nimportlib.import_module(NAME)\n")
    before = key(shop)
    (shop / "shop/other.py").write_text("")
    assert key(shop) != before


def test_a_copy_has_the_keys_of_the_original(shop, tmp_path_factory):
    copy = tmp_path_factory.mktemp("copy") / "shop"
    shutil.copytree(shop, copy)
    first = result_key("shop.cart", shop / "shop/cart.py", shop, (), (), [str(shop / "lib")])
    other = result_key("shop.cart", copy / "shop/cart.py", copy, (), (), [str(copy / "lib")])
    assert first == other


def test_distributions_count_when_the_code_imports_them(shop, monkeypatch):
    (shop / "shop/prices.py").write_text("import click\n")
    versions = {"click": ("click 8", ("colorama",)), "colorama": ("colorama 1", ())}
    monkeypatch.setattr(cache_key, "_installed", lambda: versions)
    monkeypatch.setattr(cache_key, "_holders", lambda: {"click": ["Click"]})
    before = key(shop)
    versions["rich"] = ("rich 13", ())
    assert key(shop) == before
    versions["colorama"] = ("colorama 2", ())
    assert key(shop) != before


def test_options_module_and_further_files_change_the_key(shop):
    keys = {
        key(shop),
        key(shop, more=("seed 1",)),
        key(shop, module="shop.prices", file="shop/prices.py"),
        key(shop, files=(shop / "helper.py",)),
    }
    assert len(keys) == 4


def test_lone_module_depends_on_what_it_imports(shop):
    before = key(shop, "lone", "lone.py")
    (shop / "helper.py").write_text("# changed\n")
    assert key(shop, "lone", "lone.py") != before


def test_the_closure_follows_relative_and_late_imports(write_files):
    root = write_files({
        "p/__init__.py": "", "p/a.py": "from .sub import b\nfrom . import c as d\n",
        "p/sub/__init__.py": "from ..up import x\n", "p/sub/b.py": "def f():\n    import q.r\n",
        "p/c.py": "import json, yaml.nodes", "p/up.py": "from p.a import y", "q/r.py": "",
        "p/alone.py": "", "q/s.py": "",
    })  # fmt: skip
    closure = import_closure("p.a", root / "p/a.py", root)
    names = [str(file.relative_to(root)) for file in closure.files]
    assert names == [
        "p/__init__.py", "p/a.py", "p/c.py", "p/sub/__init__.py", "p/sub/b.py", "p/up.py", "q/r.py",
    ]  # fmt: skip
    assert (closure.outside, closure.dynamic) == (("json", "yaml"), False)


STATEMENTS = """
try:
    import a1
except ImportError:
    import a2
else:
    import a3
finally:
    import a4
class C:
    async def f(self):
        async with self:
            if self:
                import a5
            else:
                for x in self:
                    import a6
        match self:
            case 1:
                import a7
        while self:
            pass
        else:
            import a8
"""


@pytest.mark.parametrize("more", ["", "print(open)\n"])
def test_imports_are_found_in_every_kind_of_statement(write_files, more):
    root = write_files({"one.py": STATEMENTS + more})
    closure = import_closure("one", root / "one.py", root)
    assert closure.outside == tuple(f"a{number}" for number in range(1, 9))


def test_missing_file_counts_as_absent(shop):
    (shop / "helper.py").unlink()
    assert key(shop, files=(shop / "helper.py",)) == key(shop, files=(shop / "helper.py",))


def test_large_file_counts_with_its_size(shop, monkeypatch):
    monkeypatch.setattr(cache_key, "MAX_HASHED_BYTES", 10)
    before = key(shop)
    (shop / "shop/prices.py").write_text("0123456789 and more")
    assert key(shop) != before


def test_values_of_variables_that_the_module_reads_count(tmp_path, monkeypatch):
    file = tmp_path / "lonely.py"
    file.write_text("import os\nMODE = os.environ.get('APP_MODE')\n")
    monkeypatch.delenv("APP_MODE", raising=False)
    first = result_key("lonely", file, tmp_path, (), ())
    monkeypatch.setenv("APP_OTHER", "x")
    assert result_key("lonely", file, tmp_path, (), ()) == first
    monkeypatch.setenv("APP_MODE", "x")
    assert result_key("lonely", file, tmp_path, (), ()) != first
