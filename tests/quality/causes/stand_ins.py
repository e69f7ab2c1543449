"""Objects whose class the test has to write: services, namespaces, modules of parameters."""

from abc import ABC, abstractmethod


class Gateway(ABC):
    @abstractmethod
    def charge(self, cents):
        """The number of the receipt, None when it was declined."""

    @abstractmethod
    def refund(self, receipt): ...


class Shop:
    def __init__(self, gateway: Gateway):
        self.gateway = gateway
        self.receipts = []

    def buy(self, cents: int):
        if cents <= 0:
            raise ValueError("nothing to pay")
        receipt = self.gateway.charge(cents)
        if receipt is None:
            return "declined"
        self.receipts.append(receipt)
        return "paid"

    def undo(self):
        if not self.receipts:
            return False
        self.gateway.refund(self.receipts.pop())
        return True


def level(args):
    """The level of logging that the command line asks for."""
    if args.debug:
        return "DEBUG"
    if args.quiet > 1:
        return "ERROR"
    return "WARNING" if args.quiet else "INFO"


def run(module):
    """Run a task by its parameters, as ``(changed, message)``."""
    state = module.params["state"]
    if state == "absent":
        if module.check_mode:
            return True, "would be removed"
        return True, "removed"
    if module.params.get("force"):
        return True, "forced"
    return False, module.name
