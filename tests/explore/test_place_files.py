"""Files for code that looks at files: which variants a run leads to."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Call, Const, Display, Sequence, Symbol, TempPath
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.surroundings.place_files import (
    EMPTY_FOLDER,
    depends_on_host,
    fill_paths,
    names_host,
    own_paths,
    refused_look,
)
from unitcraft.explore.search.surroundings.set_variables import VariableChoice
from unitcraft.explore.search.variation.places import places

CONTENTS = (Const("one\n"), Const(""))


def run(*args, touched=()):
    call = Call("function", "m:f", args)
    return Execution("m:f", Sequence((call,)), None, "", (), (), (), (), touched=touched)


def arguments_of(sequences):
    return [sequence.calls[-1].args[0] for sequence in sequences]


def test_a_relative_name_becomes_a_path_of_the_test():
    found = arguments_of(own_paths(run(Const("a"), touched=((False, "a"),)), "data.json", CONTENTS))
    assert found[:3] == [
        TempPath("data.json", CONTENTS[0], is_text=True),
        TempPath("data.json", None, is_text=True),
        TempPath("data.json", CONTENTS[1], is_text=True),
    ]
    assert TempPath("", EMPTY_FOLDER, is_text=True) in found


def test_a_path_object_stays_one_and_keeps_a_name_that_a_person_would_give():
    path = Build(Symbol("pathlib", "Path"), (Const("notes.txt"),))
    found = arguments_of(own_paths(run(path, touched=((False, "notes.txt"),)), "x.ini", CONTENTS))
    assert found[0] == TempPath("notes.txt", CONTENTS[0])


def test_only_arguments_that_name_what_was_looked_at_are_replaced():
    assert not names_host(run(Const("a"), Const(1), touched=((False, "settings.ini"),)))
    assert not names_host(run(Const("a"), touched=((True, "a"),)))
    assert names_host(run(Const("data"), touched=((False, "data/x.json"),)))
    assert names_host(run(Const("/"), touched=((False, "/"),)))
    assert names_host(run(Const("a/"), touched=((False, "a"),)))


def test_what_is_missed_in_the_folder_stands_there_next():
    looked = run(TempPath("", EMPTY_FOLDER), touched=((True, "setup.cfg"), (True, "")))
    found = arguments_of(fill_paths(looked, CONTENTS))
    assert found[0] == TempPath("", Display("dict", (Const("setup.cfg"), CONTENTS[0])))
    again = run(found[0], touched=((True, "setup.cfg"),))
    assert fill_paths(again, CONTENTS) == []


def test_names_without_an_ending_and_in_folders_are_put_there_too():
    def filled(there, name):
        return arguments_of(fill_paths(run(TempPath("", there), touched=((True, name),)), CONTENTS))

    file = Display("dict", (Const("VERSION"), CONTENTS[0]))
    assert filled(EMPTY_FOLDER, "VERSION")[0] == TempPath("", file)
    nested = Display("dict", (Const("etc"), Display("dict", (Const(".env"), CONTENTS[0]))))
    assert filled(EMPTY_FOLDER, "etc/.env")[0] == TempPath("", nested)
    etc = Display("dict", (Const("etc"), file))
    both = Display("dict", (*file.items, Const("b"), CONTENTS[0]))
    assert filled(etc, "etc/b")[0] == TempPath("", Display("dict", (Const("etc"), both)))
    for name in ("etc", "etc/VERSION", "etc/VERSION/b"):  # something stands there
        assert filled(etc, name) == []
    for name in ("../b", "a b", "a/b/c/d", ""):
        assert filled(EMPTY_FOLDER, name) == []


@pytest.mark.parametrize("path", ["a", "<scratch>/cwd/a"])
def test_a_refused_write_is_a_look_at_its_path(path):
    sequence = run(Const("a")).sequence
    refused = refused_look("m:f", sequence, f"open:{path}")
    assert refused is not None
    assert names_host(refused)
    assert refused.touched == ((False, "a"),)
    assert refused_look("m:f", sequence, "socket.connect:a") is None
    assert refused_look("m:f", sequence, "open:<scratch>/a") is None


def test_no_test_names_where_this_machine_has_the_code():
    choice = VariableChoice()
    choice.folders = ("/srv/ann/code/sample", "/srv/ann/env")
    assert depends_on_host(run(Const("/srv/ann/code/sample/core.py")), choice)
    assert depends_on_host(run(Display("list", (Const(b"/srv/ann/env/bin"),))), choice)
    assert not depends_on_host(run(Const("/srv/ann/data.json")), choice)


@pytest.mark.parametrize(
    "other",
    [
        Display("list", (Const("a"),)), Const(1), Display("dict", (Const(1), Const("a"))),
        Display("dict", (Const("a"), Display("list", ()))),
    ],
)  # fmt: skip
def test_what_no_file_can_hold_and_is_no_folder_is_put_nowhere(other):
    folder = Display("dict", (Const("a.txt"), Const("first line\n")))
    given = Sequence((Call("function", "m:f", (TempPath("", folder),)),))
    puts = [put for arg, put in places(given) if arg == folder]
    assert [put(other) for put in puts] == [given]
    assert puts[0](Display("dict", ())) != given


def test_files_get_names_that_a_person_writes():
    folder = TempPath("", Display("dict", (Const("a.txt"), Const("x"))))
    sequence = Sequence((Call("function", "sample:find", (folder,)),))
    (put,) = (put for arg, put in places(sequence) if arg == Const("a.txt"))
    assert [put(Const(name)).calls[0].args[0].content.items[0].value for name in (
        "{{b}}", "b\n", " b", "b",
    )] == ["{{b}}", "a.txt", "a.txt", "b"]  # fmt: skip
