"""What a module calls and does not define: what a test may replace, and the texts it passes."""

from __future__ import annotations

import pytest

from unitcraft.subject.reading.replaceable_calls import (
    asked_results,
    attribute_uses,
    calls_on_host,
    calls_outside,
    clock_calls,
    hooks,
    replaceable_calls,
    stored_attributes,
    texts_of_calls,
    tree_of,
)

SOURCE = """
import os
import urllib.request as web
from subprocess import run

try:
    import simplejson as json
except ImportError:
    import json

def helper():
    return run(["ls"])

def fetch(url, opener):
    opener(url)
    helper()
    return json.loads(web.urlopen(url).read())

def local(run):
    return run(1)

class Page(Base):
    def load(self):
        self.handler = print
        self.handler(1)
        self.own()
        return self.download("x", names=("title", "name"))

    def own(self):
        return len(os.listdir("."))
"""


def test_imported_functions_and_inherited_methods_can_be_replaced():
    found = sorted(set(replaceable_calls(SOURCE, "m").values()))
    assert found == [
        "m.Page.download",
        "m.json.loads",
        "m.os.listdir",
        "m.run",
        "m.web.urlopen",
    ]


def test_positions_are_those_of_the_compiler():
    lines = SOURCE.splitlines()
    for (first, last, left, right), target in replaceable_calls(SOURCE, "m").items():
        assert first == last
        text = lines[first - 1][left:right]
        assert text.startswith(target.removeprefix("m.").replace("Page.", "self."))
        assert text.endswith(")")


def test_what_a_function_imports_is_replaced_where_it_comes_from():
    source = """
import tools

def f(name):
    import jedi, os.path as place
    from web import get
    from . import near
    tools = name
    near(jedi(), tools.x(), name.y())
    return jedi.Script(get(place.exists(name)))
"""
    found = set(replaceable_calls(source, "m").values())
    assert found == {"jedi.Script", "web.get"}  # what others need of the library stays


ASKED = """
import re
from tools import get_bench, other

def f(given):
    get_bench().start(1)
    bench = get_bench()
    bench.size = bench.width + given.width
    bench = other(given)
    bench.stop()
    given.go()
    found = re.match("a", given)
    found.group(0)
    from re import search
    search("a", given).group(0)
"""


def test_attributes_are_asked_of_results_at_once_or_by_a_name():
    found = asked_results(ASKED, "m")
    lines = ASKED.splitlines()
    texts = {lines[first - 1][left:right]: one for (first, _, left, right), one in found.items()}
    assert texts == {
        "get_bench().start": ("start", "m.get_bench"),
        "get_bench().start(1)": ("start", "m.get_bench"),
        "bench.size": ("size", "m.get_bench"),
        "bench.width": ("width", "m.get_bench"),
        "bench.stop": ("stop", "m.other"),
        "bench.stop()": ("stop", "m.other"),
    }


def test_attributes_that_the_code_sets():
    assert set(stored_attributes(tree_of(ASKED + SOURCE))) == {"size", "handler"}


def test_texts_that_a_call_is_given():
    assert sorted(texts_of_calls(SOURCE).values()) == [
        (".",),
        ("ls",),
        ("x", "title", "name"),
    ]


@pytest.mark.parametrize("broken", ["def", "\\0"])
def test_what_is_no_code_has_no_calls(broken):
    assert replaceable_calls(broken, "m") == {}
    assert texts_of_calls(broken) == {}


def test_files_of_the_machine_are_looked_at_by_functions_of_others():
    source = """
import os
from tools import content

class Facts:
    def kind(self):
        if os.path.exists("/proc/vz"):
            return content("/proc/1/comm")
        return os.path.exists("proc") or content("/ and more")

def shown(path):
    return content(path)
"""
    assert calls_on_host(source, "m") == {"Facts.kind": ("m.os.path.exists", "m.content")}


def test_paths_of_the_machine_may_be_hidden_and_have_names():
    source = """
import os
from os.path import isdir, join

RELEASE = "/etc/release"

def is_native():
    return isdir("/.native") or isdir(join("/etc", "a"))

def release(path):
    for path in ("/run/systemd/", "/dev/.systemd/"):
        if os.path.exists(path):
            return os.stat(RELEASE)
    return isdir("a")

def kind(path):
    return isdir(path)
"""
    assert calls_on_host(source, "m") == {
        "is_native": ("m.isdir",),
        "release": ("m.os.path.exists", "m.os.stat"),
    }


def test_methods_that_only_refuse_are_for_others_to_define():
    source = """
class Base:
    def hook(self):
        'What heirs do.'
        raise NotImplementedError

    def named(self):
        raise NotImplementedError("named")

    def partly(self, x):
        if x:
            raise NotImplementedError
        return x

def function():
    raise NotImplementedError
"""
    assert hooks(source, "m") == {5: "m.Base.hook", 8: "m.Base.named"}


def test_attributes_are_told_by_what_the_code_does_with_them():
    text = "module.run(module.name)\nmodule.path.join(module.path)\nmodule.size = module.join"
    uses = {name: tuple(use[:3]) for name, use in attribute_uses(tree_of(text)).items()}
    assert uses == {
        "run": (True, False, frozenset()),
        "name": (False, True, frozenset()),
        "path": (False, True, frozenset({"join"})),
        "join": (True, True, frozenset()),
    }


OUTSIDE = """
import json, zipfile
import requests as web
from os.path import join
from urllib import request
from socket import create_connection
from m.near import ask
from .near import tell
try:
    import simplejson as codec
except ImportError:
    import json as codec

def get(url):
    return codec.loads(web.get(join(url, "x"))) or request.urlopen(url) or ask(tell(url))

class Archive:
    def open(self, path):
        return json.load(zipfile.ZipFile(path)), create_connection(path)
"""


def test_functions_that_reach_out_are_of_other_projects_or_of_such_modules():
    assert calls_outside(OUTSIDE, "m.sample") == {
        "get": (("m.sample.web.get", False), ("m.sample.request.urlopen", True)),
        "Archive.open": (("m.sample.zipfile.ZipFile", True), ("m.sample.create_connection", True)),
    }


def test_clocks_are_functions_that_tell_the_time():
    source = """
import time
import time as clock
from time import monotonic, sleep

def wait(now=time.time):
    began = monotonic()
    sleep(clock.perf_counter() - time.perf_counter())
    return time.perf_counter() - began, now(), time.strftime("%Y")
"""
    names = ("monotonic", "clock.perf_counter", "time.perf_counter")
    assert set(clock_calls(source, "m")) == {f"m.{name}" for name in names}


def test_expressions_that_look_like_paths_are_no_files_of_the_machine():
    source = """
import re
from fnmatch import fnmatch
from os.path import exists

def is_docker(line):
    return re.search("/docker/", line) or fnmatch(line, "/lxc/*") or exists("/.docker")
"""
    assert calls_on_host(source, "m") == {"is_docker": ("m.exists",)}
