"""Code that needs inputs with structure gets them, as a person would write them."""

from __future__ import annotations

import ast

import pytest

from unitcraft.app.generate.generate_module import generate
from unitcraft.app.generate.generated_suite import Options
from unitcraft.core.events import SilentListener
from unitcraft.subject.locate import locate

SOURCES = {
    "buttons": """
class Button:
    def __init__(self, on_click, label):
        self.on_click = on_click
        self._label = label
        self.listeners = []

    def listen(self, listener):
        self.listeners.append(listener)

    def click(self, times):
        done = 0
        for _ in range(times):
            for listener in self.listeners:
                if not listener("click"):
                    return done
            done += self.on_click(self._label.upper())
        return done
""",
    "records": """
class Field:
    def __init__(self, default=None, required=False):
        self.default = default
        self.required = required

    def check(self, value):
        return value


class Text(Field):
    def check(self, value):
        if not isinstance(value, str):
            raise TypeError("a text is wanted")
        return value.strip()


class RecordMeta(type):
    def __new__(mcs, name, bases, attrs):
        fields = {}
        for key, value in list(attrs.items()):
            if isinstance(value, Field):
                fields[key] = attrs.pop(key)
        for base in bases:
            for key, value in getattr(base, "fields", {}).items():
                fields.setdefault(key, value)
        attrs["fields"] = fields
        return super().__new__(mcs, name, bases, attrs)


class Record(metaclass=RecordMeta):
    def __init__(self, **values):
        for key, field in self.fields.items():
            if key in values:
                setattr(self, key, field.check(values.pop(key)))
            elif field.required:
                raise ValueError(f"{key} is required")
            else:
                setattr(self, key, field.default)
        if values:
            raise ValueError(f"unknown: {sorted(values)}")

    def as_dict(self):
        return {key: getattr(self, key) for key in self.fields}

    def empty(self):
        return [key for key in self.fields if getattr(self, key) is None]
""",
    "wire": '''
import json


def answer(text):
    """The answer to a request in JSON."""
    request = json.loads(text)
    command = request["command"]
    if command == "add":
        left, right = request["numbers"]
        return left + right
    if command.startswith("say_"):
        return request.get("word", "hello")
    raise ValueError("unknown command")


def tidy(body: str) -> str:
    """Sorted JSON; any other text as it is."""
    try:
        data = json.loads(body)
    except ValueError:
        return body
    return json.dumps(data, sort_keys=True)


class Painter:
    """Paints with options that it was given by name."""

    def __init__(self, **options):
        self.options = options
        self.width = options["size"]["width"]

    def paint(self, text):
        if self.options["loud"]:
            text = text.upper()
        return text * self.width
''',
    "figures": '''
from abc import ABC, abstractmethod


class Shape(ABC):
    """A shape with a name."""

    def __init__(self, name):
        self.name = name

    @abstractmethod
    def area(self) -> float:
        """The area."""

    @property
    @abstractmethod
    def corners(self):
        pass

    def describe(self, unit="cm"):
        if self.area() > 10:
            return f"large {self.name}"
        return f"{self.name}: {self.area()} {unit}2, {self.corners} corners"

    def __lt__(self, other):
        return self.area() < other.area()


class BaseReader(ABC):
    @abstractmethod
    def read_line(self):
        """The next line, None at the end."""

    def first_word(self):
        line = self.read_line()
        if line is None:
            return ""
        return line.split()[0]
''',
    "trees": '''
def walk(value, found=None):
    """The texts in nested lists, tuples and dictionaries."""
    found = [] if found is None else found
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, tuple):
                found.append(f"{key}!")
            walk(inner, found)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            walk(inner, found)
    elif isinstance(value, str):
        found.append(value)
    return found


def same_shape(left, right):
    if isinstance(left, dict) and isinstance(right, dict):
        if left.keys() != right.keys():
            return False
        return all(same_shape(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_shape, left, right))
    return not isinstance(left, (list, dict)) and not isinstance(right, (list, dict))


def merge_all(values):
    """Dictionaries into one, lists of dictionaries into one list."""
    first = values[0]
    if isinstance(first, dict):
        merged = {}
        for one in values:
            for key, inner in one.items():
                if isinstance(inner, set):
                    merged.setdefault(key, set()).update(inner)
                elif isinstance(inner, list):
                    merged.setdefault(key, []).extend(inner)
                else:
                    merged[key] = inner
        return merged
    if isinstance(first, tuple):
        return tuple(merge_all(column) for column in zip(*values))
    return list(values)
''',
    "wires": '''
def read_frame(connection):
    """The payload of one frame."""
    head = connection.recv(2)
    if head[:1] == b"\\x01":
        return connection.recv(head[1])
    if head == b"":
        raise EOFError("closed")
    connection.sendall(b"\\x15")
    return None


def pump(source, target):
    total = 0
    while True:
        chunk = source.read(4)
        if not chunk:
            break
        if chunk.startswith(b"#"):
            continue
        target.write(chunk)
        total += len(chunk)
    return total
''',
    "lazies": '''
import functools


class lazy:
    """A property that is computed once for each instance."""

    def __init__(self, func):
        functools.update_wrapper(self, func)
        self.func = func

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = self.func(instance)
        instance.__dict__[self.func.__name__] = value
        return value


class Typed:
    """An attribute of one type."""

    def __init__(self, kind, default=None):
        self.kind = kind
        self.default = default

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return getattr(instance, self.name, self.default)

    def __set__(self, instance, value):
        if not isinstance(value, self.kind):
            raise TypeError(f"{self.name[1:]} must be {self.kind.__name__}")
        setattr(instance, self.name, value)


def computed(func):
    "A decorator of methods."
    return lazy(func)


def shapes(kind):
    "The names of a class and of its bases."
    if not isinstance(kind, type):
        raise TypeError("not a class")
    return [one.__name__ for one in kind.__mro__]


def fields_of(value):
    if hasattr(value, "_fields"):
        return {name: getattr(value, name) for name in value._fields}
    return dict(value)
''',
}


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    """The text of the suite of a module of ``SOURCES``, by its name."""
    folder = tmp_path_factory.mktemp("subjects")

    def text(name):
        path = folder / f"{name}.py"
        path.write_text(SOURCES[name], encoding="utf-8")
        return generate(locate(path.name, folder)[0], Options(jobs=1), SilentListener())

    return text


