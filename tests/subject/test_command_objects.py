"""Commands of click: which Invocables a module holds, and the lines that they are run on."""

from __future__ import annotations

import pytest

from unitcraft.subject.model import Command, CommandOption
from unitcraft.subject.reading.command_lines import lines_of_command, refused_line

NOTES = """
    import click
    from pathlib import Path

    @click.group()
    @click.option("--store", type=click.Path(), default="data/notes.json")
    @click.version_option("1.0")
    @click.pass_context
    def cli(ctx, store): ...

    @cli.command("rm")
    @click.argument("number", type=click.IntRange(min=1))
    @click.option("--yes/--no", default=False)
    @click.pass_obj
    def remove(store, number, yes): ...

    @cli.group()
    def tags(): ...

    @tags.command()
    @click.option("-c", "--color", type=click.Choice(["red", "blue"]), default="red")
    @click.option("--rate", type=float, required=True, prompt=True, confirmation_prompt=True)
    @click.argument("names", nargs=-1)
    def mark(color, rate, names): ...

    @click.command()
    def alone(): ...

    def plain(): ...
"""
NUMBER = CommandOption("number", "int", required=True)
STORE = CommandOption("--store", "path", default="data/notes.json")


def commands(found):
    return {one.id: one.command for one in found.invocables if one.command is not None}


def test_leaves_are_reached_from_the_outermost_group(subject):
    found = commands(subject(NOTES))
    assert {name: [part for part, _ in one.parts] for name, one in found.items()} == {
        "sample:remove": ["", "rm"],
        "sample:mark": ["", "tags", "mark"],
        "sample:alone": [""],
    }
    assert [one.root for one in found.values()] == ["sample:cli", "sample:cli", "sample:alone"]


def test_options_are_as_they_are_declared_without_those_that_end_the_command(subject):
    found = commands(subject(NOTES))
    assert found["sample:remove"].parts == (
        ("", (STORE,)),
        ("rm", (NUMBER, CommandOption("--yes", "flag", "--no"))),
    )
    assert found["sample:mark"].parts[-1][1] == (
        CommandOption("--color", "choice", choices=("red", "blue"), default="red"),
        CommandOption("--rate", "float", required=True, prompts=2),
        CommandOption("names", count=-1),
    )


def test_commands_and_groups_are_not_skipped_and_other_objects_are(subject):
    text = NOTES + "\n    class Task:\n        def __init__(self, function): ...\n"
    found = subject(text + "\n    @Task\n    def job(): ...\n")
    assert [name for name, *_ in found.skipped] == ["sample:job"]


@pytest.mark.parametrize(("call", "asks"), [("click.confirm('Sure?')", True), ("print()", False)])
def test_who_may_be_asked_something_has_an_input(subject, call, asks):
    found = subject(f"import click\n\n@click.command()\ndef ask():\n    {call}\n")
    one = next(one for one in found.invocables if one.command)
    assert [parameter.name for parameter in one.parameters] == ["args", "input"][: 1 + asks]
    assert one.command.asks is asks


def test_a_group_that_runs_code_by_itself_is_a_command_too(subject):
    text = "import click\n@click.group(invoke_without_command=True)\ndef cli(): ...\n"
    found = commands(subject(f"{text}@cli.command()\ndef run(): ...\n"))
    assert [part for part, _ in found["sample:cli"].parts] == [""]
    assert [part for part, _ in found["sample:run"].parts] == ["", "run"]


def command(*options, asks=False):
    return Command("m:cli", (("", (STORE,)), ("run", options)), asks)


OWN = ("--store", "notes.json", "run")


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        ((), [OWN]),
        (
            (CommandOption("number", "int", required=True),),
            [(*OWN, "3"), (*OWN, "--", "-3"), (*OWN, "abc")],
        ),
        (
            (CommandOption("name", required=True), CommandOption("--shout", "flag", "--calm")),
            [(*OWN, "name"), (*OWN, "name", "--shout"), (*OWN, "name", "--calm"), ("run",)],
        ),
        (
            (CommandOption("--mode", "choice", choices=("a", "b", "c"), default="a"),),
            [OWN, (*OWN, "--mode", "b"), (*OWN, "--mode", "c")],
        ),
        ((CommandOption("words", count=-1),), [(*OWN, "words"), ("run",)]),
        (
            (CommandOption("--at", "float", count=2),),
            [OWN, (*OWN, "--at", "1.5", "2.5"), (*OWN, "--at", "1.5", "abc")],
        ),
    ],
)
def test_lines_give_each_option_in_turn_and_the_last_is_refused(options, lines):
    found = [line for line, _ in lines_of_command(command(*options))]
    assert [line for line in found if line[:4] != ("--store", "other.txt", "run")] == lines


def test_what_is_not_on_the_line_is_typed():
    asked = CommandOption("--name", prompts=2)
    found = lines_of_command(command(asked, asks=True))
    assert found == (
        (OWN, "name\nname\ny\n"),
        ((*OWN, "--name", "name"), "y\n"),
        (OWN, "name\nname\nn\n"),
        ((*OWN, "--name", "name"), "n\n"),
    )


def test_nothing_is_refused_where_nothing_is_required():
    assert refused_line(command(CommandOption("--name"))) == ()
