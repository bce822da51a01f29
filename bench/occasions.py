"""How often unchanged code is called different where runs share what the machine did: simulated records through the program.

Measures: for each design 400 rows (`python3 bench/occasions.py` under bench/run.sh; another number behind it), all of one file a
run, as `etalon compare --json --correction none` judges them. A row is a benchmark with its own draws, so no correction mixes them.
Logarithms are normal: OCCASION from one occasion to another, RUN from run to run of one occasion, READING between the 15 readings
of a run. Occasions lie a day apart, runs of one a minute, and the sides are in two occasions of their own, the last ones.

Fair because nothing differs between the sides but what the machine did, and every row counts. A design fails when the interval of
99 % (Clopper and Pearson's, by Bonferroni over the designs) of its share of false verdicts lies wholly above 5 %; that is the rule of
docs/notes/calibration.md. Beside the share stands in how many rows the assumed scatter had to stand in.
"""

import json
import math
import os
import random
import shutil
import sys
from datetime import datetime, timedelta, timezone

import lab

ROWS = lab.count(400)
READINGS = 15
OCCASION, RUN, READING = 0.03, 0.005, 0.01
STRETCH = 0.02
ALLOWED = 0.05
START = datetime(2026, 10, 1, 9, tzinfo=timezone.utc)
MINUTE, DAY = 1.0, 1440.0

DIRECTORY = os.path.join(lab.SCRATCH, "occasions")


class Levels:
    """What a row's occasions and runs add: one draw an occasion, by its name."""

    def __init__(self, seed, sd=OCCASION, run=RUN):
        self.random = random.Random(seed)
        self.sd, self.run, self.known = sd, run, {}

    def of(self, occasion):
        """The levels of all rows in a run of an occasion."""
        if occasion not in self.known:
            self.known[occasion] = [self.random.gauss(0, self.sd) for _ in range(ROWS)]
        return [level + self.random.gauss(0, self.run) for level in self.known[occasion]]

    def readings(self, occasion, spread=READING):
        return [[math.exp(level + self.random.gauss(0, spread)) for _ in range(READINGS)] for level in self.of(occasion)]


def record(path, minute, values, commit="a", name=None):
    """A run that began so many minutes after START, as etalon writes it."""
    began = START + timedelta(minutes=minute)
    run = name or began.strftime("%Y%m%dT%H%M%S.%fZ") + "-bcdfghjk"
    context = {"machine.host": "h", "cpu.model": "x", "commit": commit}
    header = {"type": "header", "format": "etalon", "version": 1, "id": run, "started": began.isoformat(), "context": context}
    lines = [header, {"type": "metric", "name": "wall", "unit": "ns", "direction": "lower", "kind": "noisy"}]
    lines += [{"type": "benchmark", "name": f"b{row}"} for row in range(len(values))]
    for block in range(READINGS):
        for row, of in enumerate(values):
            lines.append({"type": "observation", "benchmark": row, "block": block, "values": {"wall": 1e7 * of[block]}})
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)


def header_block(values, side):
    """A run in Go's format."""
    lines = ["goos: linux", "pkg: x", f"side: {side}"]
    lines += [f"BenchmarkB{row} 1 {10 * reading:.9f} ns/op" for row, of in enumerate(values) for reading in of]
    return "\n".join(lines) + "\n"


def fresh():
    shutil.rmtree(DIRECTORY, ignore_errors=True)
    os.makedirs(os.path.join(DIRECTORY, "h"))


def place(name):
    return os.path.join(DIRECTORY, name)


def judged(*arguments):
    """Of every row: whether it is called different, and where the scatter is known from."""
    asked = ("compare", "--correction", "none", *arguments)
    comparisons = lab.analysis(*asked)["comparisons"]
    assert len(comparisons) == ROWS, len(comparisons)
    return [(it["verdict"] in ("faster", "slower"), it["runs"]["scatter"]) for it in comparisons]


def history(versions, sides=(("a", 0), ("a", 1)), state=1.0):
    """Earlier runs: of each version the number of runs in each of its occasions, a day apart. The sides lie a day apart behind them."""
    def rows(seed):
        fresh()
        levels = Levels(seed)
        then = Levels(seed + 1, OCCASION / state, RUN / state)
        day = 0
        for commit, occasions in versions:
            for runs in occasions:
                for run in range(runs):
                    values = (then if state != 1.0 else levels).readings((commit, day), READING / state)
                    record(place(f"h/{commit}{day}-{run}.jsonl"), day * DAY + run * MINUTE, values, commit)
                day += 1
        for name, (commit, after) in zip(("old", "new"), sides):
            record(place(f"{name}.jsonl"), (day + after) * DAY, levels.readings(("side", after)), commit)
        return judged("--history", place("h"), place("old.jsonl"), place("new.jsonl"))

    return rows


def two_versions(runs):
    """Two versions, each measured in one occasion; the sides are one more run of either, in the occasions of the others."""
    def rows(seed):
        fresh()
        levels = Levels(seed)
        for day, commit in enumerate("ab"):
            for run in range(runs + 1):
                name = f"h/{commit}{run}" if run < runs else commit
                record(place(f"{name}.jsonl"), day * DAY + 5 * run * MINUTE, levels.readings(day), commit)
        return judged("--history", place("h"), place("a.jsonl"), place("b.jsonl"))

    return rows


