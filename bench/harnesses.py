"""harnesses: how often the benchmarks of an unchanged harness are called different, and a planted 5 % is found.

Measures: `etalon ab HEAD --results google-benchmark`, 15 blocks, on a git repository whose command is a scripted harness: a
program in C that writes ten benchmarks with five readings each, as Google Benchmark does. Its readings are drawn, not
measured, so that hundreds of experiments take minutes: each benchmark scatters by 1 % from reading to reading, by 2 %
from execution to execution, and by 1 % more with all others of its execution.
  - Nothing changes, N experiments: those in which any benchmark is called different.
  - One of the ten takes 5 % longer in the working tree, N experiments: those in which it is called slower, and those in
    which any other is called different.
Beside it, the usual way: five executions of one side after those of the other, the readings of all executions of a side
pooled, Mann-Whitney, p < 0.05 (what compare.py of Google Benchmark does with repetitions).

Fair because no experiment is left out, seeds are the experiment's numbers, and both ways get the same program. Results are
kept experiment by experiment in RESULTS (a file, by default in the scratch directory), so that it can go on where it was
stopped. Needs git and cc. Arguments: the number of experiments, then parts (same, planted). ROWS=400 has as many
benchmarks in place of ten.
"""

import json
import math
import os
import subprocess
import sys

import lab

EXPERIMENTS = lab.count(40)
PARTS = sys.argv[2:] or ["same", "planted"]
BLOCKS, ROWS, READINGS, PLANTED = 15, int(os.environ.get("ROWS", "10")), 5, 4
PROJECT = os.path.join(lab.SCRATCH, f"harnesses-{ROWS}")
RESULTS = os.environ.get("RESULTS") or os.path.join(lab.SCRATCH, "harnesses.jsonl")

PROGRAM = r"""#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static unsigned long long state;
static double uniform(void) {
    state ^= state << 13; state ^= state >> 7; state ^= state << 17;
    return ((state >> 11) + 0.5) / 9007199254740992.0;
}
static double normal(void) { return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform()); }
int main(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    state = (unsigned long long)now.tv_nsec * 2654435761u ^ (unsigned long long)getpid() << 32 ^ (unsigned long long)now.tv_sec;
    for (int i = 0; i < 20; i++) uniform();
    double together = 0.01 * normal();
    printf("{\"context\":{\"date\":\"2026-01-01T00:00:00+00:00\",\"library_build_type\":\"release\"},\"benchmarks\":[");
    for (int row = 0; row < ROWS; row++) {
        double own = 0.02 * normal(), slower = row == PLANTED ? log(1 + SLOWER / 100.0) : 0;
        for (int reading = 0; reading < READINGS; reading++) {
            double ns = 1000.0 * (row + 1) * exp(together + own + slower + 0.01 * normal());
            printf("%s{\"name\":\"BM_%d\",\"run_name\":\"BM_%d\",\"run_type\":\"iteration\",\"repetitions\":%d,"
                   "\"repetition_index\":%d,\"threads\":1,\"iterations\":1000,\"real_time\":%.6f,\"cpu_time\":%.6f,"
                   "\"time_unit\":\"ns\"}", row + reading ? "," : "", row, row, READINGS, reading, ns, ns);
        }
    }
    printf("]}\n");
    return 0;
}
"""


def git(*words):
    who = ["-c", "user.name=etalon", "-c", "user.email=etalon@localhost"]
    subprocess.run(["git", "-C", PROJECT, *who, *words], check=True, capture_output=True)


def project():
    os.makedirs(PROJECT, exist_ok=True)
    constants = f"-DROWS={ROWS} -DREADINGS={READINGS} -DPLANTED={PLANTED}"
    with open(os.path.join(PROJECT, "p.c"), "w") as file:
        file.write(PROGRAM)
    with open(os.path.join(PROJECT, "Makefile"), "w") as file:
        file.write(f"p: p.c slower\n\tcc -O1 {constants} -DSLOWER=$$(cat slower) -o p p.c -lm\n")
    with open(os.path.join(PROJECT, ".gitignore"), "w") as file:
        file.write("p\n")
    write(0)
    if not os.path.isdir(os.path.join(PROJECT, ".git")):
        git("init", "-q")
        git("add", "-A")
        git("commit", "-qm", "one")


