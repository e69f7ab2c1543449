"""Specifications as text: for people, as Python expressions, as documents and as pytest suites.

``law_text`` writes laws in functional notation and ``law_parsing`` reads them back,
``law_expressions`` are Python expressions that evaluate to True; ``law_groups`` are the laws that
one line says, which ``group_text`` writes.  ``specs_report`` has the documents, ``specs_suite`` the
test modules, ``specs_properties`` those of Hypothesis, ``law_contracts`` and ``specs_contracts`` an
icontract sidecar, ``specs_docstrings`` lines for docstrings, ``refuting_tests`` the calls that
refuted laws.

Entrance: ``specs_report.as_text`` and ``specs_suite.as_suite``.

Invariant: a text depends on the specification alone; nothing here runs code.

May import the other rooms of infer but ``agents``, and the layers below.
"""
