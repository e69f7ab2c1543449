"""Tests of the game that a person wrote: what ``generate`` is measured against."""

import pytest
from pellets import (
    Board, Cell, Clock, Direction, Food, Game, Guest, Level, MapError, MapReader, Monster, Pill,
    Player, Score, State, Wall,
)  # fmt: skip


def read(text, lives=3):
    return MapReader(lives).read(text)


def game(*maps, lives=3, hurry=6):
    made = Game(hurry)
    for text in maps:
        made.add(read(text, lives))
    made.start()
    return made


@pytest.mark.parametrize(
    ("way", "back"), [("UP", "DOWN"), ("DOWN", "UP"), ("LEFT", "RIGHT"), ("RIGHT", "LEFT")]
)
def test_opposite(way, back):
    assert Direction[way].opposite() is Direction[back]


def test_level_directions():
    assert [one.is_level() for one in Direction] == [False, False, True, True]


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (0, -1)])
def test_cells_have_positive_coordinates(x, y):
    with pytest.raises(AssertionError):
        Cell(x, y)


def test_a_new_cell_is_free():
    cell = Cell(2, 3)
    assert (cell.x, cell.y, cell.is_free(), cell.top()) == (2, 3, True, None)


def test_distance():
    assert Cell(1, 5).distance(Cell(4, 1)) == 7


def test_enter_and_leave():
    cell, guest = Cell(0, 0), Guest()
    guest.enter(cell)
    assert (guest.cell, cell.top(), cell.is_free()) == (cell, guest, True)
    guest.leave()
    assert (guest.cell, cell.guests) == (None, [])


def test_a_wall_keeps_others_away():
    cell = Cell(0, 0)
    Wall().enter(cell)
    assert not cell.is_free()
    with pytest.raises(AssertionError):
        Guest().enter(cell)


def test_nobody_enters_twice():
    guest = Guest()
    guest.enter(Cell(0, 0))
    with pytest.raises(AssertionError):
        guest.enter(Cell(1, 0))


def test_nobody_leaves_from_nowhere():
    with pytest.raises(AssertionError):
        Guest().leave()


@pytest.mark.parametrize(
    ("guest", "letter"),
    [(Guest(), "?"), (Wall(), "#"), (Food(), "."), (Food(49), "."), (Food(50), "o"), (Pill(), "o"),
     (Monster(), "m"), (Monster(hunts=True), "M"), (Player(), "c")],
)  # fmt: skip
def test_letters(guest, letter):
    assert guest.letter() == letter


@pytest.mark.parametrize("make", [lambda: Food(0), lambda: Pill(5, 0), lambda: Player(0)])
def test_guests_are_worth_something(make):
    with pytest.raises(AssertionError):
        make()


def test_score_of_food():
    score = Score()
    score.add(10)
    score.add(1)
    assert score.points == 11
    with pytest.raises(AssertionError):
        score.add(0)


def test_monsters_in_a_chain():
    score = Score()
    assert [score.add_monster() for _ in range(5)] == [200, 400, 800, 1600, 1600]
    assert score.points == 4600


def test_food_ends_a_chain():
    score = Score()
    score.add_monster()
    score.add(10)
    assert score.add_monster() == 200


@pytest.mark.parametrize(
    ("points", "rank"),
    [(1, "beginner"), (99, "beginner"), (100, "player"), (999, "player"), (1000, "master")],
)
def test_rank(points, rank):
    score = Score()
    assert score.rank() == "nobody"
    score.add(points)
    assert score.rank() == rank


def test_eating():
    player, food = Player(), Food(30)
    food.enter(Cell(0, 0))
    player.eat(food)
    assert (player.score.points, food.cell, player.power) == (30, None, 0)


def test_a_pill_gives_power_for_some_steps():
    player, pill = Player(), Pill(50, 2)
    pill.enter(Cell(0, 0))
    player.eat(pill)
    assert (player.power, player.letter()) == (2, "C")
    for left in (1, 0, 0):
        player.tire()
        assert player.power == left


