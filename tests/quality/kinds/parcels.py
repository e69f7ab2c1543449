"""A TypedDict with optional keys."""

from typing import NotRequired, TypedDict


class Parcel(TypedDict):
    weight: float
    country: str
    gift: NotRequired[bool]
    note: NotRequired[str]


def postage(parcel: Parcel) -> float:
    """What it costs to send a parcel."""
    if parcel["weight"] <= 0:
        raise ValueError("weight must be positive")
    price = 4.5 if parcel["weight"] <= 2 else 9.0
    if parcel["country"] != "DE":
        price += 10
    if parcel.get("gift"):
        price += 2.5
    return price


def label(parcel: Parcel) -> str:
    """The text on the parcel."""
    lines = [parcel["country"].upper(), f"{parcel['weight']:.1f} kg"]
    if "note" in parcel:
        lines.append(parcel["note"])
    return "\n".join(lines)
