"""An account that is locked after three wrong passwords."""


class WrongPassword(Exception):
    pass


class Locked(Exception):
    pass


class Login:
    MAX_TRIES = 3

    def __init__(self, user, password):
        self.user = user
        self._password = password
        self.tries = 0

    @property
    def locked(self):
        return self.tries >= self.MAX_TRIES

    def check(self, password):
        if self.locked:
            raise Locked(f"{self.user} is locked")
        if password != self._password:
            self.tries += 1
            raise WrongPassword(self.user)
        self.tries = 0
        return True

    def unlock(self):
        if not self.locked:
            return False
        self.tries = 0
        return True
