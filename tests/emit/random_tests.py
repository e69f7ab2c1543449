"""Random Tests of a made-up shop, for the property tests of ``emit``."""

from __future__ import annotations

import string
from random import Random

from dsl import subject_of

from unitcraft.core.outcomes import Raised, Returned
from unitcraft.core.sequences import (
    EACH,
    Arg,
    Build,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    Source,
    Symbol,
)
from unitcraft.emit.arrange.templates import LiteralSlot, fill, literals_of
from unitcraft.suite.tests import Check, Test

SUBJECT = subject_of(
    """
class Stack:
    def __init__(self, capacity=0, name=""): self.items = []
    def push(self, item, *, times=1): self.items = 1
    def pop(self): self.items = 1
    def is_empty(self): return 1
    @property
    def size(self): return 1
    def each(self): yield 1
    async def drained(self): return 1
    def __len__(self): return 1
    def __eq__(self, other): return 1
    def __add__(self, other): return 1
    def __contains__(self, item): return 1
    def __getitem__(self, index): return 1
    def __setitem__(self, index, value): self.items = 1
    def __enter__(self): return 1
class ShoppingCart:
    def __init__(self, owner): self.owner = 1
    @classmethod
    def from_text(cls, text): return 1
    def add(self, product, price, quantity=1): self.lines = 1
    def total(self): return 1
    def merge(self, l, id, input) -> ShoppingCart: return 1
class EmptyCartError(Exception): pass
def parse(text, strict=False): return 1
def sum(values): return 1
def combine(first, second, *rest, sep=","): return 1
""",
    "shop.models",
)

WORDS = [
    "a", "b c", "shop", 'say "hi"', "it's", "a\\b", "line\nbreak",
    "the first of three lines\n\n    is followed by one that says \"hi\"\nand by one that's long\n",
    "a line\n" * 14,
    "ends without a break after a line that is long enough\nto be wrapped by itself, is it?",
    "\u00e9t\u00e9", "\u4f60\u597d",
    "", " ", "x" * 70, "long words " * 12, "\x00\x7f", "100%", "[a-z]+", "\ud800", "tab\t",
]  # fmt: skip
TRUE, FALSE, NONE = Const(value=True), Const(value=False), Const(None)

INTS = [0, 1, -1, 2, 7, 42, 10**6, -(10**12), 255]
FLOATS = [0.5, -1.25, 0.0, -0.0, 1e16, 1e-9, float("inf"), float("-inf"), float("nan")]


def atom(random: Random) -> Arg:
    choice = random.randrange(9)
    if choice <= 2:
        return Const(random.choice(INTS))
    if choice <= 5:
        text = random.choice(WORDS)
        return Const(
            text + random.choice(string.ascii_lowercase) if random.random() < 0.4 else text
        )
    if choice == 6:
        return Const(random.choice(FLOATS))
    if choice == 7:
        return Const(random.choice([None, True, False]))
    return Const(random.choice([b"", b"ab\x00", b"'\"", 1j, complex(1, -2), ...]))


def has_value(call: Call) -> bool:
    """Is the result of ``call`` something that a test may use?"""
    return call.kind != "set" and call.name not in ("[]=", "del[]", "with raise")


def atoms(random: Random, count: int) -> tuple[Arg, ...]:
    return tuple(atom(random) for _ in range(count))


