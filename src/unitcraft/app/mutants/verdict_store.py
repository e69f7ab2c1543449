"""The store of mutant verdicts in ``.unitcraft/``, a JSON line each, so that campaigns resume.

Invariant: a line is whole on the disk before the next verdict comes; a line that cannot be read
is ignored.  The last line about a mutant counts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from unitcraft.app.atomic_write import write_atomically, write_error
from unitcraft.app.store import DIRECTORY
from unitcraft.suite.mutation.code_digest import content
from unitcraft.suite.mutation.verdicts import JudgedMutant, Mutant, parse_verdict

#: The name of the file in ``.unitcraft/``.
FILE: Final = "mutants.jsonl"


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """A verdict, the file of its module, and the digest of the code of subjects and tests."""

    judged: JudgedMutant
    file: str
    digest: str


@dataclass(frozen=True, slots=True)
class ReachingTests:
    """The tests that enter each function of a module, and how the tests were run."""

    module: str
    file: str
    tests: Mapping[str, tuple[str, ...]]
    run: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class KillCounts:
    """The number of mutants that each test kills, and the files (with digests) of the subjects.

    Nothing is known about a test that is not in ``counts``.
    """

    counts: Mapping[str, int]
    files: Mapping[str, str]

    @property
    def is_current(self) -> bool:
        """Do the files have the same content now?"""
        return all(content(file) == digest for file, digest in self.files.items())


class VerdictStore:
    """The verdicts and reaching tests in the directory ``root``."""

    def __init__(self, root: Path) -> None:
        self._file = root / DIRECTORY / FILE
        self.kept: dict[str, StoredVerdict] = {}
        self.reaching: dict[str, ReachingTests] = {}
        self.kills: KillCounts | None = None
        for line in self._lines():
            self._read_line(line)

    def _lines(self) -> Iterator[dict[str, Any]]:
        try:
            text = self._file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return
        for line in text.splitlines():
            try:
                yield json.loads(line)
            except ValueError:
                continue

    def _read_line(self, line: dict[str, Any]) -> None:
        try:
            if "kills" in line:
                self.kills = KillCounts(line["kills"], line["files"])
            elif "reach" in line:
                tests = {name: tuple(nodes) for name, nodes in line["reach"].items()}
                one = ReachingTests(line["module"], line["file"], tests, line["run"])
                self.reaching[one.module] = one
            else:
                kept = _kept(line)
                self.kept[kept.judged.mutant.id] = kept
        except (KeyError, TypeError, ValueError, AttributeError):
            return

    def known(self, digest: str) -> list[JudgedMutant]:
        """The verdicts about the same code."""
        return [one.judged for one in self.kept.values() if one.digest == digest]

    def add(self, kept: StoredVerdict) -> None:
        """Keep a verdict, durably.  Raises UnitcraftError when it cannot be written."""
        self.kept[kept.judged.mutant.id] = kept
        self._append(_plain(kept))

    def reach(self, reaching: ReachingTests) -> None:
        """Keep the tests that enter the functions of a module."""
        self.reaching[reaching.module] = reaching
        self._append(_plain_reach(reaching))

    def settle(self, modules: Mapping[str, str], digest: str) -> None:
        """Forget verdicts of ``modules`` about other code, and write the file anew."""
        self.kept = {
            key: one
            for key, one in self.kept.items()
            if one.judged.mutant.module not in modules or one.digest == digest
        }
        lines = [_plain_reach(one) for one in self.reaching.values()]
        if self.kills is not None and self.kills.is_current:
            lines.append({"kills": self.kills.counts, "files": self.kills.files})
        lines += [_plain(one) for one in self.kept.values()]
        write_atomically(self._file, "".join(json.dumps(line) + "\n" for line in lines))

    def _append(self, line: dict[str, Any]) -> None:
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            ignore = self._file.with_name(".gitignore")
            if not ignore.exists():
                ignore.write_text("*\n")
            with self._file.open("a", encoding="utf-8") as stream:
                stream.write(json.dumps(line) + "\n")
        except OSError as error:
            raise write_error(str(self._file), error) from error


def _plain(kept: StoredVerdict) -> dict[str, Any]:
    return {**asdict(kept.judged), "file": kept.file, "digest": kept.digest}


def _plain_reach(one: ReachingTests) -> dict[str, Any]:
    return {"module": one.module, "file": one.file, "run": one.run, "reach": one.tests}


def _kept(line: dict[str, Any]) -> StoredVerdict:
    file, digest = line.pop("file"), line.pop("digest")
    mutant = Mutant(**line.pop("mutant"))
    line["verdict"] = parse_verdict(line["verdict"])
    return StoredVerdict(JudgedMutant(mutant, **line), file, digest)
