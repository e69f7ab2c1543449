from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec

HERE = str(Path(__file__).parent)


@pytest.fixture
def pool_of(tmp_path):
    """A function that opens a Pool on module source text; all are closed at the end."""
    opened = []

    def make(source="", jobs=1, guard=None, **changes):
        (tmp_path / "subject.py").write_text(source)
        spec = HostSpec(
            "worker_agent",
            {"module": "subject"},
            paths=(str(tmp_path),),
            entry_paths=(HERE,),
            item_seconds=0.5,
        )
        opened.append(Pool(dataclasses.replace(spec, **changes), jobs, guard))
        return opened[-1]

    yield make
    for pool in opened:
        pool.close()
