import json
import warnings


def old_name(text: str) -> str:
    warnings.warn("old_name is deprecated, use new_name", DeprecationWarning, stacklevel=2)
    return text.upper()


def check(level: int) -> None:
    if level > 10:
        warnings.warn(f"level {level} is high")


def strict(flag: bool) -> int:
    if flag:
        warnings.warn("first")
        raise ValueError("no flag")
    return 1


class Old:
    def __init__(self, size: int = 3) -> None:
        warnings.warn("Old is going away", PendingDeprecationWarning)
        self.size = size

    def double(self) -> int:
        return self.size * 2


def quiet(text: str) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.warn("nobody sees this")
    return text.strip()
