"""``memory_growth``: the limit of a process is what it has now, and as much more."""

from __future__ import annotations

import resource
import subprocess
import sys

import pytest

from unitcraft.execute.pool.memory_growth import MEGABYTE, bound_growth

linux = pytest.mark.skipif(sys.platform != "linux", reason="prlimit is Linux's")


@linux
def test_a_process_may_have_so_much_more():
    code = "input(); bytearray(8 << 20)\ntry: bytearray(64 << 20)\nexcept MemoryError: print('no')"
    command = [sys.executable, "-c", code]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as child:
        bound_growth(child.pid, 32)
        assert resource.prlimit(child.pid, resource.RLIMIT_DATA)[0] >= 32 * MEGABYTE
        assert child.communicate("\n")[0] == "no\n"


def test_a_process_that_has_gone_is_left_alone():
    with subprocess.Popen([sys.executable, "-c", ""]) as child:
        child.wait()
    bound_growth(child.pid, 32)
