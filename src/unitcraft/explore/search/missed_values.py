"""Values for a key that a run looked up and missed.

What the module shows for a key of that name is best, then what a base takes for the keyword, or
what can do what the code does with each value of the mapping, where a text cannot.

Invariant: nothing is run, and the values depend on the Subject and on the run alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from unitcraft.core.sequences import Arg, Const, Display, Sequence
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.explore.execution import Execution
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.explore.plausibility.item_kinds import refused_uses
from unitcraft.explore.plausibility.parameter_evidence import Evidence
from unitcraft.explore.search.variation.fill_mappings import MAX_STATED, VALUES, with_argument
from unitcraft.subject.values.value_pools import ValuePools


def values_for_key(
    run: Execution,
    key: Any,
    open_calls: Iterable[int],
    plausibility: Plausibility,
    pools: ValuePools,
) -> Iterator[Arg]:
    """What may stand under the ``key`` that ``run`` missed, the likeliest first.

    ``open_calls``: the numbers of the Calls that take keyword arguments of any name.
    """
    named = key if isinstance(key, str) else ""
    shown = pools.stated(key)
    yield from shown
    for at in range(len(run.sequence)) if not shown else ():
        for name, evidence in _known(run.sequence, at, plausibility).items():
            held = _held(evidence)
            if name == key and at in open_calls and evidence.candidates:
                yield from pools.values(evidence.candidates[0].type, limit=MAX_STATED, name=named)
            elif held is not None and any(refused_uses(evidence, _with_text(key), "dict")):
                yield from pools.values(held, limit=MAX_STATED, name=named)


def given_left_out(
    run: Execution, key: Any, plausibility: Plausibility, pools: ValuePools
) -> Iterator[Sequence]:
    """Variants of ``run`` that give a dictionary with the ``key`` where one was left out."""
    for at, call in enumerate(run.sequence.calls):
        given = plausibility.parameter_names(run.sequence, call)[: len(call.args)]
        for name, evidence in _known(run.sequence, at, plausibility).items():
            held = _held(evidence)
            if held is not None and name not in given:
                values = pools.values(held, limit=1)
                pair = Display("dict", (Const(key), *values))
                made = values and with_argument(run.sequence, at, name, pair)
                yield from [made] if made else []


def _known(sequence: Sequence, at: int, plausibility: Plausibility) -> dict[str, Evidence]:
    called = plausibility.called(sequence, sequence.calls[at])
    return plausibility.evidence(called) if called is not None else {}


def _with_text(key: Any) -> Arg:
    """A dictionary with the value under the ``key`` that is tried first where any will do."""
    return Display("dict", (Const(key), VALUES[0]))


def _held(evidence: Evidence) -> TypeExpr | None:
    """The type of the values, where a parameter most likely is a dictionary."""
    type_ = next((one.type for one in evidence.candidates[:1]), ANY)
    return (type_.args[-1] if type_.args else ANY) if type_.name == "dict" else None
