"""Connects, listens and resolves names."""

from __future__ import annotations

import socket
import urllib.request


def fetch(host: str = "127.0.0.1", port: int = 9) -> bytes:
    """Read from a server."""
    with socket.create_connection((host, port), timeout=1) as connection:
        return connection.recv(10)


def listen(port: int = 0) -> int:
    """Open a server socket."""
    server = socket.socket()
    server.bind(("127.0.0.1", port))
    server.listen()
    return server.fileno()


def resolve(name: str = "localhost") -> str:
    """Ask the resolver."""
    return socket.gethostbyname(name)


def download(url: str = "http://127.0.0.1:9/") -> bytes:
    """Fetch a page."""
    return urllib.request.urlopen(url, timeout=1).read()


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
