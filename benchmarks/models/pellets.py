"""A game in a maze: board, cells, guests, moves, monsters, levels, and an engine with states.

The asserts are contracts.  Some methods do their work only after six to eight calls: a level is
won when all food is eaten, a monster is eaten only after a pill, a game is lost with its last life.
"""

from __future__ import annotations

from enum import Enum


class Direction(Enum):
    """Where a guest may go."""

    UP = (0, -1)
    DOWN = (0, 1)
    LEFT = (-1, 0)
    RIGHT = (1, 0)

    def opposite(self) -> Direction:
        """The way back."""
        across, down = self.value
        return Direction((-across, -down))

    def is_level(self) -> bool:
        """Does it lead to the left or to the right?"""
        return self.value[1] == 0


class Cell:
    """A place on a board, with its guests."""

    def __init__(self, x: int, y: int) -> None:
        assert x >= 0, "cells have positive coordinates"
        assert y >= 0, "cells have positive coordinates"
        self.x = x
        self.y = y
        self.guests: list[Guest] = []

    def is_free(self) -> bool:
        """Is there nothing that keeps others away?"""
        return not any(guest.blocks() for guest in self.guests)

    def distance(self, other: Cell) -> int:
        """Steps to another cell, walls left out of account."""
        return abs(self.x - other.x) + abs(self.y - other.y)

    def top(self) -> Guest | None:
        """The guest that came last."""
        return self.guests[-1] if self.guests else None


class Guest:
    """Something that can stand on a cell."""

    def __init__(self) -> None:
        self.cell: Cell | None = None

    def enter(self, cell: Cell) -> None:
        """Stand on a cell."""
        assert self.cell is None, "the guest stands nowhere"
        assert cell.is_free(), "nothing keeps it away"
        self.cell = cell
        cell.guests.append(self)
        assert cell.top() is self, "it came last"

    def leave(self) -> None:
        """Stand nowhere."""
        assert self.cell is not None, "the guest stands somewhere"
        self.cell.guests.remove(self)
        self.cell = None

    def blocks(self) -> bool:
        """Does it keep others away?"""
        return False

    def letter(self) -> str:
        """How a map shows it."""
        return "?"


class Wall(Guest):
    """Nobody walks through a wall."""

    def blocks(self) -> bool:
        """Does it keep others away?"""
        return True

    def letter(self) -> str:
        """How a map shows it."""
        return "#"


class Food(Guest):
    """Food is eaten by the player that comes."""

    def __init__(self, points: int = 10) -> None:
        super().__init__()
        assert points > 0, "food is worth something"
        self.points = points

    def letter(self) -> str:
        """How a map shows it."""
        return "." if self.points < 50 else "o"


class Pill(Food):
    """A pill lets the player eat monsters for some steps."""

    def __init__(self, points: int = 50, steps: int = 4) -> None:
        super().__init__(points)
        assert steps > 0, "it works for a while"
        self.steps = steps


class Score:
    """Points, with a bonus for monsters that are eaten one after the other."""

    def __init__(self) -> None:
        self.points = 0
        self.chain = 0

    def add(self, points: int) -> None:
        """Points for food; they end a chain."""
        assert points > 0, "points are won, not lost"
        self.points += points
        self.chain = 0

    def add_monster(self) -> int:
        """Points for a monster: twice as many as for the one before; answers them."""
        won = 200 * 2**self.chain
        if self.chain < 3:
            self.chain += 1
        self.points += won
        return won

    def rank(self) -> str:
        """A word for it."""
        if self.points >= 1000:
            return "master"
        if self.points >= 100:
            return "player"
        return "beginner" if self.points else "nobody"


class Player(Guest):
    """The player: lives, points, and steps for which a pill still works."""

    def __init__(self, lives: int = 3) -> None:
        super().__init__()
        assert lives > 0, "one life at least"
        self.lives = lives
        self.power = 0
        self.score = Score()
        self.facing = Direction.RIGHT

    def is_alive(self) -> bool:
        """Is a life left?"""
        return self.lives > 0

    def eat(self, food: Food) -> None:
        """Take the points of food, which is gone then."""
        assert self.is_alive(), "only the living eat"
        assert food.cell is not None, "it stands somewhere"
        if isinstance(food, Pill):
            self.power = food.steps
        self.score.add(food.points)
        food.leave()

    def tire(self) -> None:
        """A step has passed."""
        if self.power > 0:
            self.power -= 1

    def die(self) -> None:
        """Lose a life."""
        assert self.is_alive(), "the living die"
        self.lives -= 1
        self.power = 0

    def letter(self) -> str:
        """How a map shows it."""
        if not self.is_alive():
            return "x"
        return "C" if self.power else "c"