def arg(random: Random, refs: list[int] | None = None, depth: int = 2) -> Arg:
    choice = random.randrange(14)
    if refs and choice == 0:
        return Ref(random.choice(refs))
    if depth == 0 or choice < 8:
        return atom(random)
    if choice < 11:
        kind = random.choice(["list", "tuple", "dict", "list", "set", "frozenset"])
        count = random.choice([0, 1, 1, 2, 3, 9])
        if kind in ("set", "frozenset"):
            return Display(
                kind, tuple(Const(number) for number in random.sample(INTS, min(count, 9)))
            )
        items = [arg(random, None if kind == "dict" else refs, depth - 1) for _ in range(count)]
        if kind == "dict":  # an overlong key before a lambda is the one known difference
            items = [Const(0) if "lambda" in repr(item) else item for item in items]
            keys = random.sample([Const(word) for word in WORDS], count)
            items = [one for pair in zip(keys, items, strict=True) for one in pair]
        return Display(kind, tuple(items))
    if choice == 11:
        return Build(Symbol("decimal", "Decimal"), (Const("1.5"),))
    if choice == 12:
        return random.choice([
            Symbol("shop.models", "ShoppingCart"), Symbol("builtins", "int"),
            Symbol("shop.colours", "Colour.RED"), Symbol("pathlib._local", "Path"),
        ])  # fmt: skip
    return Source(
        random.choice(["lambda x: x", "lambda *a: 'q'", "range(3)", "pow(2, 10)", "not 1"])
    )


def operand(random: Random, refs: list[int]) -> Arg:
    """A result or a literal, never a display of results."""
    return Ref(random.choice(refs)) if refs and random.random() < 0.2 else arg(random)


OBSERVERS = ["len", "list", "str", "get", "method"]


def observer(random: Random, index: int) -> Call:
    kind = random.choice(OBSERVERS)
    if kind == "get":
        return Call(
            "get",
            random.choice(["size", "LIMIT", "[*].size", "items[*].label.text"]),
            (Ref(index),),
        )
    if kind == "method":
        return Call("method", "is_empty", (Ref(index),))
    return Call("operator", kind, (Ref(index),))


def step(random: Random, calls: list[Call]) -> Call:
    stacks = [index for index, call in enumerate(calls) if call.name.endswith(":Stack")]
    refs = [index for index, call in enumerate(calls) if has_value(call)]
    if not stacks or random.random() < 0.25:
        return random.choice([
            Call("function", "shop.models:Stack", atoms(random, random.randrange(3))),
            Call("function", "shop.models:ShoppingCart", (arg(random),)),
            Call("function", "shop.models:ShoppingCart.from_text", (atom(random),)),
            Call("function", "shop.models:parse", (arg(random, refs),), (("strict", TRUE),)),
            Call("function", "shop.models:sum", (arg(random, refs),)),
            Call("function", "shop.models:combine",
                 tuple(arg(random, refs) for _ in range(random.randrange(2, 7)))),
        ])  # fmt: skip
    one = Ref(random.choice(stacks if random.random() < 0.7 else refs))
    return random.choice([
        Call("method", "push", (one, arg(random, refs))),
        Call("method", "push", (one, arg(random, refs)), (("times", atom(random)),)),
        Call("method", "pop", (one,)),
        Call("method", "each", (one,), then="drain"),
        Call("method", "drained", (one,), then="await"),
        Call("get", "size", (one,)),
        Call("set", "size", (one, arg(random, refs))),
        Call("operator", "==", (one, operand(random, refs))),
        Call("operator", "<", (operand(random, refs), one)),
        Call("operator", "+", (one, operand(random, refs))),
        Call("operator", "**", (one, operand(random, refs))),
        Call("operator", "+=", (one, operand(random, refs))),
        Call("operator", "neg", (one,)),
        Call("operator", "in", (one, operand(random, refs))),
        Call("operator", "[]", (one, operand(random, refs))),
        Call("operator", "[]=", (one, atom(random), arg(random, refs))),
        Call("operator", "del[]", (one, Const(random.choice([0, "k"])))),
        Call("operator", "with", (one,)),
        Call("operator", "with raise", (one, Build(Symbol("builtins", "KeyError"), (Const("k"),)))),
        Call("operator", "floor", (one,)),
        Call("operator", "deepcopy", (one,)),
        Call("operator", "pickle", (one,)),
    ])  # fmt: skip


