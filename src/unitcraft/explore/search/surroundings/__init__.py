"""What a test arranges around its calls: files, variables, functions that it replaces, classes.

Entrances: ``set_variables.VariableChoice``, ``place_files.fill_paths``,
``answer_calls.CallAnswers``, ``complete_texts.complete``, ``complete_objects.complete_objects`` and
``written_classes.pool_with_heirs``.

Invariant: something is arranged only after a run, or the source, has asked for it.

Imports: ``core``, ``subject.values``, ``execute``'s values, Executions,
``explore.search.values.object_pool`` and ``explore.search.variation``.
"""
