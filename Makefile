# Every target does its own set-up. VENV and PYTHON may be overridden.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check --no-input

.PHONY: help run test test-long test-cluster lint bench demo browser

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/make \1|\2/p' Makefile | column -t -s '|'

run: $(VENV)/.runs ## open the demo on http://127.0.0.1:7860
	@$(BIN)/python app.py || [ $$? -eq 130 ]  # 130: stopped with Ctrl+C

test: $(VENV)/.tests browser ## run every test, those in a real browser included
	$(BIN)/python -m pytest -n 2 --dist loadfile tests inspector --ignore tests/e2e
	$(BIN)/python -m pytest -n 2 --dist worksteal tests/e2e

test-long: $(VENV)/.tests $(VENV)/.cluster browser ## the same at full size: fuzzing, simulations, kill rounds, Ray
	INSPECTOR_LONG=1 $(BIN)/python -m pytest -n 2 --dist loadfile tests inspector --ignore tests/e2e
	INSPECTOR_LONG=1 $(BIN)/python -m pytest -n 2 --dist worksteal tests/e2e

test-cluster: $(VENV)/.tests $(VENV)/.cluster ## install Ray and test scoring on two local workers
	$(BIN)/python -m pytest tests/engine

lint: $(VENV)/.tests ## check style and types
	$(BIN)/ruff check .
	$(BIN)/mypy

bench: $(VENV)/.tests browser ## measure speed against named baselines and print the table
	$(BIN)/python -m benchmarks

demo: $(VENV)/.runs ## make the demo set again from the photographs of other packages
	$(PIP) install --quiet -r assets/demo/requirements-demo.txt
	$(BIN)/python assets/demo/make_demo.py

browser:
	@$(BIN)/python -m tests.e2e.chromium

$(VENV)/.runs: requirements.txt constraints.txt
	@echo "Installing into $(VENV), once; this takes one to three minutes."
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) install --quiet -r requirements.txt -c constraints.txt
	$(BIN)/python -m inspector.core.compiled  # compiles once, so that the first score need not
	touch $@

$(VENV)/.tests: $(VENV)/.runs requirements-dev.txt
	$(PIP) install --quiet -r requirements-dev.txt -c constraints.txt
	touch $@

$(VENV)/.cluster: $(VENV)/.runs requirements-cluster.txt
	$(PIP) install --quiet -r requirements-cluster.txt -c constraints.txt
	touch $@
