"""A repository of files below a folder."""

from pathlib import Path


class Documents:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _path(self, name: str) -> Path:
        if "/" in name or name.startswith("."):
            raise ValueError(f"{name!r} is no name of a document")
        return self.folder / f"{name}.txt"

    def save(self, name: str, text: str) -> int:
        """Write a document; the number of characters."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return self._path(name).write_text(text)

    def load(self, name: str) -> str:
        path = self._path(name)
        return path.read_text() if path.exists() else ""

    def names(self) -> list[str]:
        """The names of all documents."""
        return sorted(path.stem for path in self.folder.glob("*.txt"))

    def remove(self, name: str) -> bool:
        path = self._path(name)
        if not path.exists():
            return False
        path.unlink()
        return True
