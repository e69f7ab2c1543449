"""Tests of what surrounds the maze, that a person wrote: doors, portals, moves, scores, sessions."""

import pytest
from pellets import (
    Board, Cell, Direction, Door, Fruit, Game, HighScores, Journal, Key, Level, MapError,
    MapReader, Mode, Moves, Player, Portal, Session, State, Tracker,
)  # fmt: skip


def read(text, lives=3):
    return MapReader(lives).read(text)


def game(*maps, lives=3, hurry=6):
    made = Game(hurry)
    for text in maps:
        made.add(read(text, lives))
    made.start()
    return made


def test_fruit_goes_bad():
    fruit = Fruit(100, 40)
    assert not fruit.age()
    fruit.enter(Cell(0, 0))
    assert [fruit.age(), fruit.points, fruit.age(), fruit.points] == [True, 60, True, 20]
    assert not fruit.age()
    assert (fruit.cell, fruit.points) == (None, 20)
    with pytest.raises(AssertionError):
        Fruit(5, 0)


def test_fruit_that_is_worth_its_loss_is_gone():
    fruit = Fruit(40, 40)
    fruit.enter(Cell(0, 0))
    assert not fruit.age()


@pytest.mark.parametrize("make", [Key, Door])
@pytest.mark.parametrize("colour", ["", "R", "rg"])
def test_colours_are_small_letters(make, colour):
    with pytest.raises(AssertionError):
        make(colour)


@pytest.mark.parametrize(
    ("guest", "letter"), [(Fruit(), "%"), (Key("r"), "r"), (Door("g"), "G"), (Tracker(), "T")]
)
def test_letters(guest, letter):
    assert guest.letter() == letter


def test_a_door_opens_for_its_key():
    door = Door("r")
    assert not door.open([])
    assert not door.open([Key("g")])
    assert door.blocks()
    assert door.open([Key("g"), Key("r")])
    assert (door.blocks(), door.letter()) == (False, "'")
    with pytest.raises(AssertionError):
        door.open([Key("r")])


def test_portals_are_linked_once():
    one, other = Portal(), Portal()
    assert (one.letter(), one.exit()) == ("+", None)
    one.link(other)
    assert (other.partner, one.partner, one.letter(), one.exit()) == (one, other, "*", None)
    cell = Cell(2, 2)
    other.enter(cell)
    assert one.exit() is cell
    for left, right in ((one, Portal()), (Portal(), one)):
        with pytest.raises(AssertionError):
            left.link(right)


def test_a_portal_leads_elsewhere():
    portal = Portal()
    with pytest.raises(AssertionError):
        portal.link(portal)


def test_one_key_of_each_colour():
    player = Player()
    for colour in "rrg":
        key = Key(colour)
        key.enter(Cell(0, 0))
        player.take(key)
        assert key.cell is None
    assert [key.colour for key in player.keys] == ["r", "g"]
    with pytest.raises(AssertionError):
        player.take(Key("b"))


@pytest.mark.parametrize(
    ("text", "ways"),
    [("c  T", [(2, 0), (1, 0), (0, 0)]), ("c#T\n   ", [(2, 1), (1, 1), (0, 1), (0, 0)]),
     ("c#T", [])],
)  # fmt: skip
def test_path(text, ways):
    level = read(text)
    way = level.board.path(level.monsters[0].cell, level.player.cell)
    assert [(cell.x, cell.y) for cell in way] == ways


def test_a_path_to_where_one_is():
    board = Board(2, 1)
    assert board.path(board.at(0, 0), board.at(0, 0)) == []


def test_a_tracker_rests():
    level = read("c       T")
    shown = []
    for _ in range(5):
        level.step()
        shown.append(level.monsters[0].cell.x)
    assert shown == [7, 6, 5, 5, 4]
    with pytest.raises(AssertionError):
        Tracker(0)


def test_a_tracker_without_a_way_stays():
    level = read("c#T")
    level.step()
    assert (level.monsters[0].cell.x, level.monsters[0].walked) == (2, 0)


def test_a_tracker_flees_from_power():
    level = read("c T ")
    level.player.power = 2
    level.step()
    assert level.board.show() == "C  T"


def test_a_tracker_without_a_player_walks_on():
    level = read("c T ")
    level.player.leave()
    level.step()
    assert (level.monsters[0].cell.x, level.monsters[0].walked) == (1, 0)


def test_trackers_stand_somewhere():
    with pytest.raises(AssertionError):
        Tracker().choose(Board(1, 1), Player())


def test_a_map_with_everything():
    assert read("cT%1rR\ngbGB1 ").board.show() == "cT%*rR\ngbGB* "


def test_portals_without_partner():
    reader = MapReader()
    with pytest.raises(MapError, match="portals without partner: 1 2"):
        reader.read("c21")
    assert reader.read("c1 1").board.food() == 0


def test_a_door_in_the_way():
    level = read("rcR.")
    assert level.move(Direction.RIGHT) == "blocked"
    assert level.move(Direction.LEFT) == "took"
    assert level.move(Direction.RIGHT) == "moved"
    assert level.move(Direction.RIGHT) == "opened"
    assert level.move(Direction.RIGHT) == "moved"
    assert level.move(Direction.RIGHT) == "ate"


def test_travelling():
    level = read("c1 1.")
    assert level.move(Direction.RIGHT) == "travelled"
    assert level.player.cell is level.board.at(3, 0)
    assert level.move(Direction.RIGHT) == "ate"


