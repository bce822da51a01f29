"""compare: a million result lines in two files, compared; and the same by benchstat.

1,000,000 result lines × 3 units: 5,000 benchmarks × 100 readings in each of two files. Both programs read
the same files from the page cache, interleaved, and print benchstat's text; etalon's own report is timed
besides. Targets: 64 MB, and at least 5 × as fast as benchstat in its style, 3 × in etalon's own. benchstat is taken
from $BENCHSTAT or the path; without it there is nothing to compare with, and that is said.
"""

import os
import random
import shutil
import statistics
import subprocess
import sys
import time

import lab

ETALON, SCRATCH = os.environ["ETALON"], os.environ["SCRATCH"]
BENCHSTAT = os.environ.get("BENCHSTAT") or shutil.which("benchstat")
BENCHMARKS, READINGS, ROUNDS = 5000, 100, 5


def make(path, seed, scale):
    rng = random.Random(seed)
    with open(path, "w") as out:
        out.write("goos: linux\ngoarch: amd64\npkg: example.org/many\ncpu: Example CPU\n")
        for b in range(BENCHMARKS):
            level = 10 * 1.002**b * scale
            for _ in range(READINGS):
                out.write(f"BenchmarkCase{b:05d}/size={b % 7}-8 \t{rng.randrange(100, 10**6):8d}\t"
                          f"{level * rng.gauss(1, 0.02):.2f} ns/op\t{b + rng.randrange(3)} B/op\t{b % 40} allocs/op\n")


def once(command):
    """Wall clock and peak memory of one execution."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command[0]} exits {process.returncode}")
    return time.monotonic() - begin, usage.ru_maxrss * 1024


def main():
    files = [f"{SCRATCH}/old.txt", f"{SCRATCH}/new.txt"]
    make(files[0], 1, 1.0)
    make(files[1], 2, 1.01)
    commands = {
        "benchstat's style": [ETALON, "compare", "--style", "benchstat", *files],
        "etalon's own": [ETALON, "compare", *files],
    }
    if BENCHSTAT:
        commands["benchstat"] = [BENCHSTAT, *files]
    seen = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            seen[name].append(once(command))
    median = {name: statistics.median(t for t, _ in runs) for name, runs in seen.items()}
    peak = {name: max(m for _, m in runs) / 1e6 for name, runs in seen.items()}
    for name in commands:
        print(f"  {name:18} {median[name]:6.3f} s  {peak[name]:7.1f} MB")
    checks = []
    for name in ("benchstat's style", "etalon's own"):
        checks.append((f"{name}: at most 64 MB", peak[name] <= 64))
        lab.row(f"1,000,000 lines, {name}: peak memory", f"{peak[name]:.1f} MB", "≤ 64 MB", peak[name] <= 64)
    if BENCHSTAT:
        for name, least in (("benchstat's style", 5), ("etalon's own", 3)):
            # The two beside each other in a round: a machine that slows down slows both.
            factor = statistics.median(b[0] / e[0] for b, e in zip(seen["benchstat"], seen[name]))
            checks.append((f"{name}: {factor:.2f} times as fast as benchstat, at least {least}", factor >= least))
            what = f"1,000,000 lines, {name}: benchstat's time to etalon's"
            lab.row(what, f"{factor:.2f} ×", f"≥ {least} ×", factor >= least)
    else:
        print("  benchstat is not installed: go install golang.org/x/perf/cmd/benchstat@latest FAIL")
    for what, passed in checks:
        print(f"  {what} {'PASS' if passed else 'FAIL'}")
    sys.exit(0 if all(passed for _, passed in checks) and BENCHSTAT else 3)


main()
