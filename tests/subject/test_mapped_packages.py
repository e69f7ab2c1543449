"""Editable installations whose finder maps a package to a folder of another name."""

from __future__ import annotations

import pytest

from unitcraft.core.interpreter import Interpreter
from unitcraft.subject.locate import locate
from unitcraft.subject.mapped_packages import mapped_packages

#: The files that build tools write: name, and text in which the folder takes the place of {}.
FINDERS = {
    "setuptools": (
        "__editable___widgets_1_0_finder.py",
        "MAPPING: dict[str, str] = {{'widgets': '{}'}}\nNAMESPACES: dict = {{}}\n",
    ),
    "editables": (
        "_editable_impl_widgets.py",
        "F.install()\nF.map_module('widgets', '{}/__init__.py')\n",
    ),
}


@pytest.fixture(params=FINDERS)
def python(request, write, tmp_path) -> Interpreter:
    write("lib/__init__.py", "")
    write("lib/core.py", "def spin(): ...\n")
    name, text = FINDERS[request.param]
    write(f"site/{name}", text.format(tmp_path / "lib"))
    return Interpreter("python", (3, 11), (str(tmp_path / "site"),))


@pytest.mark.parametrize("target", ["lib/core.py", "widgets.core", "widgets.core:spin"])
def test_a_mapped_module_has_the_name_that_python_knows(python, tmp_path, target):
    (located,) = locate(target, tmp_path, python=python)
    assert (located.module, located.file) == ("widgets.core", tmp_path / "lib/core.py")


def test_a_mapped_package_is_found_whole(python, tmp_path):
    found = locate("widgets", tmp_path, python=python)
    assert [one.module for one in found] == ["widgets", "widgets.core"]


def test_other_files_keep_their_names(python, write, tmp_path):
    write("other/tool.py", "")
    assert locate("other/tool.py", tmp_path, python=python)[0].module == "tool"


def test_a_finder_that_holds_something_else_maps_nothing(write, tmp_path):
    write("site/__editable___x_finder.py", "MAPPING = load()\nMAPPING = {1: 2, **more}\n")
    assert mapped_packages([str(tmp_path / "site")]) == {}