def check(random: Random, calls: list[Call], *, raising: bool) -> Check:
    last = len(calls) - 1
    seen = [index for index in range(last + (not raising)) if has_value(calls[index])]
    index = random.choice(seen) if seen else None
    if index is None:
        return Check(Call("operator", "len", (Const("abc"),)), "==", Const(3))
    observed = observer(random, index) if raising or random.random() < 0.5 else Ref(index)
    choice = random.randrange(10)
    if isinstance(observed, Call) and EACH in observed.name:
        return Check(observed, "==", Display("list", (atom(random), atom(random))))
    if choice == 0:
        return Check(observed, "nan", Const(float("nan")))
    if choice == 1:
        return Check(observed, "isinstance", Symbol("shop.models", "ShoppingCart"))
    if choice == 2:
        return Check(observed, "approx", Display("list", (Const(0.5), Const(1.5))))
    if choice == 3:
        return Check(observed, "is", random.choice([TRUE, FALSE, NONE]))
    if choice == 4 and seen:
        return Check(observed, "is", Ref(random.choice(seen)))
    if choice == 5:
        return Check(observed, "startswith", Const("abc"))
    return Check(observed, "==", arg(random))


INVOCABLES = {
    "Stack": "Stack.__init__", "ShoppingCart": "ShoppingCart.__init__", "==": "Stack.__eq__",
    "<": "Stack.__lt__", "+": "Stack.__add__", "in": "Stack.__contains__", "+=": "Stack.__iadd__",
    "[]": "Stack.__getitem__", "[]=": "Stack.__setitem__", "with": "Stack.__enter__",
    "with raise": "Stack.__enter__", "ShoppingCart.from_text": "ShoppingCart.from_text",
    "parse": "parse", "sum": "sum", "combine": "combine", "**": "Stack.__pow__",
    "neg": "Stack.__neg__", "del[]": "Stack.__delitem__", "floor": "Stack.__floor__",
    "deepcopy": "Stack.__deepcopy__", "pickle": "Stack.__getstate__",
}  # fmt: skip


def random_test(random: Random) -> Test:
    calls: list[Call] = []
    for _ in range(random.choice([1, 1, 2, 2, 3, 4])):
        calls.append(step(random, calls))
    name = calls[-1].name.rpartition(":")[2]
    about = f"shop.models:{INVOCABLES.get(name, 'Stack.' + name)}"
    raising = random.random() < 0.25
    outcome = Returned()
    if raising:
        outcome = Raised(
            random.choice([
                "builtins:ValueError", "builtins:KeyError", "json.decoder:JSONDecodeError",
                "shop.models:EmptyCartError",
            ]),
            random.choice([None, *[word for word in WORDS if "\ud800" not in word]]),
        )  # fmt: skip
    count = random.choice([0, 1, 1, 1, 2, 3]) if not raising else random.choice([0, 0, 1])
    checks = tuple(check(random, calls, raising=raising) for _ in range(count))
    return Test(about, Sequence(tuple(calls)), outcome, checks)


def random_suite(random: Random) -> list[Test]:
    """Tests of which some differ in literals only."""
    tests: list[Test] = []
    for _ in range(random.randrange(1, 14)):
        state = random.randrange(10**9)
        tests.append(random_test(Random(state)))
        if random.random() < 0.4:
            tests += [varied(random, tests[-1]) for _ in range(random.randrange(1, 5))]
    return tests


def is_list_of_all(test: Test, hole: LiteralSlot) -> bool:
    """Is it what is expected of all items, which is a list always?"""
    if hole.kind != "expected":
        return False
    observed = test.checks[hole.index].observed
    return isinstance(observed, Call) and EACH in observed.name


def varied(random: Random, test: Test) -> Test:
    """The same Test with other literals."""
    holes = {
        hole: value
        for hole, value in literals_of(test).items()
        if isinstance(value, Const | Display)
    }
    chosen = {
        hole: (Const(random.choice([True, False, None]))
               if hole.kind == "expected" and isinstance(value, Const)
               and (value.value is None or isinstance(value.value, bool))
               else atom(random))
        for hole, value in holes.items()
        if hole.kind != "message" and random.random() < 0.7 and not is_list_of_all(test, hole)
    }  # fmt: skip
    return fill(test, chosen)
