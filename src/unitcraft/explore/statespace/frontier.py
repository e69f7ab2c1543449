"""The order in which states are explored: the states of one iteration at a time.

Invariant: every state that was put is taken at most once, and the order depends only on
the states and on the order in which they were put.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

S = TypeVar("S")


class Frontier(Protocol[S]):
    """New states that wait to be explored."""

    def put(self, state: S) -> None:
        """Let ``state`` wait."""

    def take(self) -> list[S]:
        """The states of the next iteration, removed; none when nothing waits."""


class BreadthFirst(Generic[S]):
    """All states of one depth, in the order of discovery: the paper's frontier set."""

    def __init__(self) -> None:
        self._waiting: list[S] = []

    def put(self, state: S) -> None:
        """Let ``state`` wait for the next iteration."""
        self._waiting.append(state)

    def take(self) -> list[S]:
        """Everything that waits."""
        layer, self._waiting = self._waiting, []
        return layer


class BestFirst(Generic[S]):
    """The ``width`` waiting states with the least ``key``; equal ones in the order of discovery.

    With a key such as "branches next to this state that are still uncovered, negated" it
    prefers uncovered branches.  Keys are asked when states are taken, not when they are put, so
    that they may change as coverage grows.  What is not taken goes on waiting.
    """

    def __init__(self, key: Callable[[S], Any], width: int) -> None:
        self._key = key
        self._width = width
        self._waiting: list[S] = []

    def put(self, state: S) -> None:
        """Let ``state`` wait."""
        self._waiting.append(state)

    def take(self) -> list[S]:
        """The best ``width`` states."""
        self._waiting.sort(key=self._key)
        layer, self._waiting = self._waiting[: self._width], self._waiting[self._width :]
        return layer
