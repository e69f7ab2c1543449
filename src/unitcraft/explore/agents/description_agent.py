"""The agent that describes the Subject, in a worker of its own that ends with the answer.

No other worker needs the modules that describe, so none loads them: a planner asks for the service
``module:name`` of this module (``explore.subject_request``), and a worker forked from any host that
has imported the Subject loads them and answers.

Invariant: an answer depends on the module's objects and source only.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from unitcraft.core.encoding import Plain
from unitcraft.subject.description.describe import describe
from unitcraft.subject.subject_codec import encode_subject


def describe_module(name: Plain) -> Plain:
    """The encoded Subject of the module ``name``, which is loaded."""
    return encode_subject(describe(sys.modules[name]))


#: What the agent serves.
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {"describe": describe_module}
