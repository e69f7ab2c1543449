"""The first code of guarded processes: of one that runs alone, and of one that is forked.

A fork server loads modules once and then waits; each request makes it fork a process that gets the
words, the folder, the variables and the descriptors of the request, and goes on as if it had been
started for them alone.

Invariant: a fork server runs nothing but imports of unitcraft and pytest; what is asked for runs in
the fork, which keeps no descriptor of the server.
"""

from __future__ import annotations

import gc
import importlib
import os
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from unitcraft.execute import frames
from unitcraft.execute.command import lent_packages
from unitcraft.execute.frames import ANSWER, CONTROL_TOKEN
from unitcraft.execute.sandbox import limits

#: What a request begins with; its descriptors come with this byte.
START_BYTE: Final = b"s"
#: What a request to reap begins with; the process id follows as an ``ANSWER``.
REAP_BYTE: Final = b"r"
#: The variable that an interpreter sets when it starts with the C locale.
COERCED: Final = ("LC_CTYPE",)
#: What a fork is asked for that is to be a server itself; its only word are its modules.
SERVER: Final = "server"
#: Descriptors that a request may carry: standard output and error, and two of a host.
MAX_DESCRIPTORS: Final = 4

#: The first function of a process: takes the id of its parent, words, and descriptors.
Main = Callable[[int, list[str], list[int]], None]


@dataclass(frozen=True, slots=True)
class Forked:
    """What a forked process goes on with: words of its command line, and descriptors."""

    parent: int
    main: str
    words: list[str]
    descriptors: list[int]


def run_alone(words: list[str]) -> None:
    """Become the process of ``words``: parent, ``module:function``, descriptors, and its own."""
    parent, main, descriptors, *rest = words
    _run(Forked(int(parent), main, rest, [int(one) for one in descriptors.split(",") if one]))


def run_forked(words: list[str]) -> None:
    """Load modules and serve; goes on in each fork.  ``words``: a descriptor, modules, packages.

    Modules and lent packages (``name=folder``) are separated by commas.  A fork that is asked to
    be a server (``SERVER``) loads its own modules and serves in turn.
    """
    descriptor, modules, packages = words
    pairs = [one.partition("=") for one in packages.split(",") if one]
    lent_packages.lend([(name, folder) for name, _, folder in pairs])
    forked = _load_and_serve(int(descriptor), modules)
    while forked.main == SERVER:
        forked = _load_and_serve(forked.descriptors[0], forked.words[0])
    _run(forked)


def _load_and_serve(descriptor: int, modules: str) -> Forked:
    """Load modules and serve; returns in forks only.

    Tells first which packages later modules have loaded: the first one is what a process of its
    own would load as well.  Without modules it only serves.
    """
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=descriptor)
    os.set_inheritable(connection.fileno(), False)  # noqa: FBT003
    first, *later = modules.split(",")
    if first:
        importlib.import_module(first)
    before = _loaded_packages()
    for name in later:
        try:
            importlib.import_module(name)
        except ImportError:  # said by the process that needs it
            continue
    connection.sendall(frames.pack(tuple(sorted(_loaded_packages() - before)), CONTROL_TOKEN))
    gc.collect()
    gc.freeze()
    return _serve(connection)


def _loaded_packages() -> set[str]:
    return {name.partition(".")[0] for name in sys.modules}


def _run(forked: Forked) -> None:
    module, _, function = forked.main.partition(":")
    main: Main = getattr(importlib.import_module(module), function)
    main(forked.parent, forked.words, forked.descriptors)


def _serve(connection: socket.socket) -> Forked:
    """Answer requests; returns in forks only.  Ends the process when the planner has gone."""
    server = os.getpid()
    while True:
        try:
            kind, descriptors, _, _ = socket.recv_fds(connection, 1, MAX_DESCRIPTORS)
            if kind == START_BYTE:
                request = frames.receive(connection, CONTROL_TOKEN)
                if os.fork() == 0:
                    return _become(connection, server, request, list(descriptors))
                for one in descriptors:
                    os.close(one)
            elif kind == REAP_BYTE:
                pid = ANSWER.unpack(frames.receive_exactly(connection, ANSWER.size))[0]
                connection.sendall(ANSWER.pack(os.waitpid(pid, 0)[1]))
            else:
                os._exit(0)
        except (OSError, EOFError):
            os._exit(0)


def _become(
    connection: socket.socket,
    server: int,
    request: tuple[str, list[str], str, dict[str, str]],
    descriptors: list[int],
) -> Forked:
    """In a fork: take on what the request asks for, and tell the planner the process id."""
    main, words, folder, variables = request
    os.setsid()
    limits.die_with_parent(server)
    connection.sendall(ANSWER.pack(os.getpid()))
    connection.close()
    out, error, *rest = descriptors
    for number, one in ((1, out), (2, error)):
        os.dup2(one, number)
        os.close(one)
    coerced = {name: os.environ[name] for name in COERCED if name in os.environ}
    os.environ.clear()
    os.environ.update(coerced | variables)
    time.tzset()
    os.chdir(folder)
    sys.argv[1:] = words
    return Forked(server, main, words, rest)
