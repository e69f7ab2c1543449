"""What others pass: tests, examples, documents and metadata, read and never run."""

from __future__ import annotations

from unitcraft.core.sequences import Const, Display, Symbol
from unitcraft.subject.description.describe import describe
from unitcraft.subject.reading.callers.example_files import WRITTEN_BY_US, files_of_others

SHOP = """
class Cart:
    def __init__(self, owner, limit=None):
        self.owner, self.limit = owner, limit
    def put_item(self, name, price): return name

def discount(price, code): return price
"""
TEST = """
from shop import Cart, discount
raise SystemExit("never run")

def test_cart():
    cart = Cart("Ada", limit=3)
    assert cart.put_item("pear", 2.5) == "pear"

def test_discount(price):
    assert discount(price, "SPRING") == 1
"""


def values(subject):
    return {(one.invocable, one.parameter, repr(one.value), one.place) for one in subject.callers}


def test_tests_give_values_and_whole_calls(load, write):
    write("tests/test_shop.py", TEST)
    subject = describe(load(SHOP, "shop"))
    found = values(subject)
    assert ("shop:Cart", "owner", repr(Const("Ada")), "test_shop.py") in found
    assert ("shop:Cart.put_item", "price", repr(Const(2.5)), "test_shop.py") in found
    assert ("shop:discount", "code", repr(Const("SPRING")), "test_shop.py") in found
    assert [len(one.sequence) for one in subject.examples if one.invocable.endswith("item")] == [2]


def test_documents_count_and_files_that_we_wrote_do_not(load, write, tmp_path):
    write(
        "tests/test_ours.py", f"{WRITTEN_BY_US}0.1\nfrom shop import discount\ndiscount(1, 'X')\n"
    )
    write("README.md", "```python\nfrom shop import discount\ndiscount(8, 'Y')\n```\n")
    assert [path.name for path in files_of_others(tmp_path, "shop")] == ["README.md"]
    found = values(describe(load(SHOP, "shop")))
    assert ("shop:discount", "code", repr(Const("Y")), "README.md") in found
    assert repr(Const("X")) not in [text for _, _, text, _ in found]


def test_the_package_itself_is_a_caller_and_a_method_of_re_is_not_taken_for_its_own(load, write):
    write("shop/__init__.py")
    write("shop/till.py", "import re\nfrom .cart import discount\n"
          "def pay(x):\n re.search('no', x)\n return discount(x, 'AUTUMN')\n")  # fmt: skip
    found = values(
        describe(load(SHOP + "\nclass Text:\n    def search(self, text): pass\n", "shop.cart"))
    )
    texts = [text for _, _, text, _ in found]
    assert repr(Const("AUTUMN")) in texts
    assert repr(Const("no")) not in texts


def test_an_attribute_that_only_code_could_show_is_no_value(load, write):
    """``request`` answers by its ``__getattr__`` or a property, which raise outside a request."""
    write("shop/__init__.py")
    load("class Request:\n"
          "    plain = 'PLAIN'\n"
          "    @property\n    def url(self): raise RuntimeError('no request')\n"
          "    def __getattr__(self, name): raise RuntimeError(name)\n"
          "request = Request()\n", "shop.web")  # fmt: skip
    write("shop/till.py", "from .web import Request, request\nfrom .cart import discount\n"
          "def pay(x): return discount(x, request.url)\n"
          "def sell(x): return discount(request.code, Request.plain)\n")  # fmt: skip
    found = values(describe(load(SHOP, "shop.cart")))
    assert [(name, text) for _, name, text, _ in found] == [
        ("code", repr(Symbol("shop.web", "Request.plain")))
    ]


def test_whoever_hands_a_parameter_on_passes_its_default(load, write):
    write("shop/__init__.py")
    write("shop/till.py", "from .cart import discount\n"
          "def pay(x, code='SPRING', *, price=None): return discount(price, code)\n"
          "def sell(x, code='AUTUMN'):\n code = x\n return discount(3, code)\n")  # fmt: skip
    found = values(describe(load(SHOP, "shop.cart")))
    assert {(name, value) for _, name, value, _ in found} == {
        ("code", repr(Const("SPRING"))), ("price", repr(Const(3))),
    }  # fmt: skip


