# etalon: the targets a person needs. `make help` lists them.
CARGO ?= cargo
PROFILE ?= release
TARGET = $(or $(CARGO_TARGET_DIR),target)/$(PROFILE:dev=debug)
ETALON = $(TARGET)/etalon
PREFIX ?= /usr/local
DESTDIR ?=
TO = $(DESTDIR)$(PREFIX)

.PHONY: help build install uninstall dist demo test lint bench calibrate fixtures samples fuzz soak

help:
	@echo 'make demo            build, measure Lua suites and real commands, print the reports'
	@echo 'make install         the program, man pages, completions (PREFIX=/usr/local, DESTDIR=)'
	@echo 'make uninstall       removes what make install put there'
	@echo 'make dist            a tarball and a Debian package of the architecture it is made on, with checksums, in target/dist/packages'
	@echo 'make test            all tests; INSTALL=1 (as root) installs what they need first'
	@echo 'make lint            formatting, clippy with all fences, documentation, licences'
	@echo 'make bench           the figures of docs/performance.md, measured here'
	@echo 'make fuzz            an hour of random and of nearly valid input for readers and queries (nightly, cargo-fuzz)'
	@echo 'make soak            everything in random order, with kills, until Ctrl-C (SECONDS=N)'
	@echo 'make calibrate       simulate how often verdicts and intervals are wrong: docs/calibration.md (up to an hour)'
	@echo 'make fixtures        remake the reference numbers of the statistics tests from SciPy'
	@echo 'make samples         remake the outputs that the README shows'

build:
	$(CARGO) build --profile $(PROFILE) --locked --bin etalon

# Each file and where it goes; `uninstall` removes the same.
MAN = $(TO)/share/man/man1
DOC = $(TO)/share/doc/etalon
BASH = $(TO)/share/bash-completion/completions/etalon
ZSH = $(TO)/share/zsh/site-functions/_etalon
FISH = $(TO)/share/fish/vendor_completions.d/etalon.fish
POWERSHELL = $(TO)/share/powershell/completions/etalon.ps1

install: build
	$(CARGO) run --profile $(PROFILE) --locked --quiet --example manuals -- $(TARGET)/manuals
	install -D -m 755 $(ETALON) $(TO)/bin/etalon
	install -d $(MAN) $(DOC)
	install -m 644 $(TARGET)/manuals/man/*.1 $(MAN)
	install -D -m 644 $(TARGET)/manuals/completions/etalon.bash $(BASH)
	install -D -m 644 $(TARGET)/manuals/completions/_etalon $(ZSH)
	install -D -m 644 $(TARGET)/manuals/completions/etalon.fish $(FISH)
	install -D -m 644 $(TARGET)/manuals/completions/_etalon.ps1 $(POWERSHELL)
	install -m 644 README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE NOTICE docs/*.md $(DOC)
	install -m 644 $(addprefix docs/guide/src/,first.md which.md verdicts.md verdicts.svg coming.md) $(DOC)

uninstall:
	rm -f $(TO)/bin/etalon $(MAN)/etalon.1 $(MAN)/etalon-*.1 $(BASH) $(ZSH) $(FISH) $(POWERSHELL)
	rm -rf $(DOC)

DIST = $(CURDIR)/target/dist
dist:
	rm -rf $(DIST)
	$(MAKE) install DESTDIR=$(DIST)/stage PREFIX=/usr
	sh packaging/pack.sh $(DIST)/stage $(DIST)/packages
	@cat $(DIST)/packages/SHA256SUMS

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

# How often verdicts and intervals are wrong, simulated: up to an hour on two cores.
calibrate:
	@$(CARGO) run --quiet --release --locked -p etalon-calibrate > docs/calibration.md.new
	@mv docs/calibration.md.new docs/calibration.md

# Needs a nightly compiler and `cargo install cargo-fuzz`; SECONDS for each target (600). TARGETS chooses some of them.
# The corpus CI replays is crates/etalon-record/tests/corpus; what `read` finds goes there, what the others find becomes a test.
TARGETS ?= read record bestguess hyperfine go query places
fuzz:
	mkdir -p fuzz/corpus/read
	cp -n crates/etalon-record/tests/corpus/* crates/etalon-record/tests/data/* fuzz/corpus/read/ || true
	cd fuzz && for target in $(TARGETS); do \
		$(CARGO) +nightly fuzz run $$target -- -max_total_time=$(or $(SECONDS),600) -timeout=20 -rss_limit_mb=2048 || exit 1; \
	done

# Anything in any order, until Ctrl-C or for SECONDS: prints what it did and what it found.
soak: build
	@python3 bench/soak.py $(ETALON) $(if $(SECONDS),--seconds $(SECONDS))

# README's outputs, made on this machine; see docs/samples/remake.py.
samples: build
	python3 docs/samples/remake.py $(ETALON)

fixtures:
	@test -x target/venv/bin/python || { python3 -m venv target/venv && target/venv/bin/pip install -q -r tests/reference/requirements.txt; }
	@target/venv/bin/python tests/reference/generate.py
