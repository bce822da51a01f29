#!/bin/sh
# The figures of docs/performance.md, measured here: `sh bench/run.sh ETALON [PART...]`.
#
# Owns: building the C programs, a scratch directory and store of its own, the order of the parts,
# the summary at the end, and the rows of that page. Refuses: to measure anything itself; each part is a file beside this
# one that opens with what it measures and why that is fair. Exits 1 if any target is missed.
#
# `cmd` and `lua` stand for all parts of a subcommand, `short` for one part of each kind (ten minutes). Needs sh, cc, awk and python3 (standard library only), and for
# `compare` benchstat, for `between` and `go_aa` go, for `bursts` git and make, for `ab` git, make, go, cargo and lua5.4. Minutes: `cmd` 3, `compare`
# 1, `page` 1, `occasions` 2, `between` 15, `bursts` 10, `go_aa` 40, `plan` 10, `explain` 2, `lua` 120, of which lua/five 45. `ab` takes 50 with 40 experiments a part
# (overhead, kills and placement 2 each, controls and disturbed 5, quiet 12, hogs 20, planted 10); `ab:planted` is that part alone. `nodes_lost` takes 10, `nodes` 15; both need sshd and root. `count` takes 60, needs valgrind, gzip, rustc, go and lua5.4, and with COUNTS=FILE goes on where it was.
set -eu

cmd="start launch rss rank aa same slower kill kill_more"
compare="compare many large store cells page occasions"
series="between go_aa ab culprit versions bursts harnesses tools plan explain nodes nodes_lost count"
lua="lua/alloc lua/loop lua/hosts lua/heap lua/fixed lua/polluted lua/slower lua/power lua/reach lua/equal lua/equal_hosts lua/events lua/five"
short="start launch rss rank compare many page lua/loop"
usage() { echo "usage: sh bench/run.sh ETALON [short] [cmd] [lua]" $(for part in $cmd $series $compare $lua; do echo "[$part]"; done) >&2; exit 2; }

[ $# -ge 1 ] && [ -x "$1" ] || usage
here=$(cd "$(dirname "$0")" && pwd)
ETALON=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
shift
[ $# -gt 0 ] || set -- cmd between go_aa ab compare many large lua
parts=
for part; do
    case " $cmd $series $compare $lua " in
        *" ${part%%:*} "*) parts="$parts $part" ;;
        *) case $part in short) parts="$parts $short" ;; cmd) parts="$parts $cmd" ;; lua) parts="$parts $lua" ;; *) usage ;; esac ;;
    esac
done

SCRATCH=$(mktemp -d "${TMPDIR:-/tmp}/etalon-bench.XXXXXX")
trap 'rm -rf "$SCRATCH"' EXIT
trap 'exit 130' INT TERM
export ETALON SCRATCH ETALON_HOME="$SCRATCH/home" PYTHONPATH="$here" PYTHONDONTWRITEBYTECODE=1
for tool in floor busy planted logged fat walk; do
    "${CC:-cc}" -O2 -o "$SCRATCH/$tool" "$here/$tool.c"
done

date -u '+%Y-%m-%d %H:%M UTC'
echo "$(nproc) CPUs, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), Linux $(uname -r | cut -d- -f1), load $(cut -d' ' -f1-3 /proc/loadavg)"
for part in $parts; do
    printf '\n%s\n' "$part"
    # `ab:planted` is one of that part's own parts, with as many experiments as all of them have.
    case $part in *:*) of="40 ${part#*:}" ;; *) of= ;; esac
    # shellcheck disable=SC2086 # words
    { PART="$part" python3 "$here/${part%%:*}.py" $of && code=0 || code=$?; echo "$code" >"$SCRATCH/code"; } 2>&1 |
        tee "$SCRATCH/part.out"
    grep -E ' (PASS|FAIL)$' "$SCRATCH/part.out" | sed "s|^ *|$(printf %-13s "$part")|" >>"$SCRATCH/summary" || true
    case $(cat "$SCRATCH/code") in
        0 | 3) ;;
        *) echo "$part did not finish FAIL" >>"$SCRATCH/summary" ;;
    esac
done

printf '\nSummary, load now %s\n' "$(cut -d' ' -f1-3 /proc/loadavg)"
sed 's/^/  /' "$SCRATCH/summary"
[ ! -e "$SCRATCH/rows.md" ] || { printf '\nRows for docs/performance.md\n\n' && cat "$SCRATCH/rows.md"; }
! grep -q 'FAIL$' "$SCRATCH/summary"
