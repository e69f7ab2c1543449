"""The benchmark classes against models from the standard library, on random calls."""

import importlib.util
import random
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks" / "subjects"


def load(name):
    spec = importlib.util.spec_from_file_location(f"benchmark_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look it up
    spec.loader.exec_module(module)
    return module


class Bag:
    """Lists as a model of stacks, queues and sets."""

    def __init__(self):
        self.items = []

    def push(self, x):
        self.items.append(x)

    def push_unique(self, x):
        if x not in self.items:
            self.items.append(x)

    def pop(self):
        return self.items.pop()

    def remove(self, x):
        if x in self.items:
            self.items.remove(x)

    def extract(self, best):
        found = best(self.items) if self.items else self.items[0]
        self.items.remove(found)
        return found


def calls(model, *pairs):
    return {name: getattr(model, other) for name, other in pairs}


def outcome(function, *args):
    try:
        return function(*args)
    except (IndexError, KeyError) as error:
        return LookupError if isinstance(error, LookupError) else error


def agree(subject, expected, arity, rounds=300, seed=0, values=8):
    """Run random calls on both; ``expected`` maps method names to the model's functions."""
    rng = random.Random(seed)
    names = sorted(expected)
    for _ in range(rounds):
        name = rng.choice(names)
        args = [rng.randrange(values) for _ in range(arity[name])]
        ours = outcome(getattr(subject, name), *args)
        assert ours == outcome(expected[name], *args), (name, args)
        yield


@pytest.mark.parametrize("module", ["int_stack.IntStack", "list_int_stack.ListIntStack"])
def test_stacks(module):
    name, _, cls = module.partition(".")
    subject, model = getattr(load(name), cls)(), Bag()
    expected = calls(model, ("push", "push"), ("pop", "pop"))
    for _ in agree(subject, expected, {"push": 1, "pop": 0}):
        assert subject.is_empty() == (not model.items)


def test_unique_stack():
    subject, model = load("uint_stack").UIntStack(), Bag()
    expected = calls(model, ("push", "push_unique"), ("pop", "pop"))
    for _ in agree(subject, expected, {"push": 1, "pop": 0}):
        assert subject.is_empty() == (not model.items)


def test_bounded_unique_stack():
    stack = load("ub_stack").UBStack(2)
    for value in (1, 2, 3, 1):
        stack.push(value)
    assert (stack.top(), stack.size(), stack.is_full(), stack.is_member(3)) == (1, 2, True, False)
    stack.pop()
    assert (stack.top(), stack.is_member(1), stack.max_size()) == (2, False, 2)
    stack.pop()
    stack.pop()
    assert (stack.top(), stack.size(), stack.is_empty()) == (-1, -1, False)
    with pytest.raises(IndexError, match="no slot -1"):
        stack.push(0)


def test_stale_slots_do_not_count_for_equality():
    kind = load("int_stack").IntStack
    one, other = kind(), kind()
    one.push(1)
    assert one != other
    one.pop()
    assert one == other
    assert one != 1


def tree_values(node):
    if node is None:
        return []
    return [*tree_values(node.left), node.value, *tree_values(node.right)]


def test_binary_search_tree():
    subject, model = load("bin_search_tree").BinSearchTree(), Bag()
    expected = {
        "insert": model.push_unique, "remove": model.remove,
        "contains": lambda x: x in model.items,
    }  # fmt: skip
    for _ in agree(subject, expected, dict.fromkeys(expected, 1), values=12, rounds=1000):
        assert tree_values(subject.root) == sorted(model.items)
        assert subject.size == len(model.items)


def black_height(entry):
    """The black height of a valid red-black tree below ``entry``."""
    if entry is None:
        return 1
    for child in (entry.left, entry.right):
        assert child is None or (child.parent is entry and (entry.color or child.color))
    left, right = black_height(entry.left), black_height(entry.right)
    assert left == right
    return left + entry.color


@pytest.mark.parametrize(("module", "cls"), [("tree_map", "TreeMap"), ("heap_map", "HeapMap")])
def test_maps(module, cls):
    subject, model = getattr(load(module), cls)(), {}

    def put(key, value):
        old = model.get(key)
        model[key] = value
        return old

    expected = {
        "put": put, "get": model.get, "remove": lambda key: model.pop(key, None),
        "contains_key": lambda key: key in model,
    }  # fmt: skip
    arity = {"put": 2, "get": 1, "remove": 1, "contains_key": 1}
    for _ in agree(subject, expected, arity, values=16, rounds=2000):
        assert subject.keys() == sorted(model)
        if cls == "TreeMap":
            assert subject.root is None or subject.root.parent is None
            black_height(subject.root)
        elif model:
            assert subject.first_key() == min(model)
            assert subject.size() == len(model)


def test_linked_list():
    subject, model = load("linked_list").LinkedList(), Bag()

    def remove(x):
        there = x in model.items
        model.remove(x)
        return there

    expected = {
        "add": model.push, "remove": remove, "remove_last": model.pop,
        "contains": lambda x: x in model.items,
    }  # fmt: skip
    for _ in agree(subject, expected, {"add": 1, "remove": 1, "remove_last": 0, "contains": 1}):
        forward, backward, entry = [], [], subject.header.next
        while entry is not subject.header:
            forward.append(entry.element)
            entry = entry.next
        entry = entry.previous
        while entry is not subject.header:
            backward.append(entry.element)
            entry = entry.previous
        assert forward == backward[::-1] == model.items
        assert subject.size == len(model.items)


def test_heap_array():
    subject, model = load("heap_array").HeapArray(), Bag()
    expected = {"insert": model.push, "extract_max": lambda: model.extract(max)}
    for _ in agree(subject, expected, {"insert": 1, "extract_max": 0}, rounds=1000):
        assert subject.is_empty() == (not model.items)


@pytest.mark.parametrize(
    ("module", "cls"), [("binomial_heap", "BinomialHeap"), ("fibonacci_heap", "FibonacciHeap")]
)
def test_mergeable_heaps(module, cls):
    subject, model = getattr(load(module), cls)(), Bag()
    expected = {
        "insert": lambda x: model.push(x) if x > 0 or cls == "FibonacciHeap" else None,
        "extract_min": lambda: model.extract(min),
        "delete": model.remove,
        "find_minimum": lambda: min(model.items) if model.items else model.items[0],
    }
    arity = {"insert": 1, "extract_min": 0, "delete": 1, "find_minimum": 0}
    for _ in agree(subject, expected, arity, rounds=2000, values=20):
        assert subject.size == len(model.items)


def test_decreasing_a_key_cascades():
    heap = load("fibonacci_heap").FibonacciHeap()
    for key in range(10, 27):
        heap.insert(key)
    assert heap.extract_min() == 10
    for key in (26, 25, 24, 23, 22, 21, 20, 19, 18):
        heap.decrease_key(key, key - 20)
    assert [heap.extract_min() for _ in range(heap.size)] == [*range(-2, 7), *range(11, 18)]
    with pytest.raises(ValueError, match="2 is greater than 1"):
        heap.decrease_key(1, 2)
    with pytest.raises(KeyError):
        heap.decrease_key(1, 0)


def test_disjoint_sets():
    sets, groups, rng = load("disj_set").DisjSet(8), [{i} for i in range(8)], random.Random(1)
    for _ in range(12):
        one, other = rng.randrange(8), rng.randrange(8)
        mine, yours = (next(group for group in groups if x in group) for x in (one, other))
        assert sets.union(one, other) == (mine is not yours)
        if mine is not yours:
            groups.remove(yours)
            mine |= yours
        assert sets.count() == len(groups)
        assert all(sets.members(x) == sorted(group) for group in groups for x in group)
        assert sets.connected(one, other)
    with pytest.raises(IndexError, match="no element 8"):
        sets.find(8)
    with pytest.raises(ValueError, match="negative"):
        load("disj_set").DisjSet(-1)


def test_bank_account():
    bank = load("bank_account")
    account, other = bank.BankAccount(10, overdraft=5), bank.BankAccount()
    assert (account.withdraw(12), account.deposit(2), account.available()) == (-2, 0, 5)
    with pytest.raises(bank.InsufficientFundsError, match="wanted 6, available 5"):
        account.transfer(other, 6)
    account.transfer(other, 5)
    assert (account.balance, other.balance, other.add_interest(50)) == (-5, 5, 2)
    account.freeze()
    assert account.available() == 0
    account.unfreeze()
    for wrong in (lambda: account.deposit(0), lambda: account.add_interest(-1)):
        with pytest.raises(ValueError, match="must"):
            wrong()
    with pytest.raises(ValueError, match="same account"):
        account.transfer(account, 1)


def test_shopping_cart():
    shop = load("shopping_cart")
    cart = shop.ShoppingCart()
    cart.add("tea", 300, 2)
    cart.add("tea", 250)
    cart.add("cup", 101)
    assert (cart.count(), cart.subtotal(), cart.apply_discount(" ten "), cart.total()) == (
        4, 851, 10, 765,
    )  # fmt: skip
    assert (cart.apply_discount("none"), cart.discount) == (0, 10)
    assert cart.remove("cup").total == 101
    with pytest.raises(shop.UnknownProductError):
        cart.remove("cup")
    with pytest.raises(ValueError, match="at least 1"):
        cart.add("tea", 1, 0)
    cart.clear()
    assert cart.is_empty()


@pytest.mark.parametrize(
    ("module", "cls"),
    [("search_tree", "SearchTree"), ("avl_tree", "AvlTree"), ("red_black_set", "TreeSet")],
)
def test_sets_with_an_invariant(module, cls):
    subject, model = getattr(load(module), cls)(), Bag()
    expected = {
        "insert": model.push_unique, "remove": model.remove,
        "contains": lambda x: x in model.items,
    }  # fmt: skip
    known = {name: function for name, function in expected.items() if hasattr(subject, name)}
    rng = random.Random(1)
    for _ in range(400):
        name, value = rng.choice(sorted(known)), rng.randrange(12)
        ours = getattr(subject, name)(value)
        wanted = known[name](value)
        assert name != "contains" or ours == wanted
        assert subject.rep_ok()


def test_other_classes_with_an_invariant():
    listed, queue, model = (
        load("sorted_list").SortedList(),
        load("binomial_queue").BinomialQueue(),
        [],
    )
    heap, sets = load("korat_heap_array").HeapArray(), load("korat_disj_set").DisjSet(8)
    tree = load("binary_tree").BinaryTree()
    rng = random.Random(2)
    for number in range(8):
        value = rng.randrange(6)
        model.append(value)
        for one in (listed, queue, heap):
            one.insert(value)
        sets.union(rng.randrange(8), rng.randrange(8))
        tree.grow()
        assert all(one.rep_ok() for one in (listed, queue, heap, sets, tree))
        assert (queue.minimum(), heap.greatest()) == (min(model), max(model))
        assert (listed.contains(value), tree.height()) == (True, number + 1)
    assert listed.remove(model[0])
    assert not listed.remove(99)
