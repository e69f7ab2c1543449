"""What a message says must hold is turned round to what was given."""

from __future__ import annotations

import pytest

from unitcraft.emit.naming.refusal_words import refusal_words


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("n should be non negative", "rejects_negative_n"),
        ("n should be positive", "rejects_non_positive_n"),
        ("amount must be greater than zero", "rejects_non_positive_amount"),
        ("length should be a positive integer", "rejects_length_that_is_not_a_positive_integer"),
        ("items must be a non empty sequence", "rejects_empty_items"),
        ("input must be a non empty string", "rejects_empty_string"),
        ("must be a real date", "rejects_what_is_not_a_real_date"),
        ("must be an object", "rejects_non_object"),
        ("must be a real date between the two", "rejects_what_is_not_a_real_date"),
        ("value must be a string", "rejects_non_string"),
        ("cookie must be an integer", "rejects_non_integer_cookie"),
        ("may not be null", "rejects_null"),
        ("maxsize cant be negative", "rejects_negative_maxsize"),
        ("must have at least 3 items", "rejects_fewer_than_3_items"),
        ("name is a reserved word", "rejects_name_that_is_a_reserved_word"),
        ("key contains illegal characters", "rejects_key_with_illegal_characters"),
        ("option requires a value", "rejects_option_without_value"),
        ("unknown argument", "rejects_unknown_argument"),
        ("invalid token found", "rejects_invalid_token"),
        ("unknown cookie property", "rejects_unknown_cookie_property"),
        ("is not a valid attribute for a block", "rejects_invalid_attribute"),
        ("key is required", "rejects_missing_key"),
        ("option already defined", "rejects_duplicate_option"),
        ("low is above high", "rejects_low_above_high"),
        ("no video formats found", "raises_without_video_formats"),
        ("could not find js function", "raises_when_js_function_is_not_found"),
        ("order is closed", "raises_when_order_is_closed"),
        ("recursion limit reached", ""),
        ("insufficient funds", ""),
        ("an internal error", ""),
    ],
)
def test_a_message_says_what_is_refused(message, expected):
    assert refusal_words(message.replace(" ", "_"), of_arguments=True) == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [("invalid state", ""), ("order is closed", "raises_when_order_is_closed")],
)
def test_a_call_without_arguments_refuses_none(message, expected):
    assert refusal_words(message.replace(" ", "_"), of_arguments=False) == expected
