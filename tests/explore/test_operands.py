"""Parameters of methods that take another object of their own class."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.explore.plausibility.argument_fit import Fit, Plausibility
from unitcraft.explore.plausibility.evidence_ladder import EvidenceLadder

SOURCE = '''
class Semigroup:
    def __init__(self, value): self.value = value
class Sum(Semigroup):
    def concat(self, semigroup):
        """Add.

        :type semigroup: Sum[B]
        """
        return Sum(self.value + semigroup.value)
class Last(Semigroup):
    @classmethod
    def neutral(cls): return cls(True)
    def concat(self, semigroup): return Last(semigroup.value)
class Price:
    def __init__(self, amount): self.amount = amount
    def __add__(self, other): return Price(self.amount + other.amount)
    def pay(self, wallet): return wallet.amount
class Size:
    def __init__(self, amount): self.amount = amount
'''


@pytest.fixture
def described(lab):
    return lab(SOURCE).subject


def evidence_for(described, name):
    invocable = next(one for one in described.invocables if one.id == f"sample:{name}")
    return EvidenceLadder(described).evidence(invocable, invocable.parameters[0])


@pytest.mark.parametrize("name", ["Sum.concat", "Last.concat", "Price.__add__"])
def test_an_operand_is_of_the_class_of_the_method(described, name):
    """Says its documentation, that of a sibling, or that the same is read of both."""
    found = evidence_for(described, name)
    assert found.classes[0] == f"sample:{name.partition('.')[0]}"
    assert found.is_operand


def test_what_is_read_of_the_argument_alone_says_nothing_of_the_class_of_the_method(described):
    assert not evidence_for(described, "Price.pay").is_operand


@pytest.mark.parametrize(("cls", "fits"), [("Sum", False), ("Last", True)])
def test_an_object_of_another_class_is_no_likely_operand(described, cls, fits):
    made = [Call("function", f"sample:{name}", (Const(value=True),)) for name in ("Last", cls)]
    joined = Call("method", "concat", (Ref(0), Ref(1)))
    evidence = evidence_for(described, "Last.concat")
    judged = Plausibility(described).fit(evidence, Ref(1), Sequence((*made, joined)))
    assert (judged is Fit.FITS) is fits


def test_a_method_of_what_a_class_method_made_is_that_of_the_class(described):
    joined = Call("method", "concat", (Ref(0), Ref(0)))
    sequence = Sequence((Call("function", "sample:Last.neutral"), joined))
    found = Plausibility(described).called(sequence, joined)
    assert found is not None
    assert found.id == "sample:Last.concat"
