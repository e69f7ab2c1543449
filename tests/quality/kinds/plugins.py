"""A registry that a class holds, and the state of a module."""

_recent: list[str] = []


class Plugin:
    registry: dict[str, type["Plugin"]] = {}

    def __init_subclass__(cls, name: str = "", **kwargs) -> None:
        super().__init_subclass__(**kwargs)
        if name:
            Plugin.registry[name] = cls

    def run(self, text: str) -> str:
        raise NotImplementedError


class Upper(Plugin, name="upper"):
    def run(self, text: str) -> str:
        return text.upper()


class Reverse(Plugin, name="reverse"):
    def run(self, text: str) -> str:
        return text[::-1]


def apply(name: str, text: str) -> str:
    """What a plugin makes of a text."""
    if name not in Plugin.registry:
        raise KeyError(f"no plugin {name}")
    return Plugin.registry[name]().run(text)


def remember(name: str, limit: int = 3) -> list[str]:
    """The last names, the newest first."""
    if name in _recent:
        _recent.remove(name)
    _recent.insert(0, name)
    del _recent[limit:]
    return list(_recent)
