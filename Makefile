# etalon: the targets a person needs. `make help` lists them.
CARGO ?= cargo
ETALON = target/release/etalon

.PHONY: help build demo test lint bench fixtures fuzz

help:
	@echo 'make demo            build, measure Lua suites and real commands, print the reports'
	@echo 'make test            all tests; INSTALL=1 (as root) installs what they need first'
	@echo 'make lint            formatting, clippy with all fences, documentation, licences'
	@echo 'make bench           the figures of docs/performance.md, measured here'
	@echo 'make fuzz            ten minutes of random input for every reader (nightly, cargo-fuzz)'
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
	@if [ -n "$$INSTALL" ] && ! command -v cargo-deny >/dev/null; then $(CARGO) install --locked --quiet cargo-deny; fi
	@if command -v cargo-deny >/dev/null; then cargo-deny --log-level warn check licenses bans sources; \
	else echo 'skipped: licences are not checked: cargo-deny is not installed (make lint INSTALL=1 installs it)'; fi

bench: build
	@sh bench/run.sh $(ETALON)

# Needs a nightly compiler and `cargo install cargo-fuzz`. The corpus CI replays is
# crates/etalon-record/tests/corpus; what fuzzing finds goes there.
fuzz:
	mkdir -p fuzz/corpus/read
	cp -n crates/etalon-record/tests/corpus/* crates/etalon-record/tests/data/* fuzz/corpus/read/ || true
	cd fuzz && $(CARGO) +nightly fuzz run read -- -max_total_time=$(or $(SECONDS),600) -timeout=20 -rss_limit_mb=2048

fixtures:
	@test -x target/venv/bin/python || { python3 -m venv target/venv && target/venv/bin/pip install -q -r tests/reference/requirements.txt; }
	@target/venv/bin/python tests/reference/generate.py
