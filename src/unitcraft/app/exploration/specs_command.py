"""One run of ``specs``: locates the classes, infers their laws, renders them.

Invariant: the classes are described and run by guarded workers only; a class about which there is
nothing to say costs the others nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from unitcraft.app.config import Config
from unitcraft.app.exploration.target_host import project_setting
from unitcraft.app.json_document import render_document
from unitcraft.app.project_python import find_python
from unitcraft.app.targets import locate_target
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Listener
from unitcraft.core.interpreter import Interpreter
from unitcraft.core.sequences import Arg, Const
from unitcraft.infer.class_request import ClassToSpecify, classes_to_specify
from unitcraft.infer.infer_class import infer_specification, open_host
from unitcraft.infer.output.specs_contracts import as_contracts
from unitcraft.infer.output.specs_docstrings import as_docstrings
from unitcraft.infer.output.specs_properties import as_properties
from unitcraft.infer.output.specs_report import as_markdown, as_plain, as_text
from unitcraft.infer.output.specs_suite import as_suite
from unitcraft.infer.specification import Specification
from unitcraft.infer.universe.preconditions import parse_precondition
from unitcraft.subject.locate import Located
from unitcraft.subject.model import Subject


@dataclass(frozen=True, slots=True)
class SpecsRequest:
    """The class, or the module whose public classes are meant, and what was said about it.

    ``concrete`` holds values of parameters by name; ``requires`` conditions of methods, ``checks``
    laws that the user states.
    """

    target: str
    methods: tuple[str, ...]
    ints: tuple[int, ...]
    concrete: Mapping[str, tuple[object, ...]]
    requires: tuple[str, ...]
    checks: tuple[str, ...]
    jobs: int
    seed: int
    config: Config


@dataclass(frozen=True, slots=True)
class SpecsResult:
    """The Specifications, and why there is none for other classes."""

    found: tuple[Specification, ...]
    failures: tuple[tuple[str, str], ...]


def run_specs(request: SpecsRequest, cwd: Path, listener: Listener | None = None) -> SpecsResult:
    """The Specifications of the classes that ``request`` names.

    Raises UnitcraftError: of finding and running; where one class is named, those of inference.
    """
    python = find_python(request.config, [request.target], cwd)
    located = locate_target(request.target, cwd, request.config, python)
    found: list[Specification] = []
    failures: list[tuple[str, str]] = []
    for one in located:
        with open_host(_task(one, "", request, python)) as host:
            names = [one.attribute] if one.attribute else _public_classes(host.subject)
            for name in names:
                try:
                    task = _task(one, name, request, python)
                    found.append(infer_specification(host, task, listener))
                except UnitcraftError as error:
                    if one.attribute:
                        raise
                    failures.append((f"{one.module}:{name}", str(error)))
    if not found and not failures:
        raise UnitcraftError(
            "nothing-to-specify",
            f"{request.target} has no public class",
            advice="name a module with classes, or a class as module:Class",
        )
    return SpecsResult(tuple(found), tuple(failures))


def _public_classes(subject: Subject) -> list[str]:
    return [info.qualname for info in classes_to_specify(subject)]


def _task(
    located: Located, name: str, request: SpecsRequest, python: Interpreter
) -> ClassToSpecify:
    return ClassToSpecify(
        located.module,
        name,
        request.methods,
        request.ints,
        {key: tuple(map(_arg, values)) for key, values in request.concrete.items()},
        tuple(map(parse_precondition, request.requires)),
        request.checks,
        request.jobs,
        request.seed,
        **project_setting(located, request.config, python).setting,
    )


def _arg(value: object) -> Arg:
    return Const(value)  # type: ignore[arg-type]


def render_specs(result: SpecsResult, form: str, *, every: bool = False) -> str:
    """All Specifications in one of the forms that ``--format`` has.

    Pages for people leave laws of rare cases out, unless ``every`` law is asked for.
    """
    if form == "json":
        failures = [{"target": target, "error": error} for target, error in result.failures]
        classes = [as_plain(one) for one in result.found]
        return render_document("specs", {"classes": classes, "failures": failures})
    if form == "markdown":
        return "\n".join(as_markdown(one, every=every) for one in result.found)
    if form == "docstring":
        return "\n".join(map(as_docstrings, result.found))
    if form == "icontract":
        return "\n\n".join(map(as_contracts, result.found))
    if form == "hypothesis":
        return "\n\n".join(map(as_properties, result.found))
    if form == "pytest":
        return "\n\n".join(map(as_suite, result.found))
    pages = [as_text(one, every=every) for one in result.found]
    pages += [f"{target}\n  no laws: {error}" for target, error in result.failures]
    return "\n\n".join(pages)
