"""The code that shares a process with the Subject: the host, its workers, the interpreter.

Entrance: ``host.main``, started by ``pool.host_process``, which imports the Subject and forks a
``worker.Worker`` for each request.  Services are built on ``interpret.Interpreter``, which runs
encoded Calls, and on ``arg_of_value.to_arg``, which turns a value back into a term;
``subject_import`` imports the Subject,
``run_world`` is what the test of a run controls around it, ``issued_messages`` what it told;
``stdlib_reprs`` holds one row for each class of the standard library.

Invariant: after the import, code of the Subject runs only inside an item, under its step budget,
and every item ends as a value or as a failure, both plain data.

Imports the rest of ``execute`` except ``pool`` and ``command``, and ``core``.
"""
