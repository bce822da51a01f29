"""How often identical functions are called different.

Measures: 100 suites of five closures of one function, default settings; a suite counts as different
when `faster` or `slower` is said of any of its four comparisons (with the first, as the report makes
them). At alpha 0.05 with Holm 5 of 100 are expected, and more than 11 happen in 0.4 % of such series.
Then a tenth as many of 30 blocks: most comparisons are to say `same`. What blocks scatter by (standard
deviation of the log ratios of two closures, one value per block) is printed; it is what decides.

Fair because everything is the default, no suite is repeated or left out, seeds are the suites'
numbers, and lua/slower shows that it is not bought with blindness.
"""

import collections
import statistics

import lab
import ratios

SUITES = lab.count(100)
LONG = max(3, SUITES // 10)
DIFFERENT = ("faster", "slower")

path = lab.suite(
    "five.lua",
    """local measure = require('measure')
local list = {}
for i = 1, 100 do list[i] = i % 7 end
for name = 1, 5 do
    measure.describe('closure ' .. name):run(function()
        local sum = 0
        for i = 1, #list do sum = sum + list[i] end
        measure.sink(sum)
    end)
end
""",
)


def series(count, *arguments):
    """Suites with a difference, verdicts of all pairs, scatter of all pairs, half-widths."""
    different, said, scatter, halves = 0, collections.Counter(), [], []
    for seed in range(count):
        shown = lab.analysis("run", path, "--seed", seed, *arguments)
        verdicts = [c["verdict"] for c in shown["comparisons"]]
        assert len(verdicts) == 4, verdicts
        different += any(v in DIFFERENT for v in verdicts)
        said.update(verdicts)
        halves += [(c["hi"] - c["lo"]) / 2 * 100 for c in shown["comparisons"]]
        for a in range(5):
            for b in range(a + 1, 5):
                scatter.append(statistics.stdev(ratios.of_blocks(shown, a, b)) * 100)
    return different, said, scatter, halves


figures = lab.Figures()
different, said, scatter, halves = series(SUITES)
print("  verdicts: " + ", ".join(f"{n} {verdict}" for verdict, n in said.most_common()))
figures.median("scatter of two closures' blocks", scatter, digits=2, unit=" %")
figures.median("half-width of the interval", halves, digits=2, unit=" %")
figures.at_most(f"suites with a difference, of {SUITES}", different, SUITES * 11 // 100)
different, said, scatter, halves = series(LONG, "-r", 30)
print("  30 blocks, verdicts: " + ", ".join(f"{n} {verdict}" for verdict, n in said.most_common()))
figures.median("30 blocks: scatter of two closures' blocks", scatter, digits=2, unit=" %")
figures.median("30 blocks: half-width of the interval", halves, digits=2, unit=" %")
figures.plain(f"30 blocks: suites with a difference, of {LONG}", different)
figures.at_least(f"30 blocks: same, of {LONG * 4} pairs", said["same"], LONG * 4 // 2 + 1)
figures.end()
