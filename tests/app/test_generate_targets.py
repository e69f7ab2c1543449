from __future__ import annotations

import pytest
from made_results import FINDINGS, Engine, Recorder, made

from unitcraft.app.config import Config
from unitcraft.app.generate import generate_targets
from unitcraft.app.generate.delivery import FileDelivery
from unitcraft.app.generate.generate_targets import GenerateRequest, pack, serve, unpack
from unitcraft.app.generate.generated_suite import Options
from unitcraft.app.store import NoMemory
from unitcraft.core.errors import UnitcraftError
from unitcraft.suite.suite_figures import MutantFigures

NO_MEMORY = NoMemory()


class Dictionary(dict):
    """A Memory."""

    def put(self, key, target, payload):
        del target
        self[key] = payload


@pytest.fixture
def go(project):
    """Serve targets of the two-module project with an engine and a memory."""

    def serve_them(*targets, engine=None, memory=NO_MEMORY, exclude=(), since="", **options):
        recorder = Recorder()
        config = Config(root=project, exclude=exclude)
        request = GenerateRequest(targets, project, config, Options(**options), since)
        files = FileDelivery(project / "tests")
        done = serve(request, engine or Engine(), memory, files, recorder)
        return done, recorder.heard

    return serve_them


def labels(results):
    return [one.label for one in results]


def test_targets_are_served_in_order_and_reported(go, project):
    summary, heard = go("signs.py", "bank.py")
    assert labels(summary.results) == ["signs", "bank"]
    assert heard == [
        ("started", "signs", 1, 2),
        ("progress", "explore"),
        ("finished", "signs"),
        ("started", "bank", 2, 2),
        ("progress", "explore"),
        ("finished", "bank"),
    ]
    assert (project / "tests" / "test_bank.py").is_file()


def test_without_a_memory_nothing_is_read_for_its_key(go, monkeypatch):
    monkeypatch.setattr(generate_targets, "_key", None)
    summary, _ = go("signs.py")
    assert labels(summary.results) == ["signs"]


def test_target_given_twice_is_served_once(go):
    summary, _ = go("signs.py", "signs")
    assert labels(summary.results) == ["signs"]


def test_directory_is_served_module_by_module(go):
    assert labels(go(".")[0].results) == ["bank", "signs"]


@pytest.mark.parametrize(
    ("text", "is_served"),
    [("", False), ("# Marks a package.\n", False), ('"""A package."""\n', False),
     ("VERSION = 1\n", True), ("from shop.cart import Cart\n", True), ("def f(:\n", True)],
)  # fmt: skip
def test_an_init_without_code_is_no_target_beside_others(go, project, text, is_served):
    """Alone it is, so that a person is told why there is no test."""
    (project / "shop").mkdir()
    (project / "shop/cart.py").write_text("class Cart: ...\n")
    (project / "shop/__init__.py").write_text(text)
    together, alone = go("shop/")[0], go("shop/__init__.py")[0]
    named = labels((*together.results, *together.failures))
    assert sorted(named) == (["shop", "shop.cart"] if is_served else ["shop.cart"])
    assert len((*alone.results, *alone.failures)) == 1


@pytest.mark.parametrize("pattern", ["bank.py", "b*", "bank"])
def test_excluded_modules_are_left_out(go, pattern):
    assert labels(go(".", exclude=(pattern,))[0].results) == ["signs"]


def test_failure_of_one_target_leaves_the_others(go):
    engine = Engine(bank=UnitcraftError("import-failed", "bank cannot be imported"))
    summary, heard = go("bank.py", "lost.py", "signs.py", engine=engine)
    assert labels(summary.results) == ["signs"]
    assert sorted(labels(summary.failures)) == ["bank", "lost.py"]
    assert ("failed", "bank") in heard


def test_module_without_anything_to_test_is_no_failure(go):
    engine = Engine(bank=UnitcraftError("nothing-to-test", "bank is empty"))
    summary, heard = go("bank.py", "signs.py", engine=engine)
    assert (labels(summary.empty), summary.failures) == (["bank"], ())
    assert ("failed", "bank") not in heard


def test_second_run_asks_the_engine_nothing_and_gives_the_same(go):
    memory, engine = Dictionary(), Engine()
    first, _ = go("signs.py", engine=engine, memory=memory)
    second, _ = go("signs.py", engine=engine, memory=memory)
    assert engine.calls == ["signs"]
    assert second.results[0].stored
    assert second.results[0].generated == first.results[0].generated


def test_number_of_workers_does_not_matter_to_the_store(go):
    memory, engine = Dictionary(), Engine()
    go("signs.py", engine=engine, memory=memory, jobs=1)
    go("signs.py", engine=engine, memory=memory, jobs=2)
    assert engine.calls == ["signs"]


