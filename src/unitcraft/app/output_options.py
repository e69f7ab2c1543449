"""How a run talks: the flags that concern its output only.

Invariant: two runs that differ in their Shape alone write the same files.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Shape:
    """What goes to standard output, and how much to standard error.

    ``form`` is the form of the report: full, concise or json.
    """

    stdout: bool = False
    diff: bool = False
    form: str = "full"
    quiet: bool = False
    verbose: bool = False
