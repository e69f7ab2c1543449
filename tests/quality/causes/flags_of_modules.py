"""Variables of the module that decide what its functions do."""

import os
from importlib.util import find_spec

parser = find_spec("a_parser_that_nobody_has")
DEBUG = bool(os.environ.get("FLAGS_OF_MODULES_DEBUG"))
LIMIT = None
HAS_COLOURS = os.name != "java"


def parse(text: str):
    if not parser:
        return text.split()
    return [text]


def log(message: str):
    if DEBUG:
        return f"DEBUG: {message}"
    return message


def shown(text: str, bold: bool = False):
    if LIMIT is not None and len(text) > 3:
        text = text[:3]
    if not HAS_COLOURS or not bold:
        return text
    return f"<b>{text}</b>"
