"""The first code of a guarded command: raises the layers, then becomes the command.

Invariant: nothing of the command runs before the layers are in force.
"""

from __future__ import annotations

import json
import os
import runpy
import sys

from unitcraft.execute.command import forking, lent_packages
from unitcraft.execute.policy import Policy
from unitcraft.execute.sandbox import audit, clock, guard, stand_ins


def main(parent: int, words: list[str], _: list[int]) -> None:
    """Run the command line that follows the settings in ``words``."""
    settings = json.loads(words[0]) | {"parent": parent}
    command = words[1:]
    policy = Policy(settings["level"], tuple((event, glob) for event, glob in settings["allow"]))
    sys.dont_write_bytecode = True
    writable = tuple(os.path.realpath(path) for path in settings["writable"])
    layers = guard.raise_command(policy, writable, settings)
    roots = tuple(settings["paths"])
    journal = audit.Journal(policy, writable, roots, confined=guard.is_confined(layers))
    audit.install(journal)
    stand_ins.install(policy)
    if settings["forks"]:
        forking.enable_forks(journal, policy)
    sys.path[:0] = roots
    lent_packages.lend(settings["lent"])
    clock.announce_sleep()
    if settings["clock_shift"]:
        clock.shift(settings["clock_shift"])
    run_as_main(command)


def run_as_main(command: list[str]) -> None:
    """Run ``-m module arguments`` or ``script arguments`` as ``__main__``."""
    if command[0] == "-m":
        sys.argv = command[1:]
        runpy.run_module(command[1], run_name="__main__", alter_sys=True)
    else:
        sys.argv = command
        runpy.run_path(command[0], run_name="__main__")
