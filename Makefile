# demo    sets up .venv, installs dravite and answers two questions about the example cluster
# test    everything that must hold before a change lands: check, then all tests
# check   style, types, layers and sizes
# clients the tests that need other clients, which it installs into .venv-clients; with Go also client-go
# docs    rewrites the generated reference and the output blocks of documents and scenarios
# build   the wheel and the source archive, in dist/

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
OTHERS := .venv-clients
NICE   := $(shell command -v nice 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help demo test check clients docs build clean

help:
	@sed -n 's/^# //p' Makefile

$(VENV)/made:
	@$(PYTHON) -c 'import sys; sys.exit("dravite needs Python 3.11 or newer; say: make PYTHON=python3.12" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/installed: $(VENV)/made pyproject.toml requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

$(VENV)/tools: $(VENV)/installed requirements-dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

demo: $(VENV)/installed
	@echo '$$ dravite plan examples/cluster examples/jobs'
	@$(BIN)/dravite plan examples/cluster examples/jobs || test $$? -eq 1
	@echo
	@echo '$$ dravite explain -f examples/cluster -f examples/jobs -n ml pod/train-big'
	@$(BIN)/dravite explain -f examples/cluster -f examples/jobs -n ml pod/train-big || test $$? -eq 1

check: $(VENV)/tools
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python .ci/sizes.py src

test: check
	$(BIN)/python -m pytest -n auto

$(OTHERS)/installed: $(VENV)/made requirements.txt requirements-dev.txt requirements-clients.txt
	$(BIN)/python -m venv $(OTHERS)
	$(OTHERS)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-clients.txt
	$(OTHERS)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

clients: $(OTHERS)/installed
	@if command -v go >/dev/null; then cd tests/clients/programs/with_go && \
		go build -o $(CURDIR)/$(OTHERS)/go/ ./... ; fi
	$(OTHERS)/bin/python -m pytest tests/surface tests/interop tests/clients

docs: $(VENV)/tools
	$(BIN)/python -m pytest tests/docs tests/scenarios --rewrite

build: $(VENV)/tools
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build
	$(BIN)/python -m build

clean:
	rm -rf $(VENV) $(OTHERS) dist build .mypy_cache .ruff_cache .hypothesis
