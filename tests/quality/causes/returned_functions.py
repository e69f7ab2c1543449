"""What a function that was returned calls is another function: of any object, lock or number."""


def remembered(cache):
    """Remember what a method answers in what ``cache`` answers for its object."""

    def decorate(method):
        def wrapper(self):
            known = cache(self)
            if known is None:
                return method(self)
            if "answer" in known:
                return known["answer"]
            known["answer"] = method(self)
            return known["answer"]

        return wrapper

    return decorate


def guarded(lock, limit=None):
    """Call a function while the lock that ``lock`` makes is held, ``limit`` times at most."""

    def decorate(func):
        calls = 0

        def wrapper(value):
            nonlocal calls
            with lock(value):
                calls += 1
            if limit is not None and calls > limit:
                return None
            return func(value)

        def forget():
            nonlocal calls
            if calls:
                calls = 0
                return True
            return False

        wrapper.forget = forget
        return wrapper

    return decorate


def counted(table=None, start=False):
    """Count calls in ``table``, or alone; each kind of wrapper has its own way to forget them."""

    def decorate(func):
        if table is None:

            def wrapper(*args):
                return func(*args)

            def forget():
                return "nothing"

        elif start:

            def wrapper(*args):
                table["calls"] = table.get("calls", 10) + 1
                return func(*args)

            def forget():
                return table.pop("calls") if "calls" in table else 10

        else:

            def wrapper(*args):
                table["calls"] = table.get("calls", 0) + 1
                return func(*args)

            def forget():
                return table.pop("calls") if "calls" in table else 0

        wrapper.forget = forget
        return wrapper

    return decorate
