from __future__ import annotations

from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Progress, SilentListener


def test_message_has_slug_cause_and_next_step():
    error = UnitcraftError("no-module", "there is no shop", cause="a typo", advice="try shop2")
    assert str(error) == "there is no shop [no-module]\n  cause: a typo\n  next:  try shop2"


def test_short_message_is_one_line():
    assert str(UnitcraftError("no-module", "there is no shop")) == "there is no shop [no-module]"


def test_silent_listener_ignores_everything():
    assert SilentListener().progress(Progress("shop", "explore")) is None
