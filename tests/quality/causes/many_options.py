"""Many options of which single ones and pairs matter."""


def render(
    text, *, width=0, fill=" ", align=None, upper=False, lower=False, prefix="", suffix="",
    quote=None, strip=True, limit=None, ellipsis="...", repeat=1, join="", reverse=False,
):
    """A text, laid out."""
    if strip:
        text = text.strip()
    if upper and lower:
        raise ValueError("both upper and lower")
    if upper:
        text = text.upper()
    if lower:
        text = text.lower()
    if reverse:
        text = text[::-1]
    if limit is not None and len(text) > limit:
        text = text[:limit] + ellipsis
    if quote:
        text = f"{quote}{text}{quote}"
    if width and align == "right":
        text = text.rjust(width, fill)
    elif width and align == "centre":
        text = text.center(width, fill)
    return join.join([prefix + text + suffix] * repeat)


class Query:
    def __init__(self, table, columns=None, where=None, order=None, descending=False, limit=None,
                 offset=None, distinct=False, lock=False, skip_locked=False):
        if offset is not None and limit is None:
            raise ValueError("an offset needs a limit")
        if skip_locked and not lock:
            raise ValueError("nothing is locked")
        self.table, self.columns, self.where = table, columns, where
        self.order, self.descending = order, descending
        self.limit, self.offset = limit, offset
        self.distinct, self.lock, self.skip_locked = distinct, lock, skip_locked

    def sql(self):
        words = ["SELECT"]
        if self.distinct:
            words.append("DISTINCT")
        words += [", ".join(self.columns) if self.columns else "*", "FROM", self.table]
        if self.where:
            words += ["WHERE", self.where]
        if self.order:
            words += ["ORDER BY", self.order]
            if self.descending:
                words.append("DESC")
        if self.limit is not None:
            words += ["LIMIT", str(self.limit)]
            if self.offset is not None:
                words += ["OFFSET", str(self.offset)]
        if self.lock:
            words.append("FOR UPDATE")
            if self.skip_locked:
                words.append("SKIP LOCKED")
        return " ".join(words)


def compare(left: list, right: list, ordered: bool = True, key=None, tolerance: float = 0,
            ignore: tuple = (), case: bool = True, first_only: bool = False):
    """The places in which two lists differ."""
    if not ordered:
        left, right = sorted(left, key=key), sorted(right, key=key)
    if len(left) != len(right):
        return None
    found = []
    for place, (one, other) in enumerate(zip(left, right)):
        if one in ignore:
            continue
        if not case and isinstance(one, str) and isinstance(other, str):
            one, other = one.lower(), other.lower()
        if tolerance and isinstance(one, float) and isinstance(other, float):
            if abs(one - other) <= tolerance:
                continue
        if one != other:
            found.append(place)
            if first_only:
                break
    return found
