#!/bin/sh
# What action.yml does: installs etalon from a tarball of `make dist` whose checksum is known, and executes `etalon ab`.
# `sh packaging/action.sh install`, then `sh packaging/action.sh measure`; all inputs are in the environment, so that
# no text of a workflow becomes a part of a script.
set -eu
fail() { echo "etalon's action: $*" >&2; exit 2; }

install() {
    [ -n "${TARBALL:-}" ] || fail "the input 'tarball' is empty: the address or the path of a tarball of 'make dist'"
    printf '%s' "${SHA256:-}" | grep -Eq '^[0-9a-f]{64}$' || fail "the input 'sha256' is not a checksum: the line of SHA256SUMS has it"
    there=${RUNNER_TEMP:?}/etalon
    mkdir -p "$there"
    case $TARBALL in
        https://*) curl --proto =https -fsSL --retry 3 -o "$there/etalon.tar.gz" "$TARBALL" || fail "$TARBALL cannot be had" ;;
        *://*) fail "$TARBALL: only https is taken" ;;
        *) cp -- "$TARBALL" "$there/etalon.tar.gz" ;;
    esac
    # Nothing is unpacked before it is known to be what was asked for.
    echo "$SHA256  $there/etalon.tar.gz" | sha256sum --quiet -c - || fail "$TARBALL is not the file with the checksum $SHA256"
    tar -xzf "$there/etalon.tar.gz" -C "$there" --strip-components=1
    "$there/bin/etalon" --version
    echo "$there/bin" >>"${GITHUB_PATH:?}"
}

measure() {
    [ -n "${BASE:-}" ] || fail "the input 'base' is empty: the revision to compare with"
    [ -n "${COMMAND:-}" ] || fail "the input 'command' is empty"
    set -- "$BASE"
    [ -z "${BUILD:-}" ] || set -- "$@" --build "$BUILD"
    [ -z "${CHECK:-}" ] || set -- "$@" --fail-on "$CHECK"
    [ -z "${BLOCKS:-}" ] || set -- "$@" -r "$BLOCKS"
    code=0
    printf '%s\n' "$COMMAND" >"${RUNNER_TEMP:?}/etalon-commands"
    etalon ab "$@" -f "$RUNNER_TEMP/etalon-commands" --format markdown >"$RUNNER_TEMP/etalon-report.md" || code=$?
    cat "$RUNNER_TEMP/etalon-report.md" >>"${GITHUB_STEP_SUMMARY:?}"
    echo "report=$RUNNER_TEMP/etalon-report.md" >>"${GITHUB_OUTPUT:?}"
    # 1: something is worse. 3: it could not be told.
    exit "$code"
}

case ${1:-} in
    install | measure) "$1" ;;
    *) fail "install or measure" ;;
esac
