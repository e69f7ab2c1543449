"""A state machine over an enum."""

import enum


class Light(enum.Enum):
    RED = 1
    GREEN = 2
    AMBER = 3

    def follower(self) -> "Light":
        if self is Light.RED:
            return Light.GREEN
        return Light.AMBER if self is Light.GREEN else Light.RED


class Crossing:
    def __init__(self) -> None:
        self.light = Light.RED
        self.waiting = 0

    def press(self) -> int:
        self.waiting += 1
        return self.waiting

    def tick(self) -> Light:
        if self.light is Light.GREEN and self.waiting == 0:
            return self.light
        self.light = self.light.follower()
        if self.light is Light.RED:
            self.waiting = 0
        return self.light

    def may_walk(self, hurry: bool = False) -> bool:
        return self.light is Light.RED or (hurry and self.light is Light.AMBER)
