"""No line follows from the others (pruning); what tells objects apart tells neighbours apart."""

from __future__ import annotations

import pytest

from unitcraft.core.events import SilentListener
from unitcraft.infer.algebraic.confirmation import Confirmation
from unitcraft.infer.class_request import ClassToSpecify
from unitcraft.infer.derivation.pruning import without_consequences
from unitcraft.infer.derivation.rewriting import follows
from unitcraft.infer.infer_class import Inference, open_host
from unitcraft.infer.learning import order_of
from unitcraft.infer.output.law_parsing import LawParser
from unitcraft.infer.universe.profiles import profiles_of
from unitcraft.infer.universe.universes import Size

SOURCE = """
class Lock:
    def __init__(self) -> None:
        self._owner: int | None = None
        self._times = 0

    def take(self, who: int) -> bool:
        if self._owner is not None and self._owner != who:
            return False
        self._owner = who
        self._times += 1
        return True

    def free(self, who: int) -> None:
        if self._owner != who:
            raise PermissionError(who)
        self._times -= 1
        if not self._times:
            self._owner = None

    def owner(self) -> int | None:
        return self._owner

    def depth(self) -> int:
        return self._times

    def is_held(self) -> bool:
        return self._owner is not None


class Playlist:
    def __init__(self) -> None:
        self._titles: list[str] = []
        self._place = 0

    def append(self, title: str) -> None:
        self._titles.append(title)

    def skip(self) -> None:
        self._place = min(self._place + 1, max(0, len(self._titles) - 1))

    def back(self) -> None:
        self._place = max(0, self._place - 1)

    def place(self) -> int:
        return self._place

    def titles(self) -> list[str]:
        return list(self._titles)
"""
#: A universe of long histories: among few of its states no two may have the same titles.
DEEP = Size(depth=5, level=80, states=300, calls=60, walks=True)


class Setting:
    """What reads laws of a class, proves them on rows, and prunes them."""

    def __init__(self, run: Inference) -> None:
        profiles = profiles_of(run.table, run.equality)
        self.law = LawParser(run.table.operations, profiles, run.table.values).law
        self.rows_of = Confirmation(run.larger_universe(DEEP, seed=1), 1_500).rows_of_law
        self.order = order_of(profiles)

    def follows(self, law: str, *rules: str) -> bool:
        """Does ``law`` follow from ``rules``?"""
        read = self.law(law)
        return follows(read, list(map(self.law, rules)), self.rows_of(read), self.order)

    def left(self, *lines: tuple[str, ...], more: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
        """The ``lines`` that pruning leaves."""
        by = {tuple(map(self.law, line)): line for line in lines}
        told = list(map(self.law, more))
        left = without_consequences(list(by), self.rows_of, self.order, told)
        return [by[line] for line in left]


@pytest.fixture(scope="module")
def setting(tmp_path_factory):
    """A function from the name of a class to its Setting, whose host stays open for the test."""
    folder = tmp_path_factory.mktemp("pruned")
    (folder / "pruned.py").write_text(SOURCE)
    request = ClassToSpecify("pruned", "Playlist", paths=(str(folder),))
    with open_host(request) as host:
        run = Inference(request, host.subject, host.pool, SilentListener())
        run.prepare(host.spec)
        yield Setting(run)


def test_what_was_kept_for_the_sake_of_another_law_is_tried_again(specify):
    laws = {text for one in specify("Lock").laws for text in one.said}
    assert "is_held(S) == (0 < depth(S))" in laws
    assert "0 < depth(S) if is_held(S)" not in laws


def test_observers_tell_apart_what_single_calls_lead_to(setting):
    kept = ("titles(skip(S)) == titles(S)", "titles(back(S)) == titles(S)")
    assert setting.follows("titles(back(skip(S))) == titles(S)", *kept)
    assert not setting.follows("back(skip(append(S, title))) == append(S, title)", *kept)


def test_a_line_is_left_out_where_all_of_its_laws_follow(setting):
    kept = "titles(skip(S)) == titles(S)", "titles(back(S)) == titles(S)"
    both = ("titles(skip(skip(S))) == titles(S)", "titles(back(skip(S))) == titles(S)")
    more = ("titles(skip(back(S))) == titles(S)", "0 <= place(S)")
    assert setting.left(kept, both, more) == [kept, more]
    assert setting.left(both, more, more=kept) == [more]


def test_of_no_lines_none_is_left(setting):
    assert setting.left() == []
