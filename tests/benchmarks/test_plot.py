"""The chart: one curve for each line, in the right place."""

import importlib.util
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

FILE = Path(__file__).parents[2] / "benchmarks" / "charts.py"
NAMESPACE = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def plot():
    spec = importlib.util.spec_from_file_location("plot", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_power_of_ten_is_a_line_of_the_grid_and_points_lie_between(plot):
    lines = [plot.Line("a & b", {5: 10.0, 6: 100.0, 7: 1000.0}), plot.Line("c", {5: 10.0})]
    root = ET.fromstring(plot.chart("t < u", "N", [("states", lines)]))
    curves = [item.get("points") for item in root.iter(f"{NAMESPACE}polyline")]
    assert curves == ["0.0,200.0 140.0,100.0 280.0,0.0", "0.0,200.0"]
    levels = [item.get("y1") for item in root.iter(f"{NAMESPACE}line")]
    assert levels == ["200.0", "100.0", "0.0"]
    texts = [item.text for item in root.iter(f"{NAMESPACE}text")]
    assert {"t < u", "a & b", "10", "1000", "5", "7", "N"} <= set(texts)


def test_the_committed_plot_is_a_picture():
    root = ET.parse(FILE.parents[1] / "docs" / "symbolic-vs-concrete.svg").getroot()
    assert len(list(root.iter(f"{NAMESPACE}polyline"))) == 4
