#!/bin/sh
# What `make dist` packs: the tarball and the Debian package have the same bytes each time, the program in each starts,
# measures and executes Lua, and the package leaves nothing behind. `cargo package` packs every crate. `sh tests/dist.sh`.
#
# The profile is that of the tests, so that nothing but the static program is built again. dpkg works below a directory of its own and touches
# nothing of this machine.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "make dist: $*" >&2; exit 1; }

for command in dpkg dpkg-deb readelf gzip; do
    command -v "$command" >/dev/null 2>&1 || {
        echo "packages were not made: $command is not installed" >>"${ETALON_TEST_SKIPS:-/dev/null}"
        exit 0
    }
done

# A command is measured, and a case in the embedded Lua.
works() {
    "$1" --version >/dev/null || fail "$1 does not start"
    ETALON_HOME=$work/home "$1" cmd -r 3 true >"$work/out" 2>&1 || fail "$1 cmd: $(cat "$work/out")"
    ETALON_HOME=$work/home "$1" run -r 2 -w 1ms examples/string_bench.lua >"$work/out" 2>&1 || fail "$1 run: $(cat "$work/out")"
}

# The program for machines with an older C library asks for no library, and measures.
static() {
    [ -x "$1" ] || fail "$1 is not packed"
    ! readelf -lW "$1" | grep -q INTERP || fail "$1 is linked dynamically"
    "$1" --version >/dev/null || fail "$1 does not start"
    ETALON_HOME=$work/home "$1" cmd -r 2 true >"$work/out" 2>&1 || fail "$1 cmd: $(cat "$work/out")"
}

# Crates. Would catch a dependency without a version, and a crate without what its licences ask for. That they build is
# seen by `make crates`, which takes minutes.
cargo=${CARGO:-cargo}
built=${CARGO_TARGET_DIR:-$PWD/target}
rm -rf "$built/package"
"$cargo" package --workspace --locked --allow-dirty --no-verify --quiet
for crate in "$built"/package/*.crate; do
    directory=$(basename "$crate" .crate)
    for file in README.md LICENSE-MIT LICENSE-APACHE NOTICE; do
        tar -tzf "$crate" "$directory/$file" >/dev/null || fail "$directory has no $file"
    done
done

# A build of its own, which takes minutes.
twin=$built/static/etalon-static
if [ "${INSTALL:-0}" = 1 ] || [ -n "${CI:-}" ]; then MAKEFLAGS='' make --silent static PROFILE=dev; fi
[ -e "$twin" ] || echo "the static program is not looked at: make static PROFILE=dev builds it" >>"${ETALON_TEST_SKIPS:-/dev/null}"
MAKEFLAGS='' make --silent dist PROFILE=dev
cp -R target/dist/packages "$work/once"
# Another copy: other times of files, another order in the directory, another mask.
cp -R target/dist/stage "$work/other"
find "$work/other" -exec touch -d @0 {} +
(umask 077 && sh packaging/pack.sh "$work/other" "$work/again")
diff -r "$work/once" "$work/again" || fail "two times of packing differ"
(cd "$work/once" && sha256sum --quiet -c SHA256SUMS) || fail "SHA256SUMS is wrong"

mkdir "$work/unpacked"
tar -xzf "$work"/once/*.tar.gz -C "$work/unpacked"
works "$(echo "$work"/unpacked/etalon-*/bin/etalon)"
[ ! -e "$twin" ] || static "$(echo "$work"/unpacked/etalon-*/lib/etalon/etalon-static)"
for file in share/man/man1/etalon.1 share/bash-completion/completions/etalon share/doc/etalon/NOTICE \
    share/doc/etalon/LICENSE-MIT share/doc/etalon/LICENSE-APACHE; do
    [ -s "$(echo "$work"/unpacked/etalon-*)/$file" ] || fail "the tarball has no $file"
done

# action.yml's script: a tarball with another checksum is not unpacked; with the right one, a project is measured.
tarball=$(echo "$work"/once/*.tar.gz)
sum=$(sha256sum "$tarball" | cut -d ' ' -f 1)
mkdir "$work/runner" "$work/project"
action() {
    env RUNNER_TEMP="$work/runner" GITHUB_PATH="$work/path" GITHUB_STEP_SUMMARY="$work/summary" GITHUB_OUTPUT="$work/outputs" \
        ETALON_HOME="$work/home" TARBALL="$tarball" BASE=HEAD BUILD='cp program.in program' COMMAND='./program 1' BLOCKS=6 "$@"
}
script=$PWD/packaging/action.sh
! action SHA256="$(printf '%064d' 0)" sh "$script" install >"$work/out" 2>&1 || fail "a wrong checksum is taken"
[ ! -e "$work/runner/etalon/bin" ] && [ ! -e "$work/path" ] || fail "a tarball with a wrong checksum is unpacked"
action SHA256="$sum" sh "$script" install >"$work/out" 2>&1 || fail "action.sh install: $(cat "$work/out")"
printf '#!/bin/sh\nexit 0\n' >"$work/project/program.in"
chmod +x "$work/project/program.in"
git -C "$work/project" init -q
git -C "$work/project" add .
git -C "$work/project" -c user.name=etalon -c user.email=etalon@localhost commit -qm one
(cd "$work/project" && PATH=$(cat "$work/path"):$PATH && export PATH && action sh "$script" measure) >"$work/out" 2>&1 ||
    fail "action.sh measure: $(cat "$work/out")"
grep -q 'program' "$work/summary" || fail "the action's summary has no report: $(cat "$work/summary")"
grep -q '^report=' "$work/outputs" || fail "the action names no report"

root=$work/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers"
: >"$root/var/lib/dpkg/status"
# What the package depends on is this machine's.
inside() { dpkg --root="$root" --force-not-root --force-depends --log=/dev/null "$@" >"$work/out" 2>&1 || fail "dpkg $1: $(cat "$work/out")"; }
inside --install "$work"/once/*.deb
works "$root/usr/bin/etalon"
[ ! -e "$twin" ] || static "$root/usr/lib/etalon/etalon-static"
[ -s "$root/usr/share/doc/etalon/copyright" ] || fail "the package has no copyright"
inside --purge etalon
left=$(find "$root" -path "$root/var/lib/dpkg" -prune -o -type f -print)
[ -z "$left" ] || fail "dpkg --purge leaves $left"
echo "ok"
