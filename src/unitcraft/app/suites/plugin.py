"""The pytest plugin: ``pytest --unitcraft=check|select|prioritize``.

Invariant: unless the option is given, two hooks run once each and nothing is imported.
"""

from __future__ import annotations

import os
from typing import Final

import pytest

#: Set in the runs that unitcraft starts itself, which must not start others.
INNER: Final = "UNITCRAFT_INNER_RUN"

#: Values of ``--unitcraft``.
MODES: Final = ("check", "select", "prioritize")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("unitcraft")
    group.addoption(
        "--unitcraft",
        choices=MODES,
        help="check: report redundant, weak and flaky tests; select: leave redundant tests out; "
        "prioritize: run first what adds most",
    )
    group.addoption(
        "--unitcraft-subject",
        action="append",
        default=[],
        metavar="MODULE",
        help="module or package that the tests are about",
    )
    parser.addini(
        "unitcraft_subjects", "modules or packages that the tests are about", "args", default=[]
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the mode that ``--unitcraft`` names, if any.

    Raises UsageError when no subject is named.
    """
    mode = config.getoption("unitcraft")
    if mode is None or INNER in os.environ or hasattr(config, "workerinput"):
        return
    subjects = config.getoption("unitcraft_subject") or config.getini("unitcraft_subjects")
    if not subjects:
        raise pytest.UsageError("--unitcraft needs --unitcraft-subject MODULE")
    from unitcraft.app.suites.plugin_modes import Modes

    config.pluginmanager.register(Modes(config, mode, tuple(subjects), INNER), "unitcraft-modes")
