"""What makes objects is handed in: a factory of one argument, a class, the class of a field."""


class Link:
    """A link to a host."""

    def __init__(self, number):
        self.number = number
        self.open = True
        self.sent = 0

    def send(self, text):
        self.sent += 1
        if text == "die":
            self.open = False
        return self.open


class Pool:
    def __init__(self, factory, size=2):
        self.factory = factory
        self.size = size
        self.idle = []
        self.busy = []

    def take(self):
        while self.idle:
            link = self.idle.pop()
            if link.open:
                break
        else:
            if len(self.busy) >= self.size:
                return None
            link = self.factory(len(self.busy))
        self.busy.append(link)
        return link

    def give(self, link):
        if link not in self.busy:
            raise ValueError("foreign")
        self.busy.remove(link)
        if link.sent >= 2:
            link.open = False
            return False
        self.idle.append(link)
        return True

    def send(self, text):
        link = self.take()
        if link is None:
            return "exhausted"
        if not link.send(text):
            self.busy.remove(link)
            return "lost"
        self.give(link)
        return "sent"


def opened(link_class, numbers):
    links = [link_class(one) for one in numbers]
    if not links:
        return 0
    return len(links)