def test_food_that_stands_nowhere_is_not_eaten():
    with pytest.raises(AssertionError):
        Player().eat(Food())


def test_death():
    player = Player(2)
    player.power = 3
    player.die()
    assert (player.lives, player.power, player.is_alive()) == (1, 0, True)
    player.die()
    assert (player.is_alive(), player.letter()) == (False, "x")
    with pytest.raises(AssertionError):
        player.die()
    with pytest.raises(AssertionError):
        player.eat(Food())


def test_monsters_settle_once():
    monster, cell = Monster(), Cell(1, 1)
    monster.settle(cell)
    assert (monster.home, monster.cell) == (cell, cell)
    with pytest.raises(AssertionError):
        monster.settle(Cell(0, 0))


def test_going_home():
    monster, cell = Monster(), Cell(1, 1)
    with pytest.raises(AssertionError):
        monster.go_home()
    monster.settle(cell)
    monster.leave()
    monster.go_home()
    assert monster.cell is cell
    monster.go_home()
    assert monster.cell is cell


@pytest.mark.parametrize(("width", "height"), [(0, 1), (1, 0), (21, 1), (1, 21)])
def test_boards_have_a_size(width, height):
    with pytest.raises(AssertionError):
        Board(width, height)


def test_a_board_has_cells():
    board = Board(20, 20)
    assert (board.at(19, 0).x, board.at(0, 19).y) == (19, 19)
    assert [board.has(*at) for at in ((0, 0), (-1, 0), (20, 0), (0, -1), (0, 20))] == [
        True, False, False, False, False,
    ]  # fmt: skip
    with pytest.raises(AssertionError):
        board.at(20, 0)


def test_beside():
    board = Board(2, 2)
    corner = board.at(0, 0)
    assert board.beside(corner, Direction.RIGHT) is board.at(1, 0)
    assert board.beside(corner, Direction.DOWN) is board.at(0, 1)
    assert board.beside(corner, Direction.UP) is None


def test_ways():
    level = read("c.\n# ")
    assert level.board.ways(level.entry) == [level.board.at(1, 0)]


def test_map_and_food():
    level = read("c.o\n#mM")
    assert level.board.show() == "c.o\n#mM"
    assert level.board.food() == 2
    assert read("c ").board.show() == "c "


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "empty"), ("\nc", "empty"), ("c\n..", "differ"), ("cc", "two"), ("..", "no player"),
     ("c?", "unknown letter ?")],
)  # fmt: skip
def test_maps_that_cannot_be_read(text, why):
    with pytest.raises(MapError, match=why.replace("?", r"\?")):
        read(text)


def test_lives_of_a_reader():
    assert read("C.", lives=5).player.lives == 5


def test_a_level_starts_once():
    level = read("c.")
    with pytest.raises(AssertionError):
        level.start(level.board.at(1, 0))


def test_a_level_is_won_without_food():
    assert read("c ").is_won()
    assert not read("c.").is_won()


@pytest.mark.parametrize(
    ("text", "way", "found"),
    [("c.", "RIGHT", "ate"), ("c ", "RIGHT", "moved"), ("c#", "RIGHT", "blocked"),
     ("c.", "UP", "blocked"), ("cm", "RIGHT", "killed"), (".c", "LEFT", "ate")],
)  # fmt: skip
def test_moves(text, way, found):
    level = read(text)
    assert level.move(Direction[way]) == found
    assert level.player.facing is Direction[way]


def test_a_move_needs_a_player_on_the_board():
    with pytest.raises(AssertionError):
        Level(Board(1, 1), Player()).move(Direction.UP)


def test_a_killed_player_begins_anew():
    level = read("c m")
    level.move(Direction.RIGHT)
    assert level.move(Direction.RIGHT) == "killed"
    assert (level.player.lives, level.player.cell) == (2, level.entry)
    assert level.monsters[0].cell is level.monsters[0].home


