"""Medians, ratios and intervals of pairs of other harnesses' files: makes compared.json beside expected.json.

    target/venv/bin/python tests/reference/harness_compare.py

The files are read by harness.py; what is computed of them follows docs/statistics.md with SciPy's tests and quantiles,
without etalon's code. An item is [name, metric, readings, runs, medians, ratio of medians, by default, without scatter];
the last two are [ratio, lo, hi], or null where there is no interval, or where it hangs on the order in which etalon
mixes sorted readings.
"""

import functools
import itertools
import json
import math
import statistics

import harness
import numpy as np
from scipy import stats

LEVEL = 0.95
# The scatter that is assumed between runs of unchanged programs; `--between 0` leaves it out.
ASSUMED = 0.025
# Where the harness sorts readings their order in time is lost, and with it what serial dependence does to an interval.
SORTED = ("mitata", "tinybench")
PAIRS = [
    ("pytest-benchmark/pytest-benchmark-base.json", "pytest-benchmark/pytest-benchmark-new.json"),
    ("pyperf/pyperf-base.json", "pyperf/pyperf-new.json.gz"),
    ("google-benchmark/gbench-base.json", "google-benchmark/gbench-new.json"),
    ("criterion/base", "criterion/new"),
    ("cargo-criterion/messages-base.jsonl", "cargo-criterion/messages-new.jsonl"),
    ("jmh/jmh-base.json", "jmh/jmh-new.json"),
    ("asv/results/demo-machine/0801c67a-existing-py.json", "asv/results/demo-machine/2d991268-existing-py.json"),
    ("js/mitata-thinned-base.json", "js/mitata-thinned-new.json"),
    ("js/tinybench-base.json", "js/tinybench-new.json"),
    ("js/vitest-base.json", "js/vitest-new.json"),
    ("nanobench/nanobench-base.json", "nanobench/nanobench-new.json"),
    ("perf-stat/perf-csv-base.txt", "perf-stat/perf-csv-new.txt"),
    ("gnu-time/time-v-base.txt", "gnu-time/time-v-new.txt"),
    ("bencher/bmf-base.json", "bencher/bmf-new.json"),
    (
        "github-action-benchmark/custom-smaller-base.json",
        "github-action-benchmark/custom-smaller-new.json",
    ),
]
UNITS = {"wall": "sec/op", "cpu": "cpu-sec/op", "ops/s": "ops/s"}


def dependence(values):
    """r and the effective number of readings; r = 0 where no dependence is seen."""
    n = len(values)
    ranks = stats.rankdata(values)
    about = ranks - ranks.mean()
    spread = (about**2).sum()
    if n < 3 or spread == 0:
        return 0.0, float(n)
    r1 = (about[:-1] * about[1:]).sum() / spread
    if r1 + 1 / n <= 1 / math.sqrt(n):
        return 0.0, float(n)
    r = min(max(r1 + (1 + 4 * max(r1, 0)) / n, 0), 0.98)
    return r, max(2.5, n * (1 - r) / (1 + r))


def student(df):
    return stats.t.ppf((1 + LEVEL) / 2, df)


def widening(base, new):
    (r1, e1), (r2, e2) = dependence(base), dependence(new)
    if r1 == 0 and r2 == 0:
        return 1.0
    t1, t2 = ((1 + r) / (1 - r) for r in (r1, r2))
    v1, v2 = (np.var(x, ddof=1) / len(x) for x in (base, new))
    c = math.sqrt((v1 * t1 + v2 * t2) / (v1 + v2))
    return c * student(e1 + e2 - 2) / student(len(base) + len(new) - 2)


def brunner_munzel(x, y):
    """The statistics of rows of samples without ties; positive if x tends to be larger."""
    m, n = x.shape[1], y.shape[1]
    above = x[:, :, None] > y[:, None, :]
    a, b = above.sum(axis=2), (~above).sum(axis=1)
    variance = m * a.var(axis=1, ddof=1) + n * b.var(axis=1, ddof=1)
    with np.errstate(divide="ignore"):
        return (a.sum(axis=1) - m * n / 2) / np.sqrt(variance)


@functools.cache
def deals(m, n):
    """The statistics of all ways to deal m + n places."""
    of_x = np.array(list(itertools.combinations(range(m + n), m)))
    of_y = np.array([sorted(set(range(m + n)) - set(places)) for places in of_x])
    return np.sort(brunner_munzel(of_x, of_y))


