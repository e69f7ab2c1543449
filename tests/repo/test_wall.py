"""The wall: what shares a process with the Subject imports nothing of planning."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache

import pytest
from repository import SOURCE, graph, modules, nearest, resolved, tree

from unitcraft.execute.pool.host_process import BEGIN, OURS

#: Rooms whose code shares a process with the Subject.
GUARDED = (
    "execute.command.fork_service",
    "execute.command.forking",
    "execute.command.guarded_main",
    "execute.command.lent_packages",
    "execute.guest",
    "execute.isolation",
    "execute.sandbox",
    "instrument",
    "symbolic.containers",
    "symbolic.intercept",
    "symbolic.proxies",
    "state.heap",
    "subject.annotations",
    "subject.decorators",
    "subject.description",
    "subject.description_context",
    "subject.ducktypes.duck_probe",
    "subject.import_paths",
    "subject.literal_args",
    "subject.passing",
    "subject.reading",
    "subject.static_lookup",
    "explore.agents",
    "infer.agents",
    "heaps.guest",
    "suite.mutation.agents",
    "suite.mutation.mutants",
    "suite.mutation.session",
    "suite.recording.guest",
    "suite.recording.recorded_functions",
    "suite.recording.representations",
    "emit.verify.leaked_state",
    "emit.verify.verifier_main",
)
#: What both sides read: plain data, its encoding, and functions of it.
SHARED = (
    "core",
    "execute.frames",
    "execute.policy",
    "execute.spec",
    "execute.steps",
    "heaps.field_kind",
    "heaps.shape_facts",
    "solve.budget",
    "solve.differences",
    "solve.layer",
    "solve.protocol",
    "solve.statistics",
    "symbolic.terms.operations",
    "symbolic.terms.raise_conditions",
    "symbolic.terms.term",
    "subject.ducktypes.probe_operation",
    "subject.known_types",
    "subject.model",
    "subject.scopes",
    "subject.source_files",
    "subject.subject_codec",
    "suite.mutation.code_digest",
    "suite.mutation.verdicts",
    "suite.recording.pytest_options",
    "suite.recording.recordings",
)
#: Modules of ours that one import may bring beside the Subject, packages not counted.
MAX_MODULES = 40
#: The modules that a guarded process is told to load.
ENTRIES = (
    "execute.command.fork_service",
    "execute.guest.host",
    "execute.command.guarded_main",
    "explore.agents.concolic_agent",
    "explore.agents.description_agent",
    "explore.agents.influence_agent",
    "explore.agents.replay_agent",
    "explore.agents.search_agent",
    "infer.agents.table_agent",
    "heaps.guest.fields_agent",
    "heaps.guest.heaps_agent",
    "heaps.guest.state_agent",
    "suite.mutation.agents.kill_check",
    "suite.mutation.session.session_main",
    "subject.passing.passing_agent",
    "suite.recording.guest.recorder_main",
    "emit.verify.verifier_main",
)
#: Those that are pytest plug-ins, and so may load it.
UNDER_PYTEST = (
    "suite.mutation.session.session_main",
    "suite.recording.guest.recorder_main",
    "emit.verify.verifier_main",
)
#: Libraries of the planner.
HEAVY = ("z3", "rich", "click", "pytest")
KNOWN = frozenset(modules())
PACKAGES = frozenset(name for name, file in modules().items() if file.name == "__init__.py")
PLAIN = sorted(KNOWN - PACKAGES)


@cache
def side(name: str) -> str:
    """'guarded', 'shared' or 'planning'; a package counts as its room, or as shared."""
    if any(f"unitcraft.{room}." in f"{name}." for room in GUARDED):
        return "guarded"
    is_shared = name in PACKAGES or any(f"unitcraft.{room}." in f"{name}." for room in SHARED)
    return "shared" if is_shared else "planning"


def names_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


@cache
def loads(name: str) -> frozenset[str]:
    """What ``name`` imports when it runs, at once or late, and the packages that it stands in."""
    file = modules()[name]
    found: list[str] = [name[:place] for place in range(len(name)) if name[place] == "."]
    todo: list[ast.AST] = [tree(file)]
    while todo:
        node = todo.pop()
        if names_type_checking(node):
            continue
        todo += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = resolved(node, name, file)
            found += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return frozenset(nearest(one, KNOWN) for one in found) - {"", name}


def closure(name: str) -> frozenset[str]:
    """All modules that importing ``name`` may load, itself included."""
    seen: set[str] = set()
    todo = [name]
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo += loads(one)
    return frozenset(seen)


def test_modules_beside_the_subject_know_nothing_of_planning():
    """Imports for types count too: a reader follows them."""
    allowed = {"shared": {"shared"}, "guarded": {"shared", "guarded"}}
    beside = {name: allowed[side(name)] for name in PLAIN if side(name) != "planning"}
    assert len(beside) > 200
    assert [(name, other) for name, sides in beside.items() for other in graph()[name]
            if side(other) not in sides] == []  # fmt: skip


@pytest.mark.parametrize("entry", ENTRIES)
def test_entry_loads_few_modules_and_none_that_plans(entry):
    found = closure(f"unitcraft.{entry}")
    assert sorted(name for name in found if side(name) == "planning") == []
    assert len(found - PACKAGES) <= MAX_MODULES


@pytest.mark.parametrize("entry", ENTRIES)
def test_importing_an_entry_loads_what_its_text_says(entry):
    """In an interpreter of its own; and no library of the planner."""
    code = f"import sys, unitcraft.{entry}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=SOURCE.parent, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    ours = {name for name in loaded if name.partition(".")[0] == "unitcraft"}
    allowed = {"pytest"} if entry in UNDER_PYTEST else set()
    assert (loaded & set(HEAVY)) - allowed == set()
    assert ours <= closure(f"unitcraft.{entry}")


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry not in UNDER_PYTEST])
def test_an_entry_needs_the_standard_library_only(entry):
    """As an interpreter of the project starts it, here one in which nothing at all is installed."""
    code = f"{BEGIN}\nimport unitcraft.{entry}\nprint(*sys.modules)\nprint(*sys.path)"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, OURS], capture_output=True, text=True, check=True
    )
    names, path = done.stdout.splitlines()
    tops = {name.partition(".")[0] for name in names.split()}
    assert tops - set(sys.stdlib_module_names) <= {"unitcraft", "__main__"}
    assert OURS not in path.split()


def test_every_agent_is_an_entry():
    agents = {name for name in PLAIN if name.endswith(("_agent", "_main"))}
    assert {f"unitcraft.{entry}" for entry in ENTRIES} >= agents


def test_listed_rooms_exist():
    assert {f"unitcraft.{room}" for room in (*GUARDED, *SHARED)} - KNOWN == set()


def test_a_planner_is_told_from_what_it_plans_for():
    assert side("unitcraft.explore.search.goal_search") == "planning"
    assert side("unitcraft.explore.agents.search_agent") == "guarded"
    assert side("unitcraft.core.sequences") == "shared"


def test_imports_for_types_are_not_loaded():
    name = "unitcraft.explore.agents.replay_agent"
    assert "unitcraft.core.encoding" in graph()[name]
    assert "unitcraft.core.encoding" not in loads(name)
