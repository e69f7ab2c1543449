"""Regular expressions and check digits."""

import re

ISBN = re.compile(r"(?:\d-?){9}[\dX]")
PLATE = re.compile(
    r"(?P<city>[A-Z]{1,3})-(?P<letters>[A-Z]{1,2}) (?P<number>\d{1,4})(?P<electric>E?)"
)


def is_isbn(text: str) -> bool:
    """Is it an ISBN of ten digits with the right check digit?"""
    if not ISBN.fullmatch(text):
        return False
    digits = [10 if one == "X" else int(one) for one in text if one != "-"]
    return (
        sum(weight * digit for weight, digit in zip(range(10, 0, -1), digits, strict=True)) % 11
        == 0
    )


def plate(text: str) -> tuple[str, int, bool]:
    """City, number, and whether it is of an electric car."""
    found = PLATE.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"not a plate: {text}")
    return found["city"], int(found["number"]), bool(found["electric"])
