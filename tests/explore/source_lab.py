"""A Subject from source text, imported into this process, and Sequences from source text.

Sequences are straight-line code: ``box = Box(1)``, ``box.put(2)``, ``box.size``, ``box.size = 3``,
``len(box)``, ``box + box``, ``await fetch("a")``, ``drain(countdown(3))``.
"""

from __future__ import annotations

import ast
import importlib
import sys
import textwrap

from unitcraft.core.encoding import decode, encode_sequence
from unitcraft.core.randomness import seeded_random
from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Source, Symbol
from unitcraft.execute.spec import Reply
from unitcraft.explore.agents import run_calls
from unitcraft.explore.agents.observers import Observer
from unitcraft.explore.agents.run_traced import TracedRunner
from unitcraft.explore.agents.search_agent import failing_calls, probe_parameters
from unitcraft.explore.execution import execution_of
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.sequence_generator import Proposer
from unitcraft.explore.search.values.object_pool import ObjectPool
from unitcraft.instrument.branch_recorder import RecordedBranches
from unitcraft.instrument.import_hook import Hook
from unitcraft.instrument.reaching_definitions import DEFINITIONS, FollowedFields
from unitcraft.subject.description.describe import describe
from unitcraft.subject.values.value_pools import ValuePools

BUILTINS = ("len", "list", "str", "repr", "next", "items", "bool", "hash", "reversed")
SYMBOLS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Eq: "==", ast.Lt: "<", ast.In: "in",
    ast.Gt: ">",
}  # fmt: skip


class Lab:
    """One rewritten module ``sample`` and the services that a worker would offer."""

    def __init__(self, source: str, folder, *, fields: bool = False) -> None:
        (folder / "sample.py").write_text(textwrap.dedent(source))
        DEFINITIONS.module = ""
        followed = FollowedFields("sample") if fields else None
        self.fields = followed.table if followed else None
        self.branches = RecordedBranches()
        self.hook = Hook("sample", *([followed] if followed else []), self.branches)
        sys.meta_path.insert(0, self.hook)
        sys.path.insert(0, str(folder))
        self.folder = str(folder)
        self.close_modules()
        importlib.invalidate_caches()
        self.module = importlib.import_module("sample")
        self.subject = describe(self.module)
        self.sites = list(self.branches.table.sites)
        self.runner, self.observer = TracedRunner("sample"), Observer("sample", "sample")

    @staticmethod
    def close_modules() -> None:
        sys.modules.pop("sample", None)
        run_calls.INTERPRETER._steps.clear()

    def close(self) -> None:
        sys.meta_path.remove(self.hook)
        sys.path.remove(self.folder)
        self.close_modules()

    # -- running ----------------------------------------------------------------

    def sequence(self, text: str) -> Sequence:
        return _Reader().sequence(text)

    def answer(self, text: str):
        return self.runner.run(encode_sequence(self.sequence(text)))

    def run(self, text: str | Sequence, invocable: str = ""):
        """The Execution of a Sequence; the Invocable is found by the last Call's name."""
        sequence = self.sequence(text) if isinstance(text, str) else text
        answer = self.runner.run(encode_sequence(sequence))
        return execution_of(f"sample:{invocable or self._named(sequence)}", sequence, answer)

    def _named(self, sequence: Sequence) -> str:
        last = sequence.calls[-1].name.rpartition(":")[2]
        ids = [one.id.partition(":")[2] for one in self.subject.invocables]
        fitting = [one for one in ids if one == last or one.endswith((f".{last}",))]
        return fitting[0] if fitting else f"{last}.__init__"

    def after(self, text: str):
        """(outcome, shown, type, same, {result: (changed, {observer: term})})."""
        outcome, term, kind, same, focus = self.observer.after(encode_sequence(self.sequence(text)))
        looks = {
            index: (changed, {_short(call): decode(seen) for call, seen in pairs})
            for index, changed, pairs in focus
        }
        return outcome, None if term is None else decode(term), kind, same, looks

    # -- parts of the search ----------------------------------------------------

    def goals(self) -> GoalMap:
        return GoalMap(self.subject, self.sites, self.branches.table.raises)

    def objects(self) -> ObjectPool:
        return ObjectPool({one.id: one.bases for one in self.subject.classes})

    def proposer(
        self, name: str, objects: ObjectPool | None = None, seed: int = 0, *, judges: bool = False
    ) -> Proposer:
        one = next(i for i in self.subject.invocables if i.id == f"sample:{name}")
        classes = {info.id: info for info in self.subject.classes}
        pools, judge = ValuePools(self.subject), Plausibility(self.subject) if judges else None
        return Proposer(one, classes, pools, objects or self.objects(), seed, judge)

    def filled(self, *texts: str) -> ObjectPool:
        """An ObjectPool with what these Sequences make."""
        objects = self.objects()
        for text in texts:
            objects.offer(self.run(text), kept=True)
        return objects

    def pool(self):
        services = {"run": self.runner.run, "probe": probe_parameters, "failing": failing_calls}
        return LocalPool(services)


