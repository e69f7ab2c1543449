"""The targets of one ``generate``: each is located, taken from store or engine, delivered.

Invariant: targets are independent: the failure of one changes nothing for the others,
and each is stored and delivered before the next begins.
"""

from __future__ import annotations

import ast
import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, Protocol

from unitcraft.app.atomic_write import write_error
from unitcraft.app.config import Config
from unitcraft.app.generate.cache_key import result_key
from unitcraft.app.generate.delivery import Delivered, Delivery
from unitcraft.app.generate.generated_suite import GeneratedSuite, Options, is_first_party
from unitcraft.app.generate.import_closure import import_closure
from unitcraft.app.revisions import changed_files
from unitcraft.app.store import Memory, NoMemory
from unitcraft.app.targets import locate_target
from unitcraft.core.containment import describe_error
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Finding, Listener
from unitcraft.subject.locate import Located, parse_module
from unitcraft.subject.reading.callers.call_sites import calls_in
from unitcraft.subject.reading.callers.example_files import (
    MAX_PARSED,
    files_that_mention,
    read_text,
)
from unitcraft.suite.suite_figures import MutantFigures, ReachedLines

Engine = Callable[[Located, Options, Listener], GeneratedSuite]


@dataclass(frozen=True, slots=True)
class TargetResult:
    """The suite of one target, imported from ``root``; ``stored``: an earlier run computed it.

    ``source`` is the file of its module.
    """

    label: str
    generated: GeneratedSuite
    delivered: Delivered
    stored: bool = False
    root: Path | None = None
    source: Path | None = None


@dataclass(frozen=True, slots=True)
class TargetFailure:
    """A target that could not be served, and why."""

    label: str
    error: UnitcraftError


@dataclass(frozen=True, slots=True)
class Summary:
    """All targets of a run, in the order in which they were given.

    ``empty`` are modules without anything to test, which is not a failure if others have tests.
    """

    results: tuple[TargetResult, ...]
    failures: tuple[TargetFailure, ...] = ()
    empty: tuple[TargetFailure, ...] = ()


class Reporter(Listener, Protocol):
    """A Listener that also follows the targets."""

    def started(self, label: str, position: int, count: int) -> None:
        """Target ``position`` (from 1) of ``count`` begins."""

    def finished(self, result: TargetResult) -> None:
        """The current target has been delivered."""

    def failed(self, failure: TargetFailure) -> None:
        """A target could not be served."""


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """The targets of a run; paths among them are relative to ``cwd``.

    ``since``: only modules that changed since this revision of git, or that import such a module.
    """

    targets: tuple[str, ...]
    cwd: Path
    config: Config
    options: Options
    since: str = ""

    def locate(self, target: str) -> tuple[Located, ...]:
        """The modules of one target.  Raises UnitcraftError."""
        return locate_target(target, self.cwd, self.config, self.options.python)


def serve(
    request: GenerateRequest, engine: Engine, memory: Memory, delivery: Delivery, reporter: Reporter
) -> Summary:
    """Serve every target of ``request``, one after another."""
    found, failures = _locate(request)
    for failure in failures:
        reporter.failed(failure)
    results: list[TargetResult] = []
    empty: list[TargetFailure] = []
    for position, located in enumerate(found, start=1):
        reporter.started(label_of(located), position, len(found))
        options = request.options
        if options.budget is not None and (position > 1 or options.began is None):
            options = replace(options, began=time.monotonic())
        try:
            result = _serve_one(located, options, engine, memory, delivery, reporter)
        except Exception as error:  # noqa: BLE001 - a fault of ours costs one target, not all
            failure = TargetFailure(label_of(located), _as_error(error))
            if failure.error.slug == "nothing-to-test":
                empty.append(failure)
            else:
                failures.append(failure)
                reporter.failed(failure)
        else:
            results.append(result)
            reporter.finished(result)
    return Summary(tuple(results), tuple(failures), tuple(empty))


def label_of(located: Located) -> str:
    """The name of a target in reports: ``module`` or ``module:attribute``."""
    return f"{located.module}:{located.attribute}" if located.attribute else located.module


def _locate(request: GenerateRequest) -> tuple[list[Located], list[TargetFailure]]:
    """The modules of the targets, each once, and the targets that name no module."""
    found: dict[str, Located] = {}
    failures: list[TargetFailure] = []
    for target in request.targets:
        try:
            for located in request.locate(target):
                if not _excluded(located, request):
                    found.setdefault(label_of(located), located)
        except UnitcraftError as error:
            failures.append(TargetFailure(target, error))
    asked = [one for one in found.values() if not _only_marks(one.file)] or list(found.values())
    return _changed(asked, request), failures


