"""The command ``unitcraft``: finds the sub-command and turns every ending into an exit code.

Invariant: a command module is imported when its command is named, so ``--version``
and a mistyped flag answer without loading the engine.
"""

from __future__ import annotations

import gc
import importlib
import io
import os
import signal
import sys
import threading
import traceback
from collections.abc import Sequence
from typing import Final, NoReturn

import click

from unitcraft import __version__
from unitcraft.core.errors import Terminated, UnitcraftError

CLEAN: Final = 0
FAILED: Final = 2
INTERRUPTED: Final = 130  # 128 + SIGINT, as shells say it
TERMINATED: Final = 143  # 128 + SIGTERM

#: What each signal raises.
_RAISED: Final = {signal.SIGINT: KeyboardInterrupt, signal.SIGTERM: Terminated}
#: Seconds until a signal that was lost is sent again.
SOON: Final = 0.05

#: New objects between two collections of garbage.  A search keeps nearly all that it makes: with
#: CPython's 700 a quarter of its time went into looking at them (13.8 s of CPU, 10.4 s with this).
NEW_OBJECTS: Final = 50_000

#: The end of the message about a run that was stopped.
RESUME: Final = "finished targets are kept, the same command resumes"

#: Sub-command -> the line that ``--help`` shows for it.
COMMANDS: Final = {
    "generate": "Write a pytest suite for modules, packages, classes or functions.",
    "check": "Find redundant, weak and flaky tests of an existing suite.",
    "minimize": "List or remove the tests that a suite can do without.",
    "select": "List the new tests that add something to an existing suite.",
    "prioritize": "Order tests so that each adds most to those before it.",
    "assess": "Show the figures of one suite, or of two side by side.",
    "mutants": "Change the code in small ways and see which mutants the tests kill.",
    "explore": "Count the states that sequences of calls can reach.",
    "specs": "Print laws that are true of a class, found by running it.",
    "heaps": "Generate the heaps that satisfy the representation invariant of a class.",
    "report": "Write an HTML page about the last runs: branches, mutants, redundant tests.",
    "explain": "List the paths of a function or method, and why a branch is not taken.",
}


class _Commands(click.Group):
    """The sub-commands of ``COMMANDS``, each imported from ``app.cli_<name>`` when asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the documentation."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        del ctx
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"unitcraft.app.commands.cli_{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 clean, 1 findings, 2 usage or internal error, 130 interrupted.",
)
@click.version_option(
    __version__, "-V", "--version", prog_name="unitcraft", message="%(prog)s %(version)s"
)
def cli() -> None:
    """Explore what Python code can do and write the pytest suite for it.

    \b
    Examples:
      unitcraft generate src/shop/cart.py
      unitcraft generate shop.cart:Cart -o tests
      unitcraft check tests --subject shop
      unitcraft explore shop.cart:Cart --methods add,remove --ints 0..3
      unitcraft explain shop.cart:discount
    """  # noqa: D301


class _Signals:
    """Each signal unwinds the run, so that workers are ended and the store is closed.

    Once ``are_heard`` is False (mutable) it ends the process at once: the interpreter is about to
    end, and would show a traceback of whatever it runs then.
    """

    def __init__(self) -> None:
        self.are_heard = True

    def listen(self) -> None:
        """Hear signals from now on; an interrupt only where it is not ignored."""
        signal.signal(signal.SIGTERM, self._unwind)
        if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
            signal.signal(signal.SIGINT, self._unwind)
        sys.unraisablehook = self._unwind_later

    def _unwind(self, number: int, _frame: object) -> None:
        if self.are_heard:
            raise _RAISED[signal.Signals(number)]
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def _unwind_later(self, failure: sys.UnraisableHookArgs) -> None:
        """A signal arrived in a finalizer, which nothing unwinds: send it again."""
        for number, kind in _RAISED.items():
            if failure.exc_type is kind:
                threading.Timer(SOON, os.kill, (os.getpid(), number)).start()
                return
        sys.__unraisablehook__(failure)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 clean, 1 findings, 2 failed, 130 interrupted."""
    signals = _Signals()
    try:
        signals.listen()
        gc.set_threshold(NEW_OBJECTS)
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot show a character
                stream.reconfigure(errors="backslashreplace")
        code = exit_code(arguments)
    except KeyboardInterrupt:  # before the command began, or while it told how it had ended
        code = INTERRUPTED
    except Terminated:
        code = TERMINATED
    finally:
        signals.are_heard = False
    sys.exit(code)


def exit_code(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; a failure becomes one message on standard error."""
    try:
        code = cli.main(arguments, prog_name="unitcraft", standalone_mode=False)
    except (click.exceptions.Abort, KeyboardInterrupt):
        click.echo(f"interrupted: {RESUME}", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return FAILED
    except UnitcraftError as error:
        click.echo(f"error: {error}", err=True)
        return FAILED
    except Terminated:
        click.echo(f"terminated: {RESUME}", err=True)
        return TERMINATED
    except BrokenPipeError:
        sys.stdout = None  # the reader left; say nothing more, not even at shutdown
        return FAILED
    except Exception:  # noqa: BLE001
        traceback.print_exc()
        click.echo("error: unitcraft itself failed [internal-error]", err=True)
        return FAILED
    return code if isinstance(code, int) else CLEAN
