"""Methods whose result registers a function in their object: what it does then shows it."""


class Emitter:
    def __init__(self):
        self.listeners = {}

    def on(self, event):
        """Decorator that adds a listener."""

        def add(listener):
            self.listeners.setdefault(event, []).append(listener)
            return listener

        return add

    def emit(self, event, value=None):
        answered = 0
        for listener in self.listeners.get(event, ()):
            if listener(value):
                answered += 1
        return answered


class Router:
    def __init__(self):
        self._routes = []

    def route(self, path, *, methods=("GET",)):
        def add(view):
            self._routes.append((path, methods, view))
            return view

        return add

    def handle(self, path, method="GET"):
        for known, methods, view in self._routes:
            if known == path:
                if method not in methods:
                    return 405, None
                return 200, view(path)
        return 404, None


class Filters:
    def __init__(self, name):
        self.name = name
        self._checks = []

    def check(self, weight=1):
        def decorate(function):
            self._checks.append((weight, function))
            return function

        return decorate

    def score(self, text):
        total = 0
        for weight, function in self._checks:
            if function(text):
                total += weight
        return total
