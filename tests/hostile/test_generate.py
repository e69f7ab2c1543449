"""One ``unitcraft generate`` over the whole corpus: contained, served, reported, bounded."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from corpus import EXPECTED, IMPORTS, MODULES, SENTINEL

#: Wall seconds for all modules on a machine with two busy cores; one endless import takes 6.
BOUND = 300

#: The command line with smaller bounds, which the same functions reach: an import that does not end
#: is given up after a fifth of the time, a call after half of its CPU time and a tenth of its
#: steps, and it may touch a thirty-second of the memory: a module that fills it takes 32 CPU
#: seconds with all of it, 10 with an eighth, and 7 then.  A test of endless recursion fills the
#: addresses of each process that verifies it: 17 to 44 CPU seconds with all of them, 7 to 13 with a
#: quarter.
COMMAND = """
import dataclasses
from unitcraft.app import cli
from unitcraft.app.generate import generate_module
plain = generate_module.host_spec
bounds = {"import_seconds": 6, "item_seconds": 0.5, "item_memory_mb": 16, "steps": 20_000}
addresses = {("recursion",): {"memory_mb": 512}}
def host_spec(*of):
    spec = plain(*of)
    return dataclasses.replace(spec, **bounds, **addresses.get(spec.focus, {}))
generate_module.host_spec = host_spec
cli.main()
"""

#: Marks every process of the run, whatever it does to its name, group or session.
MARK = "UNITCRAFT_HOSTILE_RUN"

#: Importing it ends any process a little later: no test of it can pass under pytest.
POISONED = "import_threads"

#: What is said of functions that cannot be tested, in all runs.
CODES = {
    "deletes_files": {"cleanup": "UC503", "purge": "UC503", "purge_quietly": "UC503"},
    "overwrites_files": {"save": "UC503", "shorten": "UC503", "move": "UC503", "relative": "UC503"},
    "kills_parent": {"strike_self": "UC506"},
    "exits_hard": {"abandon": "UC506", "abort": "UC506"},
    "loops_forever": {"spin": "UC505", "spin_stubbornly": "UC505", "spin_finally": "UC505"},
    "hangs_in_c": {"match": "UC505", "power": "UC505", "deadlock": "UC505"},
    "floods_output": {"shout": "UC512"},
    "leaves_threads": {"foreground": "UC503"},
    "segfaults": {"poke": "UC506"},
    "patches_builtins": {"patch_len": "UC511", "remove_all": "UC511"},
    "patches_modules": {"forget": "UC511", "replace": "UC511", "patch_json": "UC511"},
    "signal_handlers": {"alarm": "UC511", "handler": "UC511"},
    "finalizers": {"deleting": "UC503", "endless": "UC505"},
    "closes_descriptors": {"close_all": "UC506"},
    "traces": {"trace": "UC511"},
    POISONED: {"double": "UC511"},
}
#: Module -> functions that are tested with what they call replaced.
REPLACED = {
    "opens_sockets": ("fetch", "resolve", "download"),
    "starts_processes": ("shell", "run", "become"),
    "kills_parent": ("strike", "strike_group"),
    "signal_handlers": ("ignore",),
}


class Run:
    """One run over the corpus, and what it left."""

    def __init__(self, folder):
        self.folder = folder
        SENTINEL.mkdir(exist_ok=True)
        shutil.copytree(MODULES, folder / "corpus", ignore=shutil.ignore_patterns("__pycache__"))
        began = time.monotonic()
        self.done = subprocess.run(
            [sys.executable, "-c", COMMAND, "generate", "corpus", "-o", "out", "-j", "2",
             "--output-format", "json"],
            cwd=folder, env={**os.environ, MARK: str(folder)}, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=2 * BOUND, check=False, start_new_session=True,
        )  # fmt: skip
        self.seconds = time.monotonic() - began
        self.alive = marked(str(folder))
        self.report = json.loads(self.done.stdout)
        self.targets = {one["target"]: one for one in self.report["targets"]}
        self.files = {path.stem.removeprefix("test_"): path for path in folder.glob("out/*.py")}


def marked(value):
    """The command lines of living processes that carry the mark."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if f"{MARK}={value}".encode() in (entry / "environ").read_bytes():
                    found.append((entry / "cmdline").read_bytes())
            except OSError:
                continue
    return found


@pytest.fixture(scope="module")
def run(tmp_path_factory, shared):
    """One run, also for test processes that run side by side."""

    def make():
        SENTINEL.mkdir(exist_ok=True)
        (SENTINEL / "keep.txt").write_text("untouched")
        return Run(tmp_path_factory.mktemp("hostile"))

    return shared("hostile", make)


def test_nothing_outside_is_touched_and_nothing_is_left_running(run):
    assert [path.name for path in SENTINEL.iterdir()] == ["keep.txt"]
    assert (SENTINEL / "keep.txt").read_text() == "untouched"
    assert run.alive == []
    assert sorted(path.name for path in run.folder.iterdir()) == [".unitcraft", "corpus", "out"]
    assert {path.name for path in run.folder.glob("corpus/*")} == {
        path.name for path in MODULES.glob("*.py")
    }


def test_the_run_ends_in_time_with_one_message_for_each_module_that_cannot_be_imported(run):
    assert run.done.returncode == 2
    assert {one["target"]: one["slug"] for one in run.report["failures"]} == IMPORTS
    assert "Traceback" not in run.done.stderr
    messages = [line for line in run.done.stderr.splitlines() if line.startswith("error:")]
    assert sorted(re.findall(r"\[([a-z-]+)\]", " ".join(messages))) == sorted(IMPORTS.values())
    assert run.seconds < BOUND


def test_every_other_module_is_served_with_a_test_of_its_harmless_function(run):
    assert set(run.targets) == set(EXPECTED)
    served = {
        name for name, path in run.files.items() if re.search(r"\bdouble\(", path.read_text())
    }
    assert served == set(EXPECTED) - {POISONED}


def test_the_report_names_what_happened(run):
    told = {
        module: {
            name: {one["code"] for one in target["findings"] if one["target"] == f"{module}:{name}"}
            for name in CODES.get(module, ())
        }
        for module, target in run.targets.items()
    }
    missing = {
        f"{module}:{name}": (code, told[module][name])
        for module, codes in CODES.items()
        for name, code in codes.items()
        if code not in told[module][name]
    }
    assert missing == {}


def test_effects_that_a_test_can_replace_are_replaced(run):
    for module, names in REPLACED.items():
        functions = run.files[module].read_text().split("\n\n\n")
        for name in names:
            own = [text for text in functions if f"    {name}(" in text or f" {name}(" in text]
            assert any("monkeypatch.setattr(" in text for text in own), name


def test_what_is_written_passes_under_plain_pytest_without_the_sandbox(run, tmp_path):
    """Except for a module whose very import does other things where nothing refuses them."""
    folder = tmp_path / "plain"
    folder.mkdir()
    for name, path in run.files.items():
        if name != "import_swallows":
            shutil.copy(path, folder)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "plain"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(run.folder / "corpus")},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert (SENTINEL / "keep.txt").read_text() == "untouched"
    assert [path.name for path in SENTINEL.iterdir()] == ["keep.txt"]
