"""A text buffer for an editor: the text is kept in pieces that are cut and joined."""


class TextBuffer:
    """A text in pieces of at most ``size`` characters, with an undo history."""

    def __init__(self, text="", size=8):
        self.size = size
        self._pieces = self._cut(text)
        self._undone = []
        self._history = []

    def _cut(self, text):
        return [text[start : start + self.size] for start in range(0, len(text), self.size)]

    def __len__(self):
        return sum(len(piece) for piece in self._pieces)

    def __str__(self):
        return "".join(self._pieces)

    def _locate(self, offset):
        for index, piece in enumerate(self._pieces):
            if offset <= len(piece):
                return index, offset
            offset -= len(piece)
        raise IndexError("offset beyond the end of the text")

    def insert(self, offset, text):
        """Insert a text before the character at an offset."""
        if not text:
            return
        self._history.append((self._remove, offset, len(text)))
        self._undone.clear()
        self._insert(offset, text)

    def _insert(self, offset, text):
        if not self._pieces:
            if offset != 0:
                raise IndexError("offset beyond the end of the text")
            self._pieces = self._cut(text)
            return
        index, inner = self._locate(offset)
        piece = self._pieces[index]
        joined = piece[:inner] + text + piece[inner:]
        if len(joined) <= self.size:
            self._pieces[index] = joined
        else:
            self._pieces[index : index + 1] = self._cut(joined)

    def delete(self, start, end):
        """Delete the characters from start to before end; answers what was deleted."""
        if start > end:
            start, end = end, start
        if end > len(self):
            raise IndexError("end beyond the end of the text")
        if start == end:
            return ""
        deleted = str(self)[start:end]
        self._history.append((self._insert, start, deleted))
        self._undone.clear()
        self._remove(start, end - start)
        return deleted

    def _remove(self, start, count):
        kept = []
        place = 0
        for piece in self._pieces:
            first = max(start - place, 0)
            last = min(start + count - place, len(piece))
            place += len(piece)
            if first >= last:
                kept.append(piece)
                continue
            rest = piece[:first] + piece[last:]
            if rest:
                kept.append(rest)
        self._pieces = []
        for piece in kept:
            if self._pieces and len(self._pieces[-1]) + len(piece) <= self.size // 2:
                self._pieces[-1] += piece
            else:
                self._pieces.append(piece)

    def undo(self):
        """Take the last change back; False where there is none."""
        if not self._history:
            return False
        change, *arguments = self._history.pop()
        if change == self._remove:
            start, count = arguments
            self._undone.append((start, str(self)[start : start + count]))
        change(*arguments)
        return True

    def redo(self):
        """Insert again what was taken back."""
        if not self._undone:
            return False
        offset, text = self._undone.pop()
        self._insert(offset, text)
        self._history.append((self._remove, offset, len(text)))
        return True

    def line(self, number):
        """The line with a number, counted from 1."""
        if number < 1:
            raise ValueError("lines are counted from 1")
        seen = 1
        found = []
        for piece in self._pieces:
            for character in piece:
                if seen == number and character != "\n":
                    found.append(character)
                if character == "\n":
                    seen += 1
            if seen > number:
                break
        if seen < number:
            raise IndexError(f"the text has {seen} lines")
        return "".join(found)
