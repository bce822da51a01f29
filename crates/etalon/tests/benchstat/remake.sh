#!/bin/sh
# Makes the inputs and the expected bytes of the benchstat corpus again: inputs.py writes inputs/, the real
# benchstat writes expected/. Needs Go and Python; the test itself needs neither. corrected/ is not remade: what
# etalon prints of the cases in which benchstat has a wrong p (docs/statistics.md).
#
#   sh remake.sh [BENCHSTAT]      the program to ask; installed into a temporary directory if left out
#   sh remake.sh --check          makes them in a temporary directory and compares (exit 1 if different)
set -eu
cd "$(dirname "$0")"
version=v0.0.0-20260908200009-22c9c6c9d4da # the latest when this was made
if [ "${1:-}" = --check ]; then
    copy=$(mktemp -d)
    trap 'rm -rf "$copy"' EXIT
    cp inputs.py cases remake.sh "$copy"
    mkdir "$copy/inputs"
    sh "$copy/remake.sh"
    diff -r inputs "$copy/inputs" && diff -r expected "$copy/expected"
    exit
fi
benchstat=${1:-}
if [ -z "$benchstat" ]; then
    GOBIN=$(mktemp -d)
    export GOBIN
    (cd "$GOBIN" && go install "golang.org/x/perf/cmd/benchstat@$version")
    benchstat=$GOBIN/benchstat
fi
python3 inputs.py
rm -rf expected
mkdir expected
cd inputs

# One case: its name, then its arguments.
one() {
    name=$1
    shift
    "$benchstat" "$@" >"../expected/$name.out" 2>"../expected/$name.err" || true
    # Only CSV has warnings that belong to the result; other remarks are about lines of the input.
    grep -E '^[A-Z]+[0-9]+: ' "../expected/$name.err" >"../expected/$name.warnings" || true
    rm "../expected/$name.err"
    [ -s "../expected/$name.warnings" ] || rm "../expected/$name.warnings"
}

set --
while IFS= read -r line || [ -n "$line" ]; do
    case $line in
    '#'*) ;;
    '') [ $# = 0 ] || one "$@"; set -- ;;
    "''") set -- "$@" '' ;;
    *) set -- "$@" "$line" ;;
    esac
done <../cases
[ $# = 0 ] || one "$@"
