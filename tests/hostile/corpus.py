"""The hostile corpus as data: what each function is expected to come to.

A verdict is ``value=…`` (returned), ``raised=…``, ``reject=…`` (prefix of the audit event),
``exhaust=…`` (the reason), or several separated by ``|`` where the machine decides.
"""

from __future__ import annotations

from pathlib import Path

MODULES = Path(__file__).parent / "modules"

SENTINEL = Path("/tmp/unitcraft-sentinel")

IMPORTS = {
    "import_writes": "import-blocked",
    "import_exits": "import-exit",
    "import_exits_hard": "import-exit",
    "import_hangs": "import-hang",
    "import_raises": "import-failed",
    "import_crashes": "import-crashed",
}

EXPECTED: dict[str, dict[str, str]] = {
    "deletes_files": {
        "cleanup": "reject=os.remove:/tmp/unitcraft-sentinel/keep.txt",
        "purge": "reject=shutil.rmtree",
        "purge_quietly": "reject=shutil.rmtree",
    },
    "overwrites_files": {
        "save": "reject=open:/tmp/unitcraft-sentinel/keep.txt",
        "shorten": "reject=os.truncate",
        "move": "reject=os.rename",
        "relative": "reject=open:report.txt",
    },
    "opens_sockets": {
        "fetch": "reject=socket.",
        "listen": "reject=socket.",
        "resolve": "reject=socket.gethostbyname",
        "download": "reject=urllib.Request",
    },
    "starts_processes": {
        "shell": "reject=os.system",
        "run": "reject=subprocess.Popen",
        "become": "reject=os.exec",
        "pool": "reject=|exhaust=|raised=",
    },
    "forks": {"split": "reject=os.fork", "bomb": "reject=os.fork"},
    "kills_parent": {
        "strike": "reject=os.kill",
        "strike_group": "reject=os.killpg",
        "strike_quietly": "reject=os.kill",
        "strike_self": "exhaust=crash",
    },
    "exits": {
        "leave": "exhaust=exit",
        "leave_loudly": "exhaust=exit",
        "interrupt": "exhaust=exit",
        "close_generator": "exhaust=exit",
    },
    "exits_hard": {
        "abandon": "exhaust=exit",
        "abandon_with": "exhaust=exit",
        "abort": "exhaust=crash",
    },
    "loops_forever": {
        "spin": "exhaust=steps",
        "spin_stubbornly": "exhaust=steps",
        "spin_finally": "exhaust=steps",
        "count_up": "exhaust=steps",
        "count_in_c": "exhaust=memory|exhaust=time|raised=MemoryError",
    },
    "hangs_in_c": {
        "match": "exhaust=time",
        "power": "exhaust=time",
        "wait": "reject=time.sleep",
        "deadlock": "exhaust=time",
    },
    "floods_memory": {
        "hoard": "raised=MemoryError",
        "grow": "exhaust=|value=1",
        "repeat": "raised=MemoryError",
    },
    "floods_output": {
        "shout": "exhaust=output",
        "shout_errors": "exhaust=",
        "write_raw": "value=4000000|raised=OSError",
        "whisper": "value=said",
    },
    "leaves_threads": {
        "background": "value=started",
        "foreground": "reject=thread",
        "time_bomb": "reject=thread|exhaust=exit",
        "tidy": "value=3",
    },
    "segfaults": {
        "peek": "reject=ctypes.string_at",
        "poke": "exhaust=crash",
        "load": "reject=ctypes.dlopen",
        "broken_code": "exhaust=|raised=|value=",
    },
    "patches_builtins": {
        "patch_len": "value=7",
        "patch_many": "value=patched",
        "measure": "value=2",
        "remove_all": "value=empty",
    },
    "patches_modules": {
        "forget": "value=forgotten",
        "replace": "value=replaced",
        "sabotage": "exhaust=crash|exhaust=exit|value=spoilt|reject=",
        "patch_json": "value=42",
        "dump": "value=[]",
    },
    "reads_stdin": {
        "ask": "reject=builtins.input",
        "slurp": "reject=sys.stdin",
        "first_line": "reject=sys.stdin",
    },
    "signal_handlers": {
        "ignore": "value=ignored",
        "alarm": "value=armed",
        "handler": "value=armed",
    },
    "import_swallows": {"state": "value=refused"},
    "import_threads": {},
    "finalizers": {
        "raising": "value=dropped",
        "deleting": "reject=os.remove",
        "endless": "exhaust=steps",
        "cyclic": "value=left|exhaust=",
    },
    "lying_objects": {
        "liar": "value=Liar",
        "explosive": "value=Explosive",
        "swap": "value=3",
        "fail": "raised=LyingError",
    },
    "recursion": {
        "descend": "raised=RecursionError",
        "nest": "raised=RecursionError|exhaust=",
        "unlimited": "exhaust=|raised=",
        "compare": "raised=RecursionError",
    },
    "huge_hierarchy": {"deepest": "value=Level199", "count": "value=1000"},
    "nondeterministic": {
        "now": "value=",
        "today": "value=",
        "dice": "value=",
        "identity": "value=",
        "hashed": "value=",
        "order": "value=list",
        "unique": "value=",
    },
    "closes_descriptors": {
        "close_all": "exhaust=",
        "scribble": "exhaust=",
        "duplicate": "exhaust=|reject=",
    },
    "keeps_state": {
        "log": "value=1",
        "total": "value=1",
        "collect": "value=1",
        "register": "value=1",
        "number": "value=1",
        "cached": "value=1",
        "step": "value=1",
        "folder": "value=1",
        "environment": "value=1",
        "function_attribute": "value=1",
        "mode": "value=1",
        "new_class_attribute": "value=1",
        "temporary_file": "value=1",
        "recursion_limit": "value=1",
        "filters": "value=1",
    },
    "traces": {
        "trace": "value=tracing",
        "audit": "reject=sys.addaudithook",
        "finder": "value=hooked",
        "streams": "value=closed|raised=|exhaust=",
        "collector": "value=seen",
    },
    "writes_databases": {
        "store": "reject=sqlite3.connect",
        "memory": "value=1",
        "scratch": "value=3",
    },
}


def outcome(reply) -> str:
    """A Reply in the language of the verdicts."""
    if reply.error:
        return f"error={reply.error}"
    if reply.failure is None:
        kind, value = reply.value
        return f"{'value' if kind == 'returned' else kind}={value}"
    if hasattr(reply.failure, "event"):
        return f"reject={reply.failure.event}"
    return f"exhaust={reply.failure.reason}: {reply.failure.detail}"


def agrees(verdict: str, found: str) -> bool:
    return any(found.startswith(part) for part in verdict.split("|"))
