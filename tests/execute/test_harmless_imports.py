"""Imports that change nothing outside succeed; the others name their waiver."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from unitcraft.core.errors import UnitcraftError
from unitcraft.execute.command.guarded_command import run_guarded
from unitcraft.execute.policy import IMPORT_RULES, UNCONFINED_SYMBOLS, Policy
from unitcraft.execute.sandbox import guard, landlock
from unitcraft.execute.sandbox.local_semaphore import SemLock, restorer
from unitcraft.execute.sandbox.stand_ins import FIRST_UNUSED_PID, ParkedProcess, install
from unitcraft.execute.scratch import PREFIX

confining = pytest.mark.skipif(
    landlock.version() < guard.MIN_LANDLOCK, reason="needs a kernel with Landlock"
)

#: Source of a module -> an expression over it that is 3.
HARMLESS = {
    "symbol": (
        "import ctypes\nABS = ctypes.CDLL(None).abs\nABS.argtypes = [ctypes.c_int]",
        "m.ABS(-3)",
    ),
    "library": (
        "import ctypes\nABS = ctypes.CDLL('libc.so.6').abs",
        "m.ABS(-3)",
    ),
    "python": (
        "import ctypes\nSIZE = ctypes.pythonapi.PyTuple_Size\nSIZE.argtypes = [ctypes.py_object]",
        "m.SIZE((1, 2, 3))",
    ),
    "buffer": (
        "import ctypes\nTEXT = ctypes.create_string_buffer(b'ab')",
        "len(m.TEXT.raw)",
    ),
    "lock": (
        "import multiprocessing\nLOCK = multiprocessing.Lock()",
        "m.LOCK.__enter__() + 2",
    ),
    "recursive": (
        "import multiprocessing\nLOCK = multiprocessing.RLock()",
        "m.LOCK.acquire() + m.LOCK.acquire() + 1",
    ),
    "event": (
        "import multiprocessing as p\nEVENT = p.Event()\nEVENT.set()",
        "3 * m.EVENT.wait()",
    ),
    "queue": (
        "import multiprocessing as p\nQUEUE, OTHER = p.SimpleQueue(), p.Queue()",
        "m.QUEUE.put(3) or m.QUEUE.get()",
    ),
    "spawn": (
        "import multiprocessing as p\nLOCK = p.get_context('spawn').Semaphore(3)",
        "m.LOCK.get_value()",
    ),
    "array": (
        "import multiprocessing as p\nONE, MANY = p.Value('i', 3), p.Array('i', 4)",
        "m.ONE.value",
    ),
    "memory": (
        (
            "from multiprocessing.shared_memory import SharedMemory as S\n"
            "ONE = S(create=True, size=9)\n"
            "TWO = S(ONE.name)\n"
            "TWO.buf[0] = 3"
        ),
        "m.ONE.buf[0]",
    ),
    "pool": (
        "import multiprocessing as p\nPOOL = p.Pool(3)",
        "len(m.POOL._pool)",
    ),
    "executors": (
        (
            "import concurrent.futures as f\n"
            "A, B = f.ProcessPoolExecutor(3), f.ThreadPoolExecutor(3)\n"
            "N = B.submit(int, '3').result()"
        ),
        "m.N",
    ),
    "thread": (
        (
            "import threading, time\n"
            "def run():\n"
            "  while True: time.sleep(0.01)\n"
            "threading.Thread(target=run, daemon=True).start()"
        ),
        "3",
    ),
    "temporary": (
        (
            "import tempfile as t\n"
            "A, B = t.NamedTemporaryFile(), t.TemporaryDirectory()\n"
            "open(t.mkdtemp() + '/x', 'w').write('x')"
        ),
        "3",
    ),
    "cache": (
        (
            "import os\n"
            "HERE = os.path.expanduser('~/.app/cache')\n"
            "os.makedirs(HERE)\n"
            "open(HERE + '/x', 'w').write('x')"
        ),
        "3",
    ),
    "log": (
        (
            "import logging\n"
            "LOG = logging.getLogger('x')\n"
            "LOG.addHandler(logging.FileHandler('app.log'))\n"
            "LOG.error('x')"
        ),
        "m.LOG.error('y') or 3",
    ),
    "database": (
        (
            "import shelve, sqlite3\n"
            "A = sqlite3.connect('a.db').execute('create table t(x)')\n"
            "shelve.open('b')['x'] = 1"
        ),
        "3",
    ),
    "socket": (
        (
            "import socket\n"
            "ONE = socket.socket()\n"
            "ONE.settimeout(1)\n"
            "TWO = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)"
        ),
        "3 * (m.ONE.family is m.socket.AF_INET)",
    ),
    "process": (
        (
            "import atexit, os, signal\n"
            "signal.signal(signal.SIGUSR1, print)\n"
            "atexit.register(len, ())\n"
            "os.umask(0o77)\n"
            "os.chdir('.')"
        ),
        "3",
    ),
    "uncalled": (
        "import os\ndef split():\n  return os.fork()",
        "3",
    ),
}

#: Source of a module -> the waiver that its refusal names.
HARMFUL = {
    "kill": (
        "import ctypes\nctypes.CDLL(None).kill",
        "--allow ctypes.dlsym:kill",
    ),
    "chmod": (
        "import ctypes\nctypes.CDLL('libc.so.6')['chmod']",
        "--allow ctypes.dlsym:chmod",
    ),
    "fork": (
        "import ctypes\nctypes.pythonapi.fork",
        "--allow ctypes.dlsym:fork",
    ),
    "number": (
        "import ctypes\nctypes.CDLL(None).syscall(39)",
        "--allow ctypes.dlsym:syscall",
    ),
    "split": (
        "import os\nos.fork()",
        "--allow os.fork:",
    ),
    "process": (
        "import multiprocessing as p\np.Process(target=print).start()",
        "--allow os.fork:",
    ),
    "connect": (
        "import socket\nsocket.socket().connect(('127.0.0.1', 9))",
        "--allow socket.connect",
    ),
    "send": (
        "import socket\nsocket.socket(2, 2).sendto(b'x', ('127.0.0.1', 9))",
        "--allow socket.sendto",
    ),
    "outside": (
        "open('{keep}', 'w')",
        "--allow open:{keep}",
    ),
    "up": (
        (
            "import _posixshmem\n"
            "from multiprocessing.shared_memory import SharedMemory as S\n"
            "S('/../../../../../../..{keep}', create=True, size=1)"
        ),
        "--allow open:",
    ),
}

#: Source of a module -> what stops its import, where the kernel refuses and no event is raised.
BY_THE_KERNEL = {
    "raw socket": (
        "import _socket\n_socket.socket(2, 1, 0)",
        "PermissionError",
    ),
    "raw memory": (
        "import _posixshmem, os\n_posixshmem.shm_open('/unitcraft-x', os.O_CREAT | os.O_RDWR)",
        "PermissionError",
    ),
    "unlink": (
        "import ctypes\nassert ctypes.CDLL(None).unlink(b'{keep}') == -1\n1 / 0",
        "ZeroDivision",
    ),
    "socket": (
        "import ctypes\nassert ctypes.CDLL(None).socket(2, 1, 0) == -1\n1 / 0",
        "ZeroDivision",
    ),
    "open": (
        "import ctypes\nassert ctypes.CDLL(None).open(b'{keep}', 513) == -1\n1 / 0",
        "ZeroDivision",
    ),
}


def names_in(folder):
    place = Path(folder)
    found = sorted(path.name for path in place.iterdir()) if place.is_dir() else []
    return [name for name in found if not name.startswith(PREFIX)]  # of pools that are open


@pytest.fixture
def keep(tmp_path):
    path = tmp_path / "outside" / "keep"
    path.parent.mkdir()
    path.write_text("kept")
    shared = names_in("/dev/shm")
    yield path
    assert (path.read_text(), names_in(path.parent)) == ("kept", ["keep"])
    made = [name for name in names_in("/dev/shm") if name not in shared]
    assert not [name for name in made if name.startswith(("sem.mp-", "pym-", "psm_", "unitcraft"))]


@confining
@pytest.mark.parametrize("name", HARMLESS)
def test_a_harmless_import_succeeds_and_leaves_nothing(pool_of, tmp_path, name, keep):
    source, expression = HARMLESS[name]
    pool = pool_of(source)
    replies = [pool.one("run", f"answer = {expression}") for _ in range(2)]
    assert [reply.value for reply in replies] == [3, 3], replies
    assert pool.notes["refused"] == ()
    folder = Path(pool._workers._host._folder.path)
    pool.close()
    assert not folder.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["outside", "subject.py"]


@confining
def test_harmless_imports_succeed_in_a_command_too(tmp_path, keep):
    lines = []
    for name, (source, expression) in HARMLESS.items():
        (tmp_path / f"m_{name}.py").write_text(source + "\n")
        lines.append(f"import m_{name} as m\nprint({name!r}, {expression})")
    script = tmp_path / "script.py"
    script.write_text("\n".join(lines))
    before = sorted(path.name for path in tmp_path.iterdir())
    done = run_guarded([str(script)], paths=[str(tmp_path)])
    assert done.stdout.split() == [word for name in HARMLESS for word in (name, "3")], done.stderr
    assert done.returncode == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", HARMFUL)
def test_a_harmful_import_names_its_waiver(pool_of, keep, name):
    source, waiver = (text.replace("{keep}", str(keep)) for text in HARMFUL[name])
    with pytest.raises(UnitcraftError) as caught:
        pool_of(source)
    assert caught.value.slug == "import-blocked"
    assert waiver in caught.value.advice


@confining
@pytest.mark.parametrize("name", BY_THE_KERNEL)
def test_what_raises_no_event_is_refused_by_the_kernel(pool_of, keep, name):
    source, expected = BY_THE_KERNEL[name]
    with pytest.raises(UnitcraftError) as caught:
        pool_of(source.replace("{keep}", str(keep)))
    assert caught.value.slug == "import-failed"
    assert caught.value.what.startswith(expected)
    assert ("--sandbox off" in caught.value.advice) == (expected == "PermissionError")


def test_what_an_import_may_is_refused_in_a_run(pool_of):
    pool = pool_of()
    sources = {
        "ctypes.dlsym:abs": "import ctypes\nctypes.CDLL(None).abs",
        "ctypes.dlopen:libc.so.6": "import ctypes\nctypes.CDLL('libc.so.6')",
        "socket.__new__:2": "import socket\nsocket.socket()",
        "os.fork": "import multiprocessing\nmultiprocessing.Pool(1)",
    }
    for event, source in sources.items():
        assert pool.one("run", source).failure.event.startswith(event)


def test_a_parked_process_never_runs(pool_of, tmp_path, keep):
    source = f"""
