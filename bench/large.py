"""large: reports of unusual shapes, whose time and memory have to follow what is in them.

100,000 benchmarks × 1 value, beside what reading them takes (`convert` to another format, which writes them as
well); one observation with 100,000 metrics; 1,100 commands × 10 blocks; 5,000 rows whose values never change,
beside rows of times; keys that make a table of 12,000 × 12,000 places for 12,000 cells, which is refused. From
the page cache; medians of three. Memory of a process that starts here is at least this one's (some 12 MB).
"""

import json
import os
import random

import lab

ROUNDS = lab.count(3)
HEADER = '{"type":"header","format":"etalon","version":1,"id":"large"}\n'


def path(name):
    return os.path.join(lab.SCRATCH, name)


def metric(name, unit="ns"):
    return json.dumps({"type": "metric", "name": name, "unit": unit, "direction": "lower", "kind": "noisy"}) + "\n"


def benchmark(name):
    return json.dumps({"type": "benchmark", "name": name, "command": name}) + "\n"


def observation(benchmark, block, values):
    line = {"type": "observation", "benchmark": benchmark, "block": block, "values": values}
    return json.dumps(line, separators=(",", ":")) + "\n"


def benchmarks(count):
    with open(path("many.jsonl"), "w") as file:
        file.write(HEADER + metric("wall"))
        file.writelines(benchmark(f"b{b}") for b in range(count))
        file.writelines(observation(b, 0, {"wall": 1000 + b * 7919 % 997}) for b in range(count))
    return path("many.jsonl")


def metrics(count):
    with open(path("metrics.jsonl"), "w") as file:
        file.write(HEADER + metric("wall"))
        file.writelines(metric(f"m{m}", "count") for m in range(count))
        file.write(benchmark("b") + observation(0, 0, {"wall": 1} | {f"m{m}": m for m in range(count)}))
    return path("metrics.jsonl")


def commands(count, blocks):
    rng = random.Random(1)
    with open(path("commands.jsonl"), "w") as file:
        file.write(HEADER + metric("wall") + metric("user", "us") + metric("sys", "us") + metric("rss", "B"))
        file.writelines(benchmark(f"c{c}") for c in range(count))
        for block in range(blocks):
            for c in range(count):
                wall = int(400_000 * rng.gauss(1, 0.03))
                values = {"wall": wall, "user": wall // 1100, "sys": 0, "rss": 1_609_728}
                file.write(observation(c, block, values))
    return path("commands.jsonl")


def go(name, rows, values):
    rng = random.Random(name)
    with open(path(name), "w") as file:
        for row in range(rows):
            file.writelines(f"BenchmarkC{row} 1000 {values(rng, row)}\n" for _ in range(20))
    return path(name)


def sparse(count):
    with open(path("sparse.txt"), "w") as file:
        file.writelines(f"BenchmarkS/a={b}/b={b} 1 {1000 + b % 97} ns/op\n" for b in range(count))
    return path("sparse.txt")


def measure(what, arguments, seconds=None, megabytes=None):
    done = [lab.etalon(*arguments) for _ in range(ROUNDS)]
    figures.median(f"{what}: CPU time", [d.cpu for d in done], seconds, unit=" s")
    figures.median(f"{what}: peak memory", [d.rss / 1e6 for d in done], megabytes, 1, " MB")
    return sorted(d.cpu for d in done)[ROUNDS // 2]


figures = lab.Figures()
many = benchmarks(100_000)
reading = measure("100,000 benchmarks, read and written", ["convert", many, "--to", "go", "-o", path("out.txt"), "--force", "--quiet"])
measure("100,000 benchmarks, report", ["report", many], 3 * reading, 500)
measure("100,000 metrics of one observation", ["report", metrics(100_000)], 1)
measure("1,100 commands", ["report", commands(1100, 10)], 1, 60)
times = [go(name, 5000, lambda rng, row: f"{10 * 1.002**row * rng.gauss(1, 0.02):.2f} ns/op") for name in ("t0", "t1")]
sizes = [go(name, 5000, lambda rng, row: "64 B/op") for name in ("s0", "s1")]
noisy = measure("5,000 rows of times", ["compare", *times])
measure("5,000 rows of constants", ["compare", *sizes], noisy)
refused = [lab.execute([lab.ETALON, "compare", sparse(12_000), "--row", "/a", "--col", "/b"]) for _ in range(ROUNDS)]
assert all(d.code == 2 for d in refused)
figures.median("12,000 × 12,000 places, refused: peak memory", [d.rss / 1e6 for d in refused], 100, 1, " MB")
figures.end()
