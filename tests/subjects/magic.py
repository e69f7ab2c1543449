"""Comparisons with numbers that no one would guess."""


def unlock(code: int) -> str:
    if code == 31337:
        return "open"
    if code * 2 == 8086:
        return "half"
    return "closed"


def grade(points: int) -> str:
    if points < 0 or points > 1234:
        raise ValueError("out of range")
    if points >= 1000:
        return "gold"
    return "silver" if points > 617 else "bronze"


def checked(text: str) -> int:
    if len(text) == 7 and text.isdigit():
        return int(text) % 97
    return -1
