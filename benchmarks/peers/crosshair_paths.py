"""Counts the paths that CrossHair explores: runs in an environment of its own.

``python crosshair_paths.py CASE SECONDS`` prints a JSON object with ``paths`` (completed
iterations, each with decisions of its own), ``incomplete`` ones, ``exhausted`` and
``cpu`` seconds, those of children included.
"""

from __future__ import annotations

import inspect
import json
import resource
import sys
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "subjects")]

import mixed
from bin_search_tree import BinSearchTree
from crosshair.core_and_libs import standalone_statespace  # noqa: F401 - it registers the types
from crosshair.core import explore_paths
from crosshair.options import DEFAULT_OPTIONS, AnalysisOptionSet
from crosshair.statespace import RootNode


def inserts(a: int, b: int, c: int, d: int, e: int, f: int) -> None:
    """Six insertions into an empty tree."""
    tree = BinSearchTree()
    for value in (a, b, c, d, e, f):
        tree.insert(value)


CASES = {
    "trees": inserts,
    "strings": mixed.setting,
    "floats": mixed.triangle,
    "lists": mixed.merged,
}


def main(case: str, seconds: float) -> None:
    """Explore one case until nothing is left or the CPU time is used up."""
    function = CASES[case]
    stats: Counter[str] = Counter()
    options = DEFAULT_OPTIONS.overlay(
        AnalysisOptionSet(
            per_condition_timeout=seconds, max_uninteresting_iterations=0, max_iterations=10**9
        )
    )
    options.stats = stats
    paths = 0

    def complete(*_: Any) -> bool:
        nonlocal paths
        paths += 1
        return False

    explore_paths(
        lambda args: function(*args.args, **args.kwargs),
        inspect.signature(function, eval_str=True),
        options,
        RootNode(),
        complete,
        lambda: None,
    )
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    answer = {
        "paths": paths,
        "incomplete": stats["num_paths"] - paths,
        "exhausted": bool(stats["exhaustion"]),
        "cpu": sum(one.ru_utime + one.ru_stime for one in used),
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]))
