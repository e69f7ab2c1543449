"""A digest of all the code that the verdicts of a campaign depend on.

Invariant: two runs with the same digest ran the same tests on the same subjects with the same
unitcraft, mutation operators and Python; installed packages and data files are not looked at.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from types import ModuleType
from typing import Final

import unitcraft

#: The modules that say which mutants there are: their text is the version of the operator set.
OPERATORS: Final = Path(__file__).with_name("mutants")


def digest_of(modules: Mapping[str, str], nodes: Iterable[str]) -> str:
    """A digest of ``nodes``, the operators, and the files of ``modules`` and of the project."""
    digest = blake2b(f"{sys.version} {unitcraft.__version__}".encode(), digest_size=16)
    for operators in sorted(OPERATORS.glob("*.py")):
        digest.update(operators.read_bytes())
    for node in nodes:
        digest.update(node.encode("utf-8", "surrogatepass") + b"\n")
    for file, content in content_of(modules).items():
        digest.update(f"{file}\n{content}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def content_of(modules: Mapping[str, str]) -> dict[str, str]:
    """File -> digest of its bytes, for ``modules`` and all loaded modules of the project."""
    own = [str(module.__file__) for module in own_modules()]
    return {file: content(file) for file in sorted({*own, *modules.values()})}


def own_modules() -> list[ModuleType]:
    """The loaded modules with a file that are neither installed nor of unitcraft, by name."""
    foreign = (*_installed(), "<", str(Path(unitcraft.__file__).parent))
    return [
        module
        for name, module in sorted(sys.modules.items())
        if issubclass(type(module), ModuleType)
        and isinstance(file := getattr(module, "__file__", None), str)
        and not file.startswith(foreign)
        and name != "__main__"
    ]


def content(file: str) -> str:
    """A digest of the bytes of a file; '' when it cannot be read."""
    try:
        return blake2b(Path(file).read_bytes(), digest_size=16).hexdigest()
    except OSError:
        return ""


def installed_modules() -> list[str]:
    """The loaded modules of Python itself and of installed packages, in the order of loading."""
    folders = _installed()
    return [
        name
        for name, module in list(sys.modules.items())
        if isinstance(file := getattr(module, "__file__", None), str)
        and file.startswith(folders)
        and name != "__main__"
    ]


def _installed() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    return (paths["stdlib"], paths["purelib"], paths["platlib"])