def write(slower):
    with open(os.path.join(PROJECT, "slower"), "w") as file:
        file.write(f"{slower}\n")


def experiment(seed):
    words = [lab.ETALON, "ab", "HEAD", "--build", "make", "-r", str(BLOCKS), "--seed", str(seed), "--json", "--no-save"]
    words += ["--results", "google-benchmark", "--", "./p"]
    environment = {**os.environ, "ETALON_HOME": os.path.join(lab.SCRATCH, "home")}
    done = subprocess.run(words, cwd=PROJECT, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"experiment {seed}: {done.stderr}")
    document = json.loads(done.stdout)
    verdicts = {}
    for comparison in document["comparisons"]:
        name = comparison["candidate_name"]
        if name.startswith("BM_") and comparison["verdict"] in ("faster", "slower"):
            verdicts.setdefault(name.split(" ")[0].split("[")[0], comparison["verdict"])
    return verdicts


def usual(slower):
    """Which benchmarks pooled readings of executions in sequence call different."""
    def side(path):
        pooled = [[] for _ in range(ROWS)]
        for _ in range(5):
            text = subprocess.run([path], check=True, capture_output=True, text=True).stdout
            for entry in json.loads(text)["benchmarks"]:
                pooled[int(entry["name"][3:])].append(entry["real_time"])
        return pooled
    paths = []
    for percent in (0, slower):
        path = os.path.join(lab.SCRATCH, f"alone-{ROWS}-{percent}")
        constants = [f"-DROWS={ROWS}", f"-DREADINGS={READINGS}", f"-DPLANTED={PLANTED}", f"-DSLOWER={percent}"]
        if not os.path.exists(path):
            subprocess.run(["cc", "-O1", *constants, "-o", path, os.path.join(PROJECT, "p.c"), "-lm"], check=True)
        paths.append(path)
    base, head = side(paths[0]), side(paths[1])
    return [row for row in range(ROWS) if p_value(base[row], head[row]) < 0.05]


def p_value(one, other):
    """Mann-Whitney, two-sided, by the normal approximation: 25 values a side, no ties."""
    below = sum((a < b) + 0.5 * (a == b) for a in one for b in other)
    n, m = len(one), len(other)
    z = (abs(below - n * m / 2) - 0.5) / math.sqrt(n * m * (n + m + 1) / 12)
    return math.erfc(z / math.sqrt(2))


def part(name):
    slower = 5 if name == "planted" else 0
    known = {}
    if os.path.exists(RESULTS):
        with open(RESULTS) as file:
            entries = [entry for entry in map(json.loads, file) if entry.get("rows", 10) == ROWS]
            known = {entry["seed"]: entry for entry in entries if entry["part"] == name}
    write(slower)
    for seed in range(1, EXPERIMENTS + 1):
        if seed not in known:
            verdicts = experiment(seed)
            known[seed] = {"part": name, "rows": ROWS, "seed": seed, "verdicts": verdicts, "usual": usual(slower)}
            with open(RESULTS, "a") as file:
                file.write(json.dumps(known[seed]) + "\n")
    write(0)
    done = [known[seed] for seed in range(1, EXPERIMENTS + 1)]
    planted = f"BM_{PLANTED}"
    false = sum(any(not (slower and row == planted) for row in it["verdicts"]) for it in done)
    usually = sum(any(not (slower and row == PLANTED) for row in it["usual"]) for it in done)
    print(f"{name}: an unchanged benchmark called different: etalon {false} of {len(done)}, pooled {usually} of {len(done)}")
    if slower:
        found = sum(it["verdicts"].get(planted) == "slower" for it in done)
        usually = sum(PLANTED in it["usual"] for it in done)
        print(f"{name}: 5 % called slower: etalon {found} of {len(done)}, pooled {usually} of {len(done)}")


project()
for name in PARTS:
    part(name)
