"""Functions that read what other Invocables of the module left behind."""


class Job:
    """A job that enters itself into the list of all jobs when it is told what to do."""

    def __init__(self, hours, jobs):
        self.hours = hours
        self.work = None
        self._jobs = jobs

    def do(self, work):
        if self.hours < 1:
            raise ValueError("too often")
        self.work = work
        self._jobs.append(self)
        return self


JOBS = []


def every(hours):
    """A job among all jobs.

    >>> every(2).do(print).hours
    2
    """
    return Job(hours, JOBS)


def run_all():
    """What all jobs did, or None where there is none."""
    if not JOBS:
        return None
    return [job.work() for job in JOBS]


def longest():
    """The hours of the job that is done least often, 0 where there is none."""
    hours = [job.hours for job in JOBS]
    if not hours:
        return 0
    return max(hours)


_SEEN = {}


class Visitor:
    """A visitor that is counted on each visit."""

    def __init__(self, name):
        self.name = name

    def visit(self):
        _SEEN[self.name] = _SEEN.get(self.name, 0) + 1


def regulars():
    """The names of visitors who came twice or more."""
    found = [name for name, times in _SEEN.items() if times > 1]
    if found:
        return sorted(found)
    return []


class Settings:
    """Settings for all; those that are locked stay."""

    locked = False
    values = {}

    @classmethod
    def lock(cls):
        cls.locked = True

    @classmethod
    def put(cls, key, value):
        cls.values[key] = value


def change(key, value):
    """Change a setting, or say why not."""
    if Settings.locked:
        raise RuntimeError("locked")
    if key in Settings.values:
        return "changed"
    return "new"
