"""The layers that contain guarded code: limits, Landlock, seccomp, audit hook, clock, streams.

Entrance: ``guard.raise_host``, ``guard.raise_worker`` and ``guard.raise_command`` raise the
kernel's layers; ``audit.install`` raises the audit hook.  ``waivers`` translates the user's
``--allow`` for the kernel, ``private_builtins`` keeps unitcraft's own code out of reach.

Invariant: a layer that is raised holds for the rest of the process and for its children, and
cannot be lowered from inside; a platform that lacks one goes without it.

Imports ``policy`` of ``execute``; nothing else of unitcraft.
"""
