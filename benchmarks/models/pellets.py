"""A game in a maze: board, cells, guests, moves, monsters, levels, and an engine with states.

The asserts are contracts.  Some methods do their work only after six to eight calls: a level is
won when all food is eaten, a monster is eaten only after a pill, a game is lost with its last life,
a score is kept after a game that was won or lost.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
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


class Fruit(Food):
    """Fruit is worth less with every step, and gone when it is worth nothing."""

    def __init__(self, points: int = 100, loss: int = 40) -> None:
        super().__init__(points)
        assert loss > 0, "it goes bad"
        self.loss = loss

    def age(self) -> bool:
        """A step has passed; answers whether the fruit is still there."""
        if self.cell is None:
            return False
        if self.points <= self.loss:
            self.leave()
            return False
        self.points -= self.loss
        return True

    def letter(self) -> str:
        """How a map shows it."""
        return "%"


class Key(Guest):
    """A key opens the doors of its colour."""

    def __init__(self, colour: str) -> None:
        super().__init__()
        assert len(colour) == 1 and colour.islower(), "colours are small letters"
        self.colour = colour

    def letter(self) -> str:
        """How a map shows it."""
        return self.colour


class Door(Guest):
    """A door keeps others away until somebody opens it with a key."""

    def __init__(self, colour: str) -> None:
        super().__init__()
        assert len(colour) == 1 and colour.islower(), "colours are small letters"
        self.colour = colour
        self.is_open = False

    def open(self, keys: list[Key]) -> bool:
        """Open it for good, if one of the keys fits."""
        assert not self.is_open, "it is closed"
        self.is_open = any(key.colour == self.colour for key in keys)
        return self.is_open

    def blocks(self) -> bool:
        """Does it keep others away?"""
        return not self.is_open

    def letter(self) -> str:
        """How a map shows it."""
        return "'" if self.is_open else self.colour.upper()


class Portal(Guest):
    """Who comes to a portal goes on from its partner."""

    def __init__(self) -> None:
        super().__init__()
        self.partner: Portal | None = None

    def link(self, other: Portal) -> None:
        """Make partners of two."""
        assert other is not self, "a portal leads elsewhere"
        assert self.partner is None and other.partner is None, "partners are for good"
        self.partner = other
        other.partner = self

    def exit(self) -> Cell | None:
        """Where one comes out; None when it leads nowhere."""
        if self.partner is None or self.partner.cell is None:
            return None
        return self.partner.cell

    def letter(self) -> str:
        """How a map shows it."""
        return "*" if self.partner else "+"


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
        self.keys: list[Key] = []
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

    def take(self, key: Key) -> None:
        """Take a key along; one of each colour is enough."""
        assert key.cell is not None, "it lies somewhere"
        if all(other.colour != key.colour for other in self.keys):
            self.keys.append(key)
        key.leave()

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


class Tracker(Monster):
    """A tracker knows the shortest way to the player, and needs a rest after some steps."""

    def __init__(self, breath: int = 3) -> None:
        super().__init__(hunts=True)
        assert breath > 0, "it can take a step"
        self.breath = breath
        self.walked = 0

    def choose(self, board: Board, player: Player) -> Cell | None:
        """The next cell on the way; None when it rests, or when there is no way."""
        assert self.cell is not None, "it stands somewhere"
        if player.cell is None or player.power:
            return super().choose(board, player)
        if self.walked == self.breath:
            self.walked = 0
            return None
        way = board.path(self.cell, player.cell)
        if not way:
            return None
        self.walked += 1
        return way[0]

    def letter(self) -> str:
        """How a map shows it."""
        return "T"


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

    def path(self, start: Cell, goal: Cell) -> list[Cell]:
        """The cells of a shortest way, without the start; empty when there is none."""
        before: dict[tuple[int, int], Cell] = {}
        waiting = deque([start])
        while waiting:
            cell = waiting.popleft()
            if cell is goal:
                way = []
                while cell is not start:
                    way.append(cell)
                    cell = before[cell.x, cell.y]
                return way[::-1]
            for beside in self.ways(cell):
                if beside is not start and (beside.x, beside.y) not in before:
                    before[beside.x, beside.y] = cell
                    waiting.append(beside)
        return []

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
        self.portals: dict[str, Portal] = {}

    def read(self, text: str) -> Level:
        """The level of a map.  Raises MapError."""
        lines = text.splitlines()
        if not lines or not lines[0]:
            raise MapError("the map is empty")
        if len({len(line) for line in lines}) != 1:
            raise MapError("the rows differ in length")
        level = Level(Board(len(lines[0]), len(lines)), Player(self.lives))
        self.portals.clear()
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
                elif letter == "T":
                    level.add_monster(Tracker(), cell)
                elif letter.isdigit():
                    self._portal(letter, cell)
                else:
                    self._put(letter, cell)
        if not placed:
            raise MapError("no player")
        if self.portals:
            raise MapError(f"portals without partner: {' '.join(sorted(self.portals))}")
        return level

    def _portal(self, digit: str, cell: Cell) -> None:
        portal = Portal()
        portal.enter(cell)
        if digit in self.portals:
            portal.link(self.portals.pop(digit))
        else:
            self.portals[digit] = portal

    def _put(self, letter: str, cell: Cell) -> None:
        if letter == "#":
            Wall().enter(cell)
        elif letter in "rgb":
            Key(letter).enter(cell)
        elif letter in "RGB":
            Door(letter.lower()).enter(cell)
        elif letter == "%":
            Fruit().enter(cell)
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
        if target is None:
            return "blocked"
        if not target.is_free():
            door = target.top()
            opened = isinstance(door, Door) and door.open(self.player.keys)
            return "opened" if opened else "blocked"
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
            elif isinstance(guest, Key):
                self.player.take(guest)
                found = "took"
            elif isinstance(guest, Portal) and found == "moved":
                found = self.travel(guest)
        return found

    def travel(self, portal: Portal) -> str:
        """The player goes through a portal, if there is a place to come out."""
        there = portal.exit()
        if there is None or not there.is_free():
            return "moved"
        self.player.leave()
        self.player.enter(there)
        return "travelled"

    def age(self) -> int:
        """Fruit grows older; answers how many are left."""
        fruits = [guest for row in self.board.rows for cell in row for guest in cell.guests
                  if isinstance(guest, Fruit)]
        return sum(fruit.age() for fruit in fruits)

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


class Journal:
    """What has happened lately, and who wants to hear of it."""

    def __init__(self, limit: int = 20) -> None:
        assert limit > 0, "something is kept"
        self.limit = limit
        self.events: list[str] = []
        self.listeners: list[Callable[[str], None]] = []

    def listen(self, listener: Callable[[str], None]) -> None:
        """Tell somebody of each event from now on."""
        assert listener not in self.listeners, "nobody listens twice"
        self.listeners.append(listener)

    def ignore(self, listener: Callable[[str], None]) -> None:
        """Tell somebody no more."""
        if listener in self.listeners:
            self.listeners.remove(listener)

    def note(self, event: str) -> None:
        """Keep an event and tell all who listen; the oldest is forgotten."""
        assert event, "something has happened"
        self.events.append(event)
        if len(self.events) > self.limit:
            del self.events[0]
        for listener in list(self.listeners):
            listener(event)

    def streak(self) -> int:
        """How often has the last event happened in a row?"""
        count = 0
        for event in reversed(self.events):
            if event != self.events[-1]:
                break
            count += 1
        return count


class Moves:
    """Moves in letters: ``3R2U`` is three to the right and two up."""

    LETTERS = {"U": Direction.UP, "D": Direction.DOWN, "L": Direction.LEFT, "R": Direction.RIGHT}

    def __init__(self, moves: list[Direction] | None = None) -> None:
        self.moves = list(moves or [])

    @classmethod
    def read(cls, text: str) -> Moves:
        """Moves from letters.  Raises ValueError."""
        made = cls()
        count = ""
        for letter in text:
            if letter.isdigit():
                count += letter
            elif letter in cls.LETTERS:
                made.moves += [cls.LETTERS[letter]] * int(count or 1)
                count = ""
            elif letter != " ":
                raise ValueError(f"no move: {letter}")
        if count:
            raise ValueError("a number without a move")
        return made

    def write(self) -> str:
        """The shortest letters."""
        text, place = "", 0
        while place < len(self.moves):
            end = place
            while end < len(self.moves) and self.moves[end] is self.moves[place]:
                end += 1
            text += (str(end - place) if end - place > 1 else "") + self.moves[place].name[0]
            place = end
        return text

    def back(self) -> Moves:
        """The way back."""
        return Moves([move.opposite() for move in reversed(self.moves)])


class Game:
    """A game over several levels: started once, paused, won with the last level, or lost."""

    def __init__(self, hurry: int = 6) -> None:
        self.levels: list[Level] = []
        self.state = State.NEW
        self.number = 0
        self.clock = Clock(hurry)
        self.journal = Journal()

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
        level.age()
        if found != "killed" and not level.is_won() and self.clock.tick() and level.step():
            found = "caught"
        if not level.player.is_alive():
            self.state = State.LOST
        elif level.is_won():
            self.advance()
        self.journal.note(found)
        return found

    def replay(self, moves: Moves) -> int:
        """Play moves until the game is over or one is blocked; answers how many were played."""
        played = 0
        for direction in moves.moves:
            if self.is_over() or self.play(direction) == "blocked":
                break
            played += 1
        return played

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


class HighScores:
    """The best scores, each with a name, best first."""

    def __init__(self, size: int = 3) -> None:
        assert size > 0, "somebody can be in it"
        self.size = size
        self.entries: list[tuple[str, int]] = []

    def qualifies(self, points: int) -> bool:
        """Is there a place for so many points?"""
        if points <= 0:
            return False
        return len(self.entries) < self.size or points > self.entries[-1][1]

    def enter(self, name: str, points: int) -> int:
        """Give somebody a place, behind those with as many points; answers which, from 1."""
        assert self.qualifies(points), "they are enough"
        if not name.strip():
            raise ValueError("the name is empty")
        place = 0
        while place < len(self.entries) and self.entries[place][1] >= points:
            place += 1
        self.entries.insert(place, (name.strip(), points))
        del self.entries[self.size :]
        assert len(self.entries) <= self.size, "no more than there are places"
        return place + 1

    def best(self, name: str) -> int | None:
        """The most points of somebody."""
        for entered, points in self.entries:
            if entered == name:
                return points
        return None

    def write(self) -> str:
        """A line for each place."""
        width = max((len(name) for name, _ in self.entries), default=0)
        return "\n".join(f"{name:<{width}} {points:>6}" for name, points in self.entries)

    @classmethod
    def read(cls, text: str, size: int = 3) -> HighScores:
        """Scores from lines.  Raises ValueError."""
        scores = cls(size)
        for line in text.splitlines():
            name, _, points = line.strip().rpartition(" ")
            if not points.isdigit():
                raise ValueError(f"no points: {line}")
            if scores.qualifies(int(points)):
                scores.enter(name, int(points))
        return scores


class Mode(Enum):
    """What a session is waiting for."""

    MENU = "menu"
    PLAYING = "playing"
    NAMING = "naming"
    CLOSED = "closed"


class Session:
    """Games one after the other, told by commands; a good score is kept under a name."""

    def __init__(self, maps: list[str], lives: int = 3) -> None:
        assert maps, "there is something to play"
        self.maps = maps
        self.lives = lives
        self.mode = Mode.MENU
        self.scores = HighScores()
        self.game: Game | None = None

    def begin(self) -> None:
        """Start a new game."""
        assert self.mode is Mode.MENU, "one game at a time"
        self.game = Game()
        for text in self.maps:
            self.game.add(MapReader(self.lives).read(text))
        self.game.start()
        self.mode = Mode.PLAYING

    def go(self, letters: str) -> int:
        """Play moves; answers how many were played."""
        assert self.mode is Mode.PLAYING, "a game is being played"
        assert self.game is not None, "it was begun"
        played = self.game.replay(Moves.read(letters))
        if self.game.is_over():
            good = self.scores.qualifies(self.game.total())
            self.mode = Mode.NAMING if good else Mode.MENU
        return played

    def sign(self, name: str) -> int:
        """Keep the score of the game that is over; answers its place."""
        assert self.mode is Mode.NAMING, "there is a score to be kept"
        assert self.game is not None, "there was a game"
        place = self.scores.enter(name, self.game.total())
        self.mode = Mode.MENU
        return place

    def command(self, text: str) -> str:
        """Do what a line says: begin, go MOVES, sign NAME, scores or quit."""
        if self.mode is Mode.CLOSED:
            return "closed"
        word, _, rest = text.partition(" ")
        if word == "quit":
            self.mode = Mode.CLOSED
        elif word == "scores":
            return self.scores.write()
        elif word == "begin" and self.mode is Mode.MENU:
            self.begin()
        elif word == "go" and self.mode is Mode.PLAYING:
            return f"{self.go(rest)} moves"
        elif word == "sign" and self.mode is Mode.NAMING:
            return f"place {self.sign(rest)}"
        else:
            return f"not now: {word}"
        return self.mode.value
