"""Crashes the interpreter: wild pointers, broken code, deep recursion in C."""

from __future__ import annotations

import ctypes


def peek(address: int = 0) -> bytes:
    """Read from nowhere."""
    return ctypes.string_at(address, 1)


def poke(address: int = 1) -> int:
    """Write to nowhere, through a function that raises no audit event."""
    return ctypes.memmove(address, b"x", 1)


def load(name: str = "libc.so.6") -> int:
    """Call the C library."""
    return ctypes.CDLL(name).getpid()


def broken_code() -> object:
    """Run a code object that makes no sense."""
    code = (lambda: None).__code__.replace(co_code=b"\x64\xff" * 3)
    return eval(code)


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
