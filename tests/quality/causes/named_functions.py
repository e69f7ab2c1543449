"""Data names functions that another argument has, which is left out mostly.

    FLOW = {
        "start": {"action": "greet", "next": "wait"},
        "wait": {"guard": "is_late", "next": "start"},
    }
    flow = Flow(FLOW, actions={...})
"""


class Flow:
    def __init__(self, table, actions=None, guards=None):
        self.table = table
        self.actions = dict(actions or {})
        self.guards = dict(guards or {})
        self.at = next(iter(table))
        for name, row in table.items():
            if "action" in row and row["action"] not in self.actions:
                raise ValueError(f"{name}: unknown action {row['action']!r}")
            if "guard" in row and row["guard"] not in self.guards:
                raise ValueError(f"{name}: unknown guard {row['guard']!r}")
            if row.get("next") is not None and row["next"] not in table:
                raise ValueError(f"{name}: unknown next {row['next']!r}")

    def step(self, value):
        row = self.table[self.at]
        if "guard" in row and not self.guards[row["guard"]](value):
            return None
        if "action" in row:
            value = self.actions[row["action"]](value)
        if row.get("next") is not None:
            self.at = row["next"]
        return value


def applied(text, names, filters=None):
    """Apply filters by name, such as

        applied("abc", ["upper", "trim"], filters={...})
    """
    known = dict(filters or {})
    for name in names:
        if name not in known:
            raise LookupError(f"no filter {name}")
        text = known[name](text)
        if text is None:
            return name
    return text


class Bus:
    def __init__(self, routes, handlers=None):
        self.routes = list(routes)
        self.handlers = {} if handlers is None else dict(handlers)
        for route in self.routes:
            if route["handler"] not in self.handlers:
                raise KeyError(route["handler"])

    def send(self, topic, message):
        count = 0
        for route in self.routes:
            if route["topic"] == topic:
                self.handlers[route["handler"]](message)
                count += 1
        return count
