"""Texts with structure: sections, nested brackets, indented blocks."""


def read_sections(text: str) -> dict:
    """Options by section, as in an INI file."""
    found: dict = {}
    current = None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith(";"):
            continue
        if line.startswith("[") and line.endswith("]"):
            current = found.setdefault(line[1:-1], {})
        elif "=" in line:
            if current is None:
                raise ValueError(f"line {number}: no section")
            key, _, value = line.partition("=")
            current[key.strip()] = value.strip()
        else:
            raise ValueError(f"line {number}: neither a section nor an option")
    return found


class Reader:
    """Nested lists of words: ``(a (b c))``."""

    def __init__(self, source: str):
        self.source = source
        self.position = 0

    def read(self):
        while self.position < len(self.source) and self.source[self.position].isspace():
            self.position += 1
        if self.position == len(self.source):
            return None
        if self.source[self.position] == "(":
            self.position += 1
            items = []
            while True:
                item = self.read()
                if item is None:
                    raise SyntaxError("no closing bracket")
                if item == ")":
                    return items
                items.append(item)
        if self.source[self.position] == ")":
            self.position += 1
            return ")"
        start = self.position
        while self.position < len(self.source) and self.source[self.position] not in "() \n":
            self.position += 1
        return self.source[start:self.position]


def outline(text):
    """(depth, title) of each line, by its indentation; a comment belongs to the line above."""
    levels = [0]
    items = []
    for line in text.split("\n"):
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip(" "))
        if line.lstrip().startswith("#"):
            if items:
                items[-1] = (items[-1][0], items[-1][1] + " " + line.strip("# "))
            continue
        if depth > levels[-1]:
            levels.append(depth)
        else:
            while depth < levels[-1]:
                levels.pop()
            if depth != levels[-1]:
                raise IndentationError(line)
        items.append((len(levels) - 1, line.strip()))
    return items
