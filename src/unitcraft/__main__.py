"""``python -m unitcraft`` is the command ``unitcraft``.

Invariant: nothing but the entry of the command line stands here.
"""

from unitcraft.app.cli import main

if __name__ == "__main__":
    main()
