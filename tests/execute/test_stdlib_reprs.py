"""Every row of the table of standard classes writes its own examples down."""

from unitcraft.core.encoding import encode
from unitcraft.execute.guest.arg_of_value import to_arg
from unitcraft.execute.guest.interpret import compile_argument
from unitcraft.execute.guest.stdlib_reprs import STDLIB_REPRS


def test_every_row_rebuilds_its_examples():
    for cls, row in STDLIB_REPRS.items():
        assert row.examples, cls
        for example in row.examples:
            term = to_arg(example)
            made = compile_argument(encode(term))([])
            assert type(made) is type(example)
            assert made == example
