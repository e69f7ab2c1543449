"""Functions behind ``functools.lru_cache``: a call that the cache answers is an execution too.

Invariant: the function that takes a cache's place in modules and classes hands every call on to it
and has its attributes, so only its type differs.
"""

from __future__ import annotations

import functools
import sys
from types import ModuleType
from typing import Any, Final

from unitcraft.state.heap.object_layout import own_dict

_CACHE: Final = type(functools.lru_cache(len))

#: Attributes of a cache that its users call.
_OWN: Final = ("cache_info", "cache_clear", "cache_parameters")


def unmask_caches(module: ModuleType) -> None:
    """Put a function in the place of each cache of ``module`` and of its classes."""
    for value in list(vars(module).values()):
        if type(value) is _CACHE and value.__module__ == module.__name__:
            _replace(value, _function(value))
        elif isinstance(value, type) and own_dict(value).get("__module__") == module.__name__:
            for attribute, cache in list(own_dict(value).items()):
                if type(cache) is _CACHE:
                    type.__setattr__(value, attribute, _function(cache))


def _function(cache: Any) -> Any:
    def cached(*args: Any, **kwargs: Any) -> Any:
        return cache(*args, **kwargs)

    functools.update_wrapper(cached, cache)
    for name in _OWN:
        setattr(cached, name, getattr(cache, name))
    return cached


def _replace(cache: object, function: object) -> None:
    """Wherever a module has the cache, let it have the function."""
    for module in list(sys.modules.values()):
        if isinstance(module, ModuleType):
            namespace = vars(module)
            for name in [name for name, value in list(namespace.items()) if value is cache]:
                namespace[name] = function
