_handlers = {}
history = []
_total = 0
level = 1


class Shape:
    count = 0

    def __init__(self, name: str) -> None:
        Shape.count += 1
        self.name = name


class Config:
    def __init__(self) -> None:
        self.words = []


config = Config()
_squares = {}


def register(name: str, handler: str) -> None:
    if name in _handlers:
        raise ValueError("already registered: " + name)
    _handlers[name] = handler


def remember(item: int) -> None:
    history.append(item)
    if len(history) > 3:
        del history[0]


def add(amount: int) -> None:
    global _total
    _total += amount


def total() -> int:
    return _total


def set_level(number: int) -> None:
    global level
    level = number


def add_word(word: str) -> int:
    config.words.append(word)
    return len(config.words)


def square(number: int) -> int:
    if number not in _squares:
        _squares[number] = number * number
    return _squares[number]
