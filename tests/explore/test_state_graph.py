from xml.etree import ElementTree as ET

from unitcraft.core.sequences import Call, Const, Ref
from unitcraft.explore.statespace.concrete_exploration import (
    ConcreteState,
    ConcreteTask,
    Exploration,
)
from unitcraft.explore.statespace.state_exploration import IterationStats, Transition
from unitcraft.explore.statespace.state_graph import draw, states_to_draw

PUSH, POP = Call("method", "push", (Ref(0), Const(3))), Call("method", "pop", (Ref(0),))
EMPTY, ONE, TWO = ConcreteState(b"0", ()), ConcreteState(b"1", (0,)), ConcreteState(b"2", (0, 0))
STEPS = (
    Transition(EMPTY, 0, "", ONE),
    Transition(EMPTY, 1, "builtins:IndexError", EMPTY),
    Transition(ONE, 0, "", TWO),
    Transition(ONE, 1, "", EMPTY),
)
LINES = {b"0": ("size = 0",), b"1": ("size = 1", "top = '<&>'"), b"2": ("size = 2",)}


def exploration(lines=LINES, steps=STEPS):
    task = ConcreteTask("m:Stack", Call("function", "m:Stack"), (PUSH, POP))
    stats = (IterationStats(2, 3, 4, 0.5),)
    return Exploration(task, stats, (), steps, lines)


def parts(text, tag, kind):
    root = ET.fromstring(text)
    return [
        one
        for one in root.iter(f"{{http://www.w3.org/2000/svg}}{tag}")
        if kind in one.get("class", "")
    ]


def test_states_are_boxes_in_rows_by_depth():
    boxes = parts(draw(exploration()), "rect", "box")
    rows = [float(box.get("y")) for box in boxes]
    assert len(boxes) == 3
    assert rows == sorted(rows)
    assert len(set(rows)) == 3


def test_new_states_are_reached_by_solid_edges_and_known_ones_by_dashed_ones():
    text = draw(exploration())
    assert len(parts(text, "path", "new")) == 2
    assert len(parts(text, "path", "old")) == 1


def test_boxes_name_calls_exceptions_and_the_states_that_they_lead_to():
    labels = [label.text for label in parts(draw(exploration()), "text", "label")]
    assert labels == [
        "push(3) \u2192 1",
        "pop() raises IndexError (stays)",
        "push(3) \u2192 2",
        "pop() \u2192 0",
    ]


def test_no_two_texts_stand_on_one_another():
    places = [(one.get("x"), one.get("y")) for one in parts(draw(exploration()), "text", "")]
    assert len(set(places)) == len(places)


def test_a_box_names_a_few_calls_and_counts_the_others():
    many = [ConcreteState(bytes([65 + index]), (index,)) for index in range(12)]
    steps = tuple(Transition(EMPTY, 0, "", state) for state in many)
    picture = draw(exploration({one.digest: () for one in (EMPTY, *many)}, steps))
    labels = [label.text for label in parts(picture, "text", "label")]
    assert labels[-2:] == ["push(3) \u2192 7", "and 5 more"]


def test_text_is_escaped_and_the_same_every_time():
    assert "top = '&lt;&amp;&gt;'" in draw(exploration())
    assert draw(exploration()) == draw(exploration())


def test_what_is_left_out_is_told():
    note = "m:Stack: 3 states, 4 tests, 2 iterations"
    assert f">{note}<" in draw(exploration())
    partial = draw(exploration({b"0": ("size = 0",), b"1": ("size = 1",)}))
    assert f">{note}; the first 2 states are drawn; 1 of the executions lead elsewhere<" in partial


def test_a_wide_depth_takes_several_rows():
    many = [ConcreteState(bytes([65 + index]), (index,)) for index in range(30)]
    steps = tuple(Transition(EMPTY, 0, "", state) for state in many)
    lines = {state.digest: ("x" * 40,) for state in (EMPTY, *many)}
    text = draw(exploration(lines, steps))
    assert float(ET.fromstring(text).get("width")) < 1300
    assert len({box.get("y") for box in parts(text, "rect", "box")}) == 1 + 10


def test_states_are_drawn_in_the_order_of_discovery():
    assert states_to_draw(exploration()) == (EMPTY, ONE, TWO)
    assert states_to_draw(exploration(), 2) == (EMPTY, ONE)


def test_an_exploration_without_steps_has_an_empty_picture():
    assert parts(draw(exploration({}, ())), "rect", "box") == []


def test_the_picture_is_as_wide_as_its_texts():
    picture = ET.fromstring(draw(exploration()))
    width, height = float(picture.get("width")), float(picture.get("height"))
    assert picture.get("viewBox") == f"0 0 {width:.0f} {height:.0f}"
    for text in picture.iter("{http://www.w3.org/2000/svg}text"):
        assert float(text.get("x")) + 6.7 * len(text.text) <= width
