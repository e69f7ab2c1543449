"""One run of ``explain``: all paths of one callable with example, condition and outcome.

Invariant: the Subject runs in guarded workers only; the outcome of a path is that of its
example on the original code, never that of the run on proxies.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path as File
from typing import Final

from unitcraft.app.config import Config
from unitcraft.app.exploration.program_text import ExampleRuns, contract_of, open_runs
from unitcraft.app.exploration.target_host import callable_host
from unitcraft.app.terminal_text import counted
from unitcraft.core.encoding import encode_call, encode_sequence
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Listener, Progress
from unitcraft.core.program_lines import program_lines, program_text
from unitcraft.core.sequences import Arg, Build, Call, Display
from unitcraft.core.sequences import Sequence as Program
from unitcraft.core.types import TypeExpr
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.explore.calls import call_of
from unitcraft.explore.concolic.candidate_sequences import MAX_VARIANTS, Variant, Variants
from unitcraft.explore.concolic.input_shapes import InputShapes
from unitcraft.explore.concolic.known_beginnings import without_known_beginnings
from unitcraft.explore.concolic.path_forest import ForestExploration, Path, PathForest
from unitcraft.explore.concolic.symbolic_inputs import fill_inputs
from unitcraft.explore.contracts import Contracts
from unitcraft.explore.execution import MISUSE
from unitcraft.explore.explain.call_references import CallReferences
from unitcraft.explore.explain.implied_constraints import drop_implied
from unitcraft.explore.explain.uncovered_branches import (
    UncoveredBranch,
    branch_sites,
    find_uncovered,
)
from unitcraft.explore.subject_request import request_subject
from unitcraft.instrument.sites import BranchSite
from unitcraft.solve.chain import chain
from unitcraft.solve.readable.readable_values import make_readable
from unitcraft.subject.ducktypes.probe_operation import ProbeOperation
from unitcraft.subject.ducktypes.type_inference import guess_types
from unitcraft.subject.locate import Located
from unitcraft.subject.model import Invocable, Subject
from unitcraft.subject.source_files import read_source
from unitcraft.symbolic.terms.pretty import constraint_text

#: Paths to explore for each path to list, where earlier calls multiply the paths.
EXPLORED_PER_PATH: Final = 8

#: Types that duck-type inference may add for one parameter.
MAX_HINTS: Final = 3


@dataclass(frozen=True, slots=True)
class ExplainRequest:
    """The target to explain, and the bounds: paths to list, calls before the target."""

    target: str
    paths: int
    calls: int
    jobs: int
    config: Config


@dataclass(frozen=True, slots=True)
class ShownPath:
    """A path in words; ``after`` names the earlier calls on the object.

    ``contract``: ``precondition`` where the arguments break one, ``violated`` where an ``assert``
    fails although they break none.
    """

    after: tuple[str, ...]
    shape: tuple[str, ...]
    condition: tuple[str, ...]
    before: tuple[str, ...]
    call: str
    outcome: str
    raised: bool
    contract: str = ""


@dataclass(frozen=True, slots=True)
class Explanation:
    """The paths of one target.

    ``more`` paths were found and not listed, ``open`` branches were left unexplored by a bound,
    ``find_uncovered`` are the branches that no path took.
    """

    target: str
    paths: tuple[ShownPath, ...]
    more: int
    open: int
    untaken: tuple[UncoveredBranch, ...]
    notes: tuple[str, ...]


def run_explain(request: ExplainRequest, cwd: File, listener: Listener) -> Explanation:
    """The paths of the callable that ``request`` names.

    Raises UnitcraftError: ``not-a-callable`` and those of finding and importing.
    """
    located, plain = callable_host(request.target, request.config, cwd)
    spec = replace(plain, entry="unitcraft.explore.agents.concolic_agent",
                   options={"module": located.module, "sites": True, "calls": True})  # fmt: skip
    listener.progress(Progress(request.target, "import"))
    with Pool(spec, request.jobs) as pool, open_runs(plain) as original:
        return _Explaining(request, located, pool, original, listener).explanation()


class _Explaining:
    """The steps of one explanation, in order, and the data that they share."""

    def __init__(
        self,
        request: ExplainRequest,
        located: Located,
        pool: Pool,
        original: ExampleRuns,
        listener: Listener,
    ) -> None:
        self.request = request
        self.located = located
        self.pool = pool
        self.original = original
        self.listener = listener
        self.subject: Subject = request_subject(pool, located.module)
        self.sites = [BranchSite(*row) for row in pool.ready["sites"]]
        self.target = find_invocable(self.subject, located)
        self.solver = chain()
        self.notes: list[str] = []

    def explanation(self) -> Explanation:
        """Explore, choose, describe."""
        variants = Variants(self.subject, InputShapes(self.subject, self._hints()))
        chosen = list(islice(variants.of(self.target, self.request.calls), MAX_VARIANTS + 1))
        if not chosen:
            raise UnitcraftError(
                "no-shape",
                f"{self.target.id}: no way found to build an argument or the receiver",
                cause="a parameter has a type of which unitcraft knows no value",
                advice="annotate it with a plain type, or a class of the module",
            )
        if len(chosen) > MAX_VARIANTS:
            self.notes.append(f"only the first {MAX_VARIANTS} choices of shapes were explored")
        forest = self._explore(chosen[:MAX_VARIANTS])
        usable = self._with_new_states(self._distinct_paths(self._usable(forest)))
        listed = self._select_paths(usable)
        self.listener.progress(Progress(self.request.target, "run examples", 0, len(listed)))
        shown = self._describe(listed)
        numbers = branch_sites(self.sites, self.target.module, self._lines, self._source())
        left = find_uncovered(forest, self.sites, numbers, self.solver)
        self.notes += [
            f"{counted(count, 'run')} ended early ({reason})"
            for reason, count in forest.blocked.items()
        ]
        return Explanation(
            self.target.id, shown, len(usable) - len(listed), _open(forest), tuple(left),
            tuple(self.notes),
        )  # fmt: skip

    @property
    def _lines(self) -> tuple[int, int]:
        return self.target.first, self.target.last

    def _source(self) -> str:
        """The text of the target's module; '' when that is not the located one."""
        if self.target.module != self.located.module:
            return ""
        return read_source(str(self.located.file))

    def _explore(self, variants: list[Variant]) -> PathForest:
        most = self.request.paths * (EXPLORED_PER_PATH if len(variants) > 1 else 1)
        programs = ForestExploration(self.pool, self.solver, self.target.id)

        def told(count: int) -> None:
            self.listener.progress(
                Progress(self.request.target, "explore", count, most, counted(count, "path"))
            )

        return programs.explore(variants, most, told)

    # -- which paths --------------------------------------------------------------

    def _usable(self, forest: PathForest) -> list[Path]:
        """Paths that reach the target, without the input shapes that it merely refuses."""
        reaching = [path for path in forest.found if path.at_target]
        if len(forest.found) > len(reaching):
            early = counted(len(forest.found) - len(reaching), "path")
            self.notes.append(f"{early} ended before the call was reached")
        if all(parameter.origin == "annotation" for parameter in self.target.parameters):
            return reaching
        useful = {id(path.job) for path in reaching if path.outcome not in MISUSE}
        kept = [path for path in reaching if id(path.job) in useful]
        if kept and len(kept) < len(reaching):
            refused = len({id(path.job) for path in reaching}) - len(useful)
            self.notes.append(f"{refused} choices of argument types were only refused: left out")
        return kept or reaching

    def _distinct_paths(self, paths: list[Path]) -> list[Path]:
        """Each path once: for which types of arguments and after which calls, the first says.

        A dictionary with equal keys has fewer items than its shape says, so that it is another one.
        """
        examples = [self._example(path) for path in paths]
        outcomes = self.original.outcomes(examples, self.target.module)
        first: dict[tuple[object, ...], Path] = {}
        for path, example, (_, *outcome) in zip(paths, examples, outcomes, strict=True):
            if not any(map(_repeats_a_key, example.calls)):
                first.setdefault((*outcome, _condition(path), *self._own_marks(path)), path)
        if len(first) < len(paths):
            alike = counted(len(paths) - len(first), "path")
            self.notes.append(
                f"{alike} that another one stands for, with other arguments: left out"
            )
        return list(first.values())

    def _with_new_states(self, paths: list[Path]) -> list[Path]:
        """The paths without those after calls that lead to a receiver as others are."""
        kept = without_known_beginnings(paths, self.pool, self.solver)
        if len(kept) < len(paths):
            after = counted(len(paths) - len(kept), "path")
            self.notes.append(f"{after} after calls that lead to no other state: left out")
        return kept

    def _select_paths(self, paths: list[Path]) -> list[Path]:
        """The paths to list: first the ones with an outcome or sites that no earlier path has."""
        if len(paths) <= self.request.paths:
            return paths
        seen: set[tuple[object, ...]] = set()
        novel: list[Path] = []
        others: list[Path] = []
        for path in paths:
            key = (path.outcome, *self._own_marks(path))
            (others if key in seen else novel).append(path)
            seen.add(key)
        kept = {id(path) for path in [*novel, *others][: self.request.paths]}
        return [path for path in paths if id(path) in kept]

    def _own_marks(self, path: Path) -> list[int]:
        """The sites of the target's own code, in the order of execution."""
        target = self.target
        return [
            site
            for site, _ in path.marks
            if self.sites[site].module == target.module
            and target.first <= self.sites[site].line <= target.last
        ]

    # -- how they read ------------------------------------------------------------

    def _describe(self, paths: list[Path]) -> tuple[ShownPath, ...]:
        examples = [self._example(path) for path in paths]
        outcomes = self.original.outcomes(examples, self.target.module)
        told = self._conditions(paths)
        contracts = Contracts(self.subject)
        shown = []
        for path, example, ended, texts in zip(paths, examples, outcomes, told, strict=True):
            reply, outcome, raised = ended
            if raised != path.outcome:
                self.notes.append(
                    f"{program_text(example)} differs on the original code: {outcome}"
                )
            *before, call = program_lines(example)
            shown.append(
                ShownPath(path.job.variant.after, path.job.variant.when, texts,
                      tuple(before), call, outcome, bool(raised),
                      contract_of(reply, contracts, self.target))
            )  # fmt: skip
        return tuple(shown)

    def _example(self, path: Path) -> Program:
        values = make_readable(path.condition, path.met.skeleton.kinds, path.met.values)
        return fill_inputs(path.job.variant.program, values)

    def _conditions(self, paths: list[Path]) -> list[tuple[str, ...]]:
        """The path condition of each path; a path that calls the target again refers to a path."""
        recursion = CallReferences(self.target, paths)
        return [recursion.condition(path) or _condition(path) for path in paths]

    # -- what is known of parameters ------------------------------------------------

    def _hints(self) -> dict[tuple[str, str], tuple[TypeExpr, ...]]:
        """Types of untyped parameters: what the code tests for, and does with duck probes."""
        names = [one.name for one in self.target.parameters if one.kind.startswith("positional")]
        sightings = self._sightings(names)
        scope = self.target.id.partition(":")[2]
        return {
            (scope, name): (
                *self._tested(name),
                *guess_types(sightings, name, self.subject.classes)[:MAX_HINTS],
            )
            for name in names
        }

    def _tested(self, name: str) -> list[TypeExpr]:
        """The classes of the module that ``isinstance`` asks of a parameter."""
        by_name = {one.qualname.rpartition(".")[2]: one.id for one in self.subject.classes}
        found = [
            TypeExpr("class", cls=by_name[row.operand])
            for row in self.subject.uses
            if (row.invocable, row.path) == (self.target.id, name)
            and row.operation == "isinstance"
            and row.operand in by_name
        ]
        return found[:MAX_HINTS]

    def _sightings(self, names: list[str]) -> tuple[ProbeOperation, ...]:
        """What the target does with probes in place of its arguments."""
        receiver = self._receiver()
        if not names or receiver is None:
            return ()
        call = call_of(self.target, receiver[1], [], [], drains=self.target.is_generator)
        if call is None:
            return ()
        item = (encode_sequence(receiver[0]), encode_call(call), tuple(names))
        reply = self.original.pool.one("probe", item)
        return tuple(ProbeOperation(*row) for row in reply.value or ())

    def _receiver(self) -> tuple[Program, tuple[Arg, ...]] | None:
        """The Calls that make a receiver, and a reference to it; None when none can be made."""
        if self.target.kind not in ("method", "property"):
            return Program(()), ()
        first = next(Variants(self.subject, InputShapes(self.subject)).of(self.target, 0), None)
        if first is None:
            return None
        *before, call = first.program.calls
        return Program(tuple(before)), (call.args[0],)


