"""The messages that a run logged."""

from __future__ import annotations

import logging
import warnings

import pytest

from unitcraft.execute.guest.issued_messages import (
    LOGGED,
    MAX_CHARACTERS,
    MAX_MESSAGES,
    logged_messages,
    silence_what_pytest_captures,
)

SHOP = logging.getLogger("shop")


@pytest.fixture(autouse=True)
def _noting():
    handlers, last, show = list(logging.root.handlers), logging.lastResort, warnings.showwarning
    with warnings.catch_warnings():
        silence_what_pytest_captures()
        LOGGED.clear()
        yield
    logging.root.handlers[:] = handlers
    logging.lastResort, warnings.showwarning = last, show
    LOGGED.clear()


def test_messages_that_reach_the_root_logger_are_seen_as_their_levels_let_them():
    SHOP.warning("%d left", 3)
    SHOP.info("fine")
    quiet = logging.getLogger("shop.quiet")
    quiet.propagate = False
    quiet.error("unseen")
    quiet.propagate = True
    assert logged_messages() == ["3 left"]


def test_the_next_run_begins_with_none():
    assert logged_messages() is None
    SHOP.warning("first")
    LOGGED.clear()
    SHOP.warning("second")
    assert logged_messages() == ["second"]


@pytest.mark.parametrize(
    "messages", [["a"] * (MAX_MESSAGES + 1), ["a", "x" * (MAX_CHARACTERS + 1)]]
)
def test_more_than_a_test_states_is_not_told(messages):
    for message in messages:
        SHOP.warning("%s", message)
    assert logged_messages() is None


def test_a_message_that_cannot_be_made_fails_where_it_is_logged():
    with pytest.raises(TypeError, match="not all arguments converted"):
        SHOP.warning("none", 1)
    assert logged_messages() is None
