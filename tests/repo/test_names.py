"""Dotted names in the documents lead to code, and every module has its place on the map."""

from __future__ import annotations

import ast
import re

import pytest
from repository import LAYERS, ROOT, modules, nearest, tree

DOCUMENTS = ("ARCHITECTURE.md", "CONTRIBUTING.md", "docs/vocabulary.md", "docs/algorithms.md")
DOTTED = re.compile(rf"`(?:unitcraft\.)?((?:{'|'.join(LAYERS)})(?:\.\w+)+)`")
KEYS = set(re.findall(r"^@\w+\{([^,]+),", (ROOT / "docs/references.bib").read_text(), re.MULTILINE))
ALGORITHMS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs/algorithms.md").read_text().splitlines()
    if line.startswith("|") and "`" in line
]


def dotted_names(document: str) -> list[str]:
    text = (ROOT / document).read_text()
    text = re.sub(r"(?s)<!-- former names -->.*?<!-- end -->", "", text)
    return sorted(set(DOTTED.findall(text)))


def defines(body: list[ast.stmt], names: list[str]) -> bool:
    """Is ``names`` a path of definitions below ``body``: a class and its member, a function?"""
    if not names:
        return True
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found, inner = {node.name}, node.body
        elif isinstance(node, ast.Assign):
            found, inner = {t.id for t in node.targets if isinstance(t, ast.Name)}, []
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found, inner = {node.target.id}, []
        else:
            continue
        if names[0] in found and defines(inner, names[1:]):
            return True
    return False


def resolves(dotted: str) -> bool:
    known = frozenset(modules())
    module = nearest(f"unitcraft.{dotted}", known)
    rest = f"unitcraft.{dotted}"[len(module) + 1 :]
    return module != "unitcraft" and defines(
        tree(modules()[module]).body, rest.split(".") if rest else []
    )


@pytest.mark.parametrize("document", DOCUMENTS)
def test_dotted_names_resolve(document):
    assert [name for name in dotted_names(document) if not resolves(name)] == []


def test_names_that_lead_nowhere_are_seen():
    assert not resolves("core.sequences.Nothing")
    assert not resolves("core.nothing")
    assert resolves("core.sequences.Sequence")


def test_algorithms_are_where_the_table_says():
    lost = [algorithm for algorithm, _, place in ALGORITHMS if not resolves(place.strip("`"))]
    assert lost == []
    assert [source for _, source, _ in ALGORITHMS if source not in {*KEYS, "-"}] == []


def test_every_module_is_on_the_map():
    """The code map of ARCHITECTURE.md names each module, by its last name, in backticks."""
    text = (ROOT / "ARCHITECTURE.md").read_text()
    named = {part for name in re.findall(r"`([\w.]+)`", text) for part in name.split(".")}
    plain = [name for name in modules() if not modules()[name].name.startswith("__")]
    assert [name for name in plain if name.rpartition(".")[2] not in named] == []
