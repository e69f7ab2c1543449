"""Sets, nested dictionaries, and keywords."""


def unique(items: list[str]) -> list[str]:
    """The items without repetitions, in their order."""
    seen: set[str] = set()
    found = []
    for item in items:
        if item not in seen:
            seen.add(item)
            found.append(item)
    return found


def flatten(tree: dict, prefix: str = "") -> dict[str, int]:
    """A nested dictionary with dotted keys."""
    flat: dict[str, int] = {}
    for key, value in tree.items():
        name = f"{prefix}.{key}" if prefix else key
        if isinstance(value, dict):
            flat.update(flatten(value, name))
        else:
            flat[name] = value
    return flat


def total(**amounts: int) -> int:
    """The sum of the amounts that are not negative."""
    return sum(amount for amount in amounts.values() if amount > 0)