def test_a_portal_that_leads_nowhere():
    level = read("c ")
    Portal().enter(level.board.at(1, 0))
    assert level.move(Direction.RIGHT) == "moved"


def test_a_portal_that_leads_into_a_wall():
    level = read("c1 1")
    exit_door = Door("r")
    exit_door.enter(level.board.at(3, 0))
    assert level.move(Direction.RIGHT) == "moved"
    assert level.player.cell is level.board.at(1, 0)


def test_who_eats_does_not_travel():
    level = read("c1 1")
    cell = level.board.at(1, 0)
    cell.guests.insert(0, Fruit())
    cell.guests[0].cell = cell
    assert level.move(Direction.RIGHT) == "ate"
    assert level.player.cell is cell


def test_fruit_of_a_level():
    level = read("c%%.")
    assert [level.age(), level.age(), level.age(), level.board.food()] == [2, 2, 0, 1]


def test_journal():
    journal, heard = Journal(2), []
    journal.listen(heard.append)
    with pytest.raises(AssertionError):
        journal.listen(heard.append)
    for event in ("ate", "moved", "moved"):
        journal.note(event)
    assert (journal.events, heard) == (["moved", "moved"], ["ate", "moved", "moved"])
    journal.ignore(heard.append)
    journal.ignore(print)
    journal.note("ate")
    assert len(heard) == 3
    with pytest.raises(AssertionError):
        journal.note("")
    with pytest.raises(AssertionError):
        Journal(0)


def test_streak():
    journal = Journal()
    assert journal.streak() == 0
    for event, streak in (("ate", 1), ("moved", 1), ("moved", 2), ("ate", 1)):
        journal.note(event)
        assert journal.streak() == streak


def test_all_of_a_journal_may_be_a_streak():
    journal = Journal()
    for event in ("ate", "ate"):
        journal.note(event)
    assert journal.streak() == 2


@pytest.mark.parametrize(
    ("text", "written"),
    [("", ""), ("R", "R"), ("3R U", "3RU"), ("RR2RD", "4RD"), ("12L", "12L"), ("0LU", "U")],
)
def test_moves(text, written):
    assert Moves.read(text).write() == written


@pytest.mark.parametrize(("text", "why"), [("RX", "no move: X"), ("R3", "without a move")])
def test_moves_that_cannot_be_read(text, why):
    with pytest.raises(ValueError, match=why):
        Moves.read(text)


def test_the_way_back():
    assert Moves([Direction.UP, Direction.RIGHT]).back().write() == "LD"


def test_replay():
    made = game("c .#")
    assert made.replay(Moves.read("UR")) == 0
    assert made.replay(Moves.read("RLRRU")) == 4
    assert (made.state, made.number) == (State.WON, 0)
    assert made.journal.events == ["blocked", "moved", "moved", "moved", "ate"]


def test_fruit_ages_while_one_plays():
    made = game("c  %")
    assert made.replay(Moves.read("3R")) == 3
    assert made.total() == 20


def test_high_scores():
    scores = HighScores(2)
    assert not scores.qualifies(0)
    assert scores.enter("ann", 10) == 1
    assert scores.enter("bob", 10) == 2
    assert not scores.qualifies(10)
    with pytest.raises(AssertionError):
        scores.enter("cy", 10)
    with pytest.raises(ValueError, match="empty"):
        scores.enter(" ", 11)
    assert scores.enter(" cyril ", 11) == 1
    assert scores.write() == "cyril     11\nann       10"
    assert (scores.best("ann"), scores.best("cyril"), scores.best("bob")) == (10, 11, None)
    with pytest.raises(AssertionError):
        HighScores(0)


def test_no_high_scores():
    assert HighScores().write() == ""
    assert HighScores(1).qualifies(1)


def test_high_scores_from_lines():
    scores = HighScores.read("ann 10\n  bob b.  20\ncy 0\nd 5\ne 4\n")
    assert scores.entries == [("bob b.", 20), ("ann", 10), ("d", 5)]
    assert HighScores.read("a 1\nb 2", 1).entries == [("b", 2)]
    with pytest.raises(ValueError, match="no points: ann"):
        HighScores.read("ann ten")


def test_sessions_need_maps():
    with pytest.raises(AssertionError):
        Session([])


def test_a_session():
    session = Session(["c.", "c."])
    assert session.command("go R") == "not now: go"
    assert session.command("begin") == "playing"
    assert session.command("begin") == "not now: begin"
    assert session.command("sign ann") == "not now: sign"
    assert session.command("go R") == "1 moves"
    assert session.command("go UR") == "0 moves"
    assert session.command("go R") == "1 moves"
    assert session.mode is Mode.NAMING
    assert session.command("sign ann") == "place 1"
    assert session.command("scores") == "ann     20"
    assert session.command("quit") == "closed"
    assert session.command("begin") == "closed"


def test_a_session_without_points():
    session = Session(["cm."], lives=1)
    session.begin()
    with pytest.raises(AssertionError):
        session.begin()
    assert session.go("R") == 1
    assert (session.mode, session.game.state) == (Mode.MENU, State.LOST)
    for call in (lambda: session.go("R"), lambda: session.sign("ann")):
        with pytest.raises(AssertionError):
            call()


def test_sessions_are_played_again():
    session = Session(["c."])
    for place in (1, 2, 3):
        session.begin()
        session.go("R")
        assert session.sign("ann") == place
    session.begin()
    session.go("R")
    assert session.mode is Mode.MENU
