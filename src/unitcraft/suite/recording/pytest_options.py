"""The options that every guarded run of a user's suite gives to pytest.

Invariant: they change what pytest writes and where the suite runs, never what a test means.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from typing import Final

#: Options of every run: less output.
OPTIONS: Final = ("-q", "--no-header", "--no-summary", "--tb=short")

#: Plugins that would run the suite in other processes or in another order; options against that.
DISABLED_PLUGINS: Final = (
    ("xdist", ("-n", "0")),
    ("pytest_cov", ("--no-cov",)),
    ("pytest_randomly", ("-p", "no:randomly")),
)


#: pytest warns of a plugin that was imported before it began, as unitcraft is here.  Where a
#: project turns warnings into errors, no test would run.  The last filter counts.
QUIET_ABOUT_US: Final = ("-W", "ignore::pytest.PytestAssertRewriteWarning")


def pytest_command_line(arguments: Iterable[str]) -> list[str]:
    """The options, including those against installed plugins, around a suite's ``arguments``.

    pytest's cache is a new folder among the temporary ones: plugins ask for it (``config.cache``),
    settings as well (``--ff``), and what an earlier run remembers is no matter of this one.
    """
    cache = tempfile.mkdtemp(prefix="pytest-cache-")
    disabling = [
        word for name, words in DISABLED_PLUGINS if find_spec(name) is not None for word in words
    ]
    return [*OPTIONS, "-o", f"cache_dir={cache}", *disabling, *arguments, *QUIET_ABOUT_US]