def test_documents_and_named_options_have_what_is_looked_up(suite):
    found = suite("wire")
    assert found.branches_covered == found.branches
    assert '"command": "add", "numbers": [' in found.text
    assert 'match=r"^unknown command$"' in found.text
    assert '{"width": ' in found.text
    assert "Painter(size=" in found.text


def test_an_abstract_class_is_shown_by_a_subclass_that_the_test_writes(suite):
    found = suite("figures")
    assert found.branches_covered == found.branches
    assert "(Shape):\n" in found.text
    assert "def area(self):\n" in found.text
    assert "@property\n" in found.text
    assert "class Reader(BaseReader):\n" in found.text
    written = [ast.unparse(one) for one in ast.walk(ast.parse(found.text))
               if isinstance(one, ast.ClassDef) and one.bases]  # fmt: skip
    assert len(written) == len(set(written))  # what two tests define alike stands above them


def test_descriptors_and_types_are_shown_in_classes(suite):
    found = suite("lazies")
    assert "area = Typed(" in found.text
    assert "assert circle.area == " in found.text
    assert "class Pair(NamedTuple):\n" in found.text
    assert "SimpleNamespace" not in found.text
    assert " @computed\n" in found.text
    assert "def test_computed_decorates_a_method(" in found.text


def test_nested_containers_are_mixed_and_alike(suite):
    found = suite("trees")
    assert found.branches_covered >= found.branches - 1  # 27 of 30 without such variations


def test_streams_and_connections_give_bytes_where_bytes_are_wanted(suite):
    found = suite("wires")
    assert found.branches_covered == found.branches
    assert "BytesIO(b" in found.text


def test_fields_of_a_declarative_class_are_declared_by_an_heir(suite):
    found = suite("records")
    assert found.branches_covered >= 16  # of 18; 9 without the heir
    assert "class ConcreteRecord(Record):\n            name = Text()" in found.text


def test_listeners_that_a_list_keeps_are_functions(suite):
    found = suite("buttons")
    assert found.branches_covered == found.branches  # 3 of 6 where nothing is known of listeners
