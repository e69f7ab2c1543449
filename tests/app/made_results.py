"""Results made by hand, and an engine that answers them, for tests that need no Subject."""

from __future__ import annotations

from pathlib import Path

from unitcraft.app.generate.delivery import Delivered
from unitcraft.app.generate.generate_targets import Summary, TargetFailure, TargetResult
from unitcraft.app.generate.generated_suite import GeneratedSuite
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Finding, Progress
from unitcraft.emit.code.digest_comments import digest_lines

BODY = "def test_sign():\n    assert sign(0) == 'zero'\n"


def text_for(module: str, body: str = BODY) -> str:
    """A file as unitcraft writes it, with the header and the table by which it knows its own."""
    function = body.rstrip("\n")
    name = function.partition("(")[0].removeprefix("def ")
    rows = "\n".join(digest_lines([(name, function)]))
    head = f"# Written by unitcraft 0.1.0 for {module}; tests that you edit are kept.\n\n"
    return f"{head}from {module} import sign\n\n\n{body}\n\n{rows}\n"


def made(module="signs", text=None, findings=(), **changes) -> GeneratedSuite:
    values = {
        "target": module, "module": module, "file_name": f"test_{module}.py",
        "text": text_for(module) if text is None else text, "tests": 1,
        "branches_covered": 3, "branches": 4, "lines_covered": 5, "lines": 5,
        "seconds": 1.25, "findings": tuple(findings), "truncated": False, "executions": 10,
    }  # fmt: skip
    return GeneratedSuite(**{**values, **changes})


def result(generated, *, path="tests/test_signs.py", stored=False, kept=(), status="written"):
    return TargetResult(
        generated.target, generated, Delivered(status, Path(path) if path else None, kept), stored
    )


def summary(*results, failures=(), empty=()) -> Summary:
    return Summary(tuple(results), tuple(failures), tuple(empty))


def failure(label="lost", slug="target-not-found", what="there is no lost") -> TargetFailure:
    return TargetFailure(label, UnitcraftError(slug, what, cause="a typo", advice="look again"))


FINDINGS = [Finding("UC509", "signs:sign", f"line {n} was not reached", f"{n}") for n in range(6)]


class Engine:
    """Answers ``made`` for each module, or raises what ``answers`` holds for it; counts calls."""

    def __init__(self, **answers):
        self.answers = answers
        self.calls = []

    def __call__(self, located, options, listener):
        del options
        self.calls.append(located.module)
        listener.progress(Progress(located.module, "explore", 1, 2))
        answer = self.answers.get(located.module)
        if isinstance(answer, BaseException):
            raise answer
        return answer or made(located.module)


class Recorder:
    """A Reporter that keeps what it hears."""

    def __init__(self):
        self.heard = []

    def started(self, label, position, count):
        self.heard.append(("started", label, position, count))

    def finished(self, result):
        self.heard.append(("finished", result.label))

    def failed(self, failure):
        self.heard.append(("failed", failure.label))

    def progress(self, event):
        self.heard.append(("progress", event.phase))
