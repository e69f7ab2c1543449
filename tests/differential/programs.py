"""Random programs, the same for the same seed.

A program is a module with a class ``Item``, the functions ``helper``, ``recur`` and ``made``, and
``subject``, whose arguments are the inputs.  All loops end.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from random import Random
from typing import Any

from program_fidelity import Program
from random_pieces import (
    CLASSES,
    DERIVED,
    ERRORS,
    GROWING,
    HEADER,
    HOLE,
    INPUTS,
    LISTED,
    LITERALS,
    MATCHES,
    METHODS,
    SIMPLE,
)

Scope = dict[str, list[str]]


class Maker:
    """Makes one program."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.names = 0
        self.marks = 0
        self.loops = 0
        self.statements = 0

    # -- expressions ------------------------------------------------------------

    def atom(self, kind: str, scope: Scope) -> str:
        """A variable or a constant."""
        names = scope.get(kind, []) or self.derived(kind, scope)
        if names and self.random.random() < 0.8:
            return self.random.choice(names)
        if self.random.random() < 0.04:
            anything = [name for each in scope.values() for name in each]
            if anything:
                return self.random.choice(anything)
        return self.random.choice(LITERALS[kind])

    def derived(self, kind: str, scope: Scope) -> list[str]:
        """Expressions of ``kind`` made of a variable of another kind."""
        return [
            pattern.format(name)
            for source, pattern in DERIVED.get(kind, ())
            for name in scope.get(source, [])
        ]

    def expression(self, kind: str, scope: Scope, depth: int) -> str:
        """An expression of ``kind``, mostly."""
        if depth <= 0 or self.random.random() < 0.25:
            return self.atom(kind, scope)
        for _ in range(8):
            template = self.random.choice(LISTED[kind])
            if self.loops and GROWING.search(template):
                continue
            made = self.filled(template, scope, depth)
            if not template.startswith(('f"', "f'")) or _parses(made):
                return made
        return self.atom(kind, scope)

    def filled(self, template: str, scope: Scope, depth: int) -> str:
        """``template`` with its holes filled."""
        fresh: dict[str, str] = {}

        def name(found: re.Match[str]) -> str:
            if found[0] not in fresh:
                self.names += 1
                fresh[found[0]] = f"v{self.names}"
            return fresh[found[0]]

        def hole(found: re.Match[str]) -> str:
            store, kind, atomic, added = found.groups()
            if store:
                return self.random.choice(scope[kind])
            inner = scope
            for pair in added[1:].split(",") if added else ():
                variable, _, its = pair.partition(":")
                inner = inner | {its: [*inner.get(its, []), *[variable] * 3]}
            made = self.expression(kind, inner, 0 if atomic else depth - 1)
            return made if re.fullmatch(r"\w+", made) else f"({made})"

        return HOLE.sub(hole, re.sub(r"\$\d", name, template))

    # -- statements -------------------------------------------------------------

    def mark(self) -> str:
        """A statement that marks the path."""
        self.marks += 1
        return f"mark({self.marks})"

    def block(self, scope: Scope, depth: int, most: int = 3) -> list[str]:
        """Statements after a mark."""
        made = [self.mark()]
        inner = {kind: list(names) for kind, names in scope.items()}
        for _ in range(self.random.randint(1, most)):
            made += self.statement(inner, depth)
        return made

    def statement(self, scope: Scope, depth: int) -> list[str]:
        """One statement; ``scope`` gains what it binds."""
        self.statements += 1
        choice = self.random.random()
        if depth <= 0 or choice < 0.5 or self.statements > 25:
            return self.simple(scope)
        makers = (
            self.branch, self.branch, self.branch, self.loop, self.loop, self.handler, self.handler,
            self.selection, self.nested, self.closing,
        )  # fmt: skip
        made = self.random.choice(makers)(scope, depth)
        return self.guard(made) if self.random.random() < 0.4 and made[0][:4] != "def " else made

    def simple(self, scope: Scope) -> list[str]:
        """An assignment or a call."""
        for _ in range(20):
            template = self.random.choice(SIMPLE)
            needed = [found[2] for found in HOLE.finditer(template) if found[1]]
            if not all(scope.get(kind) for kind in needed):
                continue
            if self.loops and GROWING.search(template):
                continue
            return self.bound(template, scope)
        return [self.mark()]

    def bound(self, template: str, scope: Scope) -> list[str]:
        """A simple statement; ``$n`` is a new name or one of the same kind."""
        name = None
        if "$n" in template:
            found = re.match(r"\$n = \{:?(\w+)\}$", template)
            kind = found[1] if found else ""
            names = [name for name in scope.get(kind, []) if name[0] == "w"]
            if names and self.random.random() < 0.3:
                name = self.random.choice(names)
            else:
                self.names += 1
                name = f"w{self.names}"
        depth = self.random.choice((1, 2, 2, 3))
        made = self.filled(template.replace("$n", name or ""), scope, depth)
        lines = made.split("; ")
        if name is not None and kind and name not in scope.get(kind, []):
            scope.setdefault(kind, []).append(name)
            if self.random.random() < 0.7:
                return [f"{name} = {self.random.choice(LITERALS[kind])}", *self.guard(lines)]
        return self.guard(lines) if self.random.random() < 0.8 else lines

    def guard(self, lines: list[str]) -> list[str]:
        """``lines``, whose errors are caught."""
        return [
            "try:",
            *_in(lines),
            "except Exception as error:",
            *_in([self.mark(), "mark(type(error).__name__)"]),
        ]

    def branch(self, scope: Scope, depth: int) -> list[str]:
        """``if``."""
        made = [f"if {self.expression('bool', scope, 3)}:", *_in(self.block(scope, depth - 1))]
        if self.random.random() < 0.3:
            made += [f"elif {self.expression('bool', scope, 2)}:"]
            made += _in(self.block(scope, depth - 1))
        if self.random.random() < 0.5:
            made += ["else:", *_in(self.block(scope, depth - 1))]
        return made

    def loop(self, scope: Scope, depth: int) -> list[str]:
        """``for`` or ``while``; at most four rounds."""
        if self.loops >= 2:
            return self.simple(scope)
        self.names += 1
        name = f"i{self.names}"
        inner = {kind: list(names) for kind, names in scope.items()}
        head, kind = self.random.choice((
            ("for $ in range({int} % 4):", "int"),
            ("for $ in range({int!} % 5, {int} % 5):", "int"),
            ("for $ in list({ints})[:4]:", "int"), ("for $ in {str}[:4]:", "str"),
            ("for $ in list({dict})[:4]:", "int"), ("for $ in sorted({set})[:4]:", "int"),
            ("for $ in {strs}[:3]:", "str"), ("for $, _ in list({dict}.items())[:4]:", "int"),
            ("for _, $ in enumerate({ints}[:4]):", "int"),
            ("for $ in made({int} % 4, {int}):", "int"),
            ("for $ in list({set})[:4]:", "int"),
            ("for $ in range({int} % 9, {int} % 4, -1):", "int"),
            ("while {bool}:", "int"), ("while {int}:", "int"),
        ))  # fmt: skip
        head = self.filled(head.replace("$", name), scope, 2)
        self.loops += 1
        body = self.block(inner | {kind: [*inner.get(kind, []), name]}, depth - 1)
        self.loops -= 1
        if self.random.random() < 0.25:
            body += [
                f"if {self.expression('bool', scope, 2)}:",
                "    " + self.random.choice(("break", "continue")),
            ]
        if head.startswith("while"):
            counted = f"{name} = rounds{name} = rounds{name} + 1"
            body = [counted, f"if rounds{name} > 3:", "    break", *body]
            return [f"{name} = rounds{name} = 0", head, *_in(body)]
        made = [head, *_in(body)]
        if self.random.random() < 0.15:
            made += ["else:", *_in(self.block(scope, 0, 1))]
        return made

    def handler(self, scope: Scope, depth: int) -> list[str]:
        """``try``."""
        made = ["try:", *_in(self.block(scope, depth - 1, 4))]
        for error in self.random.sample(ERRORS, self.random.randint(1, 2)):
            made += [f"except {error}:", *_in(self.block(scope, 0, 1))]
        if self.random.random() < 0.2:
            made += ["else:", *_in(self.block(scope, 0, 1))]
        if self.random.random() < 0.2:
            made += ["finally:", *_in(self.block(scope, 0, 1))]
        return made

    def selection(self, scope: Scope, depth: int) -> list[str]:
        """``match``."""
        subject, patterns = self.random.choice(MATCHES)
        made = [f"match {self.filled(subject, scope, 2)}:"]
        count = self.random.randint(1, len(patterns))
        for pattern in patterns[:count]:
            head = f"case {self.guarded(pattern, scope)}:"
            made += _in([head, *_in(self.block(scope, depth - 2, 2))])
        return made

    def guarded(self, pattern: str, scope: Scope) -> str:
        """A pattern with its guard."""
        head, hole, rest = pattern.partition(" if ")
        return head + hole + (self.filled(rest, scope, 2) if hole else "")

    def nested(self, scope: Scope, _depth: int) -> list[str]:
        """A closure, called at once."""
        self.names += 1
        name, argument = f"f{self.names}", f"p{self.names}"
        inner = {kind: list(names) for kind, names in scope.items()}
        inner.setdefault("int", []).append(argument)
        names = [each for each in scope.get("int", []) if each[0] in "wa"]
        body = [self.mark()]
        if names and self.random.random() < 0.7:
            outer = self.random.choice(names)
            body = [f"nonlocal {outer}", self.mark()]
            body.append(f"{outer} = {self.expression('int', inner, 2)}")
        body.append(f"return {self.expression('int', inner, 2)}")
        self.names += 1
        result = f"w{self.names}"
        call = self.expression("int", scope, 1)
        scope.setdefault("int", []).append(result)
        return [f"def {name}({argument}):", *_in(body), f"{result} = {name}({call})"]

    def closing(self, scope: Scope, depth: int) -> list[str]:
        """``return`` under a condition."""
        if self.random.random() < 0.2:
            head = f"with {self.expression('obj', scope, 1)} as _:"
            return [head, *_in(self.block(scope, depth - 1))]
        kind = self.random.choice(list(LISTED))
        if self.random.random() < 0.6:
            return self.branch(scope, depth)
        return [
            f"if {self.expression('bool', scope, 3)}:",
            *_in([self.mark(), f"return {self.expression(kind, scope, 2)}"]),
        ]

    # -- the whole --------------------------------------------------------------

    def item(self) -> str:
        """The class."""
        made = self.random.choice(CLASSES).strip("\n")
        ordered = "order=True" in made
        scope = {"int": ["self.a", "self.a", "self.a"], "str": ["self.b"], "ints": ["self.c"]}
        for method in self.random.sample(METHODS, self.random.randint(0, 8)):
            if ordered and method.startswith(("def __hash", "def __lt", "def __eq")):
                continue
            made += "\n    " + self.filled(method, scope, 2)
        return made + "\n"

    def program(self, shapes: Sequence[Any] = INPUTS, most: int = 4) -> Program:
        """The program; its arguments are of ``shapes``, one to ``most`` of them."""
        count = self.random.randint(1, most)
        chosen = [self.random.choice(shapes) for _ in range(count)]
        scope: Scope = {}
        for number, (kind, _) in enumerate(chosen):
            scope.setdefault(kind, []).append(f"a{number}")
        source = HEADER + self.item()
        self.loops = 1
        low: Scope = {"int": ["n", "x", "x"]}
        source += f"def helper(n, x):\n    return {self.expression('int', low, 2)}\n"
        low = {"int": ["n", "x", "x", "recur(n - 1, x)"]}
        source += (
            f"def recur(n, x):\n    if n <= 0:\n        return x\n"
            f"    return {self.expression('int', low, 2)}\n"
        )
        source += (
            f"def made(n, x):\n    for n in range(n):\n"
            f"        yield {self.expression('int', low | {'int': ['n', 'x']}, 2)}\n"
        )
        self.loops = 0
        body = []
        for _ in range(self.random.randint(2, 7)):
            body += self.statement(scope, 3)
        body += ["out = []"]
        for kind in self.random.choices(list(scope), k=4):
            body += self.guard([f"out.append({self.expression(kind, scope, 2)})"])
        body.append(f"return out, {', '.join(name for names in scope.values() for name in names)}")
        arguments = ", ".join(f"a{number}" for number in range(count))
        source += f"def subject({arguments}):\n" + "\n".join(_in(body)) + "\n"
        return Program(source, tuple([shape for _, shape in chosen]))


def program(seed: int, shapes: Sequence[Any] = INPUTS, most: int = 4) -> Program:
    """The program of ``seed``; the first that compiles."""
    for attempt in range(100):
        made = Maker(seed * 100 + attempt).program(shapes, most)
        if _compiles(made.source):
            return made
    raise AssertionError(f"no program for {seed}")


def _in(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _parses(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


def _compiles(text: str) -> bool:
    try:
        compile(text, "<program>", "exec")
    except SyntaxError:
        return False
    return True
