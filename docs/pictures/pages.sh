#!/bin/sh
# Five reports as pages, to be looked at: `sh docs/pictures/pages.sh ETALON [DIRECTORY]`, by default into target/pages.
#
# Owns: which pages there are: that of the demo's commands; of the serializers' experiment file, cut short; of a Lua suite; of
# `etalon ab` with a slow-down planted in the tail of one side; of two files of Go lines. With Chromium and what `npm ci` in web/
# installs, each is also drawn at three widths, light and dark. Refuses to judge: look at them. Needs coreutils, git, sh.
set -eu

[ $# -ge 1 ] && [ -x "$1" ] || { echo "usage: sh docs/pictures/pages.sh ETALON [DIRECTORY]" >&2; exit 2; }
etalon=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
cd "$(dirname "$0")/../.."
to=${2:-target/pages}
mkdir -p "$to"
to=$(cd "$to" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ETALON_HOME="$work/home"
page() { echo "$to/$1.html"; }

seq 200000 >"$work/randomness"
seq 20000 | shuf --random-source="$work/randomness" >"$work/numbers"
(cd "$work" && "$etalon" cmd -r 100 -n short -n long -n float 'sort -n numbers' 'sort --numeric-sort numbers' \
    'sort -g numbers' --html "$(page demo)") >/dev/null

# A cell whose library is not installed says so in its place.
PATH=$(dirname "$etalon"):$PATH "$etalon" run --filter '/job:(array-16 OR entities-1)' -r 3 \
    examples/serializers/serializers.toml --html "$(page serializers)" >/dev/null

"$etalon" run examples/string_bench.lua -r 10 --html "$(page suite)" >/dev/null

# One execution in ten takes longer, on one side: medians are the same, tails are not.
git init -q "$work/project"
program() {
    printf '#!/bin/sh\nn=$(od -An -N1 -tu1 /dev/urandom)\n%s\n' "$1" >"$work/project/program.in"
    git -C "$work/project" add program.in
    git -C "$work/project" -c user.name=etalon -c user.email=etalon@localhost commit -q -m "$2"
}
program 'sleep 0.004' 'as it was'
program 'if [ "$n" -lt 26 ]; then sleep 0.008; else sleep 0.004; fi' 'a tail'
(cd "$work/project" && "$etalon" ab HEAD~1 HEAD --build 'cp program.in program && chmod +x program' -r 120 \
    --html "$(page tail)" -- ./program) >/dev/null

go_lines() {
    printf 'goos: linux\ngoarch: amd64\npkg: example.org/encode\ncpu: Example CPU\n'
    awk -v scale="$1" 'BEGIN {
        srand(7)
        for (run = 0; run < 20; run++)
            for (at = 1; at <= 6; at++)
                printf "BenchmarkEncode/size=%d-8 1000 %.1f ns/op %d B/op\n", 4 ^ at, 90 * 4 ^ at * (at == 3 ? scale : 1) * (1 + 0.02 * rand()), 64 * at
    }'
}
go_lines 1 >"$work/old.txt"
go_lines 0.9 >"$work/new.txt"
(cd "$work" && "$etalon" compare old.txt new.txt --html "$(page go)") >/dev/null

ls "$to"/*.html
if [ -d web/node_modules/playwright-core ] && command -v node >/dev/null 2>&1; then
    node web/test/pictures.js "$to"/demo.html "$to"/serializers.html "$to"/suite.html "$to"/tail.html "$to"/go.html
fi
