"""Tables of functions that a host, a caller or a registry holds, asked for by name."""


class Validated:
    """Checks the fields of the class that it is mixed into by ``rules``."""

    def problems(self):
        found = []
        for name, rule in self.rules.items():
            value = getattr(self, name, None)
            if value is None:
                found.append(f"{name} is missing")
            elif not rule(value):
                found.append(f"{name} is wrong")
        return found


def dispatch(handlers, event):
    handler = handlers.get(event)
    if handler is None:
        return "ignored"
    answer = handler(event)
    if not answer:
        return "refused"
    return answer


class Pipeline:
    def __init__(self, *stages):
        self.stages = list(stages)

    def feed(self, value):
        for stage in self.stages:
            value = stage(value)
            if value is None:
                return "dropped"
        return value
