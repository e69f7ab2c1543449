"""Functions that print for ever."""

import sys


def shout(word: str) -> None:
    """Prints a word again and again."""
    while True:
        print(word)


def flood(size: int) -> int:
    """Writes much at once."""
    return sys.stdout.write("x" * (size * 10**7))


def warn(text) -> None:
    """Writes to standard error, and swallows what goes wrong."""
    while True:
        try:
            sys.stderr.write(str(text) * 1000)
        except Exception:
            continue
