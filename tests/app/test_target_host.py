"""The host of an explanation keeps every setting of the project."""

from __future__ import annotations

from pathlib import Path

from unitcraft.app.config import Config
from unitcraft.app.exploration.explain_inputs import run_inputs
from unitcraft.app.exploration.target_host import describing_host
from unitcraft.app.project_python import find_python
from unitcraft.subject.locate import Located

CODE = """\
import os

if "SHOP_MODE" not in os.environ:
    raise RuntimeError("SHOP_MODE is not set")


def price(amount: int) -> int:
    return amount
"""


def test_a_host_is_made_of_the_settings(tmp_path):
    config = Config(tmp_path, env=(("SHOP_MODE", "test"),), steps=1234, sandbox="strict")
    python = find_python(config, ["shop"], tmp_path)
    spec = describing_host(Located("shop", tmp_path / "shop.py", tmp_path, "price"), config, python)
    assert spec.environment == (("SHOP_MODE", "test"),)
    assert (spec.steps, spec.policy.level, spec.focus) == (1234, "strict", ("shop",))
    assert str(tmp_path) in spec.paths


def test_inputs_of_a_module_that_needs_a_variable_are_told(tmp_path):
    (tmp_path / "shop.py").write_text(CODE)
    config = Config(tmp_path, env=(("SHOP_MODE", "test"),))
    known = run_inputs("shop:price", config, Path(tmp_path))
    assert [one.name for one in known.parameters] == ["amount"]
