#!/usr/bin/env python3
"""Reference values for etalon-core's statistics, from SciPy, diptest and slow obvious definitions.

    python3 -m venv VENV && VENV/bin/pip install -r requirements.txt
    VENV/bin/python generate.py            writes the *.json beside this file
    VENV/bin/python generate.py --check    regenerates in memory and compares (exit 1 if different)

The files are generated, never edited. Floats are written by `repr`, so every bit survives. What SciPy
computes is taken from SciPy; what it does not have exactly (ties, zeros, critical values) is computed
here by enumeration or with Python's unbounded integers, in another way than the Rust code does it.
Rust tests: crates/etalon-core/tests/public/stats/.
"""

import decimal
import itertools
import json
import math
import statistics
import sys
from fractions import Fraction
from pathlib import Path

import diptest
import numpy as np
from scipy import integrate, optimize, stats

HERE = Path(__file__).parent
TOLERANCE = 1e-9
LEVELS = [0.5, 0.9, 0.95, 0.99, 0.999]
ALTERNATIVES = ["two-sided", "less", "greater"]


# --- samples ------------------------------------------------------------------------------------

SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 20, 25, 26, 30, 50, 51, 60, 200]


def samples():
    """Named samples in "time order": every shape at every size, and the awkward ones."""
    rng = np.random.default_rng(20260601)
    made = {}
    for n in SIZES:
        made[f"normal-{n}"] = rng.normal(0.3, 1, n)
        made[f"lognormal-{n}"] = rng.lognormal(-2, 0.5, n)
        made[f"ties-{n}"] = np.round(rng.normal(0.2, 1, n), 1)
        made[f"heavy-ties-{n}"] = rng.integers(1, 4, n).astype(float)
        made[f"zeros-{n}"] = rng.integers(-2, 4, n).astype(float)
    made["normal-500"] = rng.normal(10, 0.01, 500)
    made["drift-40"] = np.arange(40) * 0.01 + rng.normal(0, 0.05, 40)
    made["drift-and-spike-40"] = made["drift-40"].copy()
    made["drift-and-spike-40"][17] = 1e6
    made["extreme-30"] = 10.0 ** rng.uniform(-300, 300, 30)
    made["extreme-signed-31"] = 10.0 ** rng.uniform(-300, 300, 31) * rng.choice([-1, 1], 31)
    made["constant-12"] = np.full(12, 0.1)
    made["constant-40"] = np.full(40, 0.1)
    made["all-zero-9"] = np.zeros(9)
    made["all-zero-30"] = np.zeros(30)
    made["one-apart-30"] = np.array([1.0] * 29 + [2.0])
    made["high-8"] = rng.normal(100, 1, 8)
    made["high-60"] = rng.normal(100, 1, 60)
    made["near-equal-20"] = 1e6 + rng.normal(0, 1e-3, 20)
    return {name: [float(v) + 0.0 for v in values] for name, values in made.items()}


SAMPLES = samples()


def of_size(*sizes):
    shapes = ["normal", "lognormal", "ties", "heavy-ties", "zeros"]
    return [f"{shape}-{n}" for n in sizes for shape in shapes]


SPECIAL = [name for name in SAMPLES if name not in of_size(*SIZES)]


# --- one sample ---------------------------------------------------------------------------------


def half_sample_mode(values):
    """Bickel & Frühwirth (2006), every window tried, the lowest of equally narrow ones."""
    x = sorted(values)
    if len(x) == 1:
        return x[0]
    if len(x) == 2:
        return (x[0] + x[1]) / 2
    if len(x) == 3:
        left, right = x[1] - x[0], x[2] - x[1]
        return x[1] if left == right else (x[0] + x[1]) / 2 if left < right else (x[1] + x[2]) / 2
    half = math.ceil(len(x) / 2)
    widths = [x[j + half - 1] - x[j] for j in range(len(x) - half + 1)]
    j = widths.index(min(widths))
    return half_sample_mode(x[j : j + half])


def lag1(values):
    """None where the variance is 0. Fractions: no rounding, no overflow."""
    x = [Fraction(v) for v in values]
    if len(x) < 3 or len(set(x)) == 1:
        return None
    mean = sum(x) / len(x)
    above = sum((a - mean) * (b - mean) for a, b in zip(x, x[1:]))
    return float(above / sum((a - mean) ** 2 for a in x))


def describe():
    cases = []
    for name, values in SAMPLES.items():
        positive = all(v > 0 for v in values)
        cases.append({
            "sample": name,
            "mean": float(sum(map(Fraction, values)) / len(values)),
            "stddev": statistics.stdev(map(Fraction, values)) if len(values) > 1 else None,
            "geometric_mean": float(stats.gmean(values)) if positive else None,
            "quantiles": [float(np.quantile(values, q)) for q in QUANTILES],
            "mode": half_sample_mode(values) if len(values) >= 10 else None,
            "lag1": lag1(values),
            "rank_lag1": lag1(stats.rankdata(values).tolist()),
        })
    return {"quantile_levels": QUANTILES, "cases": cases}


QUANTILES = [0.0, 0.01, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0]


def median_cut(n, level):
    """How many order statistics go at each end, from scipy.stats.binom; None if none may stay out."""
    k = np.arange(0, n // 2 + 1) if n <= 20_000 else np.arange(n // 2 - 10 * math.isqrt(n), n // 2)
    covered = 1 - 2 * stats.binom.cdf(k, n, 0.5) >= level
    return int(k[covered][-1]) if covered.any() else None


def median_intervals():
    sizes = list(range(1, 61)) + [100, 999, 1000, 1001, 1002, 1500, 5000, 12345, 100_000, 2_000_000]
    return [{"n": n, "cuts": [median_cut(n, level) for level in LEVELS]} for n in sizes]


# --- signed rank --------------------------------------------------------------------------------


def sign_flip_sums(ranks):
    """The sums of all 2^n subsets, every one of them written out."""
    halves = [np.zeros(1), np.zeros(1)]
    for i, rank in enumerate(ranks):
        halves[i % 2] = np.concatenate([halves[i % 2], halves[i % 2] + rank])
    return np.add.outer(halves[0], halves[1]).ravel()


def signed_rank_p(values, alternative):
    """(T+, p): enumeration to n = 25, beyond scipy.stats.wilcoxon's corrected approximation."""
    d = np.array(values)
    ranks = stats.rankdata(np.abs(d))
    positive = float(ranks[d > 0].sum())
    if not d.any():
        return positive, 1.0
    if len(d) <= 25:
        sums = sign_flip_sums(ranks[d != 0])
        less, greater = np.mean(sums <= positive), np.mean(sums >= positive)
        p = {"less": less, "greater": greater, "two-sided": min(1, 2 * min(less, greater))}
        return positive, float(p[alternative])
    test = stats.wilcoxon(d, zero_method="pratt", correction=True, alternative=alternative, method="asymptotic")
    return positive, float(test.pvalue)


def signed_rank():
    cases = []
    for name in of_size(1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 20, 26, 30, 50, 51, 60, 200) + SPECIAL + ["zeros-25"]:
        results = [signed_rank_p(SAMPLES[name], alternative) for alternative in ALTERNATIVES]
        cases.append({"sample": name, "statistic": results[0][0], "p": [p for _, p in results]})
        untied = len(set(map(abs, SAMPLES[name]))) == len(SAMPLES[name]) <= 25 and 0 not in SAMPLES[name]
        if untied:  # the enumeration above is checked against SciPy's exact method
            theirs = stats.wilcoxon(SAMPLES[name], method="exact").pvalue
            assert math.isclose(theirs, results[0][1], rel_tol=1e-12), name
    return cases


def signed_blocks():
    """(T+, p) of differences of which each block holds several: SciPy flips the signs of whole blocks' rank sums."""
    cases = []
    for name, each in itertools.product(of_size(8, 10, 20, 26, 60) + ["all-zero-30"], [2, 3, 4]):
        d = np.array(SAMPLES[name])
        blocks = len(d) // each
        d = d[: blocks * each]
        signed = np.sign(d) * stats.rankdata(np.abs(d))
        sums = signed.reshape(blocks, each).sum(axis=1)
        results = []
        for alternative in ALTERNATIVES:
            if not sums.any():
                results.append(1.0)
            elif blocks <= 12:
                test = stats.permutation_test(
                    (sums,), np.sum, permutation_type="samples", n_resamples=np.inf, alternative=alternative
                )
                results.append(float(test.pvalue))
            elif blocks <= 25:
                positive = np.abs(sums)[sums > 0].sum()
                flips = sign_flip_sums(np.abs(sums))
                less, greater = float(np.mean(flips <= positive)), float(np.mean(flips >= positive))
                p = {"less": less, "greater": greater, "two-sided": min(1.0, 2 * min(less, greater))}
                results.append(p[alternative])
            else:
                half, sd = sums.sum() / 2, math.sqrt((sums**2).sum()) / 2
                tails = {
                    "less": stats.norm.sf((-half - 0.5) / sd),
                    "greater": stats.norm.sf((half - 0.5) / sd),
                    "two-sided": min(1.0, 2 * stats.norm.sf((abs(half) - 0.5) / sd)),
                }
                results.append(float(tails[alternative]))
        statistic = float(signed[signed > 0].sum())
        cases.append({"sample": name, "each": each, "statistic": statistic, "p": results})
    return cases


def largest_cut(tail_counts, total, level):
    """The largest c with 1 - 2 P(S <= c) >= level, in whole numbers."""
    below, cut = 0, None
    for c, count in enumerate(tail_counts):
        below += count
        if 1 - 2 * (below / total) < level:
            return cut
        cut = c
    return cut


def normal_cut(mean, sd, level):
    for c in range(math.ceil(mean), -1, -1):
        if 1 - 2 * stats.norm.cdf((c + 0.5 - mean) / sd) >= level:
            return c
    return None


def signed_rank_cut(n, level):
    if n <= 25:
        counts = {0: 1}
        for rank in range(1, n + 1):
            moved = {s + rank: c for s, c in counts.items()}
            counts = {s: counts.get(s, 0) + moved.get(s, 0) for s in counts.keys() | moved.keys()}
        return largest_cut([counts[s] for s in sorted(counts)], 2**n, level)
    return normal_cut(n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24), level)


