"""A digest of all the code that the verdicts of a campaign depend on.

Invariant: two runs with the same digest ran the same tests on the same subjects with the same
unitcraft and Python; installed packages and data files are not looked at.
"""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from types import ModuleType

import unitcraft


def digest_of(modules: Mapping[str, str], nodes: Iterable[str]) -> str:
    """Over the files of ``modules``, of all loaded modules that are not installed, the tests."""
    own = [str(module.__file__) for module in own_modules()]
    digest = blake2b(f"{sys.version} {unitcraft.__version__}".encode(), digest_size=16)
    for node in nodes:
        digest.update(node.encode("utf-8", "surrogatepass") + b"\n")
    for file in sorted({*own, *modules.values()}):
        digest.update(file.encode() + b"\n" + _content(file) + b"\n")
    return digest.hexdigest()


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


def _content(file: str) -> bytes:
    try:
        return blake2b(Path(file).read_bytes()).digest()
    except OSError:
        return b""


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
