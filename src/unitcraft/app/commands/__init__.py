"""The sub-commands of the command line, one module each: flags, help and exit code.

Entrance: ``cli_NAME.command``, which ``app.cli`` imports when the command NAME is given.

Invariant: a module here reads flags, fills in the settings, calls one part of ``app`` and prints
what that returns; the flags that are not given never hide a setting.

Imports: ``click``, ``app.config`` and small modules of ``app`` at the top; the engine inside the
command functions only.
"""
