"""Random Queries on small domains, whose answers enumeration knows."""

from __future__ import annotations

import math
from itertools import product

from unitcraft.solve.protocol import Query
from unitcraft.symbolic.terms.term import are_satisfied, evaluate, holds

INTS = tuple(range(-4, 5))
FLOATS = (0.0, 0.5, -0.5, 1.0, -1.0, 2.5, math.inf, -math.inf, 3.0, 1e16)
STRINGS = ("", "a", "b", "1", "ab", "ba", "a1", "12", "-1", " a", "A", "aab", "a,b", "b\n")
OCTETS = tuple(text.encode() for text in STRINGS)
DOMAINS = {"int": INTS, "float": FLOATS, "str": STRINGS, "bytes": OCTETS}

COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Draw:
    """Terms of a wanted type over given kinds, by ``rng``."""

    def __init__(self, rng, kinds):
        self.rng = rng
        self.kinds = kinds

    def variable(self, kind):
        numbers = [n for n, one in enumerate(self.kinds) if one == kind]
        return ("v", self.rng.choice(numbers)) if numbers else None

    def atom(self, kind):
        found = self.variable(kind)
        if found is not None and self.rng.random() < 0.7:
            return found
        if kind == "int" and self.rng.random() < 0.1:
            return self.rng.choice([True, False, 7, -9])
        return self.rng.choice(DOMAINS[kind])

    def int(self, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.2:
            return self.atom("int")
        deeper = depth - 1
        texts = [kind for kind in ("str", "bytes") if kind in self.kinds]
        pick = rng.random()
        if texts and pick < 0.5:
            kind = rng.choice(texts)
            return rng.choice([
                lambda: ("len", self.text(deeper, kind)),
                lambda: (f"{kind}.find", self.text(deeper, kind), self.text(deeper, kind)),
                lambda: ("int", self.text(deeper, kind)),
                lambda: (f"{kind}.count", self.text(deeper, kind), self.atom(kind)),
                lambda: ("ord", ("[]", self.text(deeper, "str"), self.int(deeper))),
                lambda: (f"{kind}.index", self.text(deeper, kind), self.atom(kind)),
            ])()  # fmt: skip
        if "float" in self.kinds and pick < 0.4:
            name = rng.choice(["int", "math.floor", "math.ceil", "math.trunc", "round"])
            return (name, self.float(deeper))
        if pick < 0.2:
            return (rng.choice(["neg", "abs", "invert", "pos", "int"]), self.int(deeper))
        if pick < 0.3:
            name = rng.choice(["<<", ">>", "**"])
            return (name, self.int(deeper), rng.choice([0, 1, 2, 3, self.int(deeper)]))
        names = ["+", "-", "+", "-", "*", "//", "%", "&", "|", "^"]
        return (rng.choice(names), self.int(deeper), self.int(deeper))

    def float(self, depth):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.5:
            return self.atom("float")
        if rng.random() < 0.3:
            return (rng.choice(["neg", "abs"]), self.float(depth - 1))
        if rng.random() < 0.2:
            return ("float", self.int(depth - 1))
        return (rng.choice(["+", "-", "*", "/"]), self.float(depth - 1), self.float(depth - 1))

    def text(self, depth, kind):
        rng = self.rng
        if depth <= 0 or rng.random() < 0.4:
            return self.atom(kind)
        inner = self.text(depth - 1, kind)
        small = lambda: rng.choice([None, 0, 1, 2, -1, self.int(depth - 1)])  # noqa: E731
        choices = [
            lambda: ("+", inner, self.text(depth - 1, kind)),
            lambda: ("[:]", inner, small(), small(), None),
            lambda: (f"{kind}.{rng.choice(['strip', 'lower', 'upper'])}", inner),
            lambda: (f"{kind}.replace", inner, self.atom(kind), self.atom(kind)),
            lambda: (f"{kind}.removeprefix", inner, self.atom(kind)),
            lambda: (f"{kind}.removesuffix", inner, self.atom(kind)),
            lambda: ("*", inner, rng.choice([0, 1, 2])),
        ]
        if kind == "str":
            choices += [
                lambda: ("[]", inner, self.int(depth - 1)),
                lambda: ("str", self.int(depth - 1)),
                lambda: ("[]", ("str.split", inner, ","), rng.choice([0, 1, -1])),
            ]
        return rng.choice(choices)()

    def any(self, depth):
        kind = self.rng.choice(self.kinds)
        return self.text(depth, kind) if kind in ("str", "bytes") else getattr(self, kind)(depth)

    def truth(self, depth):
        rng = self.rng
        pick = rng.random()
        kind = rng.choice(self.kinds)
        if pick < 0.2:
            return (rng.choice(["truth", "ok"]), self.any(depth))
        if pick < 0.27:
            return ("same", self.any(depth), rng.choice([*DOMAINS[kind], True, None]))
        if pick < 0.32:
            return ("==", self.truth(depth - 1), rng.choice([True, False]))
        if pick < 0.37:
            values = rng.sample(DOMAINS[kind], 3)
            return ("in", self.any(depth), ("tuple", *values))
        if kind in ("str", "bytes") and pick < 0.75:
            return self.predicate(depth, kind)
        if pick < 0.41:
            return self.any(depth)
        if kind in ("str", "bytes"):
            sides = self.text(depth, kind), self.text(depth - 1, kind)
        elif kind == "float":
            sides = self.float(depth), rng.choice([self.float, self.int])(depth - 1)
        else:
            sides = self.int(depth), self.int(depth - 1)
            if rng.random() < 0.05:
                sides = sides[0], rng.choice([0.5, 2.0, math.inf, math.nan, None])
        return (rng.choice(COMPARISONS), *sides)

    def predicate(self, depth, kind):
        rng = self.rng
        text = self.text(depth, kind)
        name = rng.choice(["in", "starts", "class", "re"])
        if name == "in":
            return ("in", self.atom(kind), text)
        if name == "starts":
            return (f"{kind}.{rng.choice(['startswith', 'endswith'])}", text, self.atom(kind))
        if name == "class":
            names = ["isdigit", "isalpha", "isalnum", "isspace", "isascii", "isupper"]
            return (f"{kind}.{rng.choice(names)}", text)
        patterns = [
            "a+b*",
            "^[a-c]$",
            r"\d+",
            "[^a]",
            "a|1",
            r"(ab)?\s*$",
            "a{2,3}",
            r"-?\d\b",
            ".",
        ]
        pattern = rng.choice(patterns)
        method = rng.choice(["match", "fullmatch", "search"])
        match = (f"re.{method}", pattern if kind == "str" else pattern.encode(), 0, text)
        return rng.choice([("truth", match), ("==", match, None), ("same", match, None)])


def domain(number, kind):
    """Constraints that keep an input in its domain."""
    if kind == "int":
        return [((">=", ("v", number), -4), True), (("<", ("v", number), 5), True)]
    return [(("in", ("v", number), ("tuple", *DOMAINS[kind])), True)]


def simple(draw):
    """A constraint of difference logic (mostly)."""
    rng = draw.rng
    first, second = draw.variable("int"), draw.variable("int")
    offset = rng.randint(-5, 5)
    sides = rng.choice([
        (first, ("+", second, offset)), (("-", first, second), offset), (first, second),
        (first, offset), (("neg", first), ("-", offset, second)), (("*", 2, first), offset),
    ])  # fmt: skip
    names = [*COMPARISONS, "!=", "!="]
    return (rng.choice(names), *sides)


def query(rng, kinds, depth, count, *, linear=False):
    """A Query and the points that satisfy it; None when not even its prefix has one."""
    draw = Draw(rng, kinds)
    points = list(product(*[DOMAINS[kind] for kind in kinds]))
    fixed = [one for number, kind in enumerate(kinds) for one in domain(number, kind)]
    rng.shuffle(fixed)
    constraints = list(fixed)
    while True:
        term = simple(draw) if linear else draw.truth(depth)
        before = points
        hint = rng.choice(points)
        outcome = rng.random() < 0.5
        constraints.append((term, outcome))
        points = [point for point in points if holds(constraints[-1], point)]
        if not points or len(constraints) == len(fixed) + count:
            hint = rng.choice(before)
            made = Query(tuple(constraints), tuple(kinds), hint)
            assert are_satisfied(constraints[:-1], hint)
            return made, points


def evaluated(term, values=()):
    """The value of ``term``; raises what it raises."""
    return evaluate(term, values)