# --- dependence ---------------------------------------------------------------------------------


def autocorrelation(values):
    """The autocorrelation r behind r1 of the ranks, or None where it is not above what chance shows."""
    n, r1 = len(values), lag1(stats.rankdata(values).tolist())
    if r1 is None or r1 + 1 / n <= 1 / math.sqrt(n):
        return None
    return min(0.98, max(0.0, r1 + (1 + 4 * max(r1, 0)) / n))


def worth(n, r):
    return n if r is None else max(2.5, n * (1 - r) / (1 + r))


def inflation(r):
    return 1.0 if r is None else (1 + r) / (1 - r)


def stretches():
    """How many times as far from the estimate limits lie, with TAIL beyond each."""
    rng = np.random.default_rng(20261122)
    series = {}
    for n, phi in itertools.product([4, 7, 10, 30, 100], [0.0, 0.5, 0.9]):
        x = [rng.normal()]
        for _ in range(n - 1):
            x.append(phi * x[-1] + rng.normal())
        series[f"{n} {phi}"] = [float(v) for v in x]
    t = lambda tail, df: float(stats.t.ppf(tail, df))
    one, two = [], []
    for values in series.values():
        n, r = len(values), autocorrelation(values)
        factors = [math.sqrt(inflation(r)) * t(tail, worth(n, r) - 1) / t(tail, n - 1) for tail in TAILS]
        one.append({"values": values, "factors": None if r is None else factors})
    for a, b in itertools.islice(itertools.product(series.values(), repeat=2), 0, None, 7):
        m, n, q, r = len(a), len(b), autocorrelation(a), autocorrelation(b)
        v, w = float(np.var(a, ddof=1)) / m, float(np.var(b, ddof=1)) / n
        root = math.sqrt((v * inflation(q) + w * inflation(r)) / (v + w))
        df = worth(m, q) + worth(n, r) - 2
        factors = [root * t(tail, df) / t(tail, m + n - 2) for tail in TAILS]
        two.append({"x": a, "y": b, "factors": None if q is None and r is None else factors})
    return {"tails": TAILS, "one": one, "two": two}


TAILS = [0.25, 0.025, 0.001]


# --- shares -------------------------------------------------------------------------------------


def shares():
    upper = [
        {"found": k, "n": n, "level": level, "share": float(stats.beta.ppf(level, k + 1, n - k))}
        for n in [1, 3, 10, 60, 99, 1000]
        for k in [0, 1, 2, 7, 55]
        for level in [0.5, 0.95]
        if k < n
    ]
    fisher = [
        {"found": [a, b], "of": [m, n], "p": float(stats.fisher_exact([[a, b], [m - a, n - b]], "greater").pvalue)}
        for m, n in [(10, 20), (20, 10), (7, 300), (500, 40), (3, 3)]
        for a, b in [(0, 0), (3, 0), (3, 1), (1, 3), (7, 5), (2, 2)]
        if a <= m and b <= n
    ]
    return {"upper": upper, "fisher": fisher}


# --- spending -----------------------------------------------------------------------------------

GRID = 2001
FIRST_SHARE, DECAY = 0.1, 0.9


def boundaries(looks, alpha):
    """|z| at each look: densities on both sides of 0, on even grids, by Simpson's rule."""
    found, density, at, before = [], None, None, 0
    for j, blocks in enumerate(looks):
        share, step = alpha * FIRST_SHARE * DECAY**j, math.sqrt(blocks - before)
        if density is None:
            limit = -stats.norm.ppf(share / 2) * step
        else:

            def tail(y):
                beyond = stats.norm.sf((y - at) / step) + stats.norm.sf((y + at) / step)
                return integrate.simpson(density * beyond, x=at)

            farthest = -stats.norm.ppf(share / 2) * math.sqrt(blocks)
            limit = optimize.brentq(lambda y: tail(y) / share - 1, 0, farthest * (1 + 1e-12), xtol=1e-13, rtol=1e-15)
        found.append(limit / math.sqrt(blocks))
        to = np.linspace(-limit, limit, GRID)
        if density is None:
            density = stats.norm.pdf(to, scale=step)
        else:
            kernel = stats.norm.pdf(to[:, None] - at[None, :], scale=step)
            density = integrate.simpson(kernel * density, x=at, axis=1)
        at, before = to, blocks
    return found


def crossed(looks, limits):
    """P(any |z| beyond its limit), as one integral over all looks: SciPy's multivariate normal."""
    times = np.array(looks, dtype=float)
    covariance = np.sqrt(np.minimum.outer(times, times) / np.maximum.outer(times, times))
    inside = stats.multivariate_normal(cov=covariance, seed=1, maxpts=2_000_000, abseps=1e-7, releps=1e-7)
    return 1 - inside.cdf(np.array(limits), lower_limit=-np.array(limits))


def spending():
    grown = [round(10 * 1.2**j) for j in range(20)]
    earlier = [10, 15, 23, 34, 51, 76, 114]
    schedules = [[1], [7], [10, 12], [10, 1000], grown[:3], grown[:4], grown, earlier, grown[:9] + [44], [7, 8, 9, 10, 11, 50]]
    cases = []
    for looks in schedules:
        for alpha in [1.0, 0.2, 0.1, 0.05, 0.01, 0.001, 0.05 / 190]:
            limits = boundaries(looks, alpha)
            if len(looks) <= 4:
                spent = alpha * sum(FIRST_SHARE * DECAY**j for j in range(len(looks)))
                assert abs(crossed(looks, limits) - spent) < 1e-6, (looks, alpha)
            cases.append({"looks": looks, "alpha": alpha, "level": 2 * float(stats.norm.sf(limits[-1]))})
    return cases


# --- Mann-Whitney -------------------------------------------------------------------------------


def dealt_sums(ranks, m):
    """P(S <= s) and P(S >= s) of the sum of m of the ranks, as functions."""
    doubled = [int(2 * r) for r in ranks]
    if math.comb(len(ranks), m) <= 200_000:
        sums = np.array([sum(c) for c in itertools.combinations(doubled, m)])
        return lambda s: (float(np.mean(sums <= 2 * s)), float(np.mean(sums >= 2 * s)))
    counts = {(0, 0): 1}  # too many to write out: Python's integers, keyed by (taken, sum)
    for rank in doubled:
        for (taken, total), count in list(counts.items()):
            if taken < m:
                key = (taken + 1, total + rank)
                counts[key] = counts.get(key, 0) + count
    full = {s: c for (taken, s), c in counts.items() if taken == m}
    everything = math.comb(len(ranks), m)
    return lambda s: (
        sum(c for t, c in full.items() if t <= 2 * s) / everything,
        sum(c for t, c in full.items() if t >= 2 * s) / everything,
    )


