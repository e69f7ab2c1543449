"""``python -m unitcraft.app`` is the command ``unitcraft``.

Invariant: nothing but the entry of the command line stands here.
"""

from unitcraft.__main__ import main

if __name__ == "__main__":
    main()
