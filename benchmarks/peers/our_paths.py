"""Counts the paths that unitcraft explores: the counterpart of ``crosshair_paths``.

``python our_paths.py CASE PATHS`` prints the same JSON object.  Workers count: this process
adopts and awaits all that it started.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.execute.pool.fork_server import SERVERS
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.concolic.candidate_sequences import Variant, Variants
from unitcraft.explore.concolic.input_shapes import InputShapes
from unitcraft.explore.concolic.path_forest import ForestExploration
from unitcraft.explore.subject_request import request_subject
from unitcraft.solve.chain import chain

if TYPE_CHECKING:
    from collections.abc import Iterable

    from unitcraft.subject.model import Subject

HERE = Path(__file__).parent
CASES = {
    "trees": ("bin_search_tree", ""),
    "strings": ("mixed", "setting"),
    "floats": ("mixed", "triangle"),
    "lists": ("mixed", "merged"),
}
#: Elements of a list; CrossHair has no such bound.
LONGEST = 5
_CHILD_SUBREAPER = 36  # prctl(2)


def variants(subject: Subject, name: str) -> Iterable[Variant]:
    """The programs of a case: six insertions into an empty tree, or calls of a function."""
    if name:
        target = next(one for one in subject.invocables if one.name == name)
        return Variants(subject, InputShapes(subject, longest=LONGEST)).of(target, 0)
    calls = [Call("function", "bin_search_tree:BinSearchTree")]
    calls += [Call("method", "insert", (Ref(0), Const(0))) for _ in range(6)]
    return [Variant((), Sequence(tuple(calls)), tuple("abcdef"))]


def main(case: str, most: int) -> None:
    """Explore one case until nothing is left or ``most`` paths are found."""
    ctypes.CDLL(None).prctl(_CHILD_SUBREAPER, 1, 0, 0, 0)
    module, name = CASES[case]
    spec = HostSpec(
        "unitcraft.explore.agents.concolic_agent",
        {"module": module},
        (str(HERE), str(HERE.parent / "subjects")),
    )
    with Pool(spec, 1) as pool:
        subject = request_subject(pool, module)
        forest = ForestExploration(pool, chain(), case).explore(list(variants(subject, name)), most)
    SERVERS.close()
    while True:
        try:
            os.wait()
        except ChildProcessError:
            break
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    answer = {
        "paths": len(forest.found),
        "incomplete": forest.counts.unknown + forest.counts.cut + forest.counts.diverged,
        "exhausted": len(forest.found) < most,
        "cpu": sum(one.ru_utime + one.ru_stime for one in used),
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
