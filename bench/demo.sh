#!/bin/sh
# `make demo`: a real experiment on commands that every system has. `sh bench/demo.sh ETALON`.
#
# Owns: a file of 20,000 numbers in disorder and one question: which way to sort it? `sort -n` and
# `sort --numeric-sort` are the same thing, spelled twice; `sort -g` reads floating-point numbers.
# 100 randomised blocks of the three take a few seconds. Refuses: to touch the user's saved runs:
# everything is under target/demo. Needs sh and coreutils.
set -eu

[ $# -eq 1 ] && [ -x "$1" ] || { echo "usage: sh bench/demo.sh ETALON" >&2; exit 2; }
etalon=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/.."
mkdir -p target/demo
cd target/demo
export ETALON_HOME="$PWD"

# The same disorder every time: shuf takes its randomness from a file.
seq 200000 >randomness
seq 20000 | shuf --random-source=randomness >numbers

set -- cmd -r 100 -M -n short -n long -n float 'sort -n numbers' 'sort --numeric-sort numbers' 'sort -g numbers'
printf '$ etalon'
for word; do case $word in *\ *) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac; done
printf '\n'
"$etalon" "$@"
echo
echo "Every reading is in target/demo/runs; to see this again, with every test behind it:"
echo "\$ ETALON_HOME=target/demo etalon report @last --explain"
