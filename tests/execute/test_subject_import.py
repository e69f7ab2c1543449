"""Functions that set a project up are called before its module is imported."""

from __future__ import annotations

import sys

import pytest

from unitcraft.core.errors import UnitcraftError
from unitcraft.execute.guest.subject_import import advice_on, import_subject


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "order_kept.py").write_text("seen = []\nclass App:\n    f = seen.append\n")
    (tmp_path / "set_up_apps.py").write_text(
        "import order_kept\n"
        "def first(): order_kept.seen.append('first')\n"
        "class App:\n"
        "    @staticmethod\n"
        "    def second(): order_kept.seen.append('second')\n"
    )
    (tmp_path / "late_model.py").write_text("import order_kept\norder_kept.seen.append('model')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    for name in ("order_kept", "set_up_apps", "late_model"):
        sys.modules.pop(name, None)


def test_functions_are_called_in_turn_before_the_import(project):
    found = import_subject(["set_up_apps:first", "set_up_apps:App.second"], "late_model")
    assert found.order_kept.seen == ["first", "second", "model"]
    assert found is sys.modules["late_model"]


@pytest.mark.parametrize("place", ["gone:f", "set_up_apps:third", "set_up_apps:App.third"])
def test_a_function_that_is_not_there_is_named(project, place):
    with pytest.raises(UnitcraftError, match="there is no function") as caught:
        import_subject([place], "late_model")
    assert caught.value.slug == "no-such-function"
    assert place in caught.value.what
    assert "late_model" not in sys.modules


def test_exceptions_of_frameworks_that_were_not_set_up_are_known_by_name():
    kind = type("AppRegistryNotReady", (Exception,), {"__module__": "django.core.exceptions"})
    assert "--before-import django:setup" in advice_on(kind())
    assert advice_on(ValueError()) == ""
