"""many: reports of thousands of benchmarks, whose time and memory have to be linear in them.

2,000 benchmarks × 6 values and 20,000 × 1, as Go's format, a record and hyperfine's JSON, from the page cache;
medians of five. Targets: 0.2 s and 40 MB, 2 s and 100 MB + 300 B a value, and no abort with 2 GB of address
space. Memory of a process that starts here is at least this one's (some 12 MB).
"""

import json
import os
import resource
import statistics
import subprocess
import sys
import time

import lab

ETALON, SCRATCH = os.environ["ETALON"], os.environ["SCRATCH"]
ROUNDS = 5
SPACE = 2_000_000 * 1024


def make(benchmarks, values):
    """The same times in three formats."""
    def readings(b):
        return [1000 + (b * 7919 + v * 104729) % 997 for v in range(values)]

    base = f"{SCRATCH}/many{benchmarks}"
    with open(f"{base}.txt", "w") as go:
        for b in range(benchmarks):
            go.writelines(f"BenchmarkB{b} 1 {ns} ns/op\n" for ns in readings(b))
    lines = [{"type": "header", "format": "etalon", "version": 1, "id": "many"},
             {"type": "metric", "name": "wall", "unit": "ns", "direction": "lower", "kind": "noisy"}]
    lines += [{"type": "benchmark", "name": f"b{b}", "command": f"b{b}"} for b in range(benchmarks)]
    lines += [{"type": "observation", "benchmark": b, "block": v, "values": {"wall": ns}}
              for b in range(benchmarks) for v, ns in enumerate(readings(b))]
    with open(f"{base}.jsonl", "w") as record:
        record.writelines(json.dumps(line) + "\n" for line in lines)
    with open(f"{base}.json", "w") as hyperfine:
        json.dump({"results": [{"command": f"b{b}", "times": [ns / 1e6 for ns in readings(b)]}
                               for b in range(benchmarks)]}, hyperfine)
    return [f"{base}{end}" for end in (".txt", ".jsonl", ".json")]


def once(arguments):
    """Wall clock and peak memory of one report."""
    begin = time.monotonic()
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (SPACE, SPACE))
    process = subprocess.Popen([ETALON, "report", *arguments], preexec_fn=limit,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"report {arguments} exits {process.returncode}")
    return time.monotonic() - begin, usage.ru_maxrss * 1024 / 1e6


def main():
    passed = True
    for benchmarks, values, seconds, size in [(2000, 6, 0.2, 40), (20_000, 1, 2.0, 106)]:
        for path in make(benchmarks, values):
            for view in ([], ["-E"], ["--json"]):
                runs = [once([path, *view]) for _ in range(ROUNDS)]
                time_, peak = statistics.median(t for t, _ in runs), max(m for _, m in runs)
                met = time_ <= seconds and peak <= size
                # The targets are the plain report's.
                verdict = ("PASS" if met else "FAIL") if not view else ""
                passed = passed and (met or bool(view))
                what = " ".join([os.path.basename(path), *view])
                print(f"  {benchmarks:6} × {values}  {what:24} {time_:5.2f} s {peak:6.1f} MB {verdict}".rstrip())
                limit = None if view else f"≤ {seconds} s, {size} MB"
                shown = f"{time_:.2f} s, {peak:.1f} MB"
                lab.row(f"report of {benchmarks:,} benchmarks × {values}, {what}", shown, limit, met)
    sys.exit(0 if passed else 3)


main()
