"""Whether a large live heap changes what a function of nothing takes.

Measures: an empty function and `x = x + 1`, alone and beside 16 MB of live tables and strings made by `before_all`,
as suites of one case with default settings (a full collection before every sample), in turns, nine
times, in alternating order. The collection itself is shown, as reported.

Fair because it is the default policy, whose collection walks those 16 MB and fills the caches with
them right before each sample.
"""

import lab

ROUNDS = lab.count(9)
SHARE, NANOSECONDS = 0.10, 0.2
FUNCTIONS = {"empty function": "function() end", "x = x + 1": "function() x = x + 1 end"}

SUITE = """local measure = require('measure')
local x, alive = 0, {}
function measure.before_all()
    for i = 1, %d do alive[i] = { 'number ' .. i, i } end
end
measure.describe('it'):run(%s)
"""
OBJECTS = 110000  # tables of 88 B, strings of some 40 B, slots of 8 B; 16 MB with the table of all strings

paths = {
    (name, size): lab.suite(f"heap{i}{size}.lua", SUITE % (size, function))
    for i, (name, function) in enumerate(FUNCTIONS.items())
    for size in (0, OBJECTS)
}
found = {key: [] for key in paths}
for number in range(ROUNDS):
    for key in list(paths)[:: -1 if number % 2 else 1]:
        found[key].append(lab.analysis("run", paths[key])["benchmarks"][0]["metrics"])

figures = lab.Figures()
for name in FUNCTIONS:
    alone, beside = ([m["wall"]["median"] * 1e9 for m in found[name, size]] for size in (0, OBJECTS))
    live = found[name, OBJECTS]
    figures.median(f"{name}: alone", alone, unit=" ns")
    figures.median(f"{name}: beside live data", beside, unit=" ns")
    figures.median(f"{name}: heap", [m["heap"]["median"] / 1e6 for m in live], digits=1, unit=" MB")
    figures.median(f"{name}: samples", [m["wall"]["readings"] for m in live], digits=0)
    over = [abs(b - a) / max(SHARE * a, NANOSECONDS) for a, b in zip(alone, beside)]
    figures.median(f"{name}: share of what it may be off", over, 1)
figures.end()
