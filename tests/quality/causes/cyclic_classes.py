"""Objects that know each other: one is made from another, and given to it."""


class Author:
    def __init__(self, name):
        self.name = name
        self.books = []

    def add(self, book):
        if book.author is not self:
            raise ValueError("somebody else wrote it")
        if book in self.books:
            return False
        self.books.append(book)
        return True


class Book:
    def __init__(self, author, title):
        self.author = author
        self.title = title

    def is_listed(self):
        if self in self.author.books:
            return True
        return False


class Folder:
    def __init__(self, parent: "Folder | None" = None) -> None:
        self.parent = parent
        self.folders: list[Folder] = []

    def take(self, folder: "Folder") -> None:
        above: Folder | None = self
        while above is not None:
            if above is folder:
                raise ValueError("a folder is in itself")
            above = above.parent
        if folder.parent is not None:
            folder.parent.folders.remove(folder)
        folder.parent = self
        self.folders.append(folder)


class Garden:
    def __init__(self, size: int) -> None:
        if not 0 < size < 9:
            raise ValueError("too small or too large")
        self.plots = [Plot(self, place) for place in range(size)]

    def plot(self, place: int) -> "Plot":
        if place >= len(self.plots):
            raise IndexError(place)
        return self.plots[place]


class Plot:
    def __init__(self, garden: Garden, place: int) -> None:
        self.garden = garden
        self.place = place

    def is_beside(self, other: "Plot") -> bool:
        if other.garden is not self.garden:
            return False
        if other is self:
            return False
        return abs(self.place - other.place) == 1
