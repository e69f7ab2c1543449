"""A file written again keeps what a person wrote or edited in it.

Entrance: ``merge_edits.merge`` takes the old and the new text; ``merge_edits.module_of`` says for
which module a file was written; ``testfile.TestFile`` takes a file apart;
``local_imports.with_local_imports`` keeps an import that fails from costing more than its tests.

Invariant: a function is replaced or left out only when the digests at the end of the old file
list it as it stands there.

Imports: ``emit.code`` only; no file is read or written here.
"""
