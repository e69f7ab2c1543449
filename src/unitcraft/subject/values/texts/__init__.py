"""Texts that stand for data: documents, tables, files, and what people give to a name.

Entrance: ``file_texts.FileTexts``, what a file may hold; ``document_texts`` has the containers that
texts of JSON stand for, ``table_texts`` the columns that code looks up and ``moments`` of a format,
``example_table`` what people give to names.

Invariant: each is a text that a person would put into a test.

May import: ``core`` and the modules at the top of ``subject``, and ``subject.reading``.
"""
