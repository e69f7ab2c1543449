"""The agents, and all that they import, share a process with the Subject."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import unitcraft
from unitcraft.explore import agents

#: Parts that plan: none of them may be loaded beside the Subject.
PLANNERS = (
    "unitcraft.explore.search", "unitcraft.explore.concolic", "unitcraft.explore.statespace",
    "unitcraft.explore.explain", "unitcraft.subject.values", "unitcraft.execute.pool",
    "unitcraft.solve", "unitcraft.suite", "unitcraft.emit", "unitcraft.app",
)  # fmt: skip


def loaded(module: str) -> list[str]:
    """The modules of unitcraft that an interpreter holds after importing ``module``."""
    code = f"import sys, {module}; print(*[one for one in sys.modules if one[:9] == 'unitcraft'])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(unitcraft.__file__).parents[1],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


@pytest.mark.parametrize(
    "name", sorted(file.stem for file in Path(agents.__path__[0]).glob("*.py"))
)
def test_no_planner_shares_a_process_with_the_subject(name):
    planners = [one for one in loaded(f"{agents.__name__}.{name}") if one.startswith(PLANNERS)]
    assert planners == []