def mann_whitney_p(x, y):
    """U and p for the three alternatives, by the rule stated in mann_whitney.rs."""
    pooled = x + y
    tied = len(set(pooled)) < len(pooled)
    u = float(sum((a > b) + 0.5 * (a == b) for a in x for b in y))
    if len(set(pooled)) == 1:
        return u, [1.0, 1.0, 1.0]
    if tied and len(x) * len(y) <= 625:
        ranks = stats.rankdata(pooled)
        less, greater = dealt_sums(ranks, len(x))(ranks[: len(x)].sum())
        return u, [min(1.0, 2 * min(less, greater)), less, greater]
    method = "exact" if not tied and len(x) * len(y) <= 2500 else "asymptotic"
    tests = [stats.mannwhitneyu(x, y, alternative=a, method=method) for a in ALTERNATIVES]
    assert all(t.statistic == u for t in tests)
    return u, [float(t.pvalue) for t in tests]


PAIRINGS = [
    (f"{a}-{m}", f"{b}-{n}")
    for a, b in [("normal", "lognormal"), ("ties", "normal"), ("ties", "zeros"), ("heavy-ties", "zeros")]
    for m, n in [(1, 1), (1, 5), (2, 3), (3, 3), (4, 5), (6, 6), (8, 7), (7, 20), (20, 7), (10, 200), (50, 50), (51, 50), (60, 200)]
] + [
    ("heavy-ties-25", "zeros-25"), ("ties-26", "ties-25"), ("ties-25", "ties-20"), ("normal-20", "high-8"),
    ("high-8", "lognormal-10"), ("high-60", "normal-60"), ("normal-200", "high-60"), ("normal-500", "high-60"),
    ("constant-12", "constant-12"), ("constant-40", "constant-40"), ("constant-12", "one-apart-30"),
    ("constant-40", "one-apart-30"), ("extreme-30", "extreme-signed-31"), ("near-equal-20", "high-8"),
    ("all-zero-30", "heavy-ties-30"), ("drift-40", "drift-and-spike-40"), ("normal-3", "normal-200"),
]


def mann_whitney():
    cases = []
    for x, y in PAIRINGS:
        u, p = mann_whitney_p(SAMPLES[x], SAMPLES[y])
        cases.append({"x": x, "y": y, "statistic": u, "p": p})
    return cases


# --- Brunner-Munzel -----------------------------------------------------------------------------


def doubled_statistic(x, y):
    """The sign and the square of W, exactly; the square is infinite where variance is 0 and the sign is not."""
    a = [sum(2 * (v > w) + (v == w) for w in y) for v in x]
    b = [sum(2 * (v > w) + (v == w) for w in x) for v in y]

    def scaled_variance(of):
        n, total = len(of), sum(of)
        return Fraction(n * sum(v * v for v in of) - total * total, n - 1) if n > 1 else Fraction(0)

    above, variance = sum(a) - len(x) * len(y), scaled_variance(a) + scaled_variance(b)
    if variance == 0:
        return above and math.copysign(math.inf, above)
    return (1 if above >= 0 else -1) * Fraction(above * above) / variance


def brunner_munzel_p(x, y):
    """W, p for the three alternatives, and whether p is exact, by the rule stated in brunner_munzel.rs."""
    m, n = len(x), len(y)
    signed = doubled_statistic(x, y)
    statistic = None if signed in (math.inf, -math.inf) else math.copysign(math.sqrt(abs(signed)), signed)
    deals = math.comb(m + n, m)
    if deals <= 20_000 or min(m, n) == 1:
        # Ranks are whole numbers of halves, and all that counts.
        pooled = [int(r) for r in 2 * stats.rankdata(x + y)]
        of = [
            doubled_statistic([pooled[i] for i in c], [v for i, v in enumerate(pooled) if i not in c])
            for c in map(frozenset, itertools.combinations(range(m + n), m))
        ]
        less, greater = sum(s <= signed for s in of) / deals, sum(s >= signed for s in of) / deals
        return statistic, [min(1.0, 2 * min(less, greater)), less, greater], True
    if len(set(x + y)) == 1:
        return statistic, [1.0, 1.0, 1.0], False
    if statistic is None:
        less, greater = (0.0, 1.0) if signed < 0 else (1.0, 0.0)
    else:
        tests = {a: stats.brunnermunzel(x, y, alternative=a) for a in ALTERNATIVES}
        assert math.isclose(-tests["less"].statistic, statistic, rel_tol=1e-9, abs_tol=1e-12)
        less, greater = float(tests["less"].pvalue), float(tests["greater"].pvalue)
        assert math.isclose(tests["two-sided"].pvalue, 2 * min(less, greater), rel_tol=1e-9)
    _, (_, mw_less, mw_greater) = mann_whitney_p(x, y)
    less, greater = max(less, mw_less, 1 / deals), max(greater, mw_greater, 1 / deals)
    return statistic, [min(1.0, 2 * min(less, greater)), less, greater], False


def brunner_munzel():
    cases = []
    for x, y in PAIRINGS:
        statistic, p, exact = brunner_munzel_p(SAMPLES[x], SAMPLES[y])
        cases.append({"x": x, "y": y, "statistic": statistic, "p": p, "exact": exact})
    return cases


def critical():
    return {
        "signed_rank": [
            {"n": n, "cuts": [signed_rank_cut(n, level) for level in LEVELS]}
            for n in [*range(1, 61), 100, 1000]
        ],
    }


# --- shifts, equivalence, superiority -----------------------------------------------------------


def shift_of(values, cut):
    values = np.sort(values)
    if cut is None:
        return {"estimate": float(np.median(values)), "lo": None, "hi": None}
    ends = float(values[cut]), float(values[len(values) - 1 - cut])
    return {"estimate": float(np.median(values)), "lo": ends[0], "hi": ends[1]}


def shifts():
    one, two = [], []
    for name in [*of_size(*SIZES), *SPECIAL]:
        x = np.array(SAMPLES[name])
        i, j = np.triu_indices(len(x))
        one.append({"sample": name} | shift_of(x[i] / 2 + x[j] / 2, signed_rank_cut(len(x), 0.95)))
    for first, second in PAIRINGS:
        x, y = np.array(SAMPLES[first]), np.array(SAMPLES[second])
        estimate = float(np.median(np.subtract.outer(x, y)))
        two.append({"x": first, "y": second, "estimate": estimate})
    return {"level": 0.95, "one_sample": one, "two_sample": two}


def equivalence():
    bounds = [(-0.25, 0.25), (-1.0, 2.0), (-0.01, 0.5)]
    paired, independent = [], []
    for name in of_size(2, 6, 13, 20, 30, 60, 200):
        d = np.array(SAMPLES[name])
        p = [max(signed_rank_p(d - lo, "greater")[1], signed_rank_p(d - hi, "less")[1]) for lo, hi in bounds]
        paired.append({"sample": name, "p": p})
    for x, y in PAIRINGS[: 4 * 13]:
        a, b = np.array(SAMPLES[x]), SAMPLES[y]
        p = [
            max(brunner_munzel_p((a - lo).tolist(), b)[1][2], brunner_munzel_p((a - hi).tolist(), b)[1][1])
            for lo, hi in bounds
        ]
        independent.append({"x": x, "y": y, "p": p})
    return {"bounds": bounds, "paired": paired, "independent": independent}


def superiority():
    cases = []
    for x, y in PAIRINGS:
        a, b = SAMPLES[x], SAMPLES[y]
        points = [(v < w) + 0.5 * (v == w) for v in a for w in b]
        within = [(v < w) + 0.5 * (v == w) for v, w in zip(a, b)]
        cases.append({
            "x": x, "y": y,
            "independent": sum(points) / len(points),
            "paired": sum(within) / len(within),
        })
    return cases


# --- corrections and the normal distribution ----------------------------------------------------


def holm(p):
    """By closed testing: a hypothesis falls when Bonferroni rejects every intersection it is in."""
    adjusted = [0.0] * len(p)
    for size in range(1, len(p) + 1):
        for subset in itertools.combinations(range(len(p)), size):
            of_subset = min(1.0, size * min(p[i] for i in subset))
            for i in subset:
                adjusted[i] = max(adjusted[i], of_subset)
    return adjusted


