"""The agent that reads what a module passes, in a worker of its own that ends with the answer.

It is asked after the Subject was described, so that neither worker loads the modules of the other.

Invariant: an answer depends on the Subject, the module's objects and its source only.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from unitcraft.core.encoding import Plain
from unitcraft.subject import static_lookup
from unitcraft.subject.description_context import context_of
from unitcraft.subject.passing.passed_kinds import passed_kinds
from unitcraft.subject.subject_codec import decode_subject, encode_record


def read_passed(encoded: Plain) -> Plain:
    """The encoded uses of what the code of the encoded Subject passes; its module is loaded."""
    subject = decode_subject(encoded)
    view = context_of(sys.modules[subject.module])
    for info in subject.classes:
        module, _, path = info.id.partition(":")
        cls = static_lookup.resolve(module, path)
        if static_lookup.is_class(cls):
            view.homes.assign(cls, info.id)
    tree = view.sources.tree(view.file)
    return encode_record(tuple(passed_kinds(view, subject, tree)))


#: What the agent serves.
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {"passed": read_passed}
