"""Defaults that have parts; each part is an option of its own."""


def between(value: float, bounds=(0, 10), inclusive=(True, True)) -> bool:
    low, high = bounds
    above = value >= low if inclusive[0] else value > low
    below = value <= high if inclusive[1] else value < high
    return above and below


DEFAULTS = {"sep": ",", "quote": None, "header": True}


def write_table(rows, options=DEFAULTS):
    """The rows as lines of text."""
    lines = []
    for number, row in enumerate(rows):
        cells = [str(cell) for cell in row]
        if options["quote"]:
            cells = [options["quote"] + cell + options["quote"] for cell in cells]
        line = options["sep"].join(cells)
        if number == 0 and options["header"]:
            line = line.upper()
        lines.append(line)
    return lines


class Canvas:
    def __init__(self, size=(80, 24), margins=((0, 0), (0, 0)), pens=["black"]):
        self.size = size
        self.margins = margins
        self.pens = pens

    def room(self):
        (left, right), (top, bottom) = self.margins
        width = self.size[0] - left - right
        height = self.size[1] - top - bottom
        if width <= 0 or height <= 0:
            return None
        if bottom > top:
            return "low", width, height
        return "high", width, height

    def pen(self, number):
        if number < len(self.pens):
            return self.pens[number]
        return self.pens[-1]
