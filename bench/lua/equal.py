"""How often two equal cases are called different.

Measures: 100 suites of two cases with the same function, `--budget .3s` and otherwise default settings; counts those that
are called `faster` or `slower`. At alpha 0.05 5 are expected, and more than 11 happen in 0.4 % of such series.

Fair because every suite is of its own, none is repeated or left out, and lua/reach and lua/slower show the other side.
"""

import collections

import lab

SUITES = lab.count(100)
EQUAL = """local measure = require('measure')
local function work()
    local sum = 0
    for i = 1, 100 do sum = sum + i * i % 7 end
    return sum
end
measure.describe('a'):run(function() measure.sink(work()) end)
measure.describe('b'):run(function() measure.sink(work()) end)
"""

path = lab.suite("equal.lua", EQUAL)
verdicts = collections.Counter()
for seed in range(SUITES):
    shown = lab.analysis("run", path, "--budget", ".3s", "--seed", seed)
    verdicts[shown["comparisons"][0]["verdict"]] += 1
figures = lab.Figures()
figures.plain("called", ", ".join(f"{n} {verdict}" for verdict, n in verdicts.most_common()))
different = verdicts["faster"] + verdicts["slower"]
figures.at_most(f"called different, of {SUITES}", different, 11 * SUITES // 100)
figures.end()
