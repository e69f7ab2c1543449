def walk(value, found=None):
    """The texts in nested lists, tuples and dictionaries."""
    found = [] if found is None else found
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, tuple):
                found.append(f"{key}!")
            walk(inner, found)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            walk(inner, found)
    elif isinstance(value, str):
        found.append(value)
    return found


def same_shape(left, right):
    if isinstance(left, dict) and isinstance(right, dict):
        if left.keys() != right.keys():
            return False
        return all(same_shape(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same_shape, left, right))
    return not isinstance(left, (list, dict)) and not isinstance(right, (list, dict))


def merge_all(values):
    """Dictionaries into one, lists of dictionaries into one list."""
    first = values[0]
    if isinstance(first, dict):
        merged = {}
        for one in values:
            for key, inner in one.items():
                if isinstance(inner, set):
                    merged.setdefault(key, set()).update(inner)
                elif isinstance(inner, list):
                    merged.setdefault(key, []).extend(inner)
                else:
                    merged[key] = inner
        return merged
    if isinstance(first, tuple):
        return tuple(merge_all(column) for column in zip(*values))
    return list(values)
