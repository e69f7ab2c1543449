"""Records functions as if they were the tests of a suite, in this process, without pytest."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path
from types import ModuleType

from unitcraft.suite.recording.guest.recorder import Recorder
from unitcraft.suite.recording.record import assemble_recording
from unitcraft.suite.recording.recorded_functions import Subjects
from unitcraft.suite.recording.representations.equality_representations import (
    EqualityRepresentations,
)

SUBJECTS = Path(__file__).resolve().parents[3] / "benchmarks" / "subjects"

NUMBERS = count()


def module_of(source: str) -> ModuleType:
    """A new module made of ``source``."""
    module = ModuleType(f"subject_{next(NUMBERS)}")
    sys.modules[module.__name__] = module
    exec(compile(source, f"<{module.__name__}>", "exec"), module.__dict__)
    return module


def subject(name: str) -> ModuleType:
    """A fresh copy of one of the published classes."""
    return module_of((SUBJECTS / f"{name}.py").read_text())


def recorder_of(module: ModuleType, *, inner: bool = False) -> Recorder:
    recorder = Recorder(Subjects((module.__name__,)), EqualityRepresentations, inner=inner)
    recorder.divert_loaded()
    return recorder


def recording_of(module, *tests, inner=False):
    """The Recording of a suite with these tests, named ``0``, ``1``, ..."""
    recorder = recorder_of(module, inner=inner)
    frames = []
    for number, test in enumerate(tests):
        recorder.begin()
        test()
        facts = recorder.end()
        frames.append(
            {"kind": "end", "node": str(number), "verdict": "passed", "seconds": 0.0, **facts}
        )
    return assemble_recording(frames)


def names_of(recording):
    """For each test the invocables it executed, without module, in order."""
    return [
        [one.invocable.partition(":")[2] for one in recording.executions(test)]
        for test in recording.tests
    ]
