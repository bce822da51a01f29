"""Figures of other harnesses' files, read a second time: makes crates/etalon-record/tests/data/harness/expected.json.

    python3 tests/reference/harness.py

Written after the documentation of each tool and without a look at etalon's readers; the standard library only. A row
is [name, metric, processes, readings, median, sum] in base units (s, B; rates and counts as they are).
"""

import csv
import gzip
import json
import statistics
from pathlib import Path

DATA = Path(__file__).resolve().parents[2] / "crates/etalon-record/tests/data/harness"
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "msec": 1e-3}


def load(path):
    raw = path.read_bytes()
    return json.loads(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw)


def row(name, metric, processes):
    values = [v for process in processes for v in process if isinstance(v, (int, float))]
    return [name, metric, len(processes), len(values), statistics.median(values), sum(values)]


def pytest_benchmark(path):
    for b in load(path)["benchmarks"]:
        name = b["fullname"].split("::", 1)[1]
        for key, value in (b["params"] or {}).items():
            name = name.replace(f"[{b['param']}]", "") + f"/{key}={value}"
        yield row(name, "wall", [b["stats"].get("data") or [b["stats"]["median"]]])


def pyperf(path):
    d = load(path)
    for b in d["benchmarks"]:
        name = b.get("metadata", {}).get("name") or d["metadata"]["name"]
        yield row(name, "wall", [r["values"] for r in b["runs"] if "values" in r])


def google_benchmark(path):
    rows, metrics = {}, {"real_time": "wall", "cpu_time": "cpu", "size": "size"}
    metrics |= {"bytes_per_second": "B/s", "items_per_second": "items/s"}
    all_rows = load(path)["benchmarks"]
    raw = [b for b in all_rows if b["run_type"] == "iteration" and "error_occurred" not in b]
    for b in raw or [b for b in all_rows if b.get("aggregate_name") == "median"]:
        if b.get("error_occurred"):
            continue
        for key, metric in metrics.items():
            if key in b:
                scale = SECONDS[b["time_unit"]] if "time" in key else 1
                rows.setdefault((b["run_name"], metric), []).append(b[key] * scale)
    for (name, metric), values in rows.items():
        yield row(name, metric, [values])


def criterion(path):
    for sample in sorted(path.rglob("new/sample.json")):
        d, name = load(sample), load(sample.with_name("benchmark.json"))["full_id"]
        yield row(name, "wall", [[t / n * 1e-9 for t, n in zip(d["times"], d["iters"])]])


def cargo_criterion(path):
    for line in path.read_text().splitlines():
        d = json.loads(line)
        if d["reason"] == "benchmark-complete":
            pairs = zip(d["measured_values"], d["iteration_count"])
            yield row(d["id"], "wall", [[t / n * 1e-9 for t, n in pairs]])


def jmh(path):
    for b in load(path):
        name = b["benchmark"] + "".join(f"/{k}={v}" for k, v in b.get("params", {}).items())
        m = b["primaryMetric"]
        unit = m["scoreUnit"].split("/")[0]
        forks = m.get("rawData") or [
            [v for it in fork for v, n in it for _ in range(n)] for fork in m["rawDataHistogram"]
        ]
        if b["mode"] == "thrpt":
            yield row(name, m["scoreUnit"], forks)
        else:
            yield row(name, "wall", [[v * SECONDS[unit] for v in fork] for fork in forks])
        # Those of mode sample are percentiles of the same calls.
        for key, s in ({} if b["mode"] == "sample" else b["secondaryMetrics"]).items():
            yield row(name, key, s["rawData"])


def asv(path):
    d = load(path)
    metrics = {"time": "wall", "memory": "size", "peakmemory": "rss", "track": "calls"}
    declared = load(path.parents[1] / "benchmarks.json")
    for name, r in d["results"].items():
        b = declared[name]
        r = dict(zip(d["result_columns"], r))
        if r["result"] is None:
            continue
        for at, centre in enumerate(r["result"]):
            params = "".join(f"/{k}={v[at]}" for k, v in zip(b["param_names"], r["params"]))
            samples = (r.get("samples") or [None] * (at + 1))[at]
            yield row(name + params, metrics[b["type"]], [samples or [centre]])