class Monster(Guest):
    """A monster walks on until something is in its way, or hunts the player."""

    def __init__(self, hunts: bool = False) -> None:
        super().__init__()
        self.hunts = hunts
        self.facing = Direction.LEFT
        self.home: Cell | None = None

    def settle(self, cell: Cell) -> None:
        """Live on a cell, to which it goes back when it is eaten."""
        assert self.home is None, "it settles once"
        self.home = cell
        self.enter(cell)

    def go_home(self) -> None:
        """Begin anew."""
        assert self.home is not None, "it has a home"
        if self.cell is not None:
            self.leave()
        self.enter(self.home)

    def choose(self, board: Board, player: Player) -> Cell | None:
        """The cell to go to; None when it cannot move."""
        assert self.cell is not None, "it stands somewhere"
        ways = board.ways(self.cell)
        if not ways:
            return None
        if self.hunts and player.cell is not None:
            target = player.cell
            if player.power:
                return max(ways, key=lambda cell: cell.distance(target))
            return min(ways, key=lambda cell: cell.distance(target))
        ahead = board.beside(self.cell, self.facing)
        if ahead is None or not ahead.is_free():
            self.facing = self.facing.opposite()
            ahead = board.beside(self.cell, self.facing)
        return ahead if ahead is not None and ahead.is_free() else ways[0]

    def letter(self) -> str:
        """How a map shows it."""
        return "M" if self.hunts else "m"


class Board:
    """Cells in rows."""

    def __init__(self, width: int, height: int) -> None:
        assert 0 < width <= 20, "a board has cells"
        assert 0 < height <= 20, "a board has cells"
        self.width = width
        self.height = height
        self.rows = [[Cell(x, y) for x in range(width)] for y in range(height)]

    def at(self, x: int, y: int) -> Cell:
        """The cell in a column and a row."""
        assert self.has(x, y), "the cell is on the board"
        return self.rows[y][x]

    def has(self, x: int, y: int) -> bool:
        """Is there such a cell?"""
        return 0 <= x < self.width and 0 <= y < self.height

    def beside(self, cell: Cell, direction: Direction) -> Cell | None:
        """The next cell in a direction, if there is one."""
        across, down = direction.value
        x, y = cell.x + across, cell.y + down
        return self.at(x, y) if self.has(x, y) else None

    def ways(self, cell: Cell) -> list[Cell]:
        """The free cells beside a cell."""
        found = [self.beside(cell, direction) for direction in Direction]
        return [one for one in found if one is not None and one.is_free()]

    def food(self) -> int:
        """How much food is left?"""
        return sum(isinstance(guest, Food) for row in self.rows for cell in row
                   for guest in cell.guests)

    def show(self) -> str:
        """A map."""
        lines = []
        for row in self.rows:
            tops = [cell.top() for cell in row]
            lines.append("".join(" " if top is None else top.letter() for top in tops))
        return "\n".join(lines)


class MapError(ValueError):
    """A map that cannot be read."""


class MapReader:
    """Reads a level from a map."""

    def __init__(self, lives: int = 3) -> None:
        self.lives = lives

    def read(self, text: str) -> Level:
        """The level of a map.  Raises MapError."""
        lines = text.splitlines()
        if not lines or not lines[0]:
            raise MapError("the map is empty")
        if len({len(line) for line in lines}) != 1:
            raise MapError("the rows differ in length")
        level = Level(Board(len(lines[0]), len(lines)), Player(self.lives))
        placed = False
        for y, line in enumerate(lines):
            for x, letter in enumerate(line):
                cell = level.board.at(x, y)
                if letter in "cC":
                    if placed:
                        raise MapError("two players")
                    level.start(cell)
                    placed = True
                elif letter in "mM":
                    level.add_monster(Monster(letter == "M"), cell)
                else:
                    self._put(letter, cell)
        if not placed:
            raise MapError("no player")
        return level

    def _put(self, letter: str, cell: Cell) -> None:
        if letter == "#":
            Wall().enter(cell)
        elif letter == ".":
            Food().enter(cell)
        elif letter == "o":
            Pill().enter(cell)
        elif letter != " ":
            raise MapError(f"unknown letter {letter}")


