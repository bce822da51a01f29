# etalon: the targets a person needs. `make help` lists them.
CARGO ?= cargo
ETALON = target/release/etalon

.PHONY: help build demo test lint bench fixtures

help:
	@echo 'make demo            build, time real commands in randomised blocks, print the report'
	@echo 'make test            all tests; INSTALL=1 (as root) installs what they need first'
	@echo 'make lint            formatting, clippy with all fences, documentation'
	@echo 'make bench           the figures of docs/performance.md, measured here'
	@echo 'make fixtures        remake the reference numbers of the statistics tests from SciPy'

build:
	$(CARGO) build --release --locked

demo: build
	@sh bench/demo.sh $(ETALON)

test:
	@sh tests/run.sh

lint:
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc --workspace --no-deps --locked --quiet

bench: build
	@sh bench/run.sh $(ETALON)

fixtures:
	@sh tests/reference/venv.sh tests/reference/generate.py
