"""A property with a setter and bounds."""


class Thermostat:
    lowest = 5
    highest = 30

    def __init__(self, target: int = 20) -> None:
        self._target = self.lowest
        self.target = target

    @property
    def target(self) -> int:
        """Degrees that are to be reached."""
        return self._target

    @target.setter
    def target(self, degrees: int) -> None:
        if not self.lowest <= degrees <= self.highest:
            raise ValueError(f"{degrees} is not from {self.lowest} to {self.highest}")
        self._target = degrees

    @property
    def fahrenheit(self) -> float:
        return self._target * 9 / 5 + 32

    def warmer(self, degrees: int = 1) -> int:
        """Raise the target, at most to the highest."""
        self._target = min(self._target + degrees, self.highest)
        return self._target
