import json


def answer(text):
    """The answer to a request in JSON."""
    request = json.loads(text)
    command = request["command"]
    if command == "add":
        left, right = request["numbers"]
        return left + right
    if command.startswith("say_"):
        return request.get("word", "hello")
    raise ValueError("unknown command")


def tidy(body: str) -> str:
    """Sorted JSON; any other text as it is."""
    try:
        data = json.loads(body)
    except ValueError:
        return body
    return json.dumps(data, sort_keys=True)


class Painter:
    """Paints with options that it was given by name."""

    def __init__(self, **options):
        self.options = options
        self.width = options["size"]["width"]

    def paint(self, text):
        if self.options["loud"]:
            text = text.upper()
        return text * self.width
