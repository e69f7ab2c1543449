"""The model of a maze game: a board of cells, guests on them, moves, and a game with states.

The asserts are contracts.  To win takes a game that was started, and moves of its player on to all
cells with food.
"""

from __future__ import annotations


class Cell:
    """A place on a board, with at most one guest."""

    def __init__(self, x: int, y: int) -> None:
        assert x >= 0, "cells have positive coordinates"
        assert y >= 0, "cells have positive coordinates"
        self.x = x
        self.y = y
        self.guest: Guest | None = None

    def is_free(self) -> bool:
        """Is there no guest?"""
        return self.guest is None

    def is_next_to(self, other: Cell) -> bool:
        """Is it one step away?"""
        return abs(self.x - other.x) + abs(self.y - other.y) == 1


class Guest:
    """Something that can stand on a cell."""

    def __init__(self) -> None:
        self.cell: Cell | None = None

    def enter(self, cell: Cell) -> None:
        """Stand on a cell."""
        assert self.cell is None, "the guest stands nowhere"
        assert cell.guest is None, "the cell is free"
        self.cell = cell
        cell.guest = self
        assert cell.guest.cell is cell, "guest and cell know each other"

    def leave(self) -> None:
        """Stand nowhere."""
        assert self.cell is not None, "the guest stands somewhere"
        self.cell.guest = None
        self.cell = None

    def blocks(self) -> bool:
        """Does it keep others away?"""
        return True


class Wall(Guest):
    """Nobody can walk through a wall."""


class Food(Guest):
    """Food is eaten by the player that comes."""

    def __init__(self, points: int) -> None:
        super().__init__()
        assert points > 0, "food is worth something"
        self.points = points

    def blocks(self) -> bool:
        """Does it keep others away?"""
        return False


class Monster(Guest):
    """A monster kills the player that comes."""


class Player(Guest):
    """The player: alive or not, with the points of what was eaten."""

    def __init__(self) -> None:
        super().__init__()
        self.points = 0
        self.alive = True

    def eat(self, food: Food) -> None:
        """Take the points of food, which is gone then."""
        assert self.alive, "only the living eat"
        self.points += food.points
        food.leave()

    def die(self) -> None:
        """Be alive no longer."""
        assert self.alive, "one dies once"
        self.alive = False


class Move:
    """A step of a player to a cell next to its own."""

    def __init__(self, player: Player, target: Cell) -> None:
        self.player = player
        self.target = target
        self.done = False

    def is_possible(self) -> bool:
        """May the player go there now?"""
        if self.done or not self.player.alive or self.player.cell is None:
            return False
        if not self.player.cell.is_next_to(self.target):
            return False
        guest = self.target.guest
        return guest is None or isinstance(guest, Monster) or not guest.blocks()

    def apply(self) -> str:
        """Go there; answers what came of it."""
        assert self.is_possible(), "the move is possible"
        guest = self.target.guest
        self.done = True
        if isinstance(guest, Monster):
            self.player.die()
            return "killed"
        if isinstance(guest, Food):
            self.player.eat(guest)
        self.player.leave()
        self.player.enter(self.target)
        return "ate" if guest is not None else "moved"


class Game:
    """A game: it is started once, and won when the player has the points that it asks for."""

    def __init__(self, player: Player, goal: int) -> None:
        assert goal > 0, "there is something to win"
        self.player = player
        self.goal = goal
        self.state = "new"

    def start(self) -> None:
        """Begin."""
        assert self.state == "new", "a game starts once"
        self.state = "running"

    def pause(self) -> None:
        """Wait, or go on."""
        if self.state == "running":
            self.state = "paused"
        elif self.state == "paused":
            self.state = "running"

    def play(self, move: Move) -> str:
        """Do a move of the player; answers what came of it."""
        if self.state != "running":
            return "not running"
        if move.player is not self.player:
            return "somebody else"
        if not move.is_possible():
            return "impossible"
        found = move.apply()
        if found == "killed":
            self.state = "lost"
        elif self.player.points >= self.goal:
            self.state = "won"
        return found