class LocalPool:
    """The interface of ``execute.pool.worker_pool.Pool`` without processes."""

    def __init__(self, services) -> None:
        self.services = services
        self.served = 0

    def map(self, service, items, **_):
        for item in items:
            self.served += 1
            yield Reply(self.services[service](item))


def _short(call) -> str:
    return call[1] if call[0] != "method" else f"{call[1]}()"


def rng(*purpose):
    return seeded_random(0, "test", *purpose)


class _Reader:
    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.names: dict[str, Ref] = {}

    def sequence(self, text: str) -> Sequence:
        for node in ast.parse(textwrap.dedent(text)).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
                target = node.targets[0]
                pair = (self.arg(target.value), self.arg(node.value))
                self.calls.append(Call("set", target.attr, pair))
                continue
            self.calls.append(self.call(node.value))
            if isinstance(node, ast.Assign):
                self.names[node.targets[0].id] = Ref(len(self.calls) - 1)
        return Sequence(tuple(self.calls))

    def call(self, node: ast.expr) -> Call:
        if isinstance(node, ast.Await):
            inner = self.call(node.value)
            return Call(inner.kind, inner.name, inner.args, inner.kwargs, "await")
        if isinstance(node, ast.Attribute):
            return Call("get", node.attr, (self.arg(node.value),))
        if isinstance(node, ast.BinOp):
            return Call("operator", SYMBOLS[type(node.op)],
                        (self.arg(node.left), self.arg(node.right)))  # fmt: skip
        if isinstance(node, ast.Compare):
            return Call("operator", SYMBOLS[type(node.ops[0])],
                        (self.arg(node.left), self.arg(node.comparators[0])))  # fmt: skip
        args = tuple(self.arg(arg) for arg in node.args)
        kwargs = tuple((word.arg, self.arg(word.value)) for word in node.keywords)
        return self._applied(node, node.func, args, kwargs)

    def _applied(self, node, function, args, kwargs) -> Call:
        if isinstance(function, ast.Name) and function.id == "drain":
            inner = self.call(node.args[0])
            return Call(inner.kind, inner.name, inner.args, inner.kwargs, "drain")
        if isinstance(function, ast.Name) and function.id in self.names:
            return Call("operator", "call", (self.names[function.id], *args), kwargs)
        if isinstance(function, ast.Name) and function.id in BUILTINS:
            return Call("operator", function.id, args)
        if isinstance(function, ast.Attribute) and self._is_value(function.value):
            return Call("method", function.attr, (self.arg(function.value), *args), kwargs)
        return Call("function", f"sample:{ast.unparse(function)}", args, kwargs)

    def _is_value(self, node: ast.expr) -> bool:
        return not isinstance(node, ast.Name) or node.id in self.names

    @staticmethod
    def imported(function: ast.expr) -> Symbol | None:
        """The Symbol of ``io.StringIO``; None for what is no attribute of a loaded module."""
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            module = function.value.id
            return Symbol(module, function.attr) if module in sys.modules else None
        return None

    def arg(self, node: ast.expr):
        if isinstance(node, ast.Name):
            return self.names[node.id]
        if isinstance(node, ast.Lambda):
            return Source(ast.unparse(node))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            self.calls.append(self.call(node))
            return Ref(len(self.calls) - 1)
        if isinstance(node, ast.Call) and self.imported(node.func):
            kwargs = tuple((word.arg, self.arg(word.value)) for word in node.keywords)
            return Build(self.imported(node.func), tuple(map(self.arg, node.args)), kwargs)
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
            return Display("dict", tuple(self.arg(item) for pair in pairs for item in pair))
        if isinstance(node, ast.List | ast.Tuple | ast.Set):
            kind = type(node).__name__.lower()
            return Display(kind, tuple(self.arg(item) for item in node.elts))
        return Const(ast.literal_eval(node))
