"""Raises the layers of the guard in the right order, in a host and again in a worker.

Invariant: once ``raise_host`` has returned, no code of the Subject has run yet and no layer
can be lowered from inside.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from unitcraft.execute.policy import Policy
from unitcraft.execute.sandbox import landlock, limits, seccomp
from unitcraft.execute.sandbox.waivers import kernel_waivers

#: The folder of unitcraft, parts of which a worker may load late.
OURS = str(Path(__file__).parents[2])
#: The first version of Landlock that refuses to truncate files.
MIN_LANDLOCK: Final = 3
#: Files and folders that a strict host may read besides Python and the Subject.
SYSTEM_FILES = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/usr/share/zoneinfo"),
    *("/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types"),
    *("/dev/null", "/dev/urandom", "/dev/random", "/dev/zero", "/proc/self"),
)


def readable_roots(paths: Iterable[str]) -> list[str]:
    """Folders that hold Python, what is installed with it, unitcraft, and ``paths``."""
    python = [sys.prefix, sys.base_prefix, sys.exec_prefix, *sysconfig.get_paths().values()]
    return [*python, OURS, *(path for path in sys.path if path), *paths, *SYSTEM_FILES]


def raise_host(
    policy: Policy, scratch: str, paths: Iterable[str], memory_mb: int
) -> tuple[str, ...]:
    """Guard this process and those it will fork; the names of the layers in force."""
    limits.apply_limits(memory_mb)
    limits.prctl(limits.PR_SET_CHILD_SUBREAPER, 1)
    if policy.level == "off":
        return ("limits",)
    return ("audit", "limits", *_raise_kernel_layers(policy, (scratch,), paths))


def raise_command(
    policy: Policy, writable: tuple[str, ...], settings: dict[str, Any]
) -> tuple[str, ...]:
    """Guard this process, about to become a guarded command; the names of the layers in force."""
    limits.die_with_parent(settings["parent"])
    limits.apply_limits(settings["memory_mb"])
    if policy.level == "off":
        return ("limits",)
    lent = [folder for _, folder in settings["lent"]]
    readable = [*settings["paths"], *lent, str(Path.cwd())]
    layers = tuple(_raise_kernel_layers(policy, writable, readable))
    if not settings["forks"]:
        _forbid_processes(policy)
    return ("audit", "limits", *layers)


def is_confined(layers: tuple[str, ...]) -> bool:
    """Do these layers hold for C code too: files, network, programs?"""
    return "seccomp" in layers and any(
        f"landlock {version}" in layers for version in range(MIN_LANDLOCK, landlock.version() + 1)
    )


def raise_worker(policy: Policy, host: int) -> None:
    """The second layer: no new processes, signals to itself only, ends with the host."""
    limits.die_with_parent(host)
    if policy.level != "off":
        _forbid_processes(policy)


def _raise_kernel_layers(
    policy: Policy, writable: tuple[str, ...], paths: Iterable[str]
) -> Iterator[str]:
    """Raise the layers that the kernel has; yield their names."""
    waived = kernel_waivers(policy)
    folders = (*writable, *waived.folders)
    strict = policy.level == "strict"
    readable = [*readable_roots(paths), *folders] if strict else None
    if landlock.restrict((*folders, "/dev/null"), readable, network=waived.network):
        yield f"landlock {landlock.version()}"
    blocks = seccomp.host_blocks(limits.ancestors(), waived.spared)
    if seccomp.apply([*blocks, *seccomp.strict_blocks()] if strict else blocks):
        yield "seccomp"


def _forbid_processes(policy: Policy) -> None:
    """Take new processes away from this one, unless the user waived that."""
    if not kernel_waivers(policy).processes:
        seccomp.apply(seccomp.worker_blocks(os.getpid()))
