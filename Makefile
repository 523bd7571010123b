# Two commands do all the set-up: make demo, make test. `make help` lists the rest.
SHELL := /bin/bash
PYTHON ?= python3
UV ?= $(shell command -v uv 2>/dev/null)
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
INSTALL := $(if $(UV),$(UV) pip install --quiet --python $(BIN)/python,$(PIP) install)
COMPILE := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
	--no-emit-index-url --extra postgres pyproject.toml

.DEFAULT_GOAL := help
.PHONY: help demo serve test lint bench lock clean

help: ## This list
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 16

demo: $(VENV)/.installed ## Play a whole game by real mails, replay and verify it
	@$(BIN)/adjudicator demo

serve: $(VENV)/.installed ## Run the service in the foreground with its defaults (or adjudicator.toml)
	@$(BIN)/adjudicator serve

test: lint ## Check style and types, then run the whole test suite
	@$(BIN)/python -m pytest -n auto --maxprocesses 4

lint: $(VENV)/.installed-dev ## Check style and types
	@$(BIN)/ruff check --quiet adjudicator tests schema
	@$(BIN)/ruff format --check --quiet adjudicator tests schema
	@$(BIN)/mypy

bench: $(VENV)/.installed-dev ## Measure the speed, beside peers in the same run (JSON)
	@$(BIN)/adjudicator bench

lock: ## Resolve the pinned requirements anew (needs uv)
	@test -n "$(UV)" || { echo "make lock needs uv (pip install uv)" >&2; exit 1; }
	@$(COMPILE) --upgrade --output-file requirements.txt
	@$(COMPILE) --upgrade --group dev --output-file requirements-dev.txt

clean: ## Remove what was installed and built; games in var/ stay
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find adjudicator tests schema -name __pycache__ -prune -exec rm -rf {} +

# The stamps: installed once, and again when the requirements change.
$(VENV)/.installed: pyproject.toml requirements.txt | $(BIN)/python
	@echo "Installing ..."
	@$(INSTALL) --require-hashes -r requirements.txt
	@$(INSTALL) --no-deps -e .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml requirements.txt requirements-dev.txt | $(BIN)/python
	@echo "Installing, with what the tests need ..."
	@$(INSTALL) --require-hashes -r requirements-dev.txt
	@$(INSTALL) --no-deps -e .
	@touch $@ $(VENV)/.installed

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or later is needed; say which: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(if $(UV),$(UV) venv --quiet --python $(PYTHON) $(VENV),$(PYTHON) -m venv $(VENV))
