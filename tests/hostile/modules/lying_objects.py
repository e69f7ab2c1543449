"""Objects whose special methods raise or lie."""

from __future__ import annotations


class Liar:
    """Equal to everything, hashes at random, shows an address, has every attribute."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return 5  # type: ignore

    def __getattr__(self, name: str) -> str:
        return name

    def __len__(self) -> int:
        return -1

    def __bool__(self) -> bool:
        raise ValueError("neither")

    @property
    def __class__(self):
        return int


class Explosive:
    """Raises from everything."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("eq")

    def __hash__(self) -> int:
        raise RuntimeError("hash")

    def __repr__(self) -> str:
        raise RuntimeError("repr")

    def __getattribute__(self, name: str) -> object:
        raise RuntimeError(name)


REGISTRY = [Liar(), Explosive()]


def liar() -> Liar:
    """A liar."""
    return Liar()


def explosive() -> Explosive:
    """One that explodes on touch."""
    return Explosive()


def swap() -> int:
    """Change a global whose members lie about equality."""
    REGISTRY[0] = Liar()
    REGISTRY.append(Explosive())
    return len(REGISTRY)


class LyingError(Exception):
    """An exception that cannot be shown."""

    def __str__(self) -> str:
        raise RuntimeError("str")


def fail() -> None:
    """Raise what cannot be shown."""
    raise LyingError


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
