"""Files, variables of the environment, output and the clock."""

import os
import sys
import time
from pathlib import Path


def read_version(folder: Path) -> str:
    """The version of the project in a folder."""
    file = folder / "VERSION"
    if not file.exists():
        return "0.0.0"
    text = file.read_text().strip()
    if text.startswith("v"):
        return text[1:]
    return text


def cache_folder():
    if os.environ.get("TOOL_CACHE"):
        return os.environ["TOOL_CACHE"]
    home = os.environ.get("XDG_CACHE_HOME")
    if home is None:
        return "~/.cache/tool"
    return os.path.join(home, "tool")


class Lock:
    """A file that says who works in a folder; an old one counts no more."""

    def __init__(self, path, patience: float = 60.0):
        self.path = path
        self.patience = patience

    def acquire(self, owner: str) -> bool:
        if os.path.isfile(self.path):
            age = time.time() - os.stat(self.path).st_mtime
            if age < self.patience:
                print(f"locked for {age:.0f} s", file=sys.stderr)
                return False
            os.remove(self.path)
        with open(self.path, "w") as file:
            file.write(owner)
        return True
