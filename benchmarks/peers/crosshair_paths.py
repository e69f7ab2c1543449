"""Counts the paths that CrossHair explores: runs in an environment of its own.

``python crosshair_paths.py CASE MODE SECONDS`` prints a JSON object with ``paths`` (completed
iterations, each with decisions of its own), ``incomplete`` ones, ``exhausted`` and
``cpu`` seconds, those of children included.  Modes: ``bare`` explores only, ``inputs`` also asks
for concrete arguments of every path, ``cover`` is what ``crosshair cover`` does.
"""

from __future__ import annotations

import inspect
import json
import resource
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "subjects"))

import mixed
from bin_search_tree import BinSearchTree
from crosshair.core import ExceptionFilter, deep_realize, explore_paths
from crosshair.core_and_libs import standalone_statespace  # noqa: F401 - it registers the types
from crosshair.fnutil import FunctionInfo
from crosshair.options import DEFAULT_OPTIONS, AnalysisOptions, AnalysisOptionSet
from crosshair.path_cover import CoverageType, path_cover
from crosshair.statespace import RootNode, StateSpace


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


def main(case: str, mode: str, seconds: float) -> None:
    """Explore one case until nothing is left or the CPU time is used up."""
    function = CASES[case]
    options = DEFAULT_OPTIONS.overlay(
        AnalysisOptionSet(
            per_condition_timeout=seconds, max_uninteresting_iterations=0, max_iterations=10**9
        )
    )
    options.stats = Counter()
    paths = covered(function, options) if mode == "cover" else explored(function, options, mode)
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    answer = {
        "paths": paths,
        "incomplete": options.stats["num_paths"] - paths,
        "exhausted": bool(options.stats["exhaustion"]),
        "cpu": sum(one.ru_utime + one.ru_stime for one in used),
    }
    print(json.dumps(answer))


def explored(function: Callable[..., Any], options: AnalysisOptions, mode: str) -> int:
    """Completed iterations; with ``inputs`` the arguments of each are made concrete."""
    paths = 0

    def complete(space: StateSpace, arguments: Any, *_: Any) -> bool:
        nonlocal paths
        with ExceptionFilter():
            if mode == "inputs":
                space.detach_path()
                deep_realize(arguments)
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
    return paths


def covered(function: Callable[..., Any], options: AnalysisOptions) -> int:
    """The paths that ``crosshair cover`` collects before it chooses among them."""
    found = path_cover(FunctionInfo.from_fn(function), options, CoverageType.PATH)
    return len(found)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
