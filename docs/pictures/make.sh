#!/bin/sh
# Pictures of every view, from a real terminal: `sh docs/pictures/make.sh ETALON [DIRECTORY]`, by default into
# target/pictures.
#
# Owns: which views there are, at 80 × 24 and 160 × 45. Each is typed into tmux, captured with its colours, whole if it
# is longer than a screen (a line shows where the screen ends), and drawn by render.py. Refuses to judge: look at them.
# Needs bash, tmux, python3 with Pillow, the font DejaVu Sans Mono (apt-get install tmux fonts-dejavu-core; pip install
# pillow; PYTHON names another python3), and gzip.
set -eu

[ $# -ge 1 ] && [ -x "$1" ] || { echo "usage: sh docs/pictures/make.sh ETALON [DIRECTORY]" >&2; exit 2; }
bin=$(cd "$(dirname "$1")" && pwd)
pictures=$(cd "$(dirname "$0")" && pwd)
cd "$pictures/../.."
to=${2:-target/pictures}
mkdir -p "$to/home"
to=$(cd "$to" && pwd)
only=${ONLY:-}
export ETALON_HOME="$to/home" LC_ALL=C.UTF-8 PATH="$bin:$PATH"
unset NO_COLOR COLUMNS CLICOLOR_FORCE 2>/dev/null || true
tmux() { command tmux -L etalon-pictures -f /dev/null "$@"; }

# A shell of this size at the root of the project.
terminal() {
    tmux kill-session -t view 2>/dev/null || true
    tmux new-session -d -s view -x "$1" -y "$2" \
        "PS1='$ ' PROMPT_COMMAND='command tmux -L etalon-pictures wait-for -S prompt' exec bash --norc"
    tmux wait-for prompt
    sleep 0.2 # the prompt is drawn by then, and what is typed is shown once
}

draw() { # NAME COLUMNS ROWS
    tmux capture-pane -t view -e -p -S - >"$to/$1-$2.ansi"
    "${PYTHON:-python3}" "$pictures/render.py" "$2" "$3" <"$to/$1-$2.ansi" >"$to/$1-$2.png"
    echo "$to/$1-$2.png"
}

# Types a command, waits for its end, and draws what is there.
view() { # NAME COMMAND
    for size in '80 24' '160 45'; do
        set -- "$1" "$2" ${size}
        case " ${only:-$1} " in *" $1 "*) ;; *) continue ;; esac
        terminal "$3" "$4"
        tmux send-keys -t view "$2" Enter
        tmux wait-for prompt
        sleep 0.3 # it is drawn by then
        draw "$1" "$3" "$4"
    done
}

# The same, drawn after so many seconds while it goes on.
live() { # NAME SECONDS COMMAND
    for size in '80 24' '160 45'; do
        set -- "$1" "$2" "$3" ${size}
        case " ${only:-$1} " in *" $1 "*) ;; *) continue ;; esac
        terminal "$4" "$5"
        tmux send-keys -t view "$3" Enter
        sleep "$2"
        draw "$1" "$4" "$5"
        tmux send-keys -t view C-c
        sleep 1
    done
}

# A session that stays, so that the server does.
tmux kill-server 2>/dev/null || true
until tmux new-session -d -s stays 2>/dev/null; do sleep 0.1; done
tmux set-option -g history-limit 10000

# Two runs of 300 benchmarks, of which a few changed.
many() {
    awk -v change="$1" 'BEGIN {
        srand(7)
        for (i = 1; i <= 300; i++) {
            factor = (change && i % 40 == 0) ? 1.3 : 1
            for (k = 0; k < 8; k++)
                printf "BenchmarkCodec/case=%03d-8 1000 %.1f ns/op %d B/op\n", i, factor * (100 + i) * (1 + rand() / 50), 64 * i
        }
    }'
}
many 0 >"$to/many-old.txt"
many 1 >"$to/many-new.txt"

view one 'etalon cmd -r 20 "sleep 0.05"'
view several 'etalon cmd -r 30 "gzip -1 -c Cargo.lock" "gzip -6 -c Cargo.lock" "gzip -9 -c Cargo.lock" "sleep 0.01"'
view scan 'etalon cmd -r 15 -L level 1,6,9 -L file Cargo.lock,CHANGELOG.md "gzip -{level} -c {file}"'
view suite 'etalon run --budget 1s examples/string_bench.lua'
view suites 'etalon run --budget 500ms examples/string_bench.lua examples/table_bench.lua examples/calls_bench.lua'
view compare 'etalon compare docs/samples/old.txt docs/samples/new.txt'
view many "etalon compare $to/many-old.txt $to/many-new.txt"
view full 'etalon report @last --full'
view tests 'etalon report @last -E'
# What an unchanged command takes from run to run, and two of these runs held against each other: beside them five
# earlier ones say how much runs differ.
for run in 1 2 3 4 5 6 7 8; do
    [ -n "$only" ] || etalon cmd -r 12 --quiet -n gzip 'gzip -6 -c Cargo.lock' >/dev/null 2>&1
done
view between 'etalon compare @-2 @last'
view runs 'etalon runs'
view brief 'etalon -h'
view brief-cmd 'etalon cmd -h'
view help 'etalon help'
live live-one 2 'etalon cmd -r 100 "sleep 0.05"'
live live-two 2 'etalon cmd --precision 0.1% "gzip -1 -c Cargo.lock" "gzip -9 -c Cargo.lock"'
live live-suite 12 'etalon run examples/string_bench.lua examples/table_bench.lua'
tmux kill-server 2>/dev/null || true
