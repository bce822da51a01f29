"""What ten blocks can see: how often a small difference is found, by its size.

Measures: suites of two cases of ten blocks, otherwise default settings: 1,000 turns of a loop, and
0.5, 1, 1.5, 2 and 3 % more; 20 suites each; counts `slower`, and `same` (within 1 %, the default
margin). The effect that is found nine times out of ten lies between two of the rows.

Fair because nothing is repeated or left out. The sizes take turns, so that all of them meet the same
machine.
"""

import collections

import lab
import work

TIMES = lab.count(20)
MORE = (5, 10, 15, 20, 30)
POWER = 0.9

paths = {more: work.suite(f"power{more}.lua", [1000, 1000 + more]) for more in MORE}
verdicts = {more: collections.Counter() for more in MORE}
ratios = {more: [] for more in MORE}
halves = []
for seed in range(TIMES):
    for more in MORE:
        comparison = lab.analysis("run", paths[more], "-r", 10, "--seed", seed)["comparisons"][0]
        verdicts[more][comparison["verdict"]] += 1
        ratios[more].append(comparison["ratio"])
        halves.append((comparison["hi"] - comparison["lo"]) / 2 * 100)

figures = lab.Figures()
figures.median("half-width of the interval", halves, digits=2, unit=" %")
for more in MORE:
    said = ", ".join(f"{n} {verdict}" for verdict, n in verdicts[more].most_common())
    figures.median(f"{more / 10} % more: ratio found", ratios[more], digits=4)
    figures.plain(f"{more / 10} % more, of {TIMES}", said)
seen = [more for more in MORE if verdicts[more]["slower"] >= POWER * TIMES]
figures.plain(f"found {POWER:.0%} of the time from", f"{min(seen) / 10} %" if seen else "more than 3 %")
figures.end()