def test_the_last_life():
    level = read("cm", lives=1)
    assert level.move(Direction.RIGHT) == "killed"
    assert (level.player.is_alive(), level.player.cell, level.is_won()) == (False, None, False)


def test_hunting_monsters():
    level = read("com")
    assert level.move(Direction.RIGHT) == "ate"
    assert level.move(Direction.RIGHT) == "hunted"
    assert level.player.score.points == 250


def test_power_ends():
    level = read("c.m")
    level.player.power = 2
    level.move(Direction.RIGHT)
    assert level.move(Direction.RIGHT) == "killed"


def test_restart_needs_a_start():
    with pytest.raises(AssertionError):
        Level(Board(1, 1), Player()).restart()


@pytest.mark.parametrize(
    ("text", "shown"),
    [("c  m", "c m "), ("c#m ", "c# m"), ("c#m#", "c#m#"), ("c  M", "c M ")],
)
def test_steps_of_a_monster(text, shown):
    level = read(text)
    assert not level.step()
    assert level.board.show() == shown


def test_a_monster_goes_around_a_corner():
    level = read("#m#\nc  ")
    level.step()
    assert level.monsters[0].cell is level.board.at(1, 1)


def test_a_hunter_flees_from_power():
    level = read("c M ")
    level.player.power = 2
    level.step()
    assert level.board.show() == "C  M"


def test_a_hunter_without_a_player_walks_on():
    level = read("c M ")
    level.player.leave()
    level.step()
    assert level.monsters[0].cell is level.board.at(1, 0)


def test_a_monster_catches_the_player():
    level = read("cm")
    assert level.step()
    assert level.player.lives == 2


def test_a_monster_runs_into_power():
    level = read("c m")
    level.player.power = 3
    assert not level.step()
    assert not level.step()
    assert level.player.score.points == 200


def test_monsters_need_a_cell():
    with pytest.raises(AssertionError):
        Monster().choose(Board(1, 1), Player())


def test_clock():
    clock = Clock(4)
    assert [clock.tick() for _ in range(5)] == [False, True, False, True, True]
    with pytest.raises(AssertionError):
        Clock(1)


def test_a_game_needs_levels():
    with pytest.raises(AssertionError):
        Game().start()
    with pytest.raises(AssertionError):
        Game().level()
    with pytest.raises(AssertionError):
        Game().add(Level(Board(1, 1), Player()))


def test_a_game_starts_once():
    made = game("c.")
    with pytest.raises(AssertionError):
        made.start()
    with pytest.raises(AssertionError):
        made.add(read("c."))


def test_pause():
    made = Game()
    made.pause()
    assert made.state is State.NEW
    made = game("c.")
    made.pause()
    assert made.state is State.PAUSED
    assert made.play(Direction.RIGHT) == "paused"
    made.pause()
    assert made.play(Direction.RIGHT) == "ate"


def test_winning():
    made = game("c.", "c.")
    made.play(Direction.RIGHT)
    assert (made.number, made.is_over(), made.total()) == (1, False, 10)
    made.play(Direction.RIGHT)
    assert (made.state, made.is_over(), made.total()) == (State.WON, True, 20)
    assert made.play(Direction.RIGHT) == "won"


def test_losing():
    made = game("cm.", lives=1)
    assert made.play(Direction.RIGHT) == "killed"
    assert made.state is State.LOST
    assert made.is_over()


def test_being_caught():
    made = game("c  m.", hurry=2)
    assert made.play(Direction.RIGHT) == "moved"
    assert made.play(Direction.RIGHT) == "caught"
    made = game("c m.", hurry=2)
    assert [made.play(Direction.UP) for _ in range(3)] == ["blocked", "blocked", "caught"]


def test_advance_needs_a_won_level():
    with pytest.raises(AssertionError):
        game("c.").advance()
