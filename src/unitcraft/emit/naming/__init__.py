"""Names of test functions, made of what is special about each test.

Entrance: ``names.test_names`` names the groups of a file; ``name_tags.tags`` puts into words what
holds for one Test, ``name_tags.owner_of`` says which class it is about.

Invariant: a name says nothing untrue of its test, is unique in its file, and depends on the
Tests and the Subject's description alone.

Imports: ``core``, the model of ``subject``, the Tests of ``suite``, ``emit.code`` and
``emit.arrange``.
"""