def _repeats_a_key(part: Call | Arg) -> bool:
    """Does a dictionary in it have two equal keys?"""
    match part:
        case Call(args=args, kwargs=kwargs) | Build(args=args, kwargs=kwargs):
            return any(map(_repeats_a_key, [*args, *(value for _, value in kwargs)]))
        case Display("dict", items):
            keys = items[::2]
            return len(set(keys)) < len(keys) or any(map(_repeats_a_key, items))
        case Display(_, items):
            return any(map(_repeats_a_key, items))
        case _:
            return False


def _condition(path: Path) -> tuple[str, ...]:
    values, names = path.met.values, path.job.variant.holes
    kept = drop_implied(path.condition, path.met.skeleton.kinds, values)
    texts = dict.fromkeys(constraint_text(one, names, values) for one in kept)
    return (*texts, *(() if path.met.whole else ("...",)))


def find_invocable(subject: Subject, located: Located) -> Invocable:
    """The Invocable that was located.  Raises UnitcraftError ``not-a-callable``."""
    wanted = f"{subject.module}:{located.attribute}"
    for one in subject.invocables:
        if one.id == wanted or (one.kind == "constructor" and one.owner == wanted):
            return one
    skipped = [sentence for name, _, sentence in subject.skipped if name == wanted]
    raise UnitcraftError(
        "not-a-callable",
        f"{wanted} is nothing that unitcraft can call",
        cause=skipped[0] if skipped else "it is data, or defined in another module",
        advice="name a function, a method or a class that this module defines",
    )


def _open(forest: PathForest) -> int:
    """Branches that a bound left unexplored."""
    return sum(
        leaf.status == "unexplored" or leaf.reason == "bound"
        for job in forest.jobs
        for leaf in job.paths.tree.leaves()
    )
