"""``specify``: the Specifications of classes of one module, which one host runs."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from unitcraft.infer.infer_class import ClassToSpecify, infer_specification, open_host


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
