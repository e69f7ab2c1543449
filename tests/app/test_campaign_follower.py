"""Verdicts are stored as they come; a person sees how far a campaign is."""

from __future__ import annotations

from unitcraft.app.mutants.campaign_follower import MAX_SILENCE, STRIDE, CampaignFollower
from unitcraft.app.mutants.verdict_store import VerdictStore
from unitcraft.suite.mutation.campaign import Progress
from unitcraft.suite.mutation.verdicts import JudgedMutant, Mutant


def campaign(tmp_path, seconds_each, count, capsys):
    """The lines that ``count`` verdicts of 200 mutants give, each after so many seconds."""
    clock = [0.0]
    store = VerdictStore(tmp_path)
    follower = CampaignFollower(store, {"m": "m.py"}, {}, quiet=False, now=lambda: clock[0])
    mutants = [Mutant(f"m:f:{at}", "m", "f", 1, "constant") for at in range(200)]
    progress = Progress(mutants={one.id: (one, 1) for one in mutants}, digest="d")
    follower.record(progress, None)
    for one in mutants[:count]:
        clock[0] += seconds_each
        judged = JudgedMutant(one, "assertion", "t", 1, 1, 0.1)
        progress.judged[one.id] = judged
        follower.record(progress, judged)
    assert len(VerdictStore(tmp_path).kept) == follower.new == count
    return capsys.readouterr().err.splitlines()


def test_quick_verdicts_are_told_by_their_number(tmp_path, capsys):
    first, *lines = campaign(tmp_path, 0.0, 2 * STRIDE, capsys)
    assert first == "200 mutants, 0 known from an earlier run"
    assert lines == [f"{at}/200 mutants, {at} killed" for at in (STRIDE, 2 * STRIDE)]


def test_slow_verdicts_are_told_each_with_what_is_left(tmp_path, capsys):
    _, *lines = campaign(tmp_path, MAX_SILENCE, 2, capsys)
    assert lines == [
        f"{at}/200 mutants, {at} killed, about {MAX_SILENCE * (200 - at):.0f} s left"
        for at in (1, 2)
    ]
