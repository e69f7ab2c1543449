"""Every row of the table of standard classes writes its own examples down."""

from unitcraft.core.wire import encode
from unitcraft.execute.interpret import argument
from unitcraft.execute.rich import RICH
from unitcraft.execute.show import shown


def test_every_row_rebuilds_its_examples():
    for cls, row in RICH.items():
        assert row.examples, cls
        for example in row.examples:
            term = shown(example)
            made = argument(encode(term))([])
            assert type(made) is type(example)
            assert made == example
