"""How often identical commands are found to be the same, when there is enough data.

Measures: 30 experiments of 200 randomised blocks, the same command of about 3 % noise under two
names, margin 1 % as by default; counts `same` from --json. The noise is printed as measured in
these very experiments: standard deviation of the log ratios within blocks, divided by √2. After
each, what bench/busy.c adds is set anew for 3 % in all. (With 3 % the interval is about ± 0.6 %,
and 8 of 10 of those lie inside ± 1 %; with 3.4 % it is 6 of 10.)

Fair because nothing is repeated or left out, and `same` is an equivalence claim: the two parts aa
and slower show that it is not bought with blindness.
"""

import collections

import lab
import noise

EXPERIMENTS = lab.count(30)

busy = noise.Busy()
busy.describe()
verdicts, scatter, halves = collections.Counter(), [], []
for seed in range(EXPERIMENTS):
    shown = lab.analysis("cmd", "--metric", "cpu", "-r", 200, "--seed", seed, "-n", "a", "-n", "b", busy.command(), busy.command())
    comparison = shown["comparisons"][0]
    verdicts[comparison["verdict"]] += 1
    halves.append((comparison["hi"] - comparison["lo"]) / 2 * 100)
    scatter.append(noise.of(noise.log_ratios(shown)))
    busy.tune(scatter[-1][0])

figures = lab.Figures()
figures.median("noise of CPU time, standard deviation", [s[0] * 100 for s in scatter], digits=2, unit=" %")
figures.median("noise of CPU time, by quartiles", [s[1] * 100 for s in scatter], digits=2, unit=" %")
figures.median("half-width of the interval", halves, digits=2, unit=" %")
print("  " + ", ".join(f"{n} {verdict}" for verdict, n in verdicts.most_common()))
figures.at_least(f"called same, of {EXPERIMENTS}", verdicts["same"], -(-EXPERIMENTS * 7 // 10))
figures.end()
