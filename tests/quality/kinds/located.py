import os
import re


def expand(location: str) -> str:
    """The location with the variables in it that are named by ``${NAME}``."""
    names = re.findall(r"\$\{(\w+)\}", location)
    missing = [name for name in names if name not in list(os.environ)]
    if missing:
        raise ValueError(f"not set: {missing[0]}")
    for name in names:
        location = location.replace("${" + name + "}", os.environ[name])
    return location
