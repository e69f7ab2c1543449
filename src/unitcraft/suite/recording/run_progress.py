"""How far a run of a suite is: a thread looks at the file that grows by a byte for each test.

Invariant: nobody waits for the thread longer than for one look, and it ends with the run.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

#: Seconds between two looks: as often does a person want to see that something happens.
LOOK_SECONDS: Final = 5.0


@contextmanager
def following(
    file: Path, tell: Callable[[int, int], None] | None, every: float = LOOK_SECONDS
) -> Iterator[None]:
    """While the body runs, tell how many tests ended, of how many, as ``file`` has it."""
    if tell is None:
        yield
        return
    over = threading.Event()
    thread = threading.Thread(target=_follow, args=(file, tell, every, over), daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _follow(
    file: Path, tell: Callable[[int, int], None], every: float, over: threading.Event
) -> None:
    while not over.wait(every):
        total, line, ended = (
            file.read_bytes().partition(b"\n") if file.exists() else (b"", b"", b"")
        )
        if line and not over.is_set():
            tell(len(ended), int(total))