def corrections():
    rng = np.random.default_rng(7)
    families = [[0.03], [0.5, 0.5], [0.01, 0.04, 0.03, 0.005], [0.0, 1.0, 0.05], [1e-300, 1e-12, 0.9]]
    families += [np.round(rng.uniform(0, 0.2, k) ** 2, 3).tolist() for k in range(1, 13)]
    return [
        {"p": p, "holm": holm(p), "bh": stats.false_discovery_control(p, method="bh").tolist()}
        for p in families
    ]


def normal():
    z = np.concatenate([np.arange(-8, 37.3, 0.125), [1e-10, 0.001, 1.959963984540054]])
    p = [1e-300, 1e-100, 1e-20, 1e-9, 1e-4, 0.001, 0.005, 0.025, 0.05, 0.1, 0.25, 0.4, 0.499, 0.5]
    p += [0.501, 0.6, 0.75, 0.9, 0.95, 0.975, 0.99, 0.995, 0.9999, 1 - 1e-9, 1 - 1e-12]
    return {
        "sf": [[float(v), float(stats.norm.sf(v))] for v in z],
        "quantile": [[v, float(stats.norm.ppf(v))] for v in p],
    }


# --- shape of a distribution --------------------------------------------------------------------

PERCENTILES = [0.0, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0]


def uniforms(seed, count):
    """SplitMix64 at the places 1, 2, …: in [0, 1), 53 bits. Rust makes the same bits from the recipe."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(11)).astype(float) * 2.0**-53


def bell(seed, n):
    """Nearly normal: twelve uniforms added in order, less 6. Only operations that every machine rounds alike."""
    u = uniforms(seed, 12 * n).reshape(n, 12)
    total = np.zeros(n)
    for i in range(12):
        total = total + u[:, i]
    return total - 6.0


def product(seed, n):
    """Skew to the right, nearly lognormal."""
    u = uniforms(seed, 8 * n).reshape(n, 8)
    total = np.ones(n)
    for i in range(8):
        total = total * (0.5 + u[:, i])
    return total


def spike(seed, n):
    values = bell(seed, n) * 0.01 + 1.0
    values[n // 2] = 1e6
    return values


RECIPES = {
    "bell": bell,
    "product": product,
    "uniform": uniforms,
    "heavy": lambda seed, n: 1.0 / (1.0 - uniforms(seed, n)),
    "ties": lambda seed, n: np.floor(bell(seed, n) * 4.0) / 4.0,
    "ticks": lambda seed, n: np.floor(bell(seed, n) * 1.5) * 0.004 + 0.1,
    "two": lambda seed, n: bell(seed, n) + np.floor(uniforms(seed + 1, n) + 0.3) * 10.0,
    "spike": spike,
    "huge": lambda seed, n: bell(seed, n) * 2.0**1020,
    "tiny": lambda seed, n: bell(seed, n) * 2.0**-1000,
    "near": lambda seed, n: bell(seed, n) * 1e-3 + 1e6,
}


def recipes():
    sizes = [1, 3, 4, 5, 7, 8, 9, 12, 19, 20, 21, 50, 99, 100, 500]
    made = [(kind, n) for kind in RECIPES for n in sizes]
    made += [(kind, n) for kind in ["bell", "product", "ties", "heavy"] for n in [5000, 100_000]]
    return made + [("bell", 1_000_000), ("product", 1_000_000)]


def centred(values):
    """Scaled by a power of two and moved to their median: the statistics below do not notice, SciPy's
    mean and variance do not overflow or lose the digits of near-equal values."""
    x = np.array(values)
    x = np.ldexp(x, -int(np.frexp(np.abs(x).max())[1]))
    return x - np.median(x)


def exact_moments(values):
    x = [Fraction(v) for v in values]
    mean = sum(x) / len(x)
    return [sum((v - mean) ** r for v in x) / len(x) for r in (2, 3, 4)]


def exact_shape(values):
    """G1 and G2 from fractions, rounded at the end."""
    n, (m2, m3, m4) = len(values), exact_moments(values)
    g1 = math.sqrt(m3**2 / m2**3) * (1 if m3 > 0 else -1)
    g2 = m4 / m2**2 - 3
    skew = g1 * math.sqrt(n * (n - 1)) / (n - 2) if n >= 3 else None
    kurtosis = float(Fraction(n - 1, (n - 2) * (n - 3)) * ((n + 1) * g2 + 6)) if n >= 4 else None
    return skew, kurtosis


def shape(values):
    if len(set(values)) == 1 or len(values) < 3:
        return None, None
    y = centred(values)
    theirs = stats.skew(y, bias=False), stats.kurtosis(y, bias=False) if len(y) >= 4 else None
    if len(y) > 500:
        return tuple(map(float, theirs))
    ours = exact_shape(values)
    for a, b in zip(ours, theirs):  # SciPy gives up (nan) where the spread is small against the mean
        assert a is None or math.isnan(b) or math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9), (a, b, values)
    return ours


def normality(values):
    """(A squared, p): SciPy's statistic; p by D'Agostino & Stephens (1986), Table 4.9, which ends at 10."""
    n = len(values)
    if n < 8 or len(set(values)) == 1:
        return None, None
    statistic = float(stats.anderson(centred(values), method="interpolate").statistic)
    a = min(statistic * (1 + 0.75 / n + 2.25 / n**2), 10.0)
    pieces = [
        (0.2, lambda: -math.expm1(-13.436 + 101.14 * a - 223.73 * a**2)),
        (0.34, lambda: -math.expm1(-8.318 + 42.796 * a - 59.938 * a**2)),
        (0.6, lambda: math.exp(0.9177 - 4.279 * a - 1.38 * a**2)),
        (math.inf, lambda: math.exp(1.2937 - 5.709 * a + 0.0186 * a**2)),
    ]
    return statistic, next(p() for end, p in pieces if a <= end)


def all_samples():
    """What to look a sample up by, and its values."""
    named = [({"sample": name}, values) for name, values in SAMPLES.items()]
    for i, (kind, n) in enumerate(recipes()):
        seed = 1000 * i
        values = [float(v) + 0.0 for v in RECIPES[kind](seed, n)]
        named.append(({"recipe": kind, "seed": seed, "n": n}, values))
    return named


def distribution():
    cases = []
    for source, values in all_samples():
        (skew, kurtosis), (statistic, p) = shape(values), normality(values)
        cases.append(source | {
            "anderson_darling": statistic, "p": p, "skewness": skew, "excess_kurtosis": kurtosis,
            "quantiles": [float(np.quantile(values, q)) for q in PERCENTILES],
        })
    return {"quantile_levels": PERCENTILES, "cases": cases}


# --- Hartigan's dip -----------------------------------------------------------------------------


def dips():
    """By the diptest package, which wraps Hartigan's own algorithm as R has it; it multiplies, so that huge values are
    made smaller by a power of two, which changes no dip."""
    made = []
    for source, values in all_samples():
        if len(values) >= 10:
            scale = 2.0 ** -512 if np.max(np.abs(values)) > 1e150 else 1.0
            made.append(source | {"dip": float(diptest.dipstat(np.array(values) * scale))})
    return made


# --- Student's t, Welch's test, Tukey's fences --------------------------------------------------


def student_t():
    freedoms = [1, 1.5, 2, 2.9, 3, 4.25, 7, 10, 18.7, 29, 30.5, 99, 1000.25, 1e4, 123456.7, 1e6]
    places = [0.0, 0.001,  # at 1e-8 SciPy 1.17 is off by 3e-9
              0.1, 0.5, 0.99, 1.0, 1.2, 1.5, 1.7, 1.75, 1.9, 2.5, 4.0, 8.0, 20.0, 37.0, 100.0, 1e3]
    tails = [1e-100, 1e-20,  # at 1e-300 SciPy 1.17 answers inf
             1e-9, 1e-4, 0.001, 0.005, 0.025, 0.05, 0.1, 0.25, 0.4]
    return {
        "sf": [[t, df, float(stats.t.sf(t, df))] for df in freedoms for t in places],
        "quantile": [[p, df, float(stats.t.ppf(p, df))] for df in freedoms for p in tails],
    }


def chi_square():
    groups = [2, 3, 4, 5, 7, 10, 20, 50, 200, 1000]
    shares = [0.0, 0.01, 0.3, 0.8, 1.0, 1.2, 2.0, 3.0, 6.0, 20.0]
    freedoms = [k / (math.pi - 2) for k in groups]
    cases = [[share * df, df, float(stats.chi2.sf(share * df, df))] for df in freedoms for share in shares]
    return [case for case in cases if case[2] > 1e-300]


def mean_variance(values):
    """Exact; the variance with n - 1."""
    x = [Fraction(v) for v in values]
    mean = sum(x) / len(x)
    return mean, sum((v - mean) ** 2 for v in x) / (len(x) - 1)


def root(fraction):
    """The square root of what may be too large or too small for a double."""
    with decimal.localcontext(prec=60):
        return float((decimal.Decimal(fraction.numerator) / decimal.Decimal(fraction.denominator)).sqrt())


def number(fraction):
    """None where a double ends."""
    return float(fraction) if abs(fraction) <= sys.float_info.max else None


def signed_root(numerator, squared):
    """numerator / sqrt(squared)"""
    return math.copysign(root(numerator**2 / squared), numerator)


WELCH_LEVEL = 0.95


def welch(a, b):
    """From exact fractions; SciPy's t distribution. None where neither side varies."""
    (mean_a, var_a), (mean_b, var_b) = mean_variance(a), mean_variance(b)
    m, n = len(a), len(b)
    difference = mean_a - mean_b
    if var_a + var_b == 0:
        return {"lacking": "no spread" if difference == 0 else "no spread within"}
    v, w = var_a / m, var_b / n
    t = signed_root(difference, v + w)
    df = float((v + w) ** 2 / (v**2 / (m - 1) + w**2 / (n - 1)))
    half = -stats.t.ppf((1 - WELCH_LEVEL) / 2, df) * root(v + w)
    ends = [Fraction(difference - Fraction(half)), Fraction(difference + Fraction(half))]
    made = {
        "mean_a": float(mean_a), "mean_b": float(mean_b), "difference": number(difference),
        "t": t, "df": df, "p": float(2 * stats.t.sf(abs(t), df)), "half_width": half,
        "lo": number(ends[0]), "hi": number(ends[1]),
        "d": signed_root(difference, ((m - 1) * var_a + (n - 1) * var_b) / (m + n - 2)),
    }
    scale = max(map(abs, a + b))
    x, y = (np.array([float(Fraction(v) / Fraction(scale)) for v in side]) for side in (a, b))
    if min(np.ptp(x), np.ptp(y)) > 1e-3:  # where SciPy loses no digits it must agree
        theirs = stats.ttest_ind(x, y, equal_var=False)
        ends = theirs.confidence_interval(WELCH_LEVEL)
        ours = [t, df, made["p"], half / scale]
        for mine, other in zip(ours, [theirs.statistic, theirs.df, theirs.pvalue, (ends.high - ends.low) / 2]):
            assert math.isclose(mine, other, rel_tol=1e-9, abs_tol=1e-12), (made, theirs)
    return made


