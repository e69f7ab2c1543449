"""State machines that a dictionary configures."""


class MachineError(Exception):
    """The configuration or an event is wrong."""


class Machine:
    """States with transitions by event, guards, actions, and a history.

    ``config`` has ``initial`` and ``states``; each state may have ``on`` (event -> target, or a
    list of ``{"target", "guard", "action"}``), ``enter``, ``exit`` and ``final``.
    """

    def __init__(self, config, context=None, actions=None, guards=None):
        self.states = config["states"]
        initial = config.get("initial")
        if initial is None:
            initial = next(iter(self.states), None)
        if initial not in self.states:
            raise MachineError(f"unknown initial state {initial!r}")
        self.context = dict(context or {})
        self.actions = actions or {}
        self.guards = guards or {}
        self.strict = config.get("strict", False)
        self.history = []
        self.state = initial
        self._check()
        self._act(self.states[initial].get("enter"))

    def _check(self):
        for name, state in self.states.items():
            for event, rules in state.get("on", {}).items():
                for rule in self._rules(rules):
                    target = rule.get("target", name)
                    if target not in self.states:
                        raise MachineError(f"{name}.{event}: unknown target {target!r}")
                    guard = rule.get("guard")
                    if guard is not None and guard not in self.guards:
                        raise MachineError(f"{name}.{event}: unknown guard {guard!r}")

    @staticmethod
    def _rules(rules):
        if isinstance(rules, str):
            return [{"target": rules}]
        if isinstance(rules, dict):
            return [rules]
        return rules

    def _act(self, names):
        if names is None:
            return
        if isinstance(names, str):
            names = [names]
        for name in names:
            action = self.actions.get(name)
            if action is None:
                if self.strict:
                    raise MachineError(f"unknown action {name!r}")
                continue
            result = action(self.context)
            if isinstance(result, dict):
                self.context.update(result)

    @property
    def done(self):
        """Whether the state is final."""
        return bool(self.states[self.state].get("final"))

    def allowed(self):
        """The events that the state knows, sorted."""
        return sorted(self.states[self.state].get("on", {}))

    def send(self, event):
        """Take the first transition whose guard holds; answers the new state."""
        if self.done:
            raise MachineError(f"{self.state!r} is final")
        rules = self.states[self.state].get("on", {}).get(event)
        if rules is None:
            if self.strict:
                raise MachineError(f"no {event!r} in {self.state!r}")
            return self.state
        for rule in self._rules(rules):
            guard = rule.get("guard")
            if guard is not None and not self.guards[guard](self.context):
                continue
            target = rule.get("target", self.state)
            internal = target == self.state and "target" not in rule
            if not internal:
                self._act(self.states[self.state].get("exit"))
            self._act(rule.get("action"))
            self.history.append((self.state, event, target))
            self.state = target
            if not internal:
                self._act(self.states[target].get("enter"))
            break
        return self.state

    def back(self):
        """Go back to the state before the last transition."""
        if not self.history:
            return False
        before, _, _ = self.history.pop()
        self.state = before
        return True
