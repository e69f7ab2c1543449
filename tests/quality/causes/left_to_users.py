"""Classes that read attributes which only their users ever fill."""


class Heading:
    """A line above others."""

    def __init__(self, text):
        self.text = text


class Paragraph:
    """Some lines."""

    def __init__(self, lines):
        self.lines = lines


class Document:
    """Its parts are put into it from outside."""

    def __init__(self):
        self.title = "untitled"
        self.parts = []

    @property
    def headings(self):
        return [part.text for part in self.parts if isinstance(part, Heading)]

    def first_paragraph(self):
        for part in self.parts:
            if isinstance(part, Paragraph):
                return part
        return None


class Client:
    """Its settings are attributes."""

    def __init__(self, host):
        self.host = host
        self.retries = 3
        self.on_error = None

    def attempts(self):
        if self.retries > 10:
            return "many"
        return "few"

    def failed(self, reason):
        if self.on_error is not None:
            return self.on_error(reason)
        return reason


class Sorter:
    """Others declare in the class what the objects have."""

    order = None

    def ranks(self, words):
        if self.order:
            return sorted(words, key=self.order.index)
        return sorted(words)
