"""Puts text into files, wholly or not at all.

Invariant: whatever happens (full disk, killed process, power cut), a path holds
either its old content or the new one; the temporary file beside it is removed
unless the process itself was killed.
"""

from __future__ import annotations

import contextlib
import errno
import os
import tempfile
from pathlib import Path

from unitcraft.core.errors import UnitcraftError

#: Error numbers of a full disk, a used-up quota and a file that is too large.
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def write_atomically(path: Path, text: str, encoding: str = "utf-8") -> None:
    """Make ``path`` hold ``text``, and its directory where it is missing.

    Raises UnitcraftError: ``disk-full`` or ``output-not-writable``; the old file is then intact.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, text.encode(encoding))
    except OSError as error:
        raise write_error(str(path), error) from error


def read_if_present(path: Path) -> str | None:
    """The text of ``path``, or None when there is no such file.

    Raises UnitcraftError: ``output-not-writable`` when it exists and cannot be read as UTF-8.
    """
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise write_error(str(path), error) from error


def _replace(path: Path, data: bytes) -> None:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).chmod(_mode_of(path))
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _mode_of(path: Path) -> int:
    """The permissions of the old file, or those that a new file gets here."""
    try:
        return path.stat().st_mode & 0o7777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask


def write_error(path: str, error: OSError | UnicodeDecodeError) -> UnitcraftError:
    """The error for a ``path`` that cannot be written: ``disk-full`` or ``output-not-writable``."""
    if isinstance(error, OSError) and error.errno in _FULL:
        return UnitcraftError(
            "disk-full",
            f"no space left to write {path}",
            cause=str(error),
            advice="free some space and run the same command again: finished targets are kept",
        )
    return UnitcraftError(
        "output-not-writable",
        f"cannot write {path}",
        cause=str(error),
        advice="choose another directory with --output, or print the suite with --stdout",
    )
