"""The life of an order, by a table of steps that shops configure themselves."""

DEFAULT_STEPS = {
    "new": {"pay": "paid", "cancel": "cancelled"},
    "paid": {"ship": "shipped", "refund": "refunded"},
    "shipped": {"deliver": "delivered", "lose": "lost"},
    "lost": {"*": "refunded"},
    "delivered": {},
    "cancelled": {},
    "refunded": {},
}


class FlowError(ValueError):
    """A step that is not possible."""


def validate(steps, initial="new"):
    """The problems of a table of steps, as texts in the order of the table."""
    problems = []
    if initial not in steps:
        problems.append(f"no state {initial}")
    reached = {initial}
    waiting = [initial]
    while waiting:
        state = waiting.pop()
        for target in steps.get(state, {}).values():
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    for state, targets in steps.items():
        if state not in reached:
            problems.append(f"{state} is never reached")
        for step, target in targets.items():
            if target not in steps:
                problems.append(f"{state} {step}: no state {target}")
            elif target == state and step == "*":
                problems.append(f"{state} never ends")
    return problems


class Order:
    """An order that goes through the states of its shop."""

    def __init__(self, number, lines=None, steps=None, limits=None):
        self.number = number
        self.lines = dict(lines or {})
        self.steps = DEFAULT_STEPS if steps is None else steps
        self.limits = limits or {}
        self.state = "new"
        self.log = []
        self.paid = 0

    @property
    def total(self):
        """The price of all lines, in cents."""
        return sum(price * count for price, count in self.lines.values())

    @property
    def closed(self):
        """Whether no step is left."""
        return not self.steps.get(self.state)

    def add(self, name, price, count=1):
        """Add to a line of an order that is new."""
        if self.state != "new":
            raise FlowError("the order cannot be changed any more")
        if count < 1:
            raise FlowError("count must be positive")
        if name in self.lines:
            known, before = self.lines[name]
            if known != price:
                raise FlowError(f"{name} costs {known}")
            count += before
        most = self.limits.get(name, self.limits.get("*"))
        if most is not None and count > most:
            raise FlowError(f"at most {most} of {name}")
        self.lines[name] = (price, count)

    def step(self, name, amount=0):
        """Go one step; answers the new state."""
        targets = self.steps.get(self.state, {})
        target = targets.get(name, targets.get("*"))
        if target is None:
            allowed = ", ".join(sorted(targets)) or "nothing"
            raise FlowError(f"{name} is not possible in {self.state}: {allowed}")
        if name == "pay":
            if not self.lines:
                raise FlowError("nothing to pay")
            self.paid += amount
            if self.paid < self.total:
                self.log.append(("part", amount))
                return self.state
            if self.paid > self.total:
                self.log.append(("change", self.paid - self.total))
                self.paid = self.total
        elif name == "refund":
            self.paid = 0
        self.log.append((self.state, target))
        self.state = target
        return target
