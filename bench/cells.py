"""cells: an experiment file of 20,000 cells, planned and reported.

200 rows × 100 columns of `true`, one execution each, and a table of percents with its geometric mean. Planning is `run
--dry-run`; the report is beside what `wc -l` and a JSON parser (python3's) take for the record. From the page cache; medians of three.
Targets: together at most 4 × those two, and 200 MB.
"""

import json
import os
import statistics

import lab

ROUNDS = lab.count(3)
FILE = """[axes]
row = [%s]
col = [%s]
[[subject]]
command = "true"
[measure]
runs = 1
[[table]]
title = "Wall clock"
metric = "wall"
rows = "row"
columns = "col"
raw = true
"""


def names(letter, count):
    return ", ".join(f'"{letter}{n}"' for n in range(count))


path = os.path.join(lab.SCRATCH, "cells.toml")
with open(path, "w") as file:
    file.write(FILE % (names("r", 200), names("c", 100)))
record = os.path.join(lab.SCRATCH, "cells.jsonl")
lab.etalon("run", "--quiet", "-o", record, path)
PARSE = "import json, sys\nfor line in open(sys.argv[1]): json.loads(line)\n"
seen = {"plan": [], "report": [], "wc -l": [], "JSON parser": []}
peak = 0
for _ in range(ROUNDS):
    for name, argv in {
        "plan": [lab.ETALON, "run", "--dry-run", path],
        "report": [lab.ETALON, "report", record],
        "wc -l": ["/usr/bin/wc", "-l", record],
        "JSON parser": ["/usr/bin/python3", "-c", PARSE, record],
    }.items():
        done = lab.execute(argv)
        assert done.code == 0, (name, done)
        seen[name].append(done.seconds)
        if argv[0] == lab.ETALON:
            peak = max(peak, done.rss / 1e6)
figures = lab.Figures()
for name, seconds in seen.items():
    figures.median(f"20,000 cells: {name}", seconds, unit=" s")
median = {name: statistics.median(seconds) for name, seconds in seen.items()}
floor = median["wc -l"] + median["JSON parser"]
figures.at_most("20,000 cells: plan and report, to wc -l and a parser", round((median["plan"] + median["report"]) / floor, 2), 4)
figures.at_most("20,000 cells: peak memory, MB", round(peak), 200)
figures.end()
