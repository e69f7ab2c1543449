"""``specify``: the Specifications of classes of one module, which one host runs."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from unitcraft.infer.class_request import ClassToSpecify
from unitcraft.infer.infer_class import infer_specification, open_host
from unitcraft.infer.universe import universes


@pytest.fixture(scope="module")
def specify(request, tmp_path_factory):
    """A function from the name of a class of the test's ``SOURCE`` to its Specification."""
    folder = tmp_path_factory.mktemp("subject")
    (folder / "sample.py").write_text(request.module.SOURCE)
    known = {}
    with ExitStack() as stack:
        task = ClassToSpecify("sample", "", paths=(str(folder),))
        host = stack.enter_context(open_host(task))

        def made(name, **options):
            if name not in known:
                task = ClassToSpecify("sample", name, paths=(str(folder),), **options)
                known[name] = infer_specification(host, task)
            return known[name]

        yield made


@pytest.fixture
def short_histories(monkeypatch):
    """Objects of few calls: what is joined to itself again and again is long, and dear to compare.

    A third to a half of the CPU time for the same laws; that a law is refuted is harder to reach.
    """
    monkeypatch.setattr(universes, "MAX_WALK", 8)
    monkeypatch.setattr(universes, "MAX_BURST", 12)
