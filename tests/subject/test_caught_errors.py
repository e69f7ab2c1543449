"""Exceptions that code expects of what it calls, as a test makes them."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Const, Symbol
from unitcraft.subject.subject_codec import decode_subject, encode_subject
from unitcraft.subject.values.value_pools import ValuePools

HEAD = "import os, urllib.error\nfrom urllib.request import urlopen\n"
#: Body of a ``try`` and its handlers -> (what is called, class of the exception, its arguments).
CAUGHT = [
    ("urlopen(p)", "except OSError: return 0", [("urlopen", "OSError", ("message",))]),
    (
        "urlopen(p)",
        "except (OSError, ValueError): return 0",
        [("urlopen", "OSError", ("message",)), ("urlopen", "ValueError", ("message",))],
    ),
    (
        "p.send(os.sep)",
        "except urllib.error.HTTPError as e: return e.code",
        [("send", "HTTPError", ("message", None, None, None, None))],
    ),
    ("urlopen(p)", "except Refused: return 0", [("urlopen", "Refused", ("message", None))]),
    ("urlopen(p)", "except: return 0", [("urlopen", "RuntimeError", ("message",))]),
    ("urlopen(p)", "except KeyboardInterrupt: return 0", [("urlopen", "KeyboardInterrupt", ())]),
    ("urlopen(p)", "except (KeyError, TypeError): return 0", []),
    ("urlopen(p)", "except unknown.Error: return 0", []),
    ("urlopen(p)", "except SystemExit: return 0", []),
    ("q = lambda: urlopen(p)", "except OSError: return 0", []),
]
REFUSED = """
class Refused(Exception):
    def __init__(self, reason, code, retry=True):
        super().__init__(reason)
"""


#: A module of a package whose methods end in several ways.
BASIC = """
import os, sys
from typing import NoReturn

class Refused(Exception):
    pass

class Coded(Exception):
    def __init__(self, code):
        self.code = code

class Module:
    def fail(self, msg):
        print(msg)
        sys.exit(1)
    def stop(self):
        self.fail("stopped")
    def refuse(self):
        raise Refused
    def coded(self):
        raise Coded(1)
    def told(self) -> NoReturn:
        os.abort()
    def leave(self, code=0):
        if not code:
            return
        sys.exit(code)
    def each(self):
        yield 1
        raise Refused
    def todo(self):
        raise NotImplementedError
    def loop(self):
        self.loop()
    def run(self):
        return 1

class Other:
    def stop(self):
        return 2
"""
USES = """
def main():
    module = Module()
    module.fail(msg="a"); module.stop(); module.refuse(); module.coded(); module.told()
    module.leave(1); module.each(); module.todo(); module.loop(); module.run()
"""


@pytest.fixture
def endings(write, subject):
    """The endings that are known in a module of the package ``shop`` with these first lines."""
    write("shop/__init__.py")
    write("shop/basic.py", BASIC)
    return lambda lines: subject(f"{lines}\n{USES}", "shop.sample").endings


def test_methods_of_others_that_never_return_are_known(endings):
    found = endings("from shop.basic import Module")
    exits = Symbol("builtins", "SystemExit")
    refused = Symbol("shop.basic", "Refused")
    assert found == (("fail", exits), ("stop", exits), ("refuse", refused), ("told", exits))


def test_a_method_ends_only_if_that_of_each_class_does(endings):
    found = endings("from shop.basic import Module, Other")
    assert [name for name, _ in found] == ["fail", "refuse", "told"]


def test_own_methods_are_run_and_not_replaced(subject):
    assert subject(f"{BASIC}{USES}").endings == ()


@pytest.mark.parametrize(("body", "handler", "expected"), CAUGHT)
def test_what_is_caught_around_a_call_is_known(subject, body, handler, expected):
    text = f"{HEAD}{REFUSED}\ndef f(p):\n    try:\n        {body}\n    {handler}\n"
    found = subject(text).caught
    assert [
        (one.name, one.error.callee.qualname, tuple(arg.value for arg in one.error.args))
        for one in found
        if isinstance(one.error, Build)
    ] == expected
    assert {one.scope for one in found} <= {"f"}


def test_the_errors_of_a_function_name_what_can_be_replaced(subject):
    text = f"{HEAD}\ndef f(p):\n    try:\n        p.send(urlopen(p))\n    except OSError: pass\n"
    described = subject(text)
    error = Build(Symbol("builtins", "OSError"), (Const("message"),))
    expected = (("", "send", error), ("sample.urlopen", "urlopen", error))
    assert ValuePools(described, source=text).errors("f") == expected
    assert ValuePools(described, source=text, mocks=False).errors("f") == ()
    assert decode_subject(encode_subject(described)).caught == described.caught


def test_an_error_of_the_standard_library_has_the_arguments_of_a_person(subject):
    text = f"{HEAD}\ndef f(p):\n    try: urlopen(p)\n    except urllib.error.HTTPError: pass\n"
    found = ValuePools(subject(text), source=text).errors("f")
    assert [[arg.value for arg in error.args[1:3]] for _, _, error in found] == [
        [404, "Not Found"],
        [500, "Server Error"],
    ]
