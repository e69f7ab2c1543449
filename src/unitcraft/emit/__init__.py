"""From Tests to a file: names, literals, layout, tables of parameters, verification.

Invariant: nothing here runs the Subject except ``verify``, in guarded processes, and the
text that it lets through has passed there.
"""
