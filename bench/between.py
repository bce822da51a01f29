"""between: verdicts on two runs of the same command, made minutes apart.

Measures: a series of rounds. In each, seven workloads are executed once as a run of their own, in a random order:
an integer loop, a walk through memory, python3, gzip, two Lua functions, and two Go programs. From the series, pairs
of runs of one workload are drawn that lie at least two minutes apart, and their wall clock is compared in three ways:
with ten earlier runs that reach back as far as the two lie apart (fewer minutes count as none), three runs a side that
alternate, and with neither, where the scatter is assumed. Nothing differs, so every difference is a false one: of 200, 10 are expected at most, and more than
24 allowed, because comparisons share runs. Beside it stands what benchstat's rule says of the same pairs.

Fair because everything is the default, no run is repeated or left out, and the seed says which pairs are drawn.

SERIES=DIRECTORY keeps the series, and takes one that is there. HOGS=N: N processes that burn a CPU come and go while it
is measured, each for 2 to 20 s, then away as long.
"""

import collections
import contextlib
import json
import math
import os
import random
import shutil
import statistics
import subprocess
import tempfile
import threading

import lab

ROUNDS = lab.count(240)
DRAWN = 200
APART = 120.0
EARLIER = 10
HOGS = int(os.environ.get("HOGS", "0"))
SERIES = os.environ.get("SERIES", os.path.join(lab.SCRATCH, "series"))
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "between")

Run = collections.namedtuple("Run", "path began")


def workloads():
    """What is executed, by name: the arguments of etalon."""
    megabyte = os.path.join(lab.SCRATCH, "megabyte")
    with open(megabyte, "wb") as file:
        file.write(random.Random(1).randbytes(20_000) * 50)
    work = os.path.join(lab.SCRATCH, "work")
    subprocess.run(["go", "build", "-o", work, os.path.join(HERE, "work.go")], check=True)
    commands = {
        "integer loop": f"{lab.tool('busy')} 2500000",
        "memory walk": f"{lab.tool('walk')} 8 200000",
        "python3": "python3 -c pass",
        "gzip": f"gzip -6 -c {megabyte}",
        "go sort": f"{work} sort 20",
        "go build": f"{work} build 20",
    }
    found = {name: ["cmd", "-r", 15, "-n", name, command] for name, command in commands.items()}
    return found | {"lua": ["run", "-r", 6, "--budget", ".5s", os.path.join(HERE, "work.lua")]}


@contextlib.contextmanager
def hogs():
    """Processes that come and go."""
    over = threading.Event()

    def come_and_go(seed):
        rng = random.Random(seed)
        while not over.wait(rng.uniform(2, 20)):
            with subprocess.Popen([lab.tool("busy"), str(10**15)]) as hog:
                over.wait(rng.uniform(2, 20))
                hog.kill()

    threads = [threading.Thread(target=come_and_go, args=[seed]) for seed in range(HOGS)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def measure():
    """The series: one record for each round and workload."""
    os.makedirs(SERIES)
    rng, found = random.Random(1), workloads()
    with hogs():
        for turn in range(ROUNDS):
            for name in rng.sample(sorted(found), len(found)):
                path = os.path.join(SERIES, f"{name} {turn:04}.jsonl")
                lab.etalon(*found[name], "--quiet", "--no-save", "-o", path)


def series():
    """The runs of each workload in the order of time."""
    if not os.path.isdir(SERIES):
        measure()
    runs = collections.defaultdict(list)
    for file in os.listdir(SERIES):
        path = os.path.join(SERIES, file)
        runs[file.rsplit(" ", 1)[0]].append(Run(path, os.stat(path).st_mtime))
    return {name: sorted(of, key=lambda run: run.began) for name, of in sorted(runs.items())}


def compared(old, new, *options):
    """The comparisons of wall clock of some runs."""
    sides = [f"old={run.path}" for run in old] + [f"new={run.path}" for run in new]
    document = json.loads(lab.etalon("compare", *sides, "--filter", ".unit:sec/op", *options, "--json").out)
    return document["comparisons"]


def stride(at, to):
    """Every so manieth run before a pair is an earlier one."""
    return math.ceil((to - at) / (EARLIER - 1))


def with_earlier(runs, at, to):
    with tempfile.TemporaryDirectory(dir=lab.SCRATCH) as history:
        step = stride(at, to)
        for run in runs[at - EARLIER * step : at : step]:
            shutil.copy(run.path, history)
        return compared(runs[at : at + 1], runs[to : to + 1], "--history", history)


def alternating(runs, at, _):
    six = runs[at : at + 6]
    return compared(six[0::2], six[1::2])


def assumed(runs, at, to):
    return compared(runs[at : at + 1], runs[to : to + 1])


def pair(runs, rng):
    """Two places, drawn, of runs that lie far enough apart."""
    while True:
        at, to = rng.randrange(len(runs) - 6), rng.randrange(len(runs))
        if runs[to].began - runs[at].began >= APART and at >= EARLIER * stride(at, to):
            return at, to


def benchstat(runs, at, to):
    """How many rows of a pair benchstat's rule calls different."""
    paths = []
    for place in (at, to):
        paths.append(os.path.join(lab.SCRATCH, f"{place}.txt"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(lab.etalon("convert", runs[place].path, "--to", "go").out)
    text = lab.etalon("compare", "--style", "benchstat", "--filter", ".unit:sec/op", *paths).out
    return sum("(p=" in line and "~" not in line for line in text.splitlines())


def main():
    runs, rng, figures = series(), random.Random(2), lab.Figures()
    span = max(of[-1].began for of in runs.values()) - min(of[0].began for of in runs.values())
    print(f"  {sum(map(len, runs.values()))} runs of {len(runs)} workloads in {span / 60:.0f} minutes")
    ways = {"with ten earlier runs": with_earlier, "three runs a side, alternating": alternating, "scatter assumed": assumed}
    said = {way: collections.Counter() for way in ways}
    visible = {way: collections.defaultdict(list) for way in ways}
    drawn = different = 0
    while drawn < DRAWN:
        name = rng.choice(sorted(runs))
        at, to = pair(runs[name], rng)
        found = {way: compare(runs[name], at, to) for way, compare in ways.items()}
        for way, comparisons in found.items():
            said[way].update(comparison["verdict"] for comparison in comparisons)
            visible[way][name] += [c["smallest_visible"] for c in comparisons if c["smallest_visible"]]
        drawn += len(comparisons)
        different += benchstat(runs[name], at, to)
    for way in ways:
        print(f"  {way}: " + ", ".join(f"{n} {verdict}" for verdict, n in said[way].most_common()))
        changes = (f"{name} {100 * statistics.median(of):.1f} %" for name, of in sorted(visible[way].items()) if of)
        print("    smallest visible change: " + ", ".join(changes))
        figures.at_most(f"{way}: called different, of {drawn}", said[way]["faster"] + said[way]["slower"], 24)
    print(f"  benchstat calls {different} of {drawn} of the same pairs different")
    figures.end()


main()
