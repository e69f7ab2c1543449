_used = set()
_count = 0


def numbered(word: str) -> str:
    global _count
    name = f"{word}_{_count}"
    _count += 1
    return name


def is_first(word: str) -> bool:
    if word in _used:
        return False
    _used.add(word)
    return True
