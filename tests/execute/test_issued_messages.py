"""The messages that a run logged."""

from __future__ import annotations

import logging

import pytest

from unitcraft.execute.guest.issued_messages import MAX_CHARACTERS, MAX_MESSAGES, LoggedMessages

SHOP = logging.getLogger("shop")


@pytest.fixture(name="logged")
def _logged():
    before = list(logging.root.handlers)
    logged = LoggedMessages()
    logged.forget()
    yield logged
    logging.root.handlers[:] = before


def test_messages_that_reach_the_root_logger_are_seen_as_their_levels_let_them(logged):
    SHOP.warning("%d left", 3)
    SHOP.info("fine")
    quiet = logging.getLogger("shop.quiet")
    quiet.propagate = False
    quiet.error("unseen")
    quiet.propagate = True
    assert logged.messages() == ["3 left"]


def test_the_next_run_begins_with_none_and_one_handler(logged):
    SHOP.warning("first")
    logged.forget()
    logged.forget()
    assert logged.messages() is None
    SHOP.warning("second")
    assert logged.messages() == ["second"]


def test_a_removed_handler_is_put_back(logged):
    logging.root.handlers.clear()
    logged.forget()
    SHOP.error("seen")
    assert logged.messages() == ["seen"]


@pytest.mark.parametrize(
    "messages", [["a"] * (MAX_MESSAGES + 1), ["a", "x" * (MAX_CHARACTERS + 1)]]
)
def test_more_than_a_test_states_is_not_told(logged, messages):
    for message in messages:
        SHOP.warning("%s", message)
    assert logged.messages() is None


def test_a_message_that_cannot_be_made_fails_where_it_is_logged(logged):
    with pytest.raises(TypeError, match="not all arguments converted"):
        SHOP.warning("none", 1)
    assert logged.messages() is None
