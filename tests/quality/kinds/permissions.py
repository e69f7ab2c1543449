"""Enumerations, flags and named tuples."""

from enum import Enum, IntFlag
from typing import NamedTuple


class Permission(IntFlag):
    READ = 1
    WRITE = 2
    DELETE = 4


class Role(Enum):
    GUEST = "guest"
    EDITOR = "editor"
    OWNER = "owner"

    @property
    def permissions(self) -> Permission:
        if self is Role.OWNER:
            return Permission.READ | Permission.WRITE | Permission.DELETE
        if self is Role.EDITOR:
            return Permission.READ | Permission.WRITE
        return Permission.READ


class Member(NamedTuple):
    name: str
    role: Role = Role.GUEST

    def may(self, permission: Permission) -> bool:
        """Does the role of the member have a permission?"""
        return permission in self.role.permissions


def promote(member: Member) -> Member:
    """The member with the next role; owners stay what they are."""
    roles = list(Role)
    place = roles.index(member.role)
    return member._replace(role=roles[min(place + 1, len(roles) - 1)])