def mean_interval(values):
    mean, variance = mean_variance(values)
    if variance == 0:
        return {"lo": None, "hi": None}
    half = -stats.t.ppf((1 - WELCH_LEVEL) / 2, len(values) - 1) * root(variance / len(values))
    return {"lo": number(mean - Fraction(half)), "hi": number(mean + Fraction(half))}


def made_of(recipe):
    kind, seed, n, scale, place = recipe
    return [float(v * scale + place) + 0.0 for v in RECIPES[kind](seed, n)]


def welch_cases():
    sizes = [(2, 2), (2, 3), (3, 3), (4, 9), (10, 10), (20, 12), (60, 7), (100, 101)]
    kinds = [(kind, kind) for kind in RECIPES] + [("bell", "product"), ("ties", "uniform"), ("spike", "near"), ("heavy", "two"), ("tiny", "huge")]
    recipes = [
        ((one, 70_000 + 1000 * i, m, 1.0, 0.0), (other, 70_500 + 1000 * i, n, 1.0, 0.0))
        for i, ((one, other), (m, n)) in enumerate(itertools.product(kinds, sizes))
    ]
    # Means apart by little to much, spreads alike and not, far from zero, none on one side or both.
    for i, (scale, place) in enumerate(itertools.product([0.0, 0.01, 1.0, 50.0], [0.0, 0.25, 3.0, 1e3, -1e9])):
        for m, n in [(2, 5), (8, 8), (30, 200)]:
            recipes.append((("bell", 500_000 + 99 * i, m, 1.0, 0.0), ("bell", 600_000 + 99 * i, n, scale, place)))
            recipes.append((("bell", 1, m, 0.0, 7.0), ("ties", 700_000 + 99 * i, n, scale, place)))
    cases = [{"x": list(x), "y": list(y)} | welch(made_of(x), made_of(y)) for x, y in recipes]
    means = [{"sample": name} | mean_interval(values) for name, values in SAMPLES.items() if len(values) > 1]
    return {"level": WELCH_LEVEL, "cases": cases, "means": means}


def tukey():
    cases = []
    for source, values in all_samples():
        low, high = np.quantile(values, [0.25, 0.75])
        with np.errstate(over="ignore"):
            fences = low - 1.5 * (high - low), high + 1.5 * (high - low)
        cases.append(source | {
            "lower_fence": max(float(fences[0]), -sys.float_info.max),
            "upper_fence": min(float(fences[1]), sys.float_info.max),
            "below": int(np.sum(np.array(values) < fences[0])), "above": int(np.sum(np.array(values) > fences[1])),
        })
    return cases


# --- Scott-Knott --------------------------------------------------------------------------------


def between(lower, upper):
    """The sum of squares between two sets of means."""
    one, two = sum(lower) / len(lower), sum(upper) / len(upper)
    return (one - two) ** 2 * len(lower) * len(upper) / (len(lower) + len(upper))


def best_cut(means):
    """Position and B0 of the best cut of ascending means. To nine of them every division into two sets is
    tried, whatever its order: none may be better than the best cut."""
    found = {cut: between(means[:cut], means[cut:]) for cut in range(1, len(means))}
    most = max(found.values())
    if len(means) <= 9:
        for members in range(1, 2 ** (len(means) - 1)):
            one = [y for i, y in enumerate(means) if members >> i & 1]
            assert between(one, [y for i, y in enumerate(means) if not members >> i & 1]) <= most
    return max(cut for cut, b in found.items() if b >= most * (1 - Fraction(1, 10**12))), most


def scott_knott_tests(means, variance, df, alpha, start=0):
    """Recursively, from exact fractions: [from, cut, to, lambda, df, p, apart?] of every test."""
    k = len(means)
    if k < 2:
        return []
    cut, b0 = best_cut(means)
    centre = sum(means) / k
    sigma2 = (sum((y - centre) ** 2 for y in means) + df * variance) / (k + df)
    statistic = math.pi / (2 * (math.pi - 2)) * float(b0 / sigma2)
    p = float(stats.chi2.sf(statistic, k / (math.pi - 2)))
    tests = [[start, start + cut, start + k, statistic, k / (math.pi - 2), p, int(p <= alpha)]]
    if p <= alpha:
        tests += scott_knott_tests(means[:cut], variance, df, alpha, start)
        tests += scott_knott_tests(means[cut:], variance, df, alpha, start + cut)
    return tests


def scott_knott_esd(groups, alpha, negligible):
    found = [mean_variance(values) for values in groups]
    order = sorted(range(len(groups)), key=lambda i: (float(found[i][0]), i))  # equal as doubles is equal
    df = sum(len(values) - 1 for values in groups)
    pooled = sum((len(values) - 1) * v for values, (_, v) in zip(groups, found)) / df
    if pooled == 0:
        return {"lacking": "no spread" if len({m for m, _ in found}) == 1 else "no spread within"}
    variance = pooled * sum(Fraction(1, len(values)) for values in groups) / len(groups)
    tests = scott_knott_tests([found[i][0] for i in order], variance, df, alpha)
    edges, clusters, cluster = [], {order[0]: 1}, 1
    cuts = {cut for _, cut, _, _, _, _, apart in tests if apart}
    for at in range(1, len(order)):
        below, above = order[at - 1], order[at]
        if at in cuts:
            (low, v), (high, w), m, n = found[below], found[above], len(groups[below]), len(groups[above])
            squares = ((m - 1) * v + (n - 1) * w) / (m + n - 2)
            d = signed_root(high - low, squares) if squares else None
            apart = d is None or d >= negligible
            edges.append([below, above, d, int(apart)])
            cluster += apart
        clusters[above] = cluster
    return {"order": order, "tests": tests, "boundaries": edges, "clusters": [clusters[i] for i in range(len(groups))]}


