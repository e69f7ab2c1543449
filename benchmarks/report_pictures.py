"""Pictures of the report of examples/ledger for docs/: ``make report-pictures``.

Generates, judges and explores a copy of the demo, writes its report, and has a headless browser
take pictures of it at 1280 pixels. Needs Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from headless_browser import Browser, find_browser

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"

#: The commands whose results the report shows.
COMMANDS = (
    ("generate", "src/ledger"),
    ("check", "tests", "-s", "ledger", "--exit-zero"),
    ("mutants", "run", "tests", "-s", "ledger", "--exit-zero", "-q"),
    ("explore", "ledger.accounts:Account", "--methods", "deposit,freeze,unfreeze", "--ints", "0..2",
     "--iterations", "2"),
    ("report",),
)  # fmt: skip

#: Picture -> (colours, the heading at its top, height in pixels).
PICTURES = {
    "report-modules.png": ("light", "h1", 420),
    "report-source.png": ("dark", "#m4 h3:nth-last-of-type(2)", 900),
    "report-states.png": ("light", "svg.states", 560),
}


def make_report(folder: Path) -> Path:
    """The report of a copy of the demo in ``folder``."""
    project = folder / "ledger"
    shutil.copytree(ROOT / "examples" / "ledger", project)
    for words in COMMANDS:
        subprocess.run([sys.executable, "-m", "unitcraft", *words], cwd=project, check=True)
    return project / ".unitcraft" / "report.html"


def main() -> int:
    """Write the pictures; 1 where there is no browser."""
    path = find_browser()
    if path is None:
        print("no browser: install chromium", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as name, Browser(path) as browser:
        browser.load(make_report(Path(name)))
        for file, (scheme, place, height) in PICTURES.items():
            browser.prefer(scheme)
            where = f"document.querySelector({place!r}).getBoundingClientRect().top"
            top = browser.evaluate(f"{where} + scrollY")
            browser.picture(DOCS / file, max(int(top) - 12, 0), height)
    return 0


if __name__ == "__main__":
    sys.exit(main())
