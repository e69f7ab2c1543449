"""Nested content: dictionaries of lists of dictionaries, as services and settings files give."""

from urllib.request import urlopen

import json


def fetch(address):
    with urlopen(address) as page:
        return json.load(page)


def best_file(media):
    """The address of the best file of a medium; None without files."""
    details = media["media"]
    files = details["player"]["files"]
    best = None
    for one in files:
        address = one.get("address")
        if not address:
            continue
        if best is None or one.get("rate", 0) > best.get("rate", 0):
            best = one
    if best is None:
        return None
    title = details.get("title") or media["fallback"]["title"]
    return f"{title}: {best['address']}"


class Base:
    def download(self, address):
        raise NotImplementedError


class Player(Base):
    def play(self, number):
        """The parts of show ``number``, from two answers."""
        show = self.download(f"shows/{number}")
        name = show["name"]
        streams = self.download(f"streams/{number}")
        found = []
        for kind, stream in streams["streams"].items():
            if stream["state"] == "live":
                found.append((name, kind, stream["url"]))
        if not found and show["episodes"][0]["draft"]:
            return [(name, "draft", show["episodes"][0]["id"])]
        return found


def rows(table):
    """The cells of the rows that are shown."""
    for row in table["rows"]:
        cells = row["cells"]
        if row.get("hidden"):
            continue
        yield [cell["text"].strip() for cell in cells if cell["span"] > 0]
