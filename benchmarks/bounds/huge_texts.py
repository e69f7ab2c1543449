"""Functions that build huge texts, or search them slowly."""

import re


def repeat(text: str, times: int) -> str:
    """A text, many times."""
    return text * (times * 10**8)


def pad(text: str, width: int) -> str:
    """A text in a wide field."""
    return text.rjust(width * 10**9)


def matches(text: str) -> bool:
    """Backtracks exponentially."""
    return re.match(r"(a|aa)+(a|a)*$", "a" * (40 + len(text)) + "b") is not None


def join(words: list) -> str:
    """Joins words with something long."""
    return ("-" * 10**8).join([*map(str, words), "a", "b", "c"])