@pytest.mark.parametrize("change", [{"seed": 1}, {"steps": 9}, {"allow": ("open:x",)}])
def test_options_that_matter_ask_the_engine_again(go, change):
    memory, engine = Dictionary(), Engine()
    go("signs.py", engine=engine, memory=memory)
    go("signs.py", engine=engine, memory=memory, **change)
    assert len(engine.calls) == 2


def test_changed_source_asks_the_engine_again(go, project):
    memory, engine = Dictionary(), Engine()
    go("signs.py", engine=engine, memory=memory)
    (project / "signs.py").write_text("def sign(n): return n\n")
    go("signs.py", engine=engine, memory=memory)
    assert len(engine.calls) == 2


def test_truncated_result_is_not_kept(go):
    memory = Dictionary()
    go("signs.py", engine=Engine(signs=made(truncated=True)), memory=memory)
    assert memory == {}


def test_interrupt_keeps_what_is_finished(go, project):
    memory = Dictionary()
    with pytest.raises(KeyboardInterrupt):
        go("signs.py", "bank.py", engine=Engine(bank=KeyboardInterrupt()), memory=memory)
    assert (project / "tests" / "test_signs.py").is_file()
    engine = Engine()
    go("signs.py", "bank.py", engine=engine, memory=memory)
    assert engine.calls == ["bank"]


def test_result_that_cannot_be_written_is_still_stored(go, project):
    memory, engine = Dictionary(), Engine()
    (project / "tests").write_text("a file")
    summary, _ = go("signs.py", engine=engine, memory=memory)
    assert summary.failures[0].error.slug == "output-not-writable"
    (project / "tests").unlink()
    summary, _ = go("signs.py", engine=engine, memory=memory)
    assert (engine.calls, labels(summary.results)) == (["signs"], ["signs"])


def test_packed_result_comes_back():
    generated = made(
        findings=FINDINGS, variations=(("texts", 90, 4, 2),), mutants=MutantFigures(9, 4, 3)
    )
    assert unpack(pack(generated)) == generated


@pytest.mark.parametrize("payload", ["", "{}", "[]", '{"findings": [1]}', '{"findings": []}', "3"])
def test_damaged_payload_is_no_result(payload):
    assert unpack(payload) is None


def test_a_fault_of_ours_costs_one_target(go):
    engine = Engine(signs=ZeroDivisionError("division by zero"))
    summary, _ = go("signs.py", "bank.py", engine=engine)
    assert labels(summary.results) == ["bank"]
    (failed,) = summary.failures
    assert failed.error.slug == "internal-error"
    assert failed.error.cause.startswith("ZeroDivisionError: division by zero")


def test_since_serves_what_sees_a_change(go, project, monkeypatch):
    (project / "shop.py").write_text("import bank\n\ndef f(): ...\n")
    asked = []

    def changed(files, revision, cwd):
        asked.append((revision, cwd))
        return frozenset(file for file in files if file.name == "bank.py")

    monkeypatch.setattr(generate_targets, "changed_files", changed)
    summary, _ = go("signs.py", "bank.py", "shop.py", since="main")
    assert labels(summary.results) == ["bank", "shop"]
    assert asked == [("main", project)]


def test_a_caller_counts_and_a_suite_of_ours_does_not(go, project):
    memory, engine = Dictionary(), Engine()
    (project / "tests").mkdir()
    mine = project / "tests" / "test_own.py"
    mine.write_text("import other\n")
    go("signs.py", engine=engine, memory=memory)
    mine.write_text("import other, math\n")
    go("signs.py", engine=engine, memory=memory)
    assert engine.calls == ["signs"]
    mine.write_text("from signs import sign\nsign(7)\n")
    go("signs.py", engine=engine, memory=memory)
    assert engine.calls == ["signs", "signs"]


CALLER = "# one\nimport signs\n\nLIMIT = 3\n\n\ndef both():\n    return signs.sign(1), LIMIT\n"


@pytest.mark.parametrize(
    ("old", "new", "calls"), [("# one", "# two", 1), ("= 3", "= 4", 1), ("sign(1)", "sign(7)", 2)]
)
def test_of_a_sibling_that_calls_the_module_imports_and_calls_count(go, tmp_path, old, new, calls):
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "signs.py").write_text("def sign(number): return number\n")
    caller = package / "caller.py"
    caller.write_text(CALLER)
    memory, engine = Dictionary(), Engine()
    go("pack/signs.py", engine=engine, memory=memory)
    caller.write_text(CALLER.replace(old, new))
    go("pack/signs.py", engine=engine, memory=memory)
    assert len(engine.calls) == calls
