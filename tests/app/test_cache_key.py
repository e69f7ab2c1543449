from __future__ import annotations

import pytest

from unitcraft.app.generate import cache_key
from unitcraft.app.generate.cache_key import neighbours, result_key


@pytest.fixture
def shop(tmp_path):
    """A package ``shop`` with data beside its modules, and a lone module next to it."""
    for name, text in {
        "shop/__init__.py": "",
        "shop/cart.py": "from . import prices\n",
        "shop/prices.py": "VAT = 19\n",
        "shop/data/rates.json": "{}",
        "shop/__pycache__/cart.pyc": "cached",
        "lone.py": "import helper\n",
        "helper.py": "",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def key(root, module="shop.cart", file="shop/cart.py", more=("seed 0",), files=()):
    return result_key(module, root / file, root, more, files)


def test_same_sources_and_options_give_the_same_key(shop):
    assert key(shop) == key(shop)


@pytest.mark.parametrize("name", ["shop/cart.py", "shop/prices.py", "shop/data/rates.json"])
def test_any_change_in_the_package_changes_the_key(shop, name):
    before = key(shop)
    (shop / name).write_text("# changed\n")
    assert key(shop) != before


@pytest.mark.parametrize("name", ["lone.py", "shop/__pycache__/cart.pyc"])
def test_change_elsewhere_keeps_the_key(shop, name):
    before = key(shop)
    (shop / name).write_text("# changed\n")
    assert key(shop) == before


def test_new_file_in_the_package_changes_the_key(shop):
    before = key(shop)
    (shop / "shop" / "new.py").write_text("")
    assert key(shop) != before


def test_options_module_and_further_files_change_the_key(shop):
    keys = {
        key(shop),
        key(shop, more=("seed 1",)),
        key(shop, module="shop.prices", file="shop/prices.py"),
        key(shop, files=(shop / "helper.py",)),
    }
    assert len(keys) == 4


def test_lone_module_depends_on_the_files_beside_it(shop):
    before = key(shop, "lone", "lone.py")
    (shop / "helper.py").write_text("# changed\n")
    assert key(shop, "lone", "lone.py") != before


def test_neighbours_are_sorted(shop):
    found = [path.name for path in neighbours("shop.cart", shop / "shop/cart.py", shop)]
    assert found == ["__init__.py", "cart.py", "prices.py", "rates.json"]


def test_missing_file_counts_as_absent(shop):
    (shop / "helper.py").unlink()
    assert key(shop, files=(shop / "helper.py",)) == key(shop, files=(shop / "helper.py",))


def test_large_file_counts_with_its_size(shop, monkeypatch):
    monkeypatch.setattr(cache_key, "MAX_HASHED_BYTES", 10)
    before = key(shop)
    (shop / "shop/data/rates.json").write_text("0123456789 and more")
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
