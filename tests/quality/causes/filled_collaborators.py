"""Collaborators in a filled state, wired together."""


class Account:
    def __init__(self, owner, limit=0):
        self.owner = owner
        self.limit = limit
        self.balance = 0

    def deposit(self, amount):
        self.balance += amount


class Bank:
    def __init__(self):
        self.accounts = {}

    def open(self, account: Account):
        if account.owner in self.accounts:
            raise KeyError(f"{account.owner} has an account")
        self.accounts[account.owner] = account

    def transfer(self, source: str, target: str, amount: int):
        payer = self.accounts.get(source)
        payee = self.accounts.get(target)
        if payer is None or payee is None:
            return "unknown"
        if payer.balance + payer.limit < amount:
            return "refused"
        payer.balance -= amount
        payee.balance += amount
        return "done"


class Registry:
    def __init__(self):
        self.handlers = {}

    def register(self, name, handler):
        self.handlers.setdefault(name, []).append(handler)


class Dispatcher:
    """Calls what a registry has for the name of a message."""

    def __init__(self, registry: Registry):
        self.registry = registry
        self.dropped = 0

    def send(self, name, value):
        handlers = self.registry.handlers.get(name, ())
        if not handlers:
            self.dropped += 1
            return None
        for handler in handlers:
            value = handler(value)
        return value


class Stock:
    def __init__(self, amounts: dict):
        self.amounts = amounts

    def has(self, item, count):
        return self.amounts.get(item, 0) >= count


def pick(stock: Stock, wishes: dict):
    """What of the wishes is in stock, and what is not."""
    found, missing = {}, []
    for item, count in wishes.items():
        if stock.has(item, count):
            found[item] = count
        else:
            missing.append(item)
    return found, missing