def _only_marks(file: Path) -> bool:
    """Is it an ``__init__.py`` without code, which makes a package of a folder and nothing else?"""
    if file.name != "__init__.py":
        return False
    try:
        tree = parse_module(file)
    except (UnitcraftError, OSError, UnicodeError, SyntaxError):  # told by whoever serves it
        return False
    return tree is not None and all(
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) for node in tree.body
    )


def _changed(found: list[Located], request: GenerateRequest) -> list[Located]:
    """The modules that changed since ``request.since``, or that see a file that did."""
    if not request.since:
        return found
    paths = request.options.paths
    seen = {one: import_closure(one.module, one.file, one.root, paths).files for one in found}
    files = {file for closure in seen.values() for file in closure}
    changed = changed_files(sorted(files), request.since, request.cwd)
    return [one for one in found if not changed.isdisjoint(seen[one])]


def _as_error(error: Exception) -> UnitcraftError:
    """An OSError that leaves the engine is about its own scratch files; others are our faults."""
    if isinstance(error, UnitcraftError):
        return error
    if isinstance(error, OSError):
        return write_error(error.filename or "scratch files", error)
    return UnitcraftError(
        "internal-error",
        "unitcraft itself failed",
        cause=describe_error(error),
        advice="please report it with this line; other targets are not affected",
    )


def _excluded(located: Located, request: GenerateRequest) -> bool:
    names = [located.module, str(located.file)]
    root = request.config.root
    if located.file.is_relative_to(root):
        names.append(str(located.file.relative_to(root)))
    return any(fnmatch(name, pattern) for name in names for pattern in request.config.exclude)


def _serve_one(
    located: Located,
    options: Options,
    engine: Engine,
    memory: Memory,
    delivery: Delivery,
    listener: Listener,
) -> TargetResult:
    parse_module(located.file, options.python)  # raises: syntax-error
    key = "" if isinstance(memory, NoMemory) else _key(located, options)
    kept = memory.get(key)
    generated = unpack(kept) if kept is not None else None
    stored = generated is not None
    if generated is None:
        generated = engine(located, options, listener)
        if not generated.truncated:  # a longer budget may do better next time
            memory.put(key, label_of(located), pack(generated))
    delivered = delivery.deliver(located, generated)
    return TargetResult(
        label_of(located), generated, delivered, stored, located.root, located.file
    )  # fmt: skip


def _key(located: Located, options: Options) -> str:
    # the second and third count by what they hold, the fourth by where the module lies in it
    apart = ("jobs", "paths", "factories", "project", "began")
    matter = {name: value for name, value in asdict(options).items() if name not in apart}
    own = str(is_first_party(located, options))
    others, siblings = files_that_mention(located.root, located.module)
    texts = [read_text(path) for path in siblings]
    if sum(map(len, texts)) <= MAX_PARSED:  # else lengths decide which of them are read
        texts = [calls_in(text) for text in texts]
    more = (located.attribute, own, json.dumps(matter, sort_keys=True), *texts)
    files = (*((Path(options.factories),) if options.factories else ()), *others)
    named = [value for _, value in options.env]  # SETTINGS = "shop.settings"
    named += [place.partition(":")[0] for place in options.before_import]
    return result_key(
        located.module, located.file, located.root, more, files, options.paths, named,
        dynamic=bool(options.before_import),
    )  # fmt: skip


def pack(generated: GeneratedSuite) -> str:
    """A Generated as JSON text."""
    return json.dumps(asdict(generated), sort_keys=True)


def unpack(payload: str) -> GeneratedSuite | None:
    """The Generated of ``pack``; None when the text is anything else."""
    try:
        values: dict[str, Any] = json.loads(payload)
        findings = tuple(Finding(**finding) for finding in values.pop("findings"))
        phases = tuple((str(name), float(spent)) for name, spent in values.pop("phases", ()))
        mutants = MutantFigures(*values.pop("mutants", ()))
        variations = tuple(tuple(row) for row in values.pop("variations", ()))
        reached = ReachedLines(**_as_tuples(values.pop("reached", {})))
        never = _as_tuples(values.pop("never", ()))
        return GeneratedSuite(
            findings=findings, phases=phases, variations=variations, reached=reached, never=never,
            mutants=mutants, **values,
        )  # fmt: skip
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _as_tuples(value: Any) -> Any:
    """``value`` of JSON with tuples in place of lists."""
    if isinstance(value, dict):
        return {key: _as_tuples(one) for key, one in value.items()}
    return tuple(map(_as_tuples, value)) if isinstance(value, list | tuple) else value
