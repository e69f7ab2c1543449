"""Who hands on all that it is given takes what its callee takes."""

from __future__ import annotations

import pytest

CLASSES = """
class Configurable:
    def __new__(cls, *args, **kwargs):
        made = object.__new__(cls)
        options = dict(kwargs)
        made.initialize(*args, **options)
        return made

class Resolver(Configurable):
    def initialize(self, resolver, mapping: dict = None): self.resolver = resolver

class Plain(Resolver):
    def resolve(self, *args, **kwargs): return self.find(*args, **kwargs)
    def find(self, host: str, *, port=80): return host, port

class Heir(Plain):
    def __init__(self, *args, **kwargs): super().__init__(*args, **kwargs)
    def find(self, *args, **kwargs): return super().find(*args, **kwargs)

def make(*args, **kwargs): return Box(*args, **kwargs)

class Box:
    def __init__(self, size, *, colour="red"): self.size = size

def boxes(*args, **kwargs): return Box(len(args), **kwargs)

def many(*args, **kwargs): return options(*args, **kwargs)
def options(a, b, c, d, e, f, g, h, i): return a

def join(*args): return "".join(args)
def first(*args): return args[0]
def either(*args): return join(*args) or first(*args)
def all_but_one(*args): return one("a", *args)
def one(a, b): return a, b
"""


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Resolver", ["resolver", "mapping"]),
        ("Plain.resolve", ["host", "port"]),
        ("Heir.find", ["host", "port"]),
        ("make", ["size", "colour"]),
        ("boxes", ["args", "colour"]),
        ("many", ["args", "kwargs"]),
        ("join", ["args"]),
        ("either", ["args"]),
        ("all_but_one", ["args"]),
    ],
)
def test_parameters_are_those_of_the_callee(name, expected, invocable):
    assert [one.name for one in invocable(CLASSES, name).parameters] == expected
