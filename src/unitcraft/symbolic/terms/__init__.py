"""Terms, their operations, and the trees of path conditions made of them.

Entrances: ``term.evaluate`` (the value of a term), ``operations.OPERATIONS`` (what each operation
does), ``constraint_tree.ConstraintTree.insert`` (add the path of a run), ``pretty`` (a constraint
as a Python expression).

Invariant: terms are plain tuples without objects of a Subject, and an operation is the function of
CPython that the Subject's code would have run.

Imports nothing of unitcraft but its own modules, so that solvers and states can import it.
"""
