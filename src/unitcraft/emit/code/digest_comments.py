"""Short digests of written tests, and the comment lines at the end of a file that hold them.

Above them stand the names of tests that were deleted by hand, or that fail with the project's
conftest, one to a line.

Invariant: a digest depends on the name and the tokens of a function, not on its layout,
so that another formatter does not make every test look edited.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from typing import Final

#: The first characters of each line that holds digests.
TABLE_PREFIX: Final = "# unitcraft: "

#: The first characters of each line that names a test which a person deleted.
DELETED_PREFIX: Final = "# Deleted, and left out by unitcraft: "

#: The first characters of each line that names a test of ours which fails where the file lives.
FAILING_PREFIX: Final = "# Failing with the conftest, and left out by unitcraft: "

#: Characters of one digest: 24 bits, so that one edit in 16 million goes unnoticed.
_DIGITS: Final = 4

#: Digests of one line, which then has 85 columns.
_PER_LINE: Final = 18


def digest(name: str, text: str) -> str:
    """Four characters for the function ``name`` (qualified by its class) with this ``text``."""
    bare = re.sub(r"[\s,()\"']+", "", text)
    raw = hashlib.blake2b(f"{name}\n{bare}".encode("utf-8", "surrogatepass"), digest_size=3)
    return base64.b64encode(raw.digest(), b"-_").decode()


def digest_lines(functions: Iterable[tuple[str, str]]) -> list[str]:
    """The comment lines for (qualified name, text) pairs."""
    found = [digest(name, text) for name, text in functions]
    rows = [found[start : start + _PER_LINE] for start in range(0, len(found), _PER_LINE)]
    return [TABLE_PREFIX + "".join(row) for row in rows]


def digests_in(lines: Iterable[str]) -> frozenset[str]:
    """The digests in the comment lines of a file."""
    joined = "".join(
        [line[len(TABLE_PREFIX) :].strip() for line in lines if line.startswith(TABLE_PREFIX)]
    )
    return frozenset(joined[at : at + _DIGITS] for at in range(0, len(joined), _DIGITS))


def name_lines(prefix: str, names: Iterable[str]) -> list[str]:
    """The comment lines that begin with ``prefix`` and name tests."""
    return [prefix + name for name in names]


def names_after(prefix: str, lines: Iterable[str]) -> tuple[str, ...]:
    """The names of tests in the comment lines of a file that begin with ``prefix``."""
    found = [line.removeprefix(prefix).strip() for line in lines if line.startswith(prefix)]
    return tuple(dict.fromkeys(found))
