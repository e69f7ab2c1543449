"""Outlines by indentation: items below items, lists, and plain values."""


class OutlineError(ValueError):
    """The indentation or an item is wrong."""


def _scalar(text):
    if text in ("", "~"):
        return None
    if text == "true":
        return True
    if text == "false":
        return False
    if text[0] in "'\"":
        if len(text) < 2 or text[-1] != text[0]:
            raise OutlineError(f"unfinished text {text}")
        return text[1:-1]
    try:
        return int(text)
    except ValueError:
        return text


def _lines(text):
    for number, line in enumerate(text.split("\n"), start=1):
        bare = line.split(" #")[0].rstrip()
        if not bare or bare.lstrip().startswith("#"):
            continue
        if "\t" in bare:
            raise OutlineError(f"line {number}: tabs are not allowed")
        yield number, len(bare) - len(bare.lstrip()), bare.lstrip()


def parse(text):
    """The value that an outline describes: mappings, lists and plain values."""
    lines = list(_lines(text))
    if not lines:
        return None
    value, rest = _block(lines, lines[0][1])
    if rest:
        raise OutlineError(f"line {rest[0][0]}: indented less than the first line")
    return value


def _block(lines, indent):
    if lines[0][2].startswith("- ") or lines[0][2] == "-":
        return _items(lines, indent)
    return _mapping(lines, indent)


def _items(lines, indent):
    found = []
    while lines and lines[0][1] == indent:
        number, _, content = lines[0]
        if not content.startswith("-"):
            raise OutlineError(f"line {number}: an item was expected")
        lines = lines[1:]
        rest = content[1:].strip()
        if rest:
            found.append(_scalar(rest))
        elif lines and lines[0][1] > indent:
            value, lines = _block(lines, lines[0][1])
            found.append(value)
        else:
            found.append(None)
    if lines and lines[0][1] > indent:
        raise OutlineError(f"line {lines[0][0]}: indented too far")
    return found, lines


def _mapping(lines, indent):
    found = {}
    while lines and lines[0][1] == indent:
        number, _, content = lines[0]
        key, colon, rest = content.partition(":")
        if not colon:
            raise OutlineError(f"line {number}: a key was expected")
        key = key.strip()
        if key in found:
            raise OutlineError(f"line {number}: {key!r} twice")
        lines = lines[1:]
        if rest.strip():
            found[key] = _scalar(rest.strip())
        elif lines and lines[0][1] > indent:
            found[key], lines = _block(lines, lines[0][1])
        else:
            found[key] = None
    if lines and lines[0][1] > indent:
        raise OutlineError(f"line {lines[0][0]}: indented too far")
    return found, lines


def lookup(value, path):
    """What stands at a path such as ``servers.0.name``; KeyError where nothing does."""
    for part in path.split("."):
        if isinstance(value, dict):
            value = value[part]
        elif isinstance(value, list):
            if not part.isdigit() or int(part) >= len(value):
                raise KeyError(part)
            value = value[int(part)]
        else:
            raise KeyError(part)
    return value
