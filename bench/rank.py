"""How long a report takes, and how much memory, when there are many observations.

Measures: `etalon report FILE -N` on two commands of 100,000 and of 1,000,000 observations each, ten
metrics (waiting is known or bounded), whole process from outside, with its peak resident size from wait4.

Fair because the record is what etalon writes (recorded.py). The file has just been written, so reading it from disk
is not part of the figure.
"""

import os

import lab
from recorded import record


def measure(n, times, seconds, megabytes):
    path = os.path.join(lab.SCRATCH, f"{n}.jsonl")
    record(path, n)
    done = [lab.etalon("report", path, "-N") for _ in range(times)]
    assert all(f"{n} interleaved blocks" in d.out for d in done), done[0].out
    size = os.path.getsize(path) / 1e6
    os.remove(path)
    figures.median(f"{n} each ({size:.0f} MB): time", [d.seconds for d in done], seconds, unit=" s")
    figures.median(f"{n} each: CPU time", [d.cpu for d in done], unit=" s")
    figures.median(f"{n} each: peak memory", [d.rss / 1e6 for d in done], megabytes, 1, " MB")


figures = lab.Figures()
measure(100_000, lab.count(9), 0.5, 100)
measure(1_000_000, lab.count(5), 2, 300)
figures.end()
