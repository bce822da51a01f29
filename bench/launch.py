"""What etalon adds to the plainest loop that starts a program and reads its cost.

Measures: the whole time of `etalon cmd -N -r N /bin/true` with its default measurements (start,
saving, statistics and report included) against bench/floor.c doing the same N executions; the time
that each further execution costs; what is left when those are taken away; and whether the medians
etalon reports are the ones the loop sees. CPU time is that of everything together, programs
included; it is shown because others on the machine move it less.

Fair because both are timed from outside in the same way, take turns in every round (the order
turns around from round to round), and only ratios within a round count: this kind of machine
drifts by far more than the few per cent at stake. The loop does no more than it must: vfork,
execve, wait4, two clock readings. Nothing is subtracted from etalon.
"""

import lab

FEW, MANY = 500, 1500
PROGRAM = "/bin/true"
CALM = 1.08  # quartiles of the loop within this: undisturbed they are within 2 to 5 %


def loop(n):
    done = lab.execute([lab.tool("floor"), str(n), PROGRAM])
    _, wall, cpu = map(float, done.out.split())
    return done.seconds, wall, cpu, done.cpu


def etalon(n):
    done = lab.etalon("cmd", "-N", "-r", n, PROGRAM)
    shown = lab.analysis("report", "@last")["benchmarks"][0]["metrics"]
    return done.seconds, shown["wall"]["median"] * 1e6, shown["cpu"]["median"] * 1e6, done.cpu


def one_round(turned):
    subjects = [(loop, FEW), (etalon, FEW), (loop, MANY), (etalon, MANY), (etalon, 1)]
    order = subjects[::-1] if turned else subjects
    return {(what, n): what(n) for what, n in order}


rounds = [one_round(turned=i % 2 == 1) for i in range(lab.count(15))]
figures = lab.Figures()


def ratios(index, n):
    return [r[etalon, n][index] / r[loop, n][index] for r in rounds]


def slope(what, r, index=0):
    return (r[what, MANY][index] - r[what, FEW][index]) / (MANY - FEW)


def rest(what, r):
    """What is not per execution, in ms: the line through both sizes, at none."""
    return (r[what, FEW][0] - FEW * slope(what, r)) * 1e3


figures.median(f"the loop, {FEW} executions", [r[loop, FEW][0] * 1e3 for r in rounds], digits=1, unit=" ms")
figures.median(f"etalon, {FEW} executions", [r[etalon, FEW][0] * 1e3 for r in rounds], digits=1, unit=" ms")
figures.median(f"whole time, {FEW} executions, ratio", ratios(0, FEW), 1.065)
figures.median(f"whole time, {MANY} executions, ratio", ratios(0, MANY))
figures.median("time per further execution, ratio", [slope(etalon, r) / slope(loop, r) for r in rounds], 1.04)
figures.median("CPU time per further execution, ratio", [slope(etalon, r, 3) / slope(loop, r, 3) for r in rounds])
figures.median("start and report (line through both, at 0)", [rest(etalon, r) for r in rounds], 5, 1, " ms")
figures.median("start and report (one execution, minus it)", [(r[etalon, 1][0] - slope(etalon, r)) * 1e3 for r in rounds], 5, 1, " ms")
figures.median("the loop's own start", [rest(loop, r) for r in rounds], digits=1, unit=" ms")
_, lo, hi = lab.spread([r[loop, FEW][0] for r in rounds])
if hi > CALM * lo:
    print(f"  the machine was busy: the loop's own time varies by {hi / lo - 1:.0%}; measure again when it is not")
figures.within("median wall time reported, ratio", ratios(1, FEW), 0.03)
figures.within("median CPU time reported, ratio", ratios(2, FEW), 0.03)
figures.end()
