"""Hierarchies whose classes hold what code asks for as their own data; items found by counting."""


class Step:
    """One step of a plan."""

    cost = 1
    label = "step"

    def __init__(self, weight=0):
        self.weight = weight

    def apply(self, total):
        return total + self.weight


class Pause(Step):
    cost = 0
    label = "pause"

    def apply(self, total):
        return total


class Stop(Step):
    cost = 0
    label = "stop"


class Planner:
    def __init__(self, budget=3):
        self.budget = budget
        self.total = 0

    def run(self, plan):
        place = 0
        while place < len(plan):
            step = plan[place]
            if step.label == "stop":
                return "stopped"
            if step.cost > self.budget:
                return "too dear"
            self.budget -= step.cost
            self.total = step.apply(self.total)
            place += 1
        return self.total


def heaviest(plan):
    best = 0
    for place in range(1, len(plan)):
        if plan[place].weight > plan[best].weight and plan[place].cost:
            best = place
    return plan[best].label