def mitata(path):
    for b in load(path)["benchmarks"]:
        for r in b.get("runs", [b]):
            if "stats" in r:
                args = "".join(f"/{k}={v}" for k, v in r.get("args", {}).items())
                name = b.get("alias") or b["name"]
                yield row(name + args, "wall", [[v * 1e-9 for v in r["stats"]["samples"]]])


def tinybench(path):
    for t in load(path):
        if "error" not in t["result"]:
            latency = t["result"].get("latency", t["result"])
            samples = latency.get("samples") or [latency["p50"]]
            yield row(t["name"], "wall", [[v * 1e-3 for v in samples]])


def vitest(path):
    for f in load(path)["files"]:
        for g in f["groups"]:
            for b in g["benchmarks"]:
                yield row(b["name"], "wall", [[b["median"] * 1e-3]])


def nanobench(path):
    for r in load(path)["results"]:
        yield row(r["name"], "wall", [[m["elapsed"] for m in r["measurements"]]])


def perf_stat(path):
    names = {"task-clock": "cpu", "page-faults": "page_faults", "context-switches": "context_switches"}
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("{"):
            d = json.loads(line)
            value, unit, event = d["counter-value"], d["unit"], d["event"]
        else:
            value, unit, event = next(csv.reader([line], delimiter=";" if ";" in line else ","))[:3]
        if not value.startswith("<"):
            yield row("perf stat", names.get(event, event), [[float(value) * SECONDS.get(unit, 1)]])


def gnu_time(path):
    fields = dict(line.strip().rsplit(": ", 1) for line in path.read_text().splitlines())
    name = fields["Command being timed"].strip('"')
    elapsed = fields["Elapsed (wall clock) time (h:mm:ss or m:ss)"].replace("m ", ":").rstrip("s")
    minutes, seconds = elapsed.split(":")
    yield row(name, "wall", [[60 * int(minutes) + float(seconds)]])
    yield row(name, "user", [[float(fields["User time (seconds)"])]])
    yield row(name, "sys", [[float(fields["System time (seconds)"])]])
    yield row(name, "rss", [[1024 * int(fields["Maximum resident set size (kbytes)"])]])


def bencher(path):
    known = {"latency": ("wall", 1e-9), "throughput": ("ops/s", 1)}
    for name, measures in load(path).items():
        for measure, m in measures.items():
            metric, scale = known.get(measure, (measure, 1))
            yield row(name, metric, [[m["value"] * scale]])


def github_action_benchmark(path):
    text = path.read_text()
    if text.startswith("window"):
        entries = json.loads(text.split("=", 1)[1])["entries"]
        benches = [b for suite in entries.values() for entry in suite for b in entry["benches"]]
    else:
        benches = json.loads(text)
    for b in benches:
        yield row(b["name"], "wall", [[b["value"] * SECONDS[b["unit"].split("/")[0]]]])


READERS = [
    ("pytest-benchmark/*.json", pytest_benchmark),
    ("pyperf/*.json*", pyperf),
    ("nanobench/nanobench-pyperf-*.json", pyperf),
    ("google-benchmark/*.json", google_benchmark),
    ("criterion/*", criterion),
    ("cargo-criterion/*.jsonl", cargo_criterion),
    ("jmh/*.json", jmh),
    ("asv/*/*-machine/*-py.json", asv),
    ("js/mitata-*.json", mitata),
    ("js/tinybench-*.json", tinybench),
    ("js/vitest-*.json", vitest),
    ("nanobench/nanobench-[!p]*.json", nanobench),
    ("perf-stat/*.txt", perf_stat),
    ("gnu-time/*.txt", gnu_time),
    ("bencher/*.json", bencher),
    ("github-action-benchmark/*", github_action_benchmark),
]

if __name__ == "__main__":
    expected = {}
    for pattern, reader in READERS:
        for path in sorted(DATA.glob(pattern)):
            name = str(path.relative_to(DATA))
            expected[name] = {"format": reader.__name__.replace("_", "-"), "rows": list(reader(path))}
    lines = [f"{json.dumps(name)}: {json.dumps(of)}" for name, of in expected.items()]
    (DATA / "expected.json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(len(expected), "files")
