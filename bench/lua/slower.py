"""How often 5 % more work is found to be slower.

Measures: 40 suites of two cases, default settings: a loop that mixes 100 numbers of a table, and the
same of 105. Counts `slower`.

Fair because the two are the same code but for one number in a local variable, the ratio found is
printed, and no suite is repeated or left out; lua/five shows the other side.
"""

import collections

import lab
import work

SUITES = lab.count(40)

path = work.suite("slower.lua", [100, 105])
verdicts, ratios = collections.Counter(), []
for seed in range(SUITES):
    shown = lab.analysis("run", path, "--seed", seed)
    verdicts[shown["comparisons"][0]["verdict"]] += 1
    ratios.append(shown["comparisons"][0]["ratio"])

figures = lab.Figures()
figures.median("ratio found", ratios)
print("  " + ", ".join(f"{n} {verdict}" for verdict, n in verdicts.most_common()))
figures.at_least(f"called slower, of {SUITES}", verdicts["slower"], -(-SUITES * 33 // 40))
figures.end()
