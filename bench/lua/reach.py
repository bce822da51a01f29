"""What a budget can see: 3 % in 2 s of measuring a case, and 1 % in 15 s.

Measures: 40 suites of two cases each, 1,000 turns of a loop and 3 % more with `--budget 2s`, then 1 % more with
`--budget 15s`; a precision that is never reached keeps them from ending earlier. Counts `slower`.

Fair because nothing else differs from the default and no suite is repeated or left out. REACH=15 takes the second only;
it takes 20 minutes, the first 3.
"""

import collections
import os

import lab
import work

SUITES = lab.count(40)
ASKED = [(30, "2s"), (10, "15s")]

figures = lab.Figures()
for more, budget in ASKED:
    if os.environ.get("REACH", budget[:-1]) != budget[:-1]:
        continue
    path = work.suite(f"reach{more}.lua", [1000, 1000 + more])
    verdicts, ratios, blocks = collections.Counter(), [], []
    for seed in range(SUITES):
        shown = lab.analysis("run", path, "--budget", budget, "--precision", "0.01", "--seed", seed)
        comparison = shown["comparisons"][0]
        verdicts[comparison["verdict"]] += 1
        ratios.append(comparison["ratio"])
        blocks.append(comparison["n"][0])
    figures.median(f"{more / 10} % more in {budget}: ratio found", ratios, digits=4)
    figures.median(f"{more / 10} % more in {budget}: blocks", blocks)
    figures.plain("called", ", ".join(f"{n} {verdict}" for verdict, n in verdicts.most_common()))
    figures.at_least(f"{more / 10} % more in {budget} called slower, of {SUITES}", verdicts["slower"], -(-SUITES * 33 // 40))
figures.end()
