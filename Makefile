# Every target sets up what it needs once; `make PYTHON=python3.12 test` picks the interpreter.
PYTHON ?= python3
VENV ?= .venv
BUILD ?= build
TEST_PROCESSES ?= 2
BIN := $(VENV)/bin
DEMO := examples/ledger

.PHONY: help demo test lint format types reproduce report-pictures clean
.PHONY: ablation ablation-constants bench bench-bounds bench-heaps bench-model bench-modules bench-mutation bench-peers bench-recording bench-redundancy \
  bench-sequences bench-specs bench-suites bench-symbolic

help:
	@echo "make demo           generate tests for $(DEMO) and run them"
	@echo "make test           the tests of unitcraft"
	@echo "make lint           ruff check and ruff format --check"
	@echo "make types          mypy --strict"
	@echo "make bench          speed of state digests, of the guarded workers, and of many modules"
	@echo "make bench-bounds   modules that only loop, allocate, wait and the like"
	@echo "make bench-heaps    suites of heaps that transcoping stops early, beside exhaustive ones"
	@echo "make bench-model    a generated suite of a model of several classes beside one by hand"
	@echo "make bench-modules  suites of pinned projects, installed below $(BUILD)/"
	@echo "make bench-mutation mutants for a second beside mutmut, and verdicts beside plain pytest"
	@echo "make bench-symbolic symbolic beside concrete exploration, drawn in docs/"
	@echo "make bench-redundancy redundant tests of random suites and of Pynguin's, and what is lost"
	@echo "make bench-recording what recording a suite costs, drawn in docs/"
	@echo "make bench-sequences candidate sequences with and without means against redundant ones"
	@echo "make bench-specs    laws of four classes beside those that a careful reader derives"
	@echo "make bench-suites   suites of pinned projects, judged and minimised"
	@echo "make bench-peers    paths explored beside CrossHair, installed below $(BUILD)/"
	@echo "make ablation       what each table and constant of the search is worth"
	@echo "make ablation-constants  the same of each number, halved alone"
	@echo "make reproduce      published figures beside ours"
	@echo "make report-pictures  the pictures of docs/report.md (needs Chromium)"
	@echo "make clean          remove what the other targets made"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "unitcraft needs Python 3.11 or newer: make PYTHON=python3.12 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run-time: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.development: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.run-time

demo: $(VENV)/.run-time
	@rm -rf $(BUILD)/demo
	$(BIN)/unitcraft generate $(DEMO) --output $(BUILD)/demo
	@echo
	PYTHONPATH=$(DEMO)/src $(BIN)/python -m pytest -q -o addopts= -p no:cacheprovider --rootdir $(BUILD)/demo \
	  --import-mode=importlib $(BUILD)/demo

# Two processes: one that is idle takes tests from the other. Plain `python -m pytest` is serial.
# The byte code of our modules halves the start of each guarded process; nothing else would keep it
# where PYTHONDONTWRITEBYTECODE is set.
test: $(VENV)/.development
	@$(BIN)/python -m compileall -q src
	$(BIN)/python -m pytest --numprocesses $(TEST_PROCESSES) --dist worksteal

lint: $(VENV)/.development
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.development
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.development
	$(BIN)/mypy --num-workers $(TEST_PROCESSES)

# The workers come last: that program answers 1 when they are slower than required.
bench: $(VENV)/.development
	$(BIN)/python benchmarks/bench_canonical.py
	$(BIN)/python benchmarks/bench_workers.py
	$(BIN)/python benchmarks/bench_loaded_modules.py

bench-bounds: $(VENV)/.run-time
	$(BIN)/python benchmarks/bench_bounds.py

bench-heaps: $(VENV)/.development
	$(BIN)/python benchmarks/bench_heap_suites.py
	$(BIN)/python benchmarks/bench_state_sources.py

# Mutants survive in both suites: what counts is how many.
bench-model: $(VENV)/.development
	@rm -rf $(BUILD)/model
	PYTHONPATH=benchmarks/models $(BIN)/unitcraft generate pellets --output $(BUILD)/model
	-PYTHONPATH=benchmarks/models $(BIN)/unitcraft mutants run $(BUILD)/model -s pellets
	-PYTHONPATH=benchmarks/models $(BIN)/unitcraft mutants run benchmarks/models -s pellets

bench-modules: $(VENV)/.run-time
	$(BIN)/python benchmarks/generate.py

# Answers 1 when mutants cost more than required, or when a verdict differs from plain pytest's.
bench-mutation: $(VENV)/.development
	$(BIN)/python benchmarks/bench_mutation.py

# Answers 1 when symbolic exploration is slower than required.
bench-symbolic: $(VENV)/.development
	$(BIN)/python benchmarks/bench_symbolic.py --plot docs/symbolic-vs-concrete.svg

bench-sequences: $(VENV)/.run-time
	$(BIN)/python benchmarks/bench_sequences.py

# Answers 1 when the techniques are not nested, or one of the first three loses something.
bench-redundancy: $(VENV)/.development
	$(BIN)/python benchmarks/bench_redundancy.py

# Answers 1 when a law that is shown, or one written by hand, is false.
bench-specs: $(VENV)/.development
	$(BIN)/python benchmarks/bench_specs.py

# Answers 1 when recording takes more time or memory than it may.
bench-recording: $(VENV)/.development
	$(BIN)/python benchmarks/bench_recording.py --plot docs/recording-cost.svg

# Answers 1 when a suite is not as good without its redundant tests.
bench-suites: $(VENV)/.development
	$(BIN)/python benchmarks/bench_suites.py

bench-peers: $(VENV)/.run-time
	$(BIN)/python benchmarks/bench_peers.py

# Takes hours; the same command resumes.
ablation: $(VENV)/.run-time
	$(BIN)/python benchmarks/ablation.py
	$(BIN)/python benchmarks/ablation.py --variants benchmarks/ablation_kinds.json --mode search

# Takes an hour; the same command resumes.
ablation-constants: $(VENV)/.run-time
	$(BIN)/python benchmarks/ablate_constants.py

reproduce: $(VENV)/.development
	$(BIN)/python benchmarks/reproduce.py

report-pictures: $(VENV)/.run-time
	$(BIN)/python benchmarks/report_pictures.py

clean:
	rm -rf $(VENV) $(BUILD) dist .unitcraft .mypy_cache .ruff_cache .pytest_cache .hypothesis