class Level:
    """A board with its player and monsters."""

    def __init__(self, board: Board, player: Player) -> None:
        self.board = board
        self.player = player
        self.monsters: list[Monster] = []
        self.entry: Cell | None = None

    def start(self, cell: Cell) -> None:
        """Let the player enter."""
        assert self.entry is None, "a level starts once"
        self.entry = cell
        self.player.enter(cell)

    def add_monster(self, monster: Monster, cell: Cell) -> None:
        """One more monster."""
        monster.settle(cell)
        self.monsters.append(monster)

    def is_won(self) -> bool:
        """Is all food eaten?"""
        return self.player.is_alive() and self.board.food() == 0

    def move(self, direction: Direction) -> str:
        """A step of the player; answers what came of it."""
        assert self.player.cell is not None, "the player stands somewhere"
        self.player.facing = direction
        target = self.board.beside(self.player.cell, direction)
        if target is None or not target.is_free():
            return "blocked"
        self.player.tire()
        self.player.leave()
        self.player.enter(target)
        return self.meet(target)

    def meet(self, cell: Cell) -> str:
        """What the player does to the others on a cell, and they to the player."""
        found = "moved"
        for guest in list(cell.guests):
            if isinstance(guest, Monster):
                if not self.player.power:
                    self.restart()
                    return "killed"
                self.player.score.add_monster()
                guest.go_home()
                found = "hunted"
            elif isinstance(guest, Food):
                self.player.eat(guest)
                found = "ate"
        return found

    def restart(self) -> None:
        """The player has lost a life; all begin anew."""
        assert self.entry is not None, "the level was started"
        self.player.die()
        self.player.leave()
        if self.player.is_alive():
            self.player.enter(self.entry)
            for monster in self.monsters:
                monster.go_home()

    def step(self) -> bool:
        """A step of all monsters; answers whether the player was caught."""
        for monster in self.monsters:
            target = monster.choose(self.board, self.player)
            if target is None:
                continue
            monster.leave()
            monster.enter(target)
            if target is self.player.cell:
                return self.meet(target) == "killed"
        return False


class State(Enum):
    """What a game is doing."""

    NEW = "new"
    RUNNING = "running"
    PAUSED = "paused"
    WON = "won"
    LOST = "lost"


class Clock:
    """Counts steps; monsters move with every second one, later with each."""

    def __init__(self, hurry: int = 6) -> None:
        assert hurry > 1, "there is time"
        self.hurry = hurry
        self.steps = 0

    def tick(self) -> bool:
        """One step more: is it time for the monsters?"""
        self.steps += 1
        return self.steps >= self.hurry or self.steps % 2 == 0


class Game:
    """A game over several levels: started once, paused, won with the last level, or lost."""

    def __init__(self, hurry: int = 6) -> None:
        self.levels: list[Level] = []
        self.state = State.NEW
        self.number = 0
        self.clock = Clock(hurry)

    def add(self, level: Level) -> None:
        """One more level, before the game starts."""
        assert self.state is State.NEW, "levels are added before the start"
        assert level.entry is not None, "a player is on it"
        self.levels.append(level)

    def level(self) -> Level:
        """The level that is played."""
        assert self.levels, "there is a level"
        return self.levels[self.number]

    def start(self) -> None:
        """Begin."""
        assert self.state is State.NEW, "a game starts once"
        assert self.levels, "there is something to play"
        self.state = State.RUNNING

    def pause(self) -> None:
        """Wait, or go on."""
        if self.state is State.RUNNING:
            self.state = State.PAUSED
        elif self.state is State.PAUSED:
            self.state = State.RUNNING

    def is_over(self) -> bool:
        """Is it won or lost?"""
        return self.state in (State.WON, State.LOST)

    def play(self, direction: Direction) -> str:
        """A step of the player, and of the monsters; answers what came of it."""
        if self.state is not State.RUNNING:
            return self.state.value
        level = self.level()
        found = level.move(direction)
        if found != "killed" and not level.is_won() and self.clock.tick() and level.step():
            found = "caught"
        if not level.player.is_alive():
            self.state = State.LOST
        elif level.is_won():
            self.advance()
        return found

    def advance(self) -> None:
        """The next level, or the end."""
        assert self.level().is_won(), "the level is won"
        if self.number + 1 < len(self.levels):
            self.number += 1
        else:
            self.state = State.WON

    def total(self) -> int:
        """The points on all levels."""
        return sum(level.player.score.points for level in self.levels)
