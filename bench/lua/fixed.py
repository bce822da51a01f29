"""What a suite of one case costs besides measuring it.

Measures: the whole time of `etalon run` on a suite of one empty function, default settings, ten
blocks, minus what is recorded: calls of the warm-up (calibrating included), samples with the
untimed eighth of a batch before each, collections. What is left are the starts of etalon and of
eleven workers, what a worker does at its end, the answers of about 50 samples a block, record and report.

Where nginx is there, the same on OpenResty, for each of its processes.

Fair because the suite's own loading (a line of Lua) is left in, and the untimed calls are taken as
long as the timed ones they precede.
"""

import shutil

import lab

REWARM = 1 / 8  # as in the driver
TIMES = lab.count(9)
BLOCKS = 10

path = lab.suite("fixed.lua", "require('measure').describe('nothing'):run(function() end)\n")


def rest(*options):
    done = lab.etalon("run", "-r", BLOCKS, *options, path)
    record = lab.analysis("report", "@last")["executions"][0]["source"]
    calls = 0
    with open(record, encoding="utf-8") as lines:
        for row in map(lab.json.loads, lines):
            values = row.get("values", {})
            times = 1 if row.get("phase") == "warmup" else 1 + REWARM
            calls += values.get("wall", 0) * times + values.get("gc_time", 0)
    return done.seconds, calls / 1e9


times = [rest() for _ in range(TIMES)]
figures = lab.Figures()
figures.median("whole time", [seconds for seconds, _ in times], unit=" s")
figures.median("in calls and collections", [calls for _, calls in times], unit=" s")
figures.median("the rest", [seconds - calls for seconds, calls in times], 0.1, unit=" s")
if shutil.which("nginx") or shutil.which("/usr/sbin/nginx"):
    times = [rest("--lua", "openresty") for _ in range(TIMES)]
    # One more process than blocks reads the suite.
    each = [(seconds - calls) / (BLOCKS + 1) for seconds, calls in times]
    figures.median("OpenResty: the rest, a process", each, 0.1, unit=" s")
figures.end()
