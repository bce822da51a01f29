"""What a start costs: of etalon as such, and of an experiment of one execution.

Measures: `etalon --version` and `etalon -h` against `/bin/true`, which does nothing; and the time of
`etalon cmd -r 1 -N --quiet /bin/true` (resolve, read the machine's facts, start the launcher, measure,
save, analyse, print) beyond that of `/bin/true` itself. With BASELINE=PROGRAM in the environment,
another build of etalon takes part, and every figure is also shown as its share of that build's.

Fair because everything is timed from outside in the same way and takes turns in every round, in an
order that turns around from round to round: only differences and ratios within a round count. Where the
machine is shared, the fastest of a hundred says what the program needs, the median what it took.
"""

import os

import lab

ROUNDS = lab.count(100)
TRUE = "/bin/true"
ONE = ["cmd", "-r", "1", "-N", "--quiet", TRUE]
STARTS = {"--version": ["--version"], "-h": ["-h"], "cmd -h": ["cmd", "-h"], "one execution": ONE}
builds = {"etalon": lab.ETALON}
if "BASELINE" in os.environ:
    builds["baseline"] = os.environ["BASELINE"]

subjects = [(TRUE, "", [TRUE])]
subjects += [(build, what, [path, *argv]) for build, path in builds.items() for what, argv in STARTS.items()]


def one_round(turned):
    order = subjects[::-1] if turned else subjects
    return {(who, what): lab.execute(argv).seconds * 1e3 for who, what, argv in order}


rounds = [one_round(turned=i % 2 == 1) for i in range(ROUNDS)]
figures = lab.Figures()


def times(who, what):
    return [r[who, what] for r in rounds]


nothing = times(TRUE, "")
figures.median("/bin/true", nothing, digits=2, unit=" ms")
for what in ("--version", "-h", "cmd -h"):
    target = None if what == "cmd -h" else 2
    figures.median(f"{what}, to /bin/true", [a / b for a, b in zip(times("etalon", what), nothing)], target, 2)
    fastest = min(times("etalon", what)), min(nothing)
    figures.plain(f"{what}, fastest, to the fastest of /bin/true", f"{fastest[0] / fastest[1]:.2f}")
beyond = [a - b for a, b in zip(times("etalon", "one execution"), nothing)]
figures.median("one execution, beyond /bin/true", beyond, 5, 1, " ms")
figures.plain("one execution, fastest, beyond it", f"{min(times('etalon', 'one execution')) - min(nothing):.1f} ms")
if "baseline" in builds:
    fastest = min(times("baseline", "one execution")) - min(nothing)
    figures.plain("one execution, fastest, beyond it, baseline", f"{fastest:.1f} ms")
    for what in STARTS:
        ratios = [a / b for a, b in zip(times("etalon", what), times("baseline", what))]
        figures.median(f"{what}, to the baseline's", ratios, digits=2)
figures.end()
