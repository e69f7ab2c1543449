"""``python -m unitcraft`` is the command ``unitcraft``, and so is the script of that name.

Invariant: nothing but the standard library is imported before ``sys.path`` is in order: what a
project has on PYTHONPATH or in the current folder never takes the place of what unitcraft needs.
"""

import os
import signal
import sys


def main() -> None:
    """Run the command line and exit with its code."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until the command line has been imported
    sys.path[:] = own_packages_first(sys.path, os.environ.get("PYTHONPATH", ""), os.getcwd())  # noqa: PTH109
    from unitcraft.app import cli  # noqa: PLC0415 - after the path is in order

    cli.main()


def own_packages_first(path: list[str], given: str, folder: str) -> list[str]:
    """``path`` with the entries of PYTHONPATH (``given``) and the current ``folder`` at its end.

    They stay, since that is where targets are found.  The folder that holds unitcraft itself keeps
    its place.
    """
    ours = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120
    foreign = {"", folder, *given.split(os.pathsep)} - {ours}
    late = [entry for entry in path if entry in foreign]
    return [entry for entry in path if entry not in foreign] + late


if __name__ == "__main__":
    main()
