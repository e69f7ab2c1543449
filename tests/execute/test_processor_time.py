"""Processor time is that of a process and all below it, and of nothing else."""

from __future__ import annotations

import subprocess
import sys
import time

from unitcraft.execute.pool.processor_time import cpu_seconds, family_seconds

#: Has a grandchild use the processor for some 0.4 seconds; then all end.
BUSY = r"""
import subprocess, sys
code = "import time\nwhile time.process_time() < 0.4: pass"
subprocess.run([sys.executable, "-c", code])
"""


def test_what_descendants_used_counts_when_they_have_ended_too():
    before = family_seconds()
    subprocess.run([sys.executable, "-c", BUSY], check=True)
    assert family_seconds() - before >= 0.4


def test_waiting_costs_nothing():
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as child:
        time.sleep(0.3)
        before, at_start = family_seconds(), cpu_seconds(child.pid)
        time.sleep(0.6)
        assert family_seconds() - before < 0.3
        assert cpu_seconds(child.pid) - at_start < 0.3
        child.kill()
