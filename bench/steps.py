#!/usr/bin/env python3
"""steps: what looks for steps in series of benchmarks, on the same simulated series: etalon history check, Apache Otava, asv's
step_detect, and github-action-benchmark's rule.

    ETALON=… SCRATCH=… PYTHON bench/steps.py [SERIES]      # 400; PYTHON has apache-otava==0.8.0 and asv==0.6.6

Series of 300 points of level 100 and σ = 2, as etalon-calibrate has them: white, AR(1) 0.5 and 0.8, Student's t of 3 degrees,
3 % of points 10σ higher; flat, and with a step of 2σ or 1σ in the middle. *Ever* is any step in a flat series at 60, 120, 180, 240 or 300
points: few looks, because of the time that some take; github-action-benchmark compares each point with the one before, so it
looks after every one, from 60 on. *Once* is at 300 points; *found* is a step within five points of the place then.

etalon has its default of one false alarm a year in 20 series, each of 240 points a year, and a margin of 1 %. Otava has its
defaults (window 50, p 0.001); asv takes its penalty from the data.
"""

import json
import math
import os
import random
import shutil
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor

SERIES = int(sys.argv[1]) if len(sys.argv) > 1 else 400
ETALON, SCRATCH = os.environ["ETALON"], os.environ["SCRATCH"]
POINTS, AT, NEAR = 300, 150, 5
EVERY = 60
LOOKS = range(EVERY, POINTS + 1, EVERY)
LEVEL, SIGMA = 100.0, 2.0
# Series of a project: 240 points a year of each.
PROJECT, DAY = 20, 365.25 * 86_400 / 240


def white(rng):
    while True:
        yield rng.gauss(0, 1)


def dependent(phi):
    def values(rng):
        state = rng.gauss(0, 1)
        while True:
            yield state
            state = phi * state + math.sqrt(1 - phi * phi) * rng.gauss(0, 1)

    return values


def heavy(rng):
    while True:
        yield rng.gauss(0, 1) / math.sqrt(sum(rng.gauss(0, 1) ** 2 for _ in range(3)))


def spikes(rng):
    while True:
        yield rng.gauss(0, 1) + (10 if rng.random() < 0.03 else 0)


NOISES = {"white": white, "AR(1) 0.5": dependent(0.5), "AR(1) 0.8": dependent(0.8), "t₃": heavy, "3 % spikes": spikes}


def made(noise, size, number):
    """A series; the same one with and without a step, and for each program."""
    values = NOISES[noise](random.Random(f"{noise} {number}"))
    return [LEVEL + SIGMA * (next(values) + (size if at >= AT else 0)) for at in range(POINTS)]


def otava(values):
    from otava.series import AnalysisOptions, Metric, Series

    series = Series("s", None, [int(DAY * at) for at in range(len(values))], {"m": Metric(1, 1.0)}, {"m": values}, {})
    return [point.index for point in series.analyze(AnalysisOptions()).change_points["m"]]


def asv(values):
    from asv.step_detect import detect_steps

    return [step[0] for step in detect_steps(values)[1:]]


def alert(share):
    def places(values):
        return [at for at in range(1, len(values)) if values[at] / values[at - 1] > share]

    return places


def etalon(all_values):
    """The steps of each of 20 series at each look."""
    home = os.path.join(SCRATCH, f"steps-{os.getpid()}")
    found = []
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(home)
    for count in LOOKS:
        entries = []
        for at in range(POINTS)[count - EVERY : count]:
            made_at = int(1.7e9 + DAY * at)
            commit = {"id": f"{at + 1:040x}", "message": "", "url": "", "author": {}, "timestamp": ""}
            benches = [{"name": f"s{k}", "value": v[at], "unit": "ns/iter"} for k, v in enumerate(all_values)]
            entries.append({"commit": commit, "date": made_at * 1000, "tool": "customSmallerIsBetter", "benches": benches})
        data = {"lastUpdate": 0, "repoUrl": "", "entries": {"x": entries}}
        with open(os.path.join(home, "data.js"), "w", encoding="utf-8") as file:
            file.write("window.BENCHMARK_DATA = " + json.dumps(data))
        environment = {**os.environ, "ETALON_HOME": home}

        def run(*words):
            done = subprocess.run([ETALON, "history", *words], env=environment, cwd=home, capture_output=True, text=True)
            if done.returncode not in (0, 3):
                sys.exit(done.stderr)
            return done.stdout

        run("import", "data.js", "--project", "p")
        series = json.loads(run("check", "--recent", "9999d", "--json"))["history"]["series"]
        steps = {}
        for one in series:
            # "s7 [suite=x]"; the commit is the number of the point.
            places = [int(it["commit"], 16) - 1 for it in one["findings"] if it["kind"] == "step"]
            steps[int(one["benchmark"].split()[0][1:])] = places
        found.append([steps.get(k, []) for k in range(len(all_values))])
    shutil.rmtree(home)
    return found


def looked(task):
    """Of a program and some series: ever, once, found, as lists."""
    name, noise, size, numbers = task
    os.nice(max(0, 19 - os.nice(0)))
    all_values = [made(noise, size, number) for number in numbers]
    looks = list(LOOKS) if size == 0 else [POINTS]
    if name == "etalon":
        by_look = etalon(all_values)
    elif name.startswith("alert"):
        rule = alert(float(name.split()[1]) / 100)
        by_look = [[[at for at in rule(values) if at >= LOOKS[0]] for values in all_values]]
    else:
        rule = {"Otava": otava, "asv": asv}[name]
        by_look = [[rule(values[:count]) for values in all_values] for count in looks]
    ever = [any(look[k] for look in by_look) for k in range(len(numbers))]
    last = by_look[-1]
    near = [any(abs(at - AT) <= NEAR for at in places) for places in last]
    return task[:3], ever, [bool(places) for places in last], near


def main():
    names = ["etalon", "Otava", "asv", "alert 110", "alert 200"]
    names = [name for name in names if name in os.environ.get("ONLY", ",".join(names)).split(",")]
    batches = [range(at, min(at + PROJECT, SERIES)) for at in range(0, SERIES, PROJECT)]
    tasks = [(name, noise, size, batch) for name in names for size in (0, 2, 1) for noise in NOISES for batch in batches]
    counts = {}
    print(f"{SERIES} series a cell, percent\n")
    print("| program, noise | flat: ever | flat: once | 2σ found | 1σ found |\n| --- | ---: | ---: | ---: | ---: |", flush=True)
    with ProcessPoolExecutor(2) as pool:
        for number, (key, ever, once, near) in enumerate(pool.map(looked, tasks)):
            sums = counts.setdefault(key, [0, 0, 0])
            for at, flags in enumerate((ever, once, near)):
                sums[at] += sum(flags)
            if (number + 1) % (len(tasks) // len(names)) == 0:
                show(key[0], counts)


def show(name, counts):
    share = lambda count: f"{100 * count / SERIES:.1f}"
    for noise in NOISES:
        flat, two, one = (counts[name, noise, size] for size in (0, 2, 1))
        once = "" if name.startswith("alert") else share(flat[1])
        print(f"| {name}, {noise} | {share(flat[0])} | {once} | {share(two[2])} | {share(one[2])} |", flush=True)


if __name__ == "__main__":
    main()
