"""How often a command that is 5 % slower is found to be slower.

Measures: 40 experiments of 30 randomised blocks; the second command uses 5 % more CPU time than the
first, both with about 3 % noise, which is printed as measured; counts `slower` from --json.

Fair because the 5 % are of the whole command (its start included), the ratio found is printed, and
no experiment is repeated or left out.
"""

import collections

import lab
import noise

EXPERIMENTS = lab.count(40)

busy = noise.Busy()
busy.describe()
verdicts, scatter, ratios = collections.Counter(), [], []
for seed in range(EXPERIMENTS):
    shown = lab.analysis("cmd", "--metric", "cpu", "-r", 30, "--seed", seed, "-n", "a", "-n", "b", busy.command(), busy.command(0.05))
    verdicts[shown["comparisons"][0]["verdict"]] += 1
    ratios.append(shown["comparisons"][0]["ratio"])
    scatter.append(noise.of(noise.log_ratios(shown)))

figures = lab.Figures()
figures.median("noise of CPU time, standard deviation", [s[0] * 100 for s in scatter], digits=2, unit=" %")
figures.median("noise of CPU time, by quartiles", [s[1] * 100 for s in scatter], digits=2, unit=" %")
figures.median("ratio found", ratios)
print("  " + ", ".join(f"{n} {verdict}" for verdict, n in verdicts.most_common()))
figures.at_least(f"called slower, of {EXPERIMENTS}", verdicts["slower"], -(-EXPERIMENTS * 33 // 40))
figures.end()
