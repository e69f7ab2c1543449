"""The laws of a class that speak of any object alone, as expressions over ``self``.

Invariant: a class about which nothing can be inferred has no laws; that is no error here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unitcraft.core.errors import UnitcraftError
from unitcraft.infer.class_request import ClassToSpecify
from unitcraft.infer.infer_class import infer_specification, open_host

if TYPE_CHECKING:
    from unitcraft.heaps.heap_task import HeapsRequest


def laws_of_objects(request: HeapsRequest) -> tuple[str, ...]:
    """What ``specs`` says of all objects of the class of ``request``."""
    asked = ClassToSpecify(request.module, request.qualname, **request.setting)
    try:
        with open_host(asked) as host:
            laws = infer_specification(host, asked).laws
    except UnitcraftError:
        return ()
    contracts = [law.contract for law in laws if law.contract is not None]
    conditions = [one.condition for one in contracts if not one.method]
    return tuple([one for one in conditions if "state(" not in one])
