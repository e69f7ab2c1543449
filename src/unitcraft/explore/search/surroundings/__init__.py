"""What a test arranges around its calls: files, variables, and functions that it replaces.

Entrances: ``set_variables.VariableChoice``, ``place_files.fill_paths``,
``answer_calls.CallAnswers`` and ``complete_texts.complete``.

Invariant: something is arranged only after a run has asked for it.

Imports: ``core``, ``subject.values``, ``execute``'s values, Executions and
``explore.search.variation``.
"""