def in_order(order, earlier=0):
    """Runs of two sides in this order, a level for each stretch; with so many earlier occasions of one run each."""
    def rows(seed):
        fresh()
        levels = Levels(seed, STRETCH)
        for day in range(earlier):
            record(place(f"h/{day}.jsonl"), -(day + 1) * DAY, levels.readings(("earlier", day)))
        files, stretch = [], 0
        for at, side in enumerate(order):
            stretch += at > 0 and side != order[at - 1]
            record(place(f"{at}.jsonl"), at * DAY / 4, levels.readings(stretch))
            files.append(f"{side}={place(f'{at}.jsonl')}")
        files.sort(key=lambda file: file[0])
        return judged(*(("--history", place("h")) if earlier else ()), *files)

    return rows


def pasted(order):
    """One run of each side in Go's format, pasted in this order into one file."""
    def rows(seed):
        fresh()
        levels = Levels(seed, 0.0, STRETCH)
        blocks = {side: header_block(levels.readings(0), side) for side in "AB"}
        with open(place("both.txt"), "w", encoding="utf-8") as file:
            file.writelines(blocks[side] for side in order)
        return judged("--col", "side", place("both.txt"))

    return rows


def copied(times):
    """One record of each side, saved under several names and ids, by turns."""
    def rows(seed):
        fresh()
        levels = Levels(seed, 0.0, STRETCH)
        values = {side: levels.readings(0) for side in "AB"}
        files = []
        for at in range(2 * times):
            side = "AB"[at % 2]
            record(place(f"{at}.jsonl"), at * DAY, values[side])
            files.append(f"{side}={place(f'{at}.jsonl')}")
        files.sort(key=lambda file: file[0])
        return judged(*files)

    return rows


def copied_history(times):
    """Two earlier runs in two occasions, each saved under several names, ids and days."""
    def rows(seed):
        fresh()
        levels = Levels(seed)
        values = [levels.readings(("earlier", at), READING) for at in range(2)]
        for at in range(2 * times):
            record(place(f"h/{at}.jsonl"), at * DAY, values[at % 2])
        for at, name in enumerate(("old", "new")):
            record(place(f"{name}.jsonl"), (2 * times + at) * DAY, levels.readings(("side", at)))
        return judged("--history", place("h"), place("old.jsonl"), place("new.jsonl"))

    return rows


def one_version(*occasions):
    return history([("a", occasions)])


DESIGNS = [
    ("two versions in two occasions, 5 runs each", two_versions(5)),
    ("two versions in two occasions, 6 runs each", two_versions(6)),
    ("two versions in two occasions, 10 runs each", two_versions(10)),
    ("occasions 9+1", one_version(9, 1)),
    ("occasions 5+5", one_version(5, 5)),
    ("occasions 8+1+1", one_version(8, 1, 1)),
    ("occasions 4+3+3", one_version(4, 3, 3)),
    ("occasions 10+5+3+1+1", one_version(10, 5, 3, 1, 1)),
    ("occasions 2+2+2+2+2+2", one_version(*[2] * 6)),
    ("ten occasions of one run", one_version(*[1] * 10)),
    ("two versions, four occasions of three each", history([("a", [3] * 4), ("b", [3] * 4)], (("a", 0), ("b", 1)))),
    *((f"exchangeable, {n} runs", one_version(*[1] * n)) for n in (5, 6, 10, 20, 50)),
    ("another state: everything a third then, 10 runs", history([("a", [1] * 10)], state=3.0)),
    ("another state: everything a half then, 10 runs", history([("a", [1] * 10)], state=2.0)),
    *((order, in_order(order)) for order in (
        "ABABAB", "ABBAAB", "AABBAABB", "AABBBBAA", "AAABBBAAA", "AAABBB", "AAAABBBBAAAA", "AAABBBBBBAAA", "ABBAABBAABBA", "BAABABBAAB",
    )),
    *((f"{order}, 10 earlier occasions", in_order(order, 10)) for order in ("AAABBB", "AB", "AABBBBAA", "AAABBBAAA")),
    ("pasted: ABABAB of two runs in one file", pasted("ABABAB")),
    ("pasted: AAABBB of two runs in one file", pasted("AAABBB")),
    ("two records under three names each, by turns", copied(3)),
    ("two earlier runs under five names each", copied_history(5)),
]


def at_least(found, of, alpha):
    """The lower limit of Clopper and Pearson's interval, by bisection."""
    if found == 0:
        return 0.0

    def tail(p):
        logs = (math.lgamma(of + 1) - math.lgamma(k + 1) - math.lgamma(of - k + 1) for k in range(found, of + 1))
        ks = range(found, of + 1)
        return sum(math.exp(log + k * math.log(p) + (of - k) * math.log1p(-p)) for k, log in zip(ks, logs))

    low, high = 0.0, found / of
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle) < alpha else (low, middle)
    return low


def main():
    asked = sys.argv[2:]
    failed = False
    print(f"  {'':52} {'false':>7} {'assumed':>8}")
    for at, (name, rows) in enumerate(DESIGNS):
        if asked and not any(part in name for part in asked):
            continue
        found = rows(1000 + 10 * at)
        false = sum(is_false for is_false, _ in found)
        assumed = sum(scatter == "assumed" for _, scatter in found)
        fails = at_least(false, ROWS, 0.005 / len(DESIGNS)) > ALLOWED
        failed |= fails
        print(f"  {name:52} {100 * false / ROWS:6.1f}% {100 * assumed / ROWS:7.1f}% {'FAIL' if fails else 'PASS'}", flush=True)
    sys.exit(3 if failed else 0)


main()
