# `make claims` and `make test` do all the set-up on a fresh machine: python3 with venv is enough.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: claims test browser lint docs bless bench mutants-of-us setup clean

claims: $(READY)
	$(BIN)/pytest -m claims

test: $(READY)
	$(BIN)/pytest -n 2 --dist=worksteal

# The pages of `radproof explain` are tested in a browser. Where it is missing and apt-get can
# install it, this does; anywhere else the tests that need it skip, and say so.
browser:
	@if command -v chromedriver >/dev/null && command -v chromium >/dev/null; then :; \
	elif command -v apt-get >/dev/null && [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && apt-get install -qq -y --no-install-recommends \
	    chromium chromium-driver fonts-dejavu-core >/dev/null; \
	else echo "no chromium with chromedriver: the tests in a browser will be skipped"; fi

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	rm -rf build/typed
	$(BIN)/pip install --quiet --no-deps --target build/typed .
	MYPYPATH=build/typed $(BIN)/mypy --strict -p radproof -p docs.generate
	cd build/typed && $(CURDIR)/$(BIN)/lint-imports --no-cache --config $(CURDIR)/pyproject.toml
	$(BIN)/python -m docs.generate --check architecture proofs
	$(BIN)/radproof lean fixtures --check

# Everything that is generated: pages, Lean fixtures, and what the documents show.
bless: $(READY)
	$(BIN)/python -m docs.generate --bless
	$(BIN)/radproof lean fixtures --bless
	$(BIN)/python tests/documents.py README.md docs/*.md docs/how-to/*.md examples/*/README.md

# The variable leaves out the theme's notice of a successor.
docs: $(READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

bench: $(READY)
	$(BIN)/pip install --quiet -e '.[bench]'
	$(BIN)/pytest benchmarks -q -p no:cacheprovider --benchmark-disable-gc

# Faults put into our own core: all modules, or one (MODULE=radproof/machine.py).
mutants-of-us: $(READY)
	PYTHONPATH=tests $(BIN)/python -m mutation $(MODULE)

setup: $(READY)

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/pip install --quiet -e '.[test]'
	touch $(READY)

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .radproof
