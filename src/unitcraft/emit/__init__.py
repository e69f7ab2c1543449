"""Test cases become the text of a pytest file, which is verified before anybody sees it.

Entrance: ``write.writer.write`` lays out Tests as text, ``verify.verify.verify`` runs that text
and drops what does not hold, ``merge.merge_edits.merge`` keeps what a person edited in the file.

Invariant: nothing here runs the Subject except ``verify``, in guarded processes, and the
text that it lets through has passed there.

Imports: ``core``, ``subject``, ``execute`` and the Tests of ``suite``; within the package
``code`` <- ``arrange`` <- ``naming`` <- ``write`` <- ``verify``, and ``code`` <- ``merge``.
"""