def rejected(x, y):
    m, n = len(x), len(y)
    if math.comb(m + n, m) <= 20_000:
        w, all_w = brunner_munzel(np.array([x]), np.array([y]))[0], deals(m, n)
        tail = min((all_w <= w + 1e-9).mean(), (all_w >= w - 1e-9).mean())
    else:
        with np.errstate(divide="ignore", invalid="ignore"):
            p = stats.brunnermunzel(x, y, distribution="t").pvalue
        rank = stats.mannwhitneyu(x, y, alternative="two-sided", method="exact").pvalue
        tail = max(0 if math.isnan(p) else p / 2, rank / 2, 1 / math.comb(m + n, m))
    return 2 * tail < 1 - LEVEL


def shift(base, new):
    """The shift of new against base, and the first and last difference between which no shift is rejected."""
    base, new = np.array(base), np.array(new)
    differences = np.unique(np.subtract.outer(new, base).ravel())
    middle = np.median(np.subtract.outer(new, base))
    between = (differences[:-1] + differences[1:]) / 2
    at = int(np.searchsorted(between, middle))
    below = next((i + 1 for i in range(at - 1, -1, -1) if rejected(new - between[i], base)), 0)
    over = (i for i in range(at, len(between)) if rejected(new - between[i], base))
    return middle, (differences[below], differences[next(over, len(between))])


def spread(run):
    """The robust spread of a run's readings."""
    low, high = np.percentile(run, [25, 75], method="linear")
    return (high - low) / 1.349


def compared(base, new, is_sorted):
    """Ratio, lo and hi of two lists of runs, with the assumed scatter between runs and without: the last two rows of
    the table in docs/statistics.md."""
    runs = [[[math.log(v) for v in run] for run in side] for side in (base, new)]
    flat = [[v for run in side for v in run] for side in runs]
    values = [[statistics.median(run) for run in side] for side in runs]
    d = statistics.mean(values[1]) - statistics.mean(values[0])
    n1, n2 = len(values[0]), len(values[1])
    q = [spread(run) for side in runs for run in side]
    if min(n1, n2) >= 3:
        v1, v2 = (statistics.variance(v) / len(v) for v in values)
        df = (v1 + v2) ** 2 / (v1**2 / (n1 - 1) + v2**2 / (n2 - 1))
        w = student(df) * math.sqrt(v1 + v2)
        z = stats.norm.ppf((1 + LEVEL) / 2)
        g = z * math.sqrt(2) * math.hypot(ASSUMED, statistics.median(q))
        return ends(d, -math.hypot(w, g), math.hypot(w, g)), ends(d, -w, w)
    if min(len(f) for f in flat) < 4 or is_sorted:
        return None, None
    estimate, (lo, hi) = shift(*flat)
    c = widening(*flat)
    w = c * (hi - lo) / 2
    q2 = statistics.mean(x * x for x in q)
    # Runs of one file are one stretch.
    g = student(3) * math.sqrt(ASSUMED**2 + q2) * math.sqrt(1 + 1)
    without = ends(estimate, c * (lo - estimate), c * (hi - estimate))
    return ends(d, -math.hypot(w, g), math.hypot(w, g)), without


def ends(of, lo, hi):
    return [math.exp(of + x) for x in (0, lo, hi)]


def items(base, new):
    for name, metric, first in base:
        second = next((p for n, m, p in new if (n, m) == (name, metric)), None)
        if second and metric in UNITS:
            medians = [statistics.median([v for run in side for v in run]) for side in (first, second)]
            both = compared(first, second, reader.__name__ in SORTED)
            n = [sum(len(run) for run in side) for side in (first, second)]
            yield [name, UNITS[metric], n, [len(first), len(second)], medians, medians[1] / medians[0], *both]


if __name__ == "__main__":
    harness.row = lambda name, metric, runs: (name, metric, [[v for v in r if isinstance(v, (int, float))] for r in runs])
    readers = {str(p.relative_to(harness.DATA)): r for pattern, r in harness.READERS for p in harness.DATA.glob(pattern)}
    lines = []
    for base, new in PAIRS:
        reader = readers[base]
        both = [list(reader(harness.DATA / path)) for path in (base, new)]
        lines.append(json.dumps({"base": base, "new": new, "rows": list(items(*both))}))
    (harness.DATA / "compared.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
    print(len(lines), "pairs")
