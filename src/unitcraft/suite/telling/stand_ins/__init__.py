"""What stands in for a collaborator: what it answers, and values of the language in its place.

``plain_answers`` has the answers that a person would write, ``keyed_answers`` the questions that
they answer, ``real_collaborators`` dictionaries, sets and files for what does as these do.

Entrances: ``keyed_answers.ANSWER_ROUNDS`` and ``real_collaborators``.

Invariant: nothing is run here; a variant differs from its Sequence in its stand-ins.
May import: ``explore`` and lower packages, and modules of ``suite.telling``.
"""
