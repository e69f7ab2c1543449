"""Every row of the table of standard classes writes its own examples down."""

from unitcraft.core.encoding import encode
from unitcraft.execute.guest.arg_of_value import shown
from unitcraft.execute.guest.interpret import argument
from unitcraft.execute.guest.stdlib_reprs import RICH


def test_every_row_rebuilds_its_examples():
    for cls, row in RICH.items():
        assert row.examples, cls
        for example in row.examples:
            term = shown(example)
            made = argument(encode(term))([])
            assert type(made) is type(example)
            assert made == example
