"""Hosts of mixins: the names of ``self`` that a class reads and nothing defines."""

from __future__ import annotations

from pathlib import Path

import pytest

from unitcraft.explore.search.surroundings.mixin_hosts import missing_members
from unitcraft.explore.search.surroundings.written_classes import pool_with_heirs
from unitcraft.subject.values.value_pools import ValuePools

PAGED = """
    class PagedMixin:
        page_size = 3

        def pages(self):
            return -(-self.count() // self.page_size)

        def page(self, number):
            first = (number - 1) * self.page_size
            return self.fetch(first, self.page_size, deep=True)

        async def load(self):
            return await self.read(self.path)
    """


def source_of(made):
    return Path(made.folder, "sample.py").read_text()


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("def f(self): return self.x()", ["x"]),
        ("def f(self): return self.x", []),
        ("def f(self): return self.x + self.y()", ["x", "y"]),
        ("def f(self): setattr(self, 'x', 1)\n    def g(self): return self.x()", []),
        ("def f(self): return self.g()\n    def g(self): return 1", []),
        ("def f(self): self.x = 1\n    def g(self): return self.x", []),
        ("x = 1\n    def f(self): return self.x", []),
        ("x: int = 1\n    def f(self): return self.x + self.y()", ["y"]),
        ("def f(self): return self.__dict__", []),
        ("def __getattr__(self, name): return 1\n    def f(self): return self.x", []),
        ("@staticmethod\n    def f(other): return other.x", []),
    ],
)
def test_a_name_is_missing_where_nothing_defines_it(lab, text, missing):
    made = lab(f"class Mixin:\n    {text}\n")
    found = missing_members(made.subject, source_of(made))
    names = [one.name for _, *members in found.values() for one in members]
    assert names == missing


@pytest.mark.parametrize(
    "bases",
    ["class Heir(Mixin):\n    x = 1\n", "class Other(dict):\n    def g(self): self.pop(1)\n"],
)
def test_a_class_with_heirs_or_bases_that_may_define_it_needs_no_host(lab, bases):
    made = lab(f"class Mixin:\n    def f(self): return 1\n\n\n{bases}")
    assert missing_members(made.subject, source_of(made)) == {}


def test_a_test_defines_the_host(lab):
    made = lab(PAGED)
    objects = pool_with_heirs(made.subject, ValuePools(made.subject, source=source_of(made)))
    (seed, *_) = objects.seeds("sample:PagedMixin")
    assert seed.sequence.calls[0].name.splitlines() == [
        "class Paged({0}):",
        "    path = {1}",
        "",
        "    def count(self):",
        "        return {2}",
        "",
        "    def fetch(self, first, value_2, *, deep):",
        "        return {3}",
        "",
        "    async def read(self, value_1):",
        "        return {4}",
    ]
    assert made.run(seed.sequence, "PagedMixin").failed is None
