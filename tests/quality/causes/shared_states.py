"""State that no object holds: a registry of the module, one of a class, a switch of a class."""

CODECS = {}


def register(name, codec):
    if name in CODECS:
        raise ValueError(f"{name} is known")
    CODECS[name] = codec


def encode(name, text):
    codec = CODECS.get(name)
    if codec is None:
        return "unknown"
    done = codec(text)
    if not done:
        return "empty"
    return done


class Unit:
    """A unit; each name stands for one."""

    known = {}

    def __init__(self, name, factor=1):
        if name in self.known:
            raise ValueError(f"{name} is known")
        self.name = name
        self.factor = factor
        self.known[name] = self


def convert(amount, name):
    unit = Unit.known.get(name)
    if unit is None:
        return None
    if unit.factor == 1:
        return amount
    return amount * unit.factor


class Log:
    level = 0

    @classmethod
    def raise_level(cls):
        cls.level += 1

    @staticmethod
    def write(text):
        if Log.level > 2:
            return text.upper()
        return text if Log.level else ""
