"""Optional modules that are not installed: what tells of them, and their stand-ins."""

from __future__ import annotations

import pytest

SOURCE = """
try:
    import nowhere_widgets
    HAS_WIDGETS = True
except ImportError:
    HAS_WIDGETS = False
try:
    from nowhere_html import Box, __version__
    from nowhere_html.tags import Tag
except (AttributeError, ModuleNotFoundError):
    Box, ERROR = None, object()
else:
    class Frame(Box):
        pass
    FRAME = Frame(1, title="a"), Tag.COLOUR.RED
try:
    import nowhere_json as json
except ImportError:
    import json
try:
    import csv
    HAS_CSV = True
except ImportError:
    HAS_CSV = False
def late():
    try:
        import nowhere_late
    except:
        return False
    return True
def bare():
    try:
        import nowhere_bare
    except ValueError:
        return False
def look():
    return HAS_WIDGETS, Box is None, json.__name__, HAS_CSV, late()
"""


def test_what_is_missing_is_told_and_stands_there_when_lent(pool_of):
    pools = [pool_of(SOURCE, focus=("subject",), lends=lends) for lends in (False, True)]
    looks = [pool.one("run", "answer = m.look()").value for pool in pools]
    assert looks == [(False, True, "json", True, False), (True, False, "json", True, True)]
    assert pools[0].notes["told"] == {"Box": None, "HAS_WIDGETS": False}
    assert all(pool.notes["optional"] for pool in pools)


def test_only_what_a_try_makes_optional_is_lent(pool_of):
    pool = pool_of(SOURCE, focus=("subject",), lends=True)
    asked = "try:\n    m.bare()\nexcept ModuleNotFoundError as error:\n    answer = error.name"
    assert pool.one("run", asked).value == "nowhere_bare"


@pytest.mark.parametrize(("focus", "told"), [("pack.main", {"FAST": False}), ("other.main", {})])
def test_names_are_followed_through_the_project(pool_of, tmp_path, focus, told):
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").touch()
    compat = "try:\n    import nowhere\n    FAST = SLOW = True\nexcept ImportError:\n"
    (tmp_path / "pack" / "compat.py").write_text(f"{compat}    FAST = SLOW = False\n")
    (tmp_path / "pack" / "main.py").write_text("from pack.compat import FAST\n")
    pool = pool_of(options={"module": "pack.main"}, focus=(focus,))
    assert pool.notes["told"] == told
    assert pool.notes["optional"] is bool(told)
