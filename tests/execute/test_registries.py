"""Registries of the process that outlive a run: each shows the next run what it showed the first.

``codec_registry`` knows codecs; the rest are holders or restorers.
"""

from __future__ import annotations

import textwrap

import pytest

from unitcraft.core.encoding import encode_sequence
from unitcraft.core.sequences import Call, Sequence
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec

#: What the module of a run imports.
IMPORTS = "import codecs, decimal, gc, signal, sys, threading, warnings"

#: What a run changes -> (change, what shows it).
REGISTRIES = {
    "codecs": (
        "codecs.register(lambda name: codecs.lookup('utf-8') if name == 'own' else None)",
        "try:\n answer = 'x'.encode('own')\nexcept LookupError: answer = 'unknown'",
    ),
    "recursion limit": (
        "import sys; sys.setrecursionlimit(500)",
        "import sys; answer = sys.getrecursionlimit()",
    ),
    "profile": (
        "import sys; sys.setprofile(lambda *_: None)",
        "import sys; answer = repr(sys.getprofile())",
    ),
    "gc threshold": (
        "import gc; gc.set_threshold(1, 2, 3)",
        "import gc; answer = gc.get_threshold()",
    ),
    "warnings": (
        "import warnings; warnings.simplefilter('error')",
        "import warnings; answer = len(warnings.filters)",
    ),
    "thread hook": (
        "import threading; threading.excepthook = print",
        "import threading; answer = threading.excepthook is print",
    ),
    "except hook": (
        "import sys; sys.excepthook = print",
        "import sys; answer = sys.excepthook is print",
    ),
    "decimal": (
        "import decimal; decimal.getcontext().prec = 3",
        "import decimal; answer = decimal.getcontext().prec",
    ),
    "signal": (
        "import signal; signal.signal(signal.SIGUSR1, signal.SIG_IGN)",
        "import signal; answer = repr(signal.getsignal(signal.SIGUSR1))",
    ),
}


@pytest.mark.parametrize("name", REGISTRIES)
def test_a_registry_is_as_it_was(tmp_path, name):
    change, show = REGISTRIES[name]
    body = textwrap.indent(f"{show}\nreturn answer", "    ")
    other = textwrap.indent(change, "    ")
    (tmp_path / "own.py").write_text(
        f"{IMPORTS}\n\ndef show():\n{body}\n\ndef change():\n{other}\n"
    )
    asked = ("show", "change", "show")
    items = [encode_sequence(Sequence((Call("function", f"own:{one}"),))) for one in asked]
    options = {"module": "own", "rewrite": False}
    agent = "unitcraft.explore.agents.search_agent"
    with Pool(HostSpec(agent, options, paths=(str(tmp_path),), focus=("own",)), 1) as pool:
        first, changed, again = pool.map("after", items)
    assert changed.value is not None or changed.failure is not None
    assert first.value is not None
    assert again == first
