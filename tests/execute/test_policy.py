"""Rules about audit events, as data."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from unitcraft.core.errors import UnitcraftError
from unitcraft.execute.allowed_effects import read_policy
from unitcraft.execute.policy import RULES, Policy
from unitcraft.execute.sandbox.waivers import kernel_waivers

WRITE = os.O_WRONLY | os.O_CREAT


@pytest.fixture
def inside(tmp_path):
    return os.path.realpath(tmp_path)


@pytest.mark.parametrize(
    ("event", "args", "refused"),
    [
        ("open", ("/etc/passwd", "r", os.O_RDONLY), ()),
        ("open", ("/etc/passwd", "w", WRITE), ("/etc/passwd",)),
        ("open", (b"/etc/passwd", None, os.O_RDWR), ("/etc/passwd",)),
        ("open", ("{in}/x", "w", WRITE), ()),
        ("open", ("{in}/../x", "w", WRITE), ("{in}/../x",)),
        ("open", ("/dev/null", "w", WRITE), ()),
        ("open", (1, "w", WRITE), ("descriptor 1",)),
        ("os.remove", ("/x", -1), ("/x",)),
        ("os.remove", ("{in}/x", -1), ()),
        ("os.rename", ("{in}/x", "/y", -1, -1), ("/y",)),
        ("os.rename", ("/x", "{in}/y", -1, -1), ("/x",)),
        ("os.symlink", ("/etc/passwd", "{in}/y", -1), ()),
        ("shutil.move", ("{in}/x", "/y"), ("/y",)),
        ("socket.__new__", (None, socket.AF_INET, 1, 0), ("2",)),
        ("socket.__new__", (None, socket.AF_UNIX, 1, 0), ()),
        ("sqlite3.connect", (":memory:",), ()),
        ("sqlite3.connect", ("file:db?mode=memory&cache=shared",), ()),
        ("sqlite3.connect", ("file::memory:?cache=shared",), ()),
        ("sqlite3.connect", ("file:/x.db?mode=ro",), ("/x.db",)),
        ("sqlite3.connect", ("/x.db",), ("/x.db",)),
        ("ctypes.dlopen", (None,), ()),
        ("ctypes.dlopen", ("libc.so.6",), ("libc.so.6",)),
        ("time.sleep", (0.01,), ()),
        ("time.sleep", (5,), ("5",)),
        ("subprocess.Popen", ("ls", ["ls"], None, None), ("ls",)),
        ("os.fork", (), ("",)),
    ],
)
def test_rule(event, args, refused, inside):
    given = tuple(arg.replace("{in}", inside) if isinstance(arg, str) else arg for arg in args)
    expected = tuple(text.replace("{in}", inside) for text in refused)
    assert RULES[event](given, (inside,)) == expected


def test_a_link_out_of_the_scratch_is_followed(inside):
    link = Path(inside, "link")
    link.symlink_to("/etc")
    path = str(link / "passwd")
    assert RULES["open"]((path, "w", WRITE), (inside,)) == (path,)


def test_a_name_relative_to_a_descriptor_is_placed(inside):
    folder = os.open("/etc", os.O_RDONLY)
    try:
        assert RULES["os.remove"](("passwd", folder), (inside,)) != ()
    finally:
        os.close(folder)


def test_allow_is_a_pair_of_globs():
    policy = Policy("standard", (("socket.*", "*"), ("open", "/data/*")))
    assert policy.allows("socket.connect", "anything")
    assert policy.allows("open", "/data/x")
    assert not policy.allows("open", "/other")
    assert not policy.allows("os.remove", "/data/x")


def test_waivers_open_the_narrowest_folder(tmp_path):
    (tmp_path / "data").mkdir()
    found = kernel_waivers(Policy("standard", (("open", f"{tmp_path}/data/*.txt"),)))
    assert found.folders == (os.path.realpath(tmp_path / "data"),)
    assert not found.network
    assert not found.spared
    assert kernel_waivers(Policy("standard", (("socket.connect", "*"),))).network
    assert "execve" in kernel_waivers(Policy("standard", (("subprocess.Popen", "ls"),))).spared


def test_waivers_are_read_as_flags_write_them():
    policy = read_policy("strict", ["socket.*", "open:/data/*", "open:C:/x"])
    assert policy == Policy("strict", (("socket.*", "*"), ("open", "/data/*"), ("open", "C:/x")))


@pytest.mark.parametrize(
    ("waiver", "advice"),
    [("nonsense", "UC503 names"), ("os.romove:x", "did you mean os.remove?"), ("", "UC503")],
)
def test_a_waiver_of_nothing_is_an_error(waiver, advice):
    with pytest.raises(UnitcraftError, match=advice) as caught:
        read_policy("standard", [waiver])
    assert caught.value.slug == "unknown-effect"
