"""Words for what a function refuses, from the message with which it does: ``rejects_negative_n``.

``n should be non-negative`` says what is allowed; a reader of the test wants what was given.

Invariant: the words are the message's own, turned round by one rule for each form of message; ''
where none of them is its form.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

#: Words that no name of a thing is made of.
_OTHER_WORDS: Final = (
    "a|an|and|are|as|at|be|been|but|by|can|cannot|could|did|do|does|each|either|for|from|had|has|"
    "have|if|in|is|it|must|may|no|not|of|only|or|should|so|than|that|the|then|this|to|was|when|"
    "where|which|will|with|without|would|you|your|all|one|any|s|t|got|error|exception"
)
_WORD: Final = rf"(?!(?:{_OTHER_WORDS})(?:_|$))[a-z0-9]+"
#: A thing: up to four words, as few as leave the rest to the form.
_THING: Final = rf"{_WORD}(?:_{_WORD}){{0,3}}?"
#: What is wrong with a thing, said before it.
_FAULTS: Final = (
    "ambiguous|bad|blank|conflicting|duplicate|duplicated|empty|illegal|incompatible|inconsistent|"
    "incorrect|invalid|malformed|mismatched|missing|negative|null|undefined|"
    "unexpected|unknown|unrecognised|unrecognized|unsupported|unterminated|wrong|too_few|too_many"
)
_MUST: Final = "must|should|has_to|have_to|needs_to|need_to|is_required_to"
_NEVER: Final = "cannot|can_not|cant|must_not|may_not|should_not|shouldnt|mustnt"
_FOUND: Final = (
    "found|given|specified|provided|passed|detected|encountered|supplied|received|was_encountered|"
    "was_given|was_found|was_specified"
)
#: States in which something is not there.
_SET: Final = "given|specified|provided|set|defined|supplied|present|passed"
#: A word that says of a thing what it is like, not what it is.
_ADJECTIVES: Final = (
    "positive|numeric|integral|callable|hashable|iterable|unique|finite|printable|absolute|"
    "relative|sorted|square|even|odd|boolean"
)
#: What is wrong with a thing, said after it.
_STATES: Final = f"{_FAULTS}|zero|none|nan|infinite|closed|locked|frozen|exhausted"

_KIND: Final = rf"(?:_(?P<kind>{_WORD}))?"
_UNABLE: Final = "(?:could_not|cannot|can_not|couldnt|cant|unable_to|failed_to)"
#: How one thing stands to another.
_BESIDE: Final = "(?:above|below|before|after|(?:greater|larger|less|smaller)_than)"

#: Form of a message -> the words for what is refused; ``{thing}`` and ``{what}`` are parts of it.
_FORMS: Final = (
    (rf"(?P<what>{_FAULTS})_(?P<thing>{_THING})(?:_(?:{_FOUND}))?", "rejects_{what}_{thing}"),
    (rf"(?:(?P<thing>{_THING})_)?(?:{_MUST})_be_(?:an?_)?non_(?P<what>{_WORD}){_KIND}",
     "rejects_{what}_{thing}"),
    (rf"(?:(?P<thing>{_THING})_)?(?:{_MUST})_be_(?:above|greater_than|more_than)_(?:zero|0)",
     "rejects_non_positive_{thing}"),
    (rf"(?:(?P<thing>{_THING})_)?(?:{_MUST})_have_at_least_(?P<what>{_THING})",
     "rejects_{thing}_with_fewer_than_{what}"),
    (rf"(?:(?P<thing>{_THING})_)?(?:{_MUST})_have_(?:at_most|no_more_than)_(?P<what>{_THING})",
     "rejects_{thing}_with_more_than_{what}"),
    (rf"(?P<thing>{_THING})_(?:{_MUST})_be_(?:{_SET})", "rejects_missing_{thing}"),
    (rf"(?:(?P<thing>{_THING})_)?(?:{_MUST})_be_(?P<what>{_ADJECTIVES})",
     "rejects_non_{what}_{thing}"),
    (rf"(?:(?P<thing>{_THING})_)?(?:{_MUST})_be_(?:of_type_|an?_)(?P<what>{_WORD})",
     "rejects_non_{what}_{thing}"),
    (rf"(?:(?P<thing>{_THING})_)?(?:{_MUST})_be_(?P<what>(?:an?|valid)_{_THING})(?:_(?:between|in)_.*)?",
     "rejects_{thing}_that_is_not_{what}"),
    (rf"(?:(?P<thing>{_THING})_)?(?:{_NEVER})_be_(?:an?_)?(?P<what>{_WORD})",
     "rejects_{what}_{thing}"),
    (rf"(?P<thing>{_THING})_(?:is|are)_(?:required|mandatory|missing)",
     "rejects_missing_{thing}"),
    (rf"(?P<thing>{_THING})_(?:is|are)_not_valid", "rejects_invalid_{thing}"),
    (rf"(?:(?:{_THING}_)?(?:is|are)_)?not_(?:an?_)?valid_(?P<thing>{_THING})(?:_for_.*)?",
     "rejects_invalid_{thing}"),
    (rf"(?P<thing>{_THING})_(?:is|are)_not_(?:supported|implemented)(?:_.*)?",
     "rejects_unsupported_{thing}"),
    (rf"(?:(?P<thing>{_THING})_)?(?:is|are)_not_(?P<what>an?_{_WORD}|{_ADJECTIVES})",
     "rejects_{thing}_that_is_not_{what}"),
    (rf"(?P<thing>{_THING})_(?:is|are|was)_(?P<what>{_STATES})",
     "raises_when_{thing}_is_{what}"),
    (rf"(?P<thing>{_THING})_is_(?P<what>an?_{_THING})", "rejects_{thing}_that_is_{what}"),
    (rf"(?P<thing>{_THING})_contains?_(?P<what>{_THING})", "rejects_{thing}_with_{what}"),
    (rf"(?P<thing>{_THING})_(?:requires?|needs?)_(?:an?_)?(?P<what>{_THING})",
     "rejects_{thing}_without_{what}"),
    (rf"{_UNABLE}_(?:find|locate)_(?:the_|an?_|any_)?(?P<thing>{_THING})",
     "raises_when_{thing}_is_not_found"),
    (rf"(?P<thing>{_THING})_(?:(?:was_|is_|could_)?not_(?:be_)?found|does_not_exist)",
     "raises_when_{thing}_is_not_found"),
    (rf"no_(?P<thing>{_THING})(?:_(?:{_FOUND}|{_SET}))", "raises_without_{thing}"),
    (rf"(?P<thing>{_THING})_(?:has_|have_)?already_(?:been_)?(?:{_SET}|exists?|registered)",
     "rejects_duplicate_{thing}"),
    (rf"(?P<thing>{_THING})_(?:is|are)_(?P<what>{_BESIDE}_{_THING})",
     "rejects_{thing}_{what}"),
    (rf"(?P<thing>{_THING})_(?P<what>out_of_range)", "rejects_{thing}_{what}"),
)  # fmt: skip
_REJECTS: Final = "rejects"
#: What is no thing beside another word: an unlike kind of ``value`` says as little.
_EMPTY_THINGS: Final = ("value", "values", "argument", "input", "object", "parameter", "it")


@cache
def _compiled_forms() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The forms with what may stand before each; most runs of the command line need none."""
    before = "(?:(?:the|a|an|this|that|your|some)_)*"
    return tuple((re.compile(before + form), words) for form, words in _FORMS)


def refusal_words(said: str, *, of_arguments: bool) -> str:
    """What is refused with the message ``said``, words of it joined by ``_``; '' if not known.

    ``of_arguments``: the call was given some, which it may refuse.
    """
    for form, words in _compiled_forms():
        found = form.fullmatch(said)
        if found and (of_arguments or not words.startswith(_REJECTS)):
            parts = {name: text or "" for name, text in found.groupdict().items()}
            is_kind = "kind" in parts or "non_{what}" in words
            if is_kind and parts["thing"] in ("", *_EMPTY_THINGS):
                parts["thing"] = parts.get("kind", "")
            text = words.format(**parts).replace("rejects__that_is", "rejects_what_is")
            return re.sub("_+", "_", text.replace("__with_", "_")).strip("_")
    return ""