def test_a_variable_called_like_something_built_in_is_not_taken_for_it(load, write):
    write("shop/__init__.py")
    write("shop/till.py", "from .cart import discount\n"
          "def pay(type, **kwargs):\n format = type\n return discount(type, format)\n"
          "def pick(): return discount(3, str)\n")  # fmt: skip
    found = values(describe(load(SHOP, "shop.cart")))
    assert {(name, value) for _, name, value, _ in found} == {
        ("price", repr(Const(3))), ("code", repr(Symbol("builtins", "str"))),
    }  # fmt: skip


def test_what_stands_behind_the_parameters_is_passed_to_the_rest(load, write):
    found = values(describe(load(
        "def run(name, *words): return [name, *words]\n"
        "def log(*more): return run('git', 'log', *more, 'left')\n"
        "def status(): return run('git', 'status', '-s')\n", "sample")))  # fmt: skip
    assert {(name, value) for _, name, value, _ in found} == {
        ("name", repr(Const("git"))),
        *[("words", repr(Const(one))) for one in ("log", "status", "-s")],
    }


def test_an_argument_that_is_no_value_shows_its_kind(load, write):
    write("shop/__init__.py")
    write("shop/till.py", "from .cart import discount\n"
          "def pay(x, cart): return discount([x.price, 2, cart], f'{x.code}-A')\n"
          "def sell(x): return discount(x.total > 3, not x)\n"
          "def give(x): return discount([], [one.code for one in x])\n"
          "def take(x): return discount((x(),), f'{x()}')\n")  # fmt: skip
    found = values(describe(load(SHOP, "shop.cart")))
    texts = [Display("list", tuple(map(Const, ["price", 2, "cart"]))), Const(value=True)]
    assert {(name, value) for _, name, value, _ in found} == {
        *[("price", repr(one)) for one in (*texts, Display("list", ()))],
        ("code", repr(Const("code-A"))), ("code", repr(Const(value=True))),
    }  # fmt: skip


def test_among_installed_distributions_only_the_metadata_counts(write, tmp_path):
    write("shop.py", SHOP)
    write("tests/test_other.py", "")
    write("shop-1.dist-info/RECORD", "shop.py,,\n")
    write("shop-1.dist-info/METADATA", "Name: shop")
    write("other-1.dist-info/RECORD", "other.py,,\n")
    found = [path.relative_to(tmp_path) for path in files_of_others(tmp_path, "shop")]
    assert [str(path) for path in found] == ["shop-1.dist-info/METADATA"]


def test_a_table_of_a_class_gives_values_to_the_parameters_that_it_names(load):
    source = """
class Extractor:
    TEST = {"url": "http://a.example/1", "info": {"ident": "1"}, "only": KeyError("x").args}
    def real(self, url, ident): return url
class Other:
    def real(self, url): return url
"""
    found = {(name, text) for _, name, text, place in values(describe(load(source, "shop")))}
    assert found == {("url", repr(Const("http://a.example/1"))), ("ident", repr(Const("1")))}


def test_a_class_that_calls_itself_passes_what_it_passes(load, write):
    """``self.error(...)`` is the class's own method, though loggers have one of that name."""
    write("shop/__init__.py")
    write("shop/till.py", "import logging\nfrom .rpc import Server\nlog = logging.getLogger()\n"
          "class Till(Server):\n    def pay(this):\n"
          "        log.error('no', 'no')\n        return this.error(7, 'paid')\n")  # fmt: skip
    source = """
class Base:
    def error(self, code, text): return {code: text}
class Server(Base):
    def parse_error(self):
        def inner(): return self.error(-32700, "Parse error")
        return inner()
    @staticmethod
    def lost(other): return other.error("x", "y")
"""
    found = {(name, text) for _, name, text, _ in values(describe(load(source, "shop.rpc")))}
    assert found == {
        ("code", repr(Const(-32700))), ("text", repr(Const("Parse error"))),
        ("code", repr(Const(7))), ("text", repr(Const("paid"))),
    }  # fmt: skip
