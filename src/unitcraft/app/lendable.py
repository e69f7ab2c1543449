"""The packages of ours that runs of pytest in another environment may import.

Invariant: a package that the other environment has, in a version that serves, is never replaced.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib import metadata, util
from pathlib import Path
from typing import Final

#: Packages that a run under pytest with coverage may need, by the names that they are imported by.
LENDABLE: Final = ("pytest", "coverage", "pluggy", "iniconfig", "packaging", "pygments", "py")

#: Oldest releases of the project's own that serve: 7.0 of pytest has every hook and option that the
#: verifier uses, 7.0 of coverage.py writes the branches that are missing.
MIN_RELEASES: Final = {"pytest": 7, "coverage": 7}


def lent_to(offered: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """(package, its folder) of what an environment lacks that has ``offered``: name -> version.

    The version is '' where the package does not tell it.
    """
    needed: list[str] = []
    if not _is_recent(offered, "pytest"):
        needed += ["pytest", "_pytest", *_unmet_requirements(offered)]
        needed += [] if "py" in offered else ["py"]  # pytest brings a small one for who has none
    if not _is_recent(offered, "coverage"):
        needed.append("coverage")
    return tuple((name, folder) for name in needed if (folder := _folder_of(name)))


def _is_recent(offered: Mapping[str, str], name: str) -> bool:
    if name not in offered:
        return False
    release = re.match(r"\d+", offered[name])
    return release is None or int(release[0]) >= MIN_RELEASES[name]


def _unmet_requirements(offered: Mapping[str, str]) -> Iterator[str]:
    """What our pytest requires and the environment does not have."""
    from packaging.requirements import Requirement

    for text in metadata.requires("pytest") or ():
        required = Requirement(text)
        name = required.name.lower().replace("-", "_")
        if required.marker is not None and not required.marker.evaluate({"extra": ""}):
            continue
        version = offered.get(name)
        if version is None or (
            version and not required.specifier.contains(version, prereleases=True)
        ):
            yield name


def _folder_of(name: str) -> str:
    """The folder of ours that holds a package; '' where we lack it ourselves."""
    spec = util.find_spec(name)
    if spec is None or spec.origin is None:
        return ""
    place = Path(spec.origin)
    return str(place.parents[1] if spec.submodule_search_locations else place.parent)
