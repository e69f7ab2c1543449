"""The same modules for the same words, in any folder of a project."""

from __future__ import annotations

import pytest

from unitcraft.app import config as settings
from unitcraft.app.commands.cli_generate import base_of
from unitcraft.app.targets import locate_target, locate_targets


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """A project with settings, and a folder in it as the current one."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    package = tmp_path / "src" / "shop"
    package.mkdir(parents=True)
    (tmp_path / "pyproject.toml").write_text('[tool.unitcraft]\ntargets = ["src/shop"]\n')
    (package / "__init__.py").write_text("")
    (package / "cart.py").write_text("class Cart:\n    def add(self): ...\n")
    return tmp_path


def test_dotted_names_are_found_from_a_folder_of_the_project(shop):
    here = shop / "src" / "shop"
    (one,) = locate_target("shop.cart:Cart", here, settings.load(here))
    assert (one.module, one.root) == ("shop.cart", shop / "src")


def test_a_project_without_settings_has_a_root_too(shop):
    (shop / "pyproject.toml").write_text("[project]\nname = 'shop'\n")
    here = shop / "src" / "shop"
    assert locate_target("shop.cart", here, settings.load(here))[0].file.name == "cart.py"


def test_targets_of_the_settings_are_relative_to_their_file(shop):
    here = shop / "src" / "shop"
    config = settings.load(here)
    found = locate_targets(config.targets, base_of((), here, config), config)
    assert [one.module for one in found] == ["shop", "shop.cart"]
    assert base_of(("cart.py",), here, config) == here


def test_a_module_that_two_targets_name_is_found_once(shop):
    config = settings.load(shop)
    found = locate_targets(["shop.cart", "src/shop/cart.py"], shop, config)
    assert [one.module for one in found] == ["shop.cart"]
