"""Decimals, fractions, addresses and identifiers."""

from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from ipaddress import IPv4Address
from uuid import UUID


def rounded(amount: Decimal, places: int = 2) -> Decimal:
    """Rounded half up to some places."""
    return amount.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def mixed(value: Fraction) -> str:
    """A fraction as ``1 1/2``."""
    whole, rest = divmod(value, 1)
    if not rest:
        return str(whole)
    return f"{whole} {rest}" if whole else str(rest)


def is_internal(address: IPv4Address) -> bool:
    return address.is_private and not address.is_loopback


def short(identifier: UUID) -> str:
    """The first eight digits, and the version."""
    return f"{identifier.hex[:8]}-v{identifier.version or 0}"
