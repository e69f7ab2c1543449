"""Search for valid heaps beside the code under test.

``heaps_agent`` serves the search: ``candidate_search`` runs an invariant (``invariant_check``) on a
``lazy_heap`` whose fields are chosen from ``field_choices`` when ``monitored_classes`` and
``monitored_list`` see them read; ``branch_flips`` finds integers for other outcomes of
comparisons, ``heap_form`` writes what is valid.  ``fields_agent`` reads the source of fields and of
the invariant (``invariant_source``, ``invariant_function``), ``state_agent`` looks at objects that
calls made, with ``field_kinds``.

Entrances: ``heaps_agent`` and ``state_agent`` as a host's ``entry``; ``fields_agent:declare`` as a
service of any host.

Invariant: nothing of one item is kept for the next; forms are plain data.

May import core, the guest side of execute, instrument, symbolic, ``solve.differences``,
``state.heap``, ``subject.description`` and ``explore.agents``.
"""
