"""Whether counts of instructions repeat, find a tenth of a percent, keep quiet about a comment, and what is said with time.

Measures, with real programs of six languages: ten counts each with seeds fixed and as they are, and how many times as long
one takes under valgrind; 0.1 % more work planted in C, Rust and Lua, each an experiment of its own; the same program with a
longer comment; and changes that move count and time, one of them, or neither. Each experiment is written to the file that COUNTS names, and not done again when the script is started
again.

Fair because every experiment is counted anew, with nothing repeated or left out; the planted work is the loop of the program
itself, a thousandth longer. Arguments: the number of experiments, then parts: repeat, planted, comment, together.
"""

import json
import os
import shutil
import subprocess
import sys

import lab

EXPERIMENTS = lab.count(40)
DONE = os.environ.get("COUNTS", os.path.join(lab.SCRATCH, "counts.jsonl"))

C = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* COMMENT */
int main(int n, char **words) {
    long rounds = atol(words[1]); unsigned x = 1; char *b = malloc(4096);
    for (long i = 0; i < rounds; i++) {
        x = x * 1664525u + 1013904223u; b[x >> 20] = (char)x;
        if ((i & 1023) == 0) { free(b); b = malloc(4096); memset(b, 0, 4096); }
    }
    printf("%u\\n", x + b[7]); return 0;
}
"""
RUST = """use std::collections::HashMap;
// COMMENT
fn main() {
    let rounds: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut m: HashMap<String, u64> = HashMap::new();
    for i in 0..rounds { *m.entry(format!("k{}", i % 500)).or_insert(0) += i; }
    println!("{}", m.values().sum::<u64>());
}
"""
LUA = """-- COMMENT
local rounds = tonumber(arg[1]); local t = {}
for i = 1, rounds do local k = "k" .. (i % 500); t[k] = (t[k] or 0) + i end
local s = 0
for _, v in pairs(t) do s = s + v end
print(s)
"""
PYTHON = """# COMMENT
import sys
d = {}
for i in range(int(sys.argv[1])): d["k%d" % (i % 500)] = d.get("k%d" % (i % 500), 0) + i
print(sum(d.values()), len({str(i) for i in range(500)}))
"""
GO = """package main
import ("fmt"; "os"; "strconv")
func main() {
	rounds, _ := strconv.Atoi(os.Args[1]); m := map[string]int{}
	for i := 0; i < rounds; i++ { m["k"+strconv.Itoa(i%500)] += i }
	s := 0
	for _, v := range m { s += v }
	fmt.Println(s)
}
"""


def built(name, source, build, comment="short"):
    """A program of this source below the scratch directory, as a command without its argument."""
    directory = os.path.join(lab.SCRATCH, "count")
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(source.replace("COMMENT", comment))
    program = os.path.splitext(path)[0]
    if build:
        subprocess.run([word.format(source=path, program=program) for word in build], check=True)
        return program
    return path


# What moves count and time: WORK is the rounds of the loop, HIDDEN additions beside a load that misses the cache, OFFSET
# where in a line of it the 8 bytes begin that are stored and loaded again.
TOGETHER = """#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define N (1 << 21)
static uint32_t next[N];
static char lines[1 << 16] __attribute__((aligned(4096)));
/* Read where they are needed, so that the code is the same whatever they are. */
static volatile long work = WORK, hidden = HIDDEN, offset = OFFSET;
int main(void) {
    uint32_t x = 1, at = 0; uint64_t sum = 0;
    for (uint32_t i = 0; i < N; i++) next[i] = (uint32_t)((i * 1664525u + 1013904223u) & (N - 1));
    long more = hidden, rounds = work;
    for (long i = 0; i < 150000; i++) {
        at = next[(at + (uint32_t)i * 40503u) & (N - 1)];
        for (long j = 0; j < more; j++) { sum += j ^ i; __asm__ volatile("" : "+r"(sum)); }
    }
    volatile uint64_t *place = (volatile uint64_t *)(lines + offset);
    for (long i = 0; i < 20000000; i++) { place[(i & 63) * 8] = i; sum += place[(i & 63) * 8]; }
    for (long i = 0; i < rounds; i++) { x = x * 1664525u + 1013904223u; __asm__ volatile("" : "+r"(x)); }
    printf("%u %u %llu\\n", x, at, (unsigned long long)sum); return 0;
}
"""
# The combination, and what is other in the newer program.
COMBINATIONS = {
    "both": {"WORK": 64000000},
    "count only": {"HIDDEN": 2},
    "time only": {"OFFSET": 60},
    "neither": {},
}

CC = ["cc", "-O2", "-o", "{program}", "{source}"]
RUSTC = ["rustc", "-O", "-o", "{program}", "{source}"]
BUILD_GO = ["go", "build", "-o", "{program}", "{source}"]
LONGER = "a comment that is longer than the other one by far, " * 40


def done():
    """Everything that was measured so far, by its key."""
    if not os.path.exists(DONE):
        return {}
    with open(DONE, encoding="utf-8") as lines:
        return {row["key"]: row for row in map(json.loads, lines)}


def measured(key, how, known=done()):
    """What was measured before under this key, or is now."""
    if key not in known:
        known[key] = {"key": key, **how()}
        with open(DONE, "a", encoding="utf-8") as file:
            file.write(json.dumps(known[key]) + "\n")
    return known[key]


def counts(command, option):
    """Ten counts of a command, and how many times as long as it one of them takes."""
    all_counts, slower = [], []
    while len(all_counts) < 10:
        record = os.path.join(lab.SCRATCH, "counted.jsonl")
        timed = lab.execute(["/bin/sh", "-c", command + " >/dev/null"])
        whole = lab.etalon("cmd", "-r", 1, option, "-o", record, "--force", "--no-save", "--quiet", command)
        own = [row["values"]["instructions"] for row in lab.observations(record) if "instructions" in row["values"]]
        slower.append((whole.seconds - timed.seconds) / len(own) / timed.seconds)
        all_counts += own
    return {"counts": all_counts[:10], "slower": sorted(slower)[len(slower) // 2]}


def called(one, other):
    """What two commands are called by their counts."""
    shown = lab.analysis("cmd", "-r", 1, "--count", "--no-save", "-n", "base", "-n", "head", one, other)
    found = [it for it in shown["comparisons"] if it["metric"] == "instructions"][0]
    return {"word": found["word"], "ratio": found["ratio"]}


def together(figures):
    """Changes that move count and time, one of them or neither, and the word for it."""
    def program(name, **other):
        macros = {"WORK": 8000000, "HIDDEN": 1, "OFFSET": 0, **other}
        words = [f"-D{key}={value}" for key, value in macros.items()]
        return built(name, TOGETHER, [*CC[:2], *words, *CC[2:]])

    def word(one, other):
        shown = lab.analysis("cmd", "-r", 80, "--metric", "cpu", "--margin", "5%", "--count", "--no-save", "-n", "base", "-n", "head", one, other)
        return {it["metric"]: {key: it[key] for key in ("word", "ratio", "moved")} for it in shown["comparisons"]}

    base = program("t0.c")
    for name, other in COMBINATIONS.items():
        head = program("t1.c", **other)
        of = [measured(f"together {name} {at}", lambda o=head: word(base, o)) for at in range(EXPERIMENTS)]
        words = [it["instructions"]["moved"] for it in of]
        print(f"  {name}: {of[0]}", flush=True)
        right = sum(it == name.replace(" ", "_") for it in words)
        figures.at_least(f"{name}: the right word, of {EXPERIMENTS}", right, EXPERIMENTS * 19 // 20)


def main():
    figures = lab.Figures()
    parts = sys.argv[2:] or ["repeat", "planted", "comment", "together"]
    if "together" in parts:
        together(figures)
    gzip_input = os.path.join(lab.SCRATCH, "counted.txt")
    with open(gzip_input, "w", encoding="utf-8") as text:
        text.write("".join(f"line {at} {at * 7919 % 104729}\n" for at in range(60000)))
    programs = {
        "C": built("c.c", C, CC) + " 200000",
        "gzip": f"gzip -c {gzip_input}",
        "Lua": "lua5.4 " + built("l.lua", LUA, None) + " 20000",
        "Python": "/usr/bin/python3 " + built("p.py", PYTHON, None) + " 20000",
        "Rust": built("r.rs", RUST, RUSTC) + " 100000",
    }
    if shutil.which("go"):
        programs["Go"] = built("g.go", GO, BUILD_GO) + " 100000"
    for language, command in programs.items() if "repeat" in parts else ():
        for option in ("--count", "--count=raw"):
            of = measured(f"repeat {language} {option}", lambda c=command, o=option: counts(c, o))
            all_counts = of["counts"]
            spread = (max(all_counts) - min(all_counts)) / min(all_counts) * 100
            print(f"  {language:7} {option:12} {min(all_counts):>12,}  spread {spread:.5f} %  {of['slower']:.0f} × as long", flush=True)
            if option == "--count" and language != "Go":
                figures.at_least(f"{language}: at most 0.01 % apart", int(spread <= 0.01), 1)
    planted = {"C": (programs["C"], 200), "Rust": (programs["Rust"], 100), "Lua": (programs["Lua"], 20)}
    for language, (command, more) in planted.items() if "planted" in parts else ():
        program, rounds = command.rsplit(" ", 1)
        other = f"{program} {int(rounds) + more}"
        of = [measured(f"planted {language} {at}", lambda c=command, o=other: called(c, o)) for at in range(EXPERIMENTS)]
        print(f"  {language}: {of[0]['ratio']:.6f}")
        figures.at_least(f"{language}: 0.1 % more called more, of {EXPERIMENTS}", sum(it["word"] == "more" for it in of), EXPERIMENTS)
    # Of names as long: a longer one is more to read.
    commented = {
        "C": (built("c1.c", C, CC), built("c2.c", C, CC, LONGER)),
        "Rust": (built("r1.rs", RUST, RUSTC), built("r2.rs", RUST, RUSTC, LONGER)),
        "Lua": ("lua5.4 " + built("l1.lua", LUA, None), "lua5.4 " + built("l2.lua", LUA, None, LONGER)),
        "Python": ("/usr/bin/python3 " + built("p1.py", PYTHON, None), "/usr/bin/python3 " + built("p2.py", PYTHON, None, LONGER)),
    }
    for language, pair in commented.items() if "comment" in parts else ():
        base, other = (f"{program} {programs[language].rsplit(' ', 1)[1]}" for program in pair)
        of = [measured(f"comment {language} {at}", lambda c=base, o=other: called(c, o)) for at in range(EXPERIMENTS)]
        words = {it["word"] for it in of}
        print(f"  {language}, a longer comment: {', '.join(sorted(words))}, {(of[0]['ratio'] - 1) * 100:+.4f} %")
        if language in ("C", "Rust"):
            figures.at_most(f"{language}: a longer comment called different, of {EXPERIMENTS}", sum(it["word"] != "same" for it in of), 0)
    figures.end()


if __name__ == "__main__":
    sys.exit(main())
