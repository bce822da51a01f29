#!/bin/sh
# `make demo`: two real experiments, nothing to install. `sh bench/demo.sh ETALON`.
#
# Owns: what is shown. First two of the Lua suites in examples/, on the LuaJIT that etalon brings:
# building a string five ways, JSON in pure Lua against cjson (if there is one) and `string.buffer`;
# half a minute. Then commands that every system has: a file of 20,000 numbers in disorder, and which
# way to sort it? `sort -n` and `sort --numeric-sort` are the same thing, spelled twice; `sort -g`
# reads floating-point numbers; 100 randomised blocks of the three take a few seconds. Refuses: to
# touch the user's saved runs: everything is under target/demo. Needs sh and coreutils.
set -eu

[ $# -eq 1 ] && [ -x "$1" ] || { echo "usage: sh bench/demo.sh ETALON" >&2; exit 2; }
etalon=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/.."
mkdir -p target/demo
export ETALON_HOME="$PWD/target/demo"

# Shows a command line, and executes it.
demo() {
    printf '$ etalon'
    for word; do case $word in *[\ \|]*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac; done
    printf '\n'
    "$etalon" "$@"
    echo
}

demo run examples/string_bench.lua examples/json_bench.lua --exclude '/dkjson|lunajson|MessagePack/' \
    --html target/demo/suites.html

# The same disorder every time: shuf takes its randomness from a file.
cd target/demo
seq 200000 >randomness
seq 20000 | shuf --random-source=randomness >numbers
demo cmd -r 100 -n short -n long -n float 'sort -n numbers' 'sort --numeric-sort numbers' 'sort -g numbers' \
    --html report.html

echo "Every reading is in target/demo/runs. To go on:"
echo "\$ ETALON_HOME=target/demo target/release/etalon report @last --full    every table of the last run"
echo "\$ ETALON_HOME=target/demo target/release/etalon report @last -E        every test behind its verdicts"
echo "\$ target/release/etalon cmd 'your command' 'another one'               your own question"
echo "The reports as pages for a browser: $PWD/suites.html and $PWD/report.html"
