"""The only source of random choices: one Random for each named purpose, from one seed.

Invariant: two purposes never share a stream of numbers, so that an added draw in one place
leaves the choices of every other place unchanged.
"""

from __future__ import annotations

import hashlib
import random


def seeded_random(seed: int, *purpose: str | int) -> random.Random:
    """A Random that depends on ``seed`` and ``purpose`` only (not on hash randomisation)."""
    text = "\x1f".join(str(part) for part in (seed, *purpose))
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return random.Random(int.from_bytes(digest, "big"))  # noqa: S311
