"""A string parser: a magic prefix, a separator, a number, a regular expression."""

import re

VERSION = re.compile(r"v(\d+)\.(\d+)")


def parse(line: str) -> tuple[str, str] | None:
    if not line.startswith("key="):
        return None
    name, separator, value = line[4:].partition(":")
    if not separator:
        return (name, "")
    return (name, value.strip())


def version(text: str) -> int:
    found = VERSION.fullmatch(text)
    if found is None:
        raise ValueError(f"not a version: {text}")
    major, minor = int(found.group(1)), int(found.group(2))
    return major * 100 + minor


def flag(word: str) -> bool:
    if word.lower() in ("yes", "on"):
        return True
    if word.lower() in ("no", "off"):
        return False
    raise KeyError(word)
