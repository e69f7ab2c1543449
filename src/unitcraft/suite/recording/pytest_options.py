"""The options that every guarded run of a user's suite gives to pytest.

Invariant: they change what pytest writes and where the suite runs, never what a test means.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

#: Always: what pytest would write or catch beside the suite.
OPTIONS: Final = ("-q", "--no-header", "--no-summary", "--tb=short", "-p", "no:cacheprovider")

#: Plugins that would run the suite elsewhere or in another order, and how to keep them from it.
STILLED: Final = (
    ("xdist", ("-n", "0")),
    ("pytest_cov", ("--no-cov",)),
    ("pytest_randomly", ("-p", "no:randomly")),
)


def options_of_pytest() -> list[str]:
    """The options, with those for the plugins that are installed."""
    stilled = [word for name, words in STILLED if find_spec(name) is not None for word in words]
    return [*OPTIONS, *stilled]
