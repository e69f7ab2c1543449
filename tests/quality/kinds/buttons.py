class Button:
    def __init__(self, on_click, label):
        self.on_click = on_click
        self._label = label
        self.listeners = []

    def listen(self, listener):
        self.listeners.append(listener)

    def click(self, times):
        done = 0
        for _ in range(times):
            for listener in self.listeners:
                if not listener("click"):
                    return done
            done += self.on_click(self._label.upper())
        return done