import multiprocessing, os
PROCESS = multiprocessing.Process(target=os.unlink, args=({str(keep)!r},), daemon=True)
PROCESS.start()
BEFORE = PROCESS.is_alive(), PROCESS.exitcode
PROCESS.terminate()
PROCESS.join()
AFTER = PROCESS.is_alive(), PROCESS.exitcode
"""
    pool = pool_of(source)
    assert pool.one("run", "answer = [*m.BEFORE, *m.AFTER]").value == [True, None, False, -15]


def test_a_parked_process_has_an_end_and_no_place_in_the_system():
    parked = ParkedProcess(None)
    assert parked.pid >= FIRST_UNUSED_PID
    assert parked.poll() is parked.wait(0.1) is None
    parked.kill()
    parked.terminate()
    assert os.read(parked.sentinel, 1) == b""
    assert parked.wait() == -15
    parked.close()
    parked.close()


def test_a_local_semaphore_counts_as_that_of_the_system():
    lock = SemLock(1, 2, 2, "/x", unlink=True)
    assert [lock.acquire(), lock.acquire(block=False), lock.acquire(block=False)] == [
        True, True, False,
    ]  # fmt: skip
    assert not lock.acquire(timeout=0.01)
    assert (lock._count(), lock._get_value(), lock._is_zero(), lock._is_mine()) == (
        2,
        0,
        True,
        True,
    )
    lock.release()
    with lock:
        assert lock._get_value() == 0
    lock.release()
    with pytest.raises(ValueError, match="released too many times"):
        lock.release()
    assert (lock.name, lock.maxvalue, type(lock).__module__) == (None, 2, "_multiprocessing")


def test_a_local_recursive_lock_belongs_to_its_thread():
    lock = SemLock(0, 1, 1, "/x", unlink=True)
    assert lock.acquire()
    assert lock.acquire()
    seen = []
    thread = threading.Thread(
        target=lambda: seen.append((lock.acquire(block=False), lock._is_mine()))
    )
    thread.start()
    thread.join()
    assert seen == [(False, False)]
    lock.release()
    lock.release()
    with pytest.raises(AssertionError, match="not owned"):
        lock.release()


def test_semaphores_are_put_back():
    lock = SemLock(1, 1, 1, "/x", unlink=True)
    restore = restorer()
    lock.acquire()
    restore()
    assert lock.state() == (1, 0, 0)
    assert lock.acquire(block=False)


def test_rules_of_imports_refuse_what_the_kernel_does_not_confine():
    for name in sorted(UNCONFINED_SYMBOLS):
        assert IMPORT_RULES["ctypes.dlsym"]((None, name), ()) == (name,)
        assert IMPORT_RULES["ctypes.dlsym"]((None, f"__{name}"), ()) == (f"__{name}",)
    assert IMPORT_RULES["ctypes.dlsym"]((None, "wcwidth"), ()) == ()


def test_layers_that_confine():
    assert not guard.is_confined(("audit", "limits", "seccomp"))
    assert not guard.is_confined(("audit", "limits", "landlock 1", "seccomp"))
    assert guard.is_confined(("landlock 3", "seccomp")) == (landlock.version() >= 3)


def test_without_a_sandbox_nothing_is_replaced():
    before = list(sys.meta_path)
    install(Policy("off"))
    assert sys.meta_path == before


DERIVED = """
import socket
class Proxied(socket.socket):
    __module__ = "sample"
"""


@pytest.mark.parametrize(
    ("use", "event"),
    [
        ("one.connect(('127.0.0.1', 9))", "socket.connect"),
        ("one.sendall(b'x')", "socket.send"),
        ("one.recv(1)", "socket.recv"),
        ("one.sendto(b'x', ('127.0.0.1', 9))", "socket.sendto"),
    ],
)
def test_an_object_of_a_class_of_sockets_is_made_and_reaches_nobody(pool_of, use, event):
    pool = pool_of()
    made = f"{DERIVED}one = Proxied()\nassert one.family == socket.AF_INET\n"
    assert pool.one("run", made).failure is None
    assert pool.one("run", made + use).failure.event.startswith(event)
    refused = "try: Proxied(key=1)\nexcept TypeError: pass\nelse: raise AssertionError"
    assert pool.one("run", DERIVED + refused).failure is None