def scott_knott_designs():
    """Recipes of groups: (kind, seed, n, scale, place)."""
    rng, seed = np.random.default_rng(1974), itertools.count(1_000_000, 1000)
    designs = []
    for k, n, step in itertools.product([2, 3, 5, 8, 12], [2, 3, 6, 20], [0.0, 0.1, 1.0, 10.0]):
        shuffled = rng.permutation(k)
        designs.append([("bell", next(seed), n, 1.0, step * float(i // 2)) for i in shuffled])
    for kind in ["product", "ties", "ticks", "heavy", "two", "spike", "huge", "tiny", "near"]:
        for k, n in [(4, 10), (9, 5)]:
            designs.append([(kind, next(seed), n, 1.0, 0.0) for _ in range(k)])
            designs.append([(kind, next(seed), n, 1.0 + (i % 3) / 4, 0.0) for i in range(k)])
    for k in [2, 4, 6, 9, 12]:  # different beyond doubt, and by next to nothing: the tests split, d merges
        for n, step in [(4000, 0.15), (4000, 0.3), (1000, 0.18), (1000, 0.22)]:
            designs.append([("bell", next(seed), n, 1.0, step * i) for i in range(k)])
    for k in [3, 6]:  # unequal sizes, unequal spreads, constant groups, identical groups, all constant
        designs.append([("bell", next(seed), 2 + 7 * i, 1.0, float(i)) for i in range(k)])
        designs.append([("bell", next(seed), 12, 0.1 * 3.0**i, float(i)) for i in range(k)])
        designs.append([("bell", next(seed), 8, float(i % 2), 5.0 * (i // 2)) for i in range(k)])
        designs.append([("bell", 42, 8, 1.0, float(i % 2) * 4.0) for i in range(k)])
        designs.append([("bell", next(seed), 8, 0.0, 3.0) for _ in range(k)])
        designs.append([("bell", next(seed), 8, 0.0, float(i)) for i in range(k)])
    designs.append([("bell", next(seed), 5, 1.0, float(i % 4) * 2.0) for i in range(40)])
    return designs


def scott_knott():
    settings = [(0.05, 0.2), (0.01, 0.2), (0.05, 0.0), (0.2, 0.8)]
    cases = []
    for i, design in enumerate(scott_knott_designs()):
        alpha, negligible = settings[i % len(settings)] if i % 3 else settings[0]
        made = scott_knott_esd([made_of(recipe) for recipe in design], alpha, negligible)
        cases.append({"groups": [list(r) for r in design], "alpha": alpha, "negligible": negligible} | made)
    return cases


# --- between runs -------------------------------------------------------------------------------


def run_side(rng, runs, shift, slow):
    """Log medians of runs, one of them perhaps much slower, and the spread of each run's readings."""
    centres = rng.normal(shift, 0.02, runs)
    if slow and runs > 1:
        centres[0] += 0.2
    return [float(c) for c in centres], [float(s) for s in rng.uniform(0, 0.04, runs)]


def root_of_squares(*parts):
    return math.sqrt(math.fsum(part * part for part in parts))


def assumed_quantile(alpha):
    """t with 3 degrees of freedom at 5 %; beyond that it grows as the normal quantile does."""
    if alpha >= 0.05:
        return stats.t.isf(alpha / 2, 3)
    return stats.t.isf(0.025, 3) * stats.norm.isf(alpha / 2) / stats.norm.isf(0.025)


def half_width_between(case, alpha):
    base, candidate = case["base"], case["candidate"]
    sizes = len(base), len(candidate)
    share = math.sqrt(1 / sizes[0] + 1 / sizes[1])
    z = stats.norm.isf(alpha / 2)
    spreads = case["base_spreads"] + case["candidate_spreads"]
    kind, sd, df = case["scatter"]
    if min(sizes) >= 3:
        variances = [statistics.variance(side) / len(side) for side in (base, candidate)]
        satterthwaite = sum(variances) ** 2 / sum(v * v / (k - 1) for v, k in zip(variances, sizes))
        within = stats.t.isf(alpha / 2, satterthwaite) * math.sqrt(sum(variances))
        if case["alternating"]:
            return within
        between = {
            "earlier": lambda: stats.t.isf(alpha / 2, df) * sd * share,
            "known": lambda: z * math.sqrt(2) * sd,
            "assumed": lambda: z * math.sqrt(2) * root_of_squares(sd, statistics.median(spreads)),
        }[kind]()
        return root_of_squares(within, between)
    half, level, n = case["within"]
    within = half * stats.t.isf(alpha / 2, n) / stats.t.isf((1 - level) / 2, n)
    mean_square = math.fsum(s * s for s in spreads) / len(spreads)
    between = {
        "earlier": lambda: stats.t.isf(alpha / 2, df) * sd * share,
        "known": lambda: z * sd * share,
        "assumed": lambda: assumed_quantile(alpha) * root_of_squares(sd, math.sqrt(mean_square)) * share,
    }[kind]()
    return root_of_squares(within, between)


def p_between(case, distance):
    """The alpha whose half-width is the distance, by Brent's method on its logarithm."""
    low, high = math.log(1e-60), -1e-12
    excess = lambda x: half_width_between(case, math.exp(x)) - distance
    return math.exp(optimize.brentq(excess, low, high, xtol=1e-13, rtol=1e-14))


def between_runs():
    rng = np.random.default_rng(20261122)
    cases = []
    scatters = [["assumed", 0.025, 0], ["known", 0.02, 0], ["earlier", 0.018, 4], ["earlier", 0.03, 9]]
    for sizes in [(1, 1), (1, 3), (2, 2), (3, 3), (3, 10), (5, 5), (10, 10)]:
        for shift in [0.0, 0.03, 0.2]:
            for scatter in scatters:
                for alternating in [False, True]:
                    if alternating and min(sizes) < 3:
                        continue
                    base, base_spreads = run_side(rng, sizes[0], 0, shift == 0.03)
                    candidate, candidate_spreads = run_side(rng, sizes[1], shift, False)
                    case = {
                        "base": base, "base_spreads": base_spreads,
                        "candidate": candidate, "candidate_spreads": candidate_spreads,
                        "alternating": alternating, "scatter": scatter, "within": [0.012, 0.95, 28],
                    }
                    difference = math.fsum(candidate) / sizes[1] - math.fsum(base) / sizes[0]
                    case["difference"] = difference
                    case["half_widths"] = [half_width_between(case, 1 - level) for level in LEVELS]
                    case["p"] = p_between(case, abs(difference))
                    if alternating:
                        theirs = stats.ttest_ind(candidate, base, equal_var=False)
                        assert math.isclose(theirs.pvalue, case["p"], rel_tol=1e-9)
                    cases.append(case)
    return {"levels": LEVELS, "cases": cases}


# --- nodes --------------------------------------------------------------------------------------


def nodes():
    """Kruskal and Wallis's H, and t intervals of values of nodes, by SciPy."""
    rng = np.random.default_rng(20261128)
    ranks, like = [], []
    for sizes in [(3, 3), (10, 10), (10, 15, 40), (12, 12, 12, 12, 12), (30, 40, 50)]:
        for digits in [9, 2, 1]:
            groups = [np.round(rng.normal(0.02 * at, 0.1, n), digits).tolist() for at, n in enumerate(sizes)]
            ranks.append({"groups": groups, "h": float(stats.kruskal(*groups).statistic)})
    for k in [3, 4, 6, 7, 10, 20]:
        values = rng.normal(0.02, 0.01, k)
        walsh = [(values[i] + values[j]) / 2 for i in range(k) for j in range(i, k)]
        centre = float(np.mean(values) if k < 7 else np.median(walsh))
        error = stats.sem(values)
        like.append({
            "values": values.tolist(), "centre": centre,
            "half_widths": [float(error * stats.t.ppf(0.5 + level / 2, k - 1)) for level in LEVELS],
            "p": float(2 * stats.t.sf(abs(centre) / error, k - 1)),
        })
    return {"levels": LEVELS, "ranks": ranks, "like": like}


# --- occasions ----------------------------------------------------------------------------------


def scatter_of_occasions(versions):
    """By the definition, pair by pair: of two occasions of one version half the mean square of the differences of their runs, of these
    the mean."""
    pairs = []
    for occasions in versions:
        for one, other in itertools.combinations([runs for runs in occasions if runs], 2):
            pairs.append(statistics.fmean((v - w) ** 2 / 2 for v, w in itertools.product(one, other)))
    if not pairs:
        return None
    df = sum(max(0, sum(bool(runs) for runs in occasions) - 1) for occasions in versions)
    return {"sd": math.sqrt(statistics.fmean(pairs)), "df": df}


def occasions():
    rng = np.random.default_rng(20261127)
    designs = [
        [[1] * 10], [[9, 1]], [[5, 5]], [[8, 1, 1]], [[4, 3, 3]], [[10, 5, 3, 1, 1]], [[2] * 6], [[6], [6]], [[3] * 4, [3] * 4],
        [[1, 2], [3, 1, 1], [4]], [[1]], [], [[20] * 20],
    ]
    cases = []
    for design in designs:
        versions = []
        for sizes in design:
            levels = rng.normal(10, 0.03, len(sizes))
            versions.append([rng.normal(level, 0.005, n).tolist() for level, n in zip(levels, sizes)])
        case = {"versions": versions, "scatter": scatter_of_occasions(versions), "without": []}
        if design == [[1] * 10]:
            assert math.isclose(case["scatter"]["sd"], statistics.stdev(v for (v,) in versions[0]), rel_tol=1e-9)
        for version, of in enumerate(versions):
            for at in range(len(of)):
                rest = [o[:at] + o[at + 1:] if v == version else o for v, o in enumerate(versions)]
                case["without"].append([version, at, scatter_of_occasions(rest)])
        cases.append(case)
    ratios = []
    for above in [0.74, 1, 3.7, 11.1, 52, 500]:
        for below in [1, 5.55, 18.5, 111, 500]:
            for f in [1e-3, 0.1, 0.5, 1, 1.7, 4, 30, 1e3]:
                upper, lower = stats.f.sf(f, above, below), stats.f.cdf(f, above, below)
                ratios.append([f, above, below, float(upper), float(min(1, 2 * min(upper, lower)))])
    return {"cases": cases, "f": ratios}


# --- files --------------------------------------------------------------------------------------

# --- steps in a series --------------------------------------------------------------------------


def drawn_in(x):
    x = np.array(x) - np.median(x)
    around = np.array([np.median(x[max(0, t - 7):t + 8]) for t in range(len(x))])
    off = np.sort(np.abs(x - around))
    reach = 3 * (1.4826 * np.median(off) if np.median(off) > 0 else 0.608 * off[len(x) * 9 // 10])
    return np.minimum(np.maximum(x, around - reach), around + reach)


def long_run(x, steps):
    """The long-run variance around the means between steps, and the autocorrelation."""
    rest = np.concatenate([part - part.mean() for part in np.split(x, steps)])
    n, taken = len(x), len(steps) + 1
    squares = float(rest @ rest)
    r1 = float(rest[1:] @ rest[:-1]) / squares if squares > 0 else 0.0
    phi = min(0.95, max(0.0, r1 + (1 + 4 * max(r1, 0)) * taken / n))
    variance = np.sum((rest[1:] - phi * rest[:-1]) ** 2) / (n - 1 - taken) / (1 - phi) ** 2
    size = max(5, n // 15)
    if n // size >= 4:
        means = [rest[n - (i + 1) * size:n - i * size].mean() for i in range(n // size)]
        variance = max(variance, size * np.sum(np.square(means)) / max(1, n // size - taken))
    return variance, phi


def standing_out(x, start, end, side):
    """The largest difference of means in standard errors of unit long-run variance, and its place."""
    found = [
        (abs(x[at:end].mean() - x[start:at].mean()) / math.sqrt(1 / (at - start) + 1 / (end - at)), -at)
        for at in range(start + side, end - side + 1)
    ]
    largest, at = max(found, default=(-1.0, 0))
    return largest, -at


def first_scatter(x):
    steps, best = [], long_run(x, [])
    for _ in range(2):
        ends = zip([0] + steps, steps + [len(x)])
        long = [standing_out(x, start, end, 15) for start, end in ends if end - start >= 40]
        if not long:
            break
        steps = sorted(steps + [max(long)[1]])
        best = min(best, long_run(x, steps))
    return max(best[0], (1e-9 * np.abs(x).max()) ** 2), best[1]


def left_by(columns, new):
    columns = np.column_stack(columns)
    solved = np.linalg.lstsq(columns, new, rcond=None)[0]
    return float(np.sum((new - columns @ solved) ** 2)), float(solved[-1])


def gain(x, phi, at):
    """What a step at a place explains of what is new in x, by two regressions."""
    def news(of):
        return np.concatenate([[math.sqrt(max(1e-9, 1 - phi * phi)) * of[0]], of[1:] - phi * of[:-1]])
    level, step = news(np.ones(len(x))), news((np.arange(len(x)) >= at).astype(float))
    new = news(x)
    return left_by([level], new)[0] - left_by([level, step], new)[0]


def line_fits(x, phi, at):
    n = np.arange(len(x), dtype=float)
    new, level = x[1:] - phi * x[:-1], np.full(len(x) - 1, 1 - phi)
    step = (n >= at).astype(float)
    of_step = left_by([level, step[1:] - phi * step[:-1]], new)[0]
    of_line, slope = left_by([level, n[1:] - phi * n[:-1]], new)
    return by_schwarz(of_line, of_step, len(x), 1), slope


def by_schwarz(of_line, of_steps, n, steps):
    """A line has one parameter, a step two."""
    if of_line == 0 or of_steps == 0:
        return of_line <= of_steps
    return n * math.log(of_line) <= n * math.log(of_steps) + (2 * steps - 1) * math.log(n)


def stairs_fit(x, stairs):
    """Whether a line fits no worse than these steps, by the autocorrelation that they leave."""
    phi = long_run(x, stairs)[1]
    rest = np.concatenate([part - part.mean() for part in np.split(x, stairs)])
    n = np.arange(len(x), dtype=float)
    new, level = x[1:] - phi * x[:-1], np.full(len(x) - 1, 1 - phi)
    of_line = left_by([level, n[1:] - phi * n[:-1]], new)[0]
    return by_schwarz(of_line, float(np.sum((rest[1:] - phi * rest[:-1]) ** 2)), len(x), len(stairs))


def placed(x, phi, start, end, at):
    lo, hi = max(start, at - 15), min(end, at + 15)
    near = max(range(lo + 3, hi - 2), key=lambda k: gain(x[lo:hi], phi, k - lo), default=start)
    return near if start + 5 <= near <= end - 5 else at


def freedom(x, phi, steps):
    return max(1, len(x) * (1 - phi) / (1 + phi) - steps - 1)


def one_search(x, scatter, critical, known):
    variance, phi = scatter
    critical = stats.t.isf(stats.norm.sf(critical), freedom(x, phi, known))
    deviation = math.sqrt(variance)
    steps, drifts, left = [], [], [(0, len(x))]
    while left:
        start, end = left.pop()
        largest, at = standing_out(x, start, end, 5)
        if largest <= critical * deviation:
            for size in [2 * (end - start) // 3, (end - start) // 2]:
                first = start
                while size >= 20 and first + size <= end:
                    larger = standing_out(x, first, first + size, 5)
                    if larger[0] > largest:
                        largest, at = larger
                    first += size // 2
            if largest <= (critical + 0.35) * deviation:
                continue
        at = placed(x, phi, start, end, at)
        fits, slope = line_fits(x[start:end], phi, at - start)
        parts = [part for part in [(start, at), (at, end)] if part[1] - part[0] >= 10]
        beside = [placed(x, phi, *part, standing_out(x, *part, 5)[1]) for part in parts]
        stairs = sorted([place - start for place in beside] + [at - start])
        if end - start >= 30 and fits and stairs_fit(x[start:end], stairs):
            drifts.append((start, end, slope))
            continue
        steps.append(at)
        left += [(start, at), (at, end)]
    steps.sort()
    while steps:
        bounds = [0] + steps + [len(x)]
        stands = [
            abs(x[b:c].mean() - x[a:b].mean()) / math.sqrt(variance * (1 / (b - a) + 1 / (c - b)))
            for a, b, c in zip(bounds, bounds[1:], bounds[2:])
        ]
        weakest = int(np.argmin(stands))
        if stands[weakest] > critical:
            break
        del steps[weakest]
    return steps, sorted(drifts)


def level_steps(values, critical, level):
    x = drawn_in(values)
    scatter, known = first_scatter(x), 0
    for round_ in range(5):
        steps, drifts = one_search(x, scatter, critical, known)
        around = long_run(x, steps)
        if not steps or around[0] <= 1.02 * scatter[0] or round_ == 4:
            break
        scatter, known = around, len(steps)
    variance, phi = scatter
    t = stats.t.ppf(0.5 + level / 2, freedom(x, phi, len(steps)))
    bounds, found = [0] + steps + [len(x)], []
    for a, b, c in zip(bounds, bounds[1:], bounds[2:]):
        size, error = x[b:c].mean() - x[a:b].mean(), math.sqrt(variance * (1 / (b - a) + 1 / (c - b)))
        gains = {at: gain(x[a:c], phi, at - a) for at in range(a + 1, c)}
        least = gains[b] + 2 * math.log(1 - math.sqrt(level)) * variance * (1 - phi) ** 2
        near = [at for at, of in gains.items() if of >= least]
        found.append({
            "at": b, "places": [min(near), max(near)], "size": float(size),
            "interval": [float(size - t * error), float(size + t * error)], "statistic": float(abs(size) / error),
        })
    lines = []
    for start, end, slope in drifts:
        n = np.arange(end - start)
        size = slope * (end - start - 1)
        half = t * (end - start - 1) * math.sqrt(variance / np.sum((n - n.mean()) ** 2))
        if abs(size) > half:
            ends = [float(size - half), float(size + half)]
            lines.append({"points": [start, end], "size": float(size), "interval": ends})
    return {"steps": found, "drifts": lines}


def steps():
    """Steps and drifts of series, by regressions and means of every place."""
    rng = np.random.default_rng(20261129)

    def dependent(n, phi):
        values = [rng.normal()]
        for _ in range(n - 1):
            values.append(phi * values[-1] + math.sqrt(1 - phi * phi) * rng.normal())
        return np.array(values)

    def up(n, *places):
        return sum((np.arange(n) >= at).astype(float) for at in places)

    made = {
        "flat": rng.normal(size=120),
        "step": rng.normal(size=160) + 2 * up(160, 80),
        "small step": rng.normal(size=200) - up(200, 120),
        "late step": rng.normal(size=150) + 3 * up(150, 140),
        "came and went": rng.normal(size=150) + 4 * (up(150, 70) - up(150, 90)),
        "three steps": rng.normal(size=200) + 3 * up(200, 40, 100, 160),
        "dependent": dependent(200, 0.5) + 3 * up(200, 90),
        "very dependent": dependent(200, 0.8) + 5 * up(200, 90),
        "line": rng.normal(size=150) + np.arange(150) / 20,
        "line and step": rng.normal(size=200) + np.minimum(np.arange(200), 120) / 30 + 9 * up(200, 120),
        "spikes": rng.normal(size=120) + 20 * (rng.uniform(size=120) < 0.05) + 3 * up(120, 50),
        "heavy tails": rng.standard_t(3, size=160) + 4 * up(160, 100),
        "shortest": rng.normal(size=40) + 5 * up(40, 20),
        "ties": np.round(rng.normal(size=100)) + 2 * up(100, 60),
        "most values equal": np.round(rng.normal(size=100) / 2) + 2 * up(100, 60),
        "exact": 100 + up(60, 33),
        "constant but for spikes": 7 + 1000.0 * (np.arange(60) % 17 == 4),
    }
    cases = []
    for name, values in made.items():
        values = [float(value) for value in np.round(values, 4)]
        for critical, level in [(3.5, 0.95), (4.5, 0.99)]:
            found = level_steps(values, critical, level)
            cases.append({"name": name, "values": values, "critical": critical, "level": level} | found)
    return cases


# --- what pictures show -------------------------------------------------------------------------


def pictures():
    """Densities by gaussian_kde with Silverman's width, slopes of logarithms by linregress, intervals of quantiles by
    quantile_test, whose ends are the two one-sided ones at half of what the level leaves."""
    densities = []
    for name in of_size(5, 13, 51, 200):
        values = np.array(SAMPLES[name])
        spread, between = values.std(ddof=1), np.subtract(*np.percentile(values, [75, 25])) / 1.34
        if spread == 0:
            continue
        width = 0.9 * (min(spread, between) if between > 0 else spread) * len(values) ** -0.2
        places = np.linspace(values.min() - width, values.max() + width, 9)
        found = stats.gaussian_kde(values, bw_method=width / spread)(places)
        densities.append({
            "sample": name, "bandwidth": float(width), "places": places.tolist(), "density": found.tolist(),
        })
    rng = np.random.default_rng(11)
    laws = []
    for n in [3, 4, 5, 9, 30]:
        for exponent in [-1.0, 0.0, 1.0, 1.1, 2.0]:
            x = np.sort(10.0 ** rng.uniform(0, 4, n))
            y = 3e-6 * x**exponent * np.exp(rng.normal(0, 0.1, n))
            fit = stats.linregress(np.log(x), np.log(y))
            halves = [float(stats.t.ppf(0.5 + level / 2, n - 2) * fit.stderr) for level in LEVELS]
            laws.append({
                "points": [[float(a), float(b)] for a, b in zip(x, y)],
                "exponent": float(fit.slope), "factor": float(np.exp(fit.intercept)), "halves": halves,
            })
    intervals = []
    for n in [1, 5, 10, 30, 59, 200, 1000]:
        ranks = np.arange(n, dtype=float)
        for q in [0.05, 0.1, 0.3, 0.5, 0.9, 0.99]:
            ends = []
            for level in LEVELS:
                of = lambda side: stats.quantile_test(ranks, q=0, p=q, alternative=side).confidence_interval(
                    confidence_level=0.5 + level / 2
                )
                lo, hi = of("greater").low, of("less").high
                ends.append(None if np.isnan(lo) or np.isnan(hi) else [float(lo), float(hi)])
            intervals.append({"n": n, "q": q, "ends": ends})
    return {"levels": LEVELS, "densities": densities, "laws": laws, "intervals": intervals}


FILES = {
    "samples": lambda: SAMPLES,
    "describe": describe,
    "median_interval": lambda: {"levels": LEVELS, "cases": median_intervals()},
    "signed_blocks": signed_blocks,
    "signed_rank": signed_rank,
    "mann_whitney": mann_whitney,
    "brunner_munzel": brunner_munzel,
    "stretch": stretches,
    "shares": shares,
    "spending": spending,
    "critical": lambda: {"levels": LEVELS} | critical(),
    "shift": shifts,
    "equivalence": equivalence,
    "superiority": superiority,
    "correction": corrections,
    "normal": normal,
    "distribution": distribution,
    "student_t": student_t,
    "steps": steps,
    "dip": dips,
    "chi_square": chi_square,
    "welch": welch_cases,
    "tukey": tukey,
    "scott_knott": scott_knott,
    "between_runs": between_runs,
    "nodes": nodes,
    "occasions": occasions,
    "pictures": pictures,
}


def text(value):
    """JSON with one line per case."""
    if isinstance(value, dict):
        inner = (f"{json.dumps(k)}: {text(v) if isinstance(v, list) else json.dumps(v)}" for k, v in value.items())
        return "{\n" + ",\n".join(inner) + "\n}"
    if value and isinstance(value[0], (dict, list)):
        return "[\n" + ",\n".join(json.dumps(v) for v in value) + "\n]"
    return json.dumps(value)


def differences(stored, made, where):
    if isinstance(made, float) and isinstance(stored, (int, float)):
        if not math.isclose(stored, made, rel_tol=TOLERANCE):
            yield f"{where}: stored {stored!r}, now {made!r}"
    elif isinstance(made, dict) and isinstance(stored, dict) and made.keys() == stored.keys():
        for key in made:
            yield from differences(stored[key], made[key], f"{where}.{key}")
    elif isinstance(made, (list, tuple)) and isinstance(stored, list) and len(made) == len(stored):
        for i, (a, b) in enumerate(zip(stored, made)):
            yield from differences(a, b, f"{where}[{i}]")
    elif stored != made:
        yield f"{where}: stored {stored!r}, now {made!r}"


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    found = []
    for name, make in FILES.items():
        path = HERE / f"{name}.json"
        if check:
            stored = json.loads(path.read_text()) if path.exists() else None
            found += differences(stored, make(), name)
        else:
            path.write_text(text(make()) + "\n")
    print("\n".join(found) or f"{len(FILES)} files {'agree' if check else 'written'}")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
