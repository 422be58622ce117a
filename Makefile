# Two commands do it: `make up` and `make test`. `make help` lists the rest.
PYTHON ?= python3
BIN := .venv/bin
# What `make breaking` compares the contracts with: the last release, or the last commit before there is one.
BASE ?= $(shell git describe --tags --abbrev=0 2>/dev/null || echo HEAD)
.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Scoreline needs Python 3.11 or newer: make PYTHON=python3.11 …"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || { echo "Python's venv is missing (Debian: apt install python3-venv)"; exit 1; }
	@$(PYTHON) -m venv .venv

.venv/run.stamp: pyproject.toml requirements.lock | $(BIN)/python
	@echo "installing Scoreline into .venv …"
	@$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[server,local]'
	@touch $@

.venv/dev.stamp: pyproject.toml requirements.lock | $(BIN)/python
	@echo "installing Scoreline and its tools into .venv …"
	@$(BIN)/pip install --quiet --disable-pip-version-check -c requirements.lock -e '.[server,local,dev]'
	@touch $@ .venv/run.stamp

.PHONY: up
up: .venv/run.stamp ## Start everything on this machine and play the demo game (ARGS="--port 9090")
	@exec $(BIN)/scoreline up --demo $(ARGS)

.PHONY: test
test: .venv/dev.stamp ## Run the tests, with real engines (ARGS="-k fold")
	@$(BIN)/python -m pytest $(ARGS)

.PHONY: prove
prove: .venv/dev.stamp ## Kill processes at random for longer than the tests do (MINUTES=5)
	@SCORELINE_PROVE_MINUTES=$(or $(MINUTES),5) $(BIN)/python -m pytest -m chaos --timeout 0 $(ARGS)

.PHONY: lint
lint: .venv/dev.stamp ## Check style, types, architecture and contracts
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/pyright
	@$(BIN)/lint-imports
	@$(BIN)/buf lint

.PHONY: format
format: .venv/dev.stamp ## Format code and contracts
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format
	@$(BIN)/buf format -w --path proto/scoreline

.PHONY: breaking
breaking: .venv/dev.stamp ## Fail when the contracts break those of the last release (BASE=)
	@$(BIN)/buf breaking --against '.git#ref=$(BASE)'

.PHONY: gen
gen: .venv/dev.stamp ## Generate gen/ from proto/
	@$(BIN)/python tools/gen.py

.PHONY: check-gen
check-gen: .venv/dev.stamp ## Fail when gen/ is not what proto/ says
	@$(BIN)/python tools/gen.py --check

.PHONY: bench
bench: .venv/run.stamp ## Measure the pipeline beside its floor (ARGS="--rate 200")
	@$(BIN)/scoreline bench pipeline --json $(ARGS)

.PHONY: lock
lock: ## Lock the newest versions that pyproject.toml allows
	@rm -rf .lock && $(PYTHON) -m venv .lock && .lock/bin/pip install --quiet '.[server,local,dev]'
	@.lock/bin/pip freeze --exclude scoreline > requirements.lock && rm -rf .lock

.PHONY: clean
clean: ## Remove the environment and caches
	@rm -rf .venv .pytest_cache .ruff_cache .hypothesis .import_linter_cache
