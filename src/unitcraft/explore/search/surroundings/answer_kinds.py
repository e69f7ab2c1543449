"""What kind of value a function answers, by its name.

A test that replaces ``os.path.exists`` lets it answer True or False, and ``get_size`` a number: an
answer of another kind is one that no caller of it has ever seen.

Invariant: a name is a weak witness: it orders what nothing else tells apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Display, Sequence, Source, children
from unitcraft.explore.intent import STAND_IN_BURDEN
from unitcraft.explore.plausibility.parameter_names import type_of_name
from unitcraft.explore.search.variation.grow_stand_ins import NAMESPACE, has_stand_in
from unitcraft.explore.search.variation.places import MOCK, answers_of
from unitcraft.subject.ducktypes.kind_support import kind_of, kind_of_type

#: Kind of the result -> functions of the standard library, ``word_`` for functions whose name
#: begins with the word, ``_word`` for those whose name ends so: at least 8 functions in 3 files of
#: typeshed have the word, and 75 of 100 answer that kind.  ``benchmarks/typeshed_results.py``
#: prints the table.
RESULTS_BY_NAME: Final[Mapping[str, str]] = MappingProxyType(
    {
        "NoneType": """
            chdir chflags chmod chown chroot clock_settime close closerange
            copyfileobj copymode copystat eventfd_write fchdir fchmod fchown
            fdatasync fsync ftruncate grantpt initgroups invalidate_caches kill
            killpg lchflags lchmod lchown link lockf login_tty makedirs mkdir mkfifo
            mknod plock posix_fadvise posix_fallocate putenv register
            register_archive_format register_at_fork register_standard_browsers
            register_unpack_format reload_environ remove removedirs removexattr
            rename renames replace resetlocale rmdir sched_setaffinity
            sched_setparam sched_setscheduler sched_yield set_blocking
            set_handle_inheritable set_inheritable setegid seteuid setgid setgroups
            setns setpgid setpgrp setpriority setregid setresgid setresuid setreuid
            setsid setuid setxattr sleep startfile symlink sync tcsetpgrp truncate
            tzset unlink unlockpt unpack_archive unregister_archive_format
            unregister_unpack_format unsetenv unshare utime _append _clear _close
            _dump _enable _event _extend _forget _handler _insert _main _options
            _put _received _release _remove _reset _setup _shutdown _transform _tree
            _update _warn _warning _writelines add_ append_ cancel_ clear_ close_
            collect_ debug_ disable_ dump_ enable_ end_ extend_ feed_ finalize_
            handle_ initialize_ insert_ main_ pack_ print_ put_ release_ report_
            reset_ selection_ set_ setup_ show_ shutdown_ start_ stop_ terminate_
            transform_ unregister_ update_ warn_ writelines_
        """,
        "bool": """
            WCOREDUMP WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED access exists
            get_blocking get_handle_inheritable get_inheritable has_dualstack_ipv6
            isabs isatty isdevdrive isdir isfile isjunction islink ismount lexists
            open_new open_new_tab samefile sameopenfile samestat win32_is_iot
            _closed _exists _readable _running _seekable _writable eof_ has_ is_
            readable_ seekable_ writable_
        """,
        "bytes": """
            fsencode getcwdb getrandom gettempdirb gettempprefixb getxattr pread
            read urandom _compress _decompress _peek _read1 compress_ decompress_
            peek_ read1_
        """,
        "dict": "freedesktop_os_release",
        "float": """
            atof clock_getres clock_gettime getatime getctime getmtime mktime
            monotonic perf_counter process_time sched_rr_get_interval thread_time
            time
        """,
        "int": """
            WEXITSTATUS WSTOPSIG WTERMSIG atoi call check_call clock_gettime_ns
            clock_settime_ns copy_file_range dup dup2 eventfd_read fork fpathconf
            getegid geteuid getgid getpgid getpgrp getpid getppid getpriority getsid
            getsize getuid lseek major makedev memfd_create minor monotonic_ns nice
            pathconf perf_counter_ns pidfd_open posix_openpt posix_spawn
            posix_spawnp preadv process_time_ns pthread_getcpuclockid pwrite pwritev
            readinto readv sched_get_priority_max sched_get_priority_min
            sched_getscheduler send_fds sendfile spawnl spawnle spawnlp spawnlpe
            spawnv spawnve spawnvp spawnvpe splice sysconf tcgetpgrp thread_time_ns
            time_ns timerfd_create umask waitstatus_to_exitcode write writev _fileno
            _lineno _readinto _size _tell fileno_ readinto_ tell_
        """,
        "list": """
            get_archive_formats get_exec_path get_unpack_formats getgrouplist
            getgroups listdir listdrives listmounts listvolumes listxattr _readlines
            readlines_ split_
        """,
        "str": """
            abspath asctime ctermid ctime expanduser expandvars fsdecode getcwd
            getfqdn getlogin getoutput getpass gettempdir gettempprefix getuser
            list2cmdline machine make_archive mktemp node platform processor ptsname
            python_branch python_compiler python_implementation python_revision
            python_version readlink realpath release strerror strftime ttyname
            version win32_edition _escape _quote _repr _str escape_ filename_ quote_
            repr_
        """,
        "tuple": """
            architecture forkpty getdefaultlocale getloadavg getlocale getresgid
            getresuid getstatusoutput java_ver libc_ver mac_ver mkstemp openpty pipe
            pipe2 python_build python_version_tuple recv_fds socketpair split
            splitdrive splitext splitroot system_alias timerfd_gettime
            timerfd_gettime_ns timerfd_settime timerfd_settime_ns wait wait3 wait4
            waitpid win32_ver buffer_ recvfrom_
        """,
    }
)  # fmt: skip
_KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {name: kind for kind, names in RESULTS_BY_NAME.items() for name in names.split()}
)
#: Modules that the functions are of, by the last part of their name.
_HOMES: Final = frozenset(
    ("getpass", "locale", "os", "path", "platform", "shutil", "socket", "subprocess", "tempfile",
     "time", "webbrowser")
)  # fmt: skip
#: First words of functions that answer what the rest of their name says: of the 126 in typeshed of
#: which that speaks for a text 78 answer one, and 16 of 22 a number; of other types half or fewer.
GETTERS: Final = frozenset(("fetch", "find", "get", "load", "lookup", "parse", "read", "resolve"))
#: What an answer of another kind costs beside its text: more than a plain one of the right kind.
#: Halved with nine others, sites of ``pellets`` (664, seed 0): +7.
OTHER_KIND_BURDEN: Final = 12


def kind_of_answer(target: str) -> str:
    """The kind that the function with the dotted name ``target`` answers ('' if it is unknown)."""
    if known := _kind_in_library(target):
        return known
    name = target.rpartition(".")[2]
    parts = name.strip("_").lower().split("_")
    question = name if _KINDS.get(name) == "bool" else ""
    return _KINDS.get(question) or _KINDS.get(f"{parts[0]}_") or _KINDS.get(f"_{parts[-1]}", "")


def _kind_in_library(target: str) -> str:
    """The same for functions of the standard library, where no doubt is left."""
    home, _, name = target.rpartition(".")
    return _KINDS.get(name, "") if home.rpartition(".")[2] in _HOMES else ""


def kind_of_getter(target: str) -> str:
    """Text or number, if what ``target`` says that it gets is one; '' for anything else."""
    first, *rest = target.rpartition(".")[2].strip("_").lower().split("_")
    wanted = type_of_name("_".join(rest)) if rest and first in GETTERS else None
    return kind_of_type(wanted) if wanted is not None and wanted.name in ("str", "int") else ""


def are_as_documented(sequence: Sequence) -> bool:
    """Do the functions of the standard library that it replaces answer what they can answer?"""
    return not any(
        _contradicts(_kind_in_library(target), arg) for target, arg in _replaced(sequence)
    )


def burden_of_answers(sequence: Sequence) -> int:
    """What stand-ins cost: more where their functions answer what their names speak against."""
    if not has_stand_in(sequence):
        return 0
    return STAND_IN_BURDEN + OTHER_KIND_BURDEN * sum(
        1
        for name, arg in named_functions(sequence)
        if _contradicts(kind_of_answer(name), arg) or _is_got_otherwise(name, arg)
    )


def named_functions(sequence: Sequence) -> Iterator[tuple[str, Arg]]:
    """(name, function) of what stands for functions: replaced, set, or held by a stand-in."""
    yield from _replaced(sequence)
    for call in sequence.calls:
        if call.kind == "set":
            yield call.name, call.args[-1]
        for arg in (*call.args, *[value for _, value in call.kwargs]):
            yield from _attributes(arg)


def _is_got_otherwise(name: str, arg: Arg) -> bool:
    """Does a function answer a number or container where its name says that it gets another?

    None is what it answers when there is nothing to get.
    """
    wanted, answers = kind_of_getter(name), answers_of(arg)
    return (
        bool(wanted)
        and answers is not None
        and any(
            isinstance(one, Const | Display) and kind_of(one) not in (wanted, "NoneType", "bool")
            for one in answers.all()
        )
    )


def _replaced(sequence: Sequence) -> Iterator[tuple[str, Arg]]:
    """(dotted name, what stands in its place) of what the test replaces."""
    for call in sequence.calls:
        if call.kind == "arrange" and isinstance(call.args[0], Const):
            yield str(call.args[0].value), call.args[-1]


def _attributes(arg: Arg) -> Iterator[tuple[str, Arg]]:
    """(name, value) of each attribute of the stand-ins in ``arg``."""
    if isinstance(arg, Build) and arg.callee == NAMESPACE:
        yield from arg.kwargs
    for child in children(arg):
        yield from _attributes(child)


def _contradicts(kind: str, arg: Arg) -> bool:
    """Is ``arg`` a function that answers a value of another kind?"""
    is_function = isinstance(arg, Source) or (isinstance(arg, Build) and arg.callee == MOCK)
    answers = answers_of(arg) if kind and is_function else None
    return answers is not None and any(
        isinstance(one, Const | Display) and kind_of(one) not in (kind, "") for one in answers.all()
    )
