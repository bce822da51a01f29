# etalon: the targets a person needs. `make help` lists them.
CARGO ?= cargo
PROFILE ?= release
BUILT = $(or $(CARGO_TARGET_DIR),target)
TARGET = $(BUILT)/$(PROFILE:dev=debug)
ETALON = $(TARGET)/etalon
# For another architecture, with Debian's cross compiler: `make dist ARCH=aarch64`; CONTRIBUTING.md, Packages.
ifneq ($(ARCH),)
TRIPLE = $(ARCH)-unknown-linux-gnu
ETALON = $(BUILT)/$(TRIPLE)/$(PROFILE:dev=debug)/etalon
UPPER = $(shell echo $(TRIPLE) | tr a-z- A-Z_)
export CARGO_TARGET_$(UPPER)_LINKER ?= $(ARCH)-linux-gnu-gcc
export CC_$(subst -,_,$(TRIPLE)) ?= $(ARCH)-linux-gnu-gcc
endif
PREFIX ?= /usr/local
DESTDIR ?=
TO = $(DESTDIR)$(PREFIX)

# The program for other machines (`--on`), which asks nothing of their libraries; `make install` puts it where it is found.
STATIC = $(BUILT)/static
STATIC_TRIPLE = $(or $(TRIPLE),$(shell rustc -vV | sed -n 's/^host: //p'))
TWIN = $(TO)/lib/etalon/etalon-static

.PHONY: help build static web install uninstall dist crates reproducible demo test lint bench calibrate fixtures samples fuzz soak

help:
	@echo 'make demo            build, measure Lua suites and real commands, print the reports'
	@echo 'make web             fetches uPlot, with which pages draw every observation (npm; without it, pages have still pictures)'
	@echo 'make static          a program that is linked statically, for machines with an older C library; make install takes it along'
	@echo 'make install         the program, man pages, completions (PREFIX=/usr/local, DESTDIR=)'
	@echo 'make uninstall       removes what make install put there'
	@echo 'make dist            a tarball and a Debian package with checksums, in target/dist/packages; ARCH=aarch64 cross-builds'
	@echo 'make crates          builds the program from what cargo package packs, without the repository'
	@echo 'make reproducible    makes both twice, in different directories, and compares them byte by byte (two release builds)'
	@echo 'make test            all tests; INSTALL=1 (as root) installs what they need first'
	@echo 'make lint            formatting, clippy with all fences, documentation, licences'
	@echo 'make bench           the figures of docs/performance.md, measured here; PARTS=short takes ten minutes'
	@echo 'make fuzz            an hour of random and of nearly valid input for readers and queries (nightly, cargo-fuzz)'
	@echo 'make soak            everything in random order, with kills, until Ctrl-C (SECONDS=N)'
	@echo 'make calibrate       simulate how often verdicts and intervals are wrong: docs/notes/calibration.md (up to an hour)'
	@echo 'make fixtures        remake the reference numbers of the statistics tests from SciPy'
	@echo 'make samples         remake the outputs that the README shows'

build: web
	$(CARGO) build --profile $(PROFILE) --locked --bin etalon $(if $(TRIPLE),--target $(TRIPLE))

static: web
	RUSTFLAGS='$(RUSTFLAGS) -C target-feature=+crt-static' \
		$(CARGO) build --profile $(PROFILE) --locked --bin etalon --target $(STATIC_TRIPLE) --target-dir $(STATIC)
	install -D -m 755 $(STATIC)/$(STATIC_TRIPLE)/$(PROFILE:dev=debug)/etalon $(STATIC)/etalon-static

# uPlot as the lockfile has it; without npm, or without a network, a build does without and its pages say so.
UPLOT = web/node_modules/uplot/dist/uPlot.iife.min.js
web:
	@version=$$(sed -n 's/.*"uplot": "\(.*\)".*/\1/p' web/package.json); \
	if [ -e $(UPLOT) ] && head -n 1 $(UPLOT) | grep -qF "(v$$version)"; then :; \
	elif ! command -v npm >/dev/null 2>&1; then echo 'npm is not installed: pages will have still pictures only'; \
	elif (cd web && npm ci --silent --omit=dev --fetch-retries=1 --fetch-timeout=20000) </dev/null; then :; \
	else echo 'npm could not fetch uPlot: pages will have still pictures only'; fi

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
	if [ -e $(STATIC)/etalon-static ]; then install -D -m 755 $(STATIC)/etalon-static $(TWIN); fi
	install -d $(MAN) $(DOC)
	install -m 644 $(TARGET)/manuals/man/*.1 $(MAN)
	install -D -m 644 $(TARGET)/manuals/completions/etalon.bash $(BASH)
	install -D -m 644 $(TARGET)/manuals/completions/_etalon $(ZSH)
	install -D -m 644 $(TARGET)/manuals/completions/etalon.fish $(FISH)
	install -D -m 644 $(TARGET)/manuals/completions/_etalon.ps1 $(POWERSHELL)
	install -m 644 README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE NOTICE docs/*.md docs/*.svg $(DOC)

uninstall:
	rm -f $(TO)/bin/etalon $(TWIN) $(MAN)/etalon.1 $(MAN)/etalon-*.1 $(BASH) $(ZSH) $(FISH) $(POWERSHELL)
	rm -rf $(DOC)

# What is packed should not say where it was built, nor where cargo keeps its downloads: `make reproducible` looks. Tests
# pack what they have built already.
ifneq ($(PROFILE),dev)
dist: export RUSTFLAGS := $(RUSTFLAGS) --remap-path-prefix=$(CURDIR)=/etalon --remap-path-prefix=$(or $(CARGO_HOME),$(HOME)/.cargo)=/cargo
# Machines with an older C library are sent the twin.
dist: static
endif
DIST = $(CURDIR)/target/dist
dist:
	rm -rf $(DIST)
	$(MAKE) install DESTDIR=$(DIST)/stage PREFIX=/usr
	sh packaging/pack.sh $(DIST)/stage $(DIST)/packages
	@cat $(DIST)/packages/SHA256SUMS

crates:
	@sh packaging/crates.sh

reproducible:
	@sh packaging/reproducible.sh

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
	@sh bench/run.sh $(ETALON) $(PARTS)

# How often verdicts and intervals are wrong, simulated: up to an hour on two cores.
calibrate:
	@$(CARGO) run --quiet --release --locked -p etalon-calibrate > docs/notes/calibration.md.new
	@mv docs/notes/calibration.md.new docs/notes/calibration.md

# Needs a nightly compiler and `cargo install cargo-fuzz`; SECONDS for each target (600). TARGETS chooses some of them.
# The corpus CI replays is crates/etalon-record/tests/corpus; what `read` finds goes there, what the others find becomes a test.
TARGETS ?= read record bestguess hyperfine harness go query places checks
fuzz:
	mkdir -p fuzz/corpus/read
	cp -n crates/etalon-record/tests/corpus/* crates/etalon-record/tests/data/* fuzz/corpus/read/ || true
	cd fuzz && $(CARGO) run --quiet --example seeds
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
