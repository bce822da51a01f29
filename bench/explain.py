"""How often --explain-noise names a planted cause first, in live records.

Measures: 40 records a cause, each of 60 executions of bench/planted.c, some 3 ms. Causes are a drift (30 % from the
first to the last), a step (20 % in the middle), two modes (three executions in ten take 30 % longer), a first execution
that takes four times as long, page faults (800 more in three of ten), and a hog that has the CPU of the command for 20
of every 60 ms. Steady records have none of these.

Fair because every record counts, and the machine is as it is: what it adds by itself is in all of them. A cause counts
as named only where it is the first.
"""

import os
import signal
import sys
import time

import lab

RECORDS = lab.count(40)
RUNS = 60
CAUSES = sys.argv[2:] or ["steady", "drift", "step", "modes", "first", "faults", "hog"]
#: What each may be called; a hog takes the CPU away, which is waiting and switches.
NAMES = {"hog": {"waiting", "switches"}}
CPU = min(os.sched_getaffinity(0))

planted = lab.tool("planted")
one = lab.execute([planted, "steady", os.path.join(lab.SCRATCH, "probe"), "5000000", "1"])
turns = round(5_000_000 * 0.003 / one.cpu)


def hog():
    """Has the CPU for 20 ms, and leaves it for 40."""
    pid = os.fork()
    if pid == 0:
        os.sched_setaffinity(0, {CPU})
        while True:
            until = time.monotonic() + 0.02
            while time.monotonic() < until:
                pass
            time.sleep(0.04)
    return pid


figures = lab.Figures()
for cause in CAUSES:
    named = {}
    for record in range(RECORDS):
        counter = os.path.join(lab.SCRATCH, f"{cause}-{record}")
        command = f"{planted} {cause} {counter} {turns} {RUNS}"
        beside = hog() if cause == "hog" else None
        pinned = f"taskset -c {CPU} {command}" if cause == "hog" else command
        try:
            shown = lab.analysis("cmd", "-r", RUNS, "--no-save", "--explain-noise", pinned)
        finally:
            if beside:
                os.kill(beside, signal.SIGKILL)
                os.waitpid(beside, 0)
        causes = shown["benchmarks"][0]["variation"]["causes"]
        first = causes[0]["cause"] if causes else "nothing"
        named[first] = named.get(first, 0) + 1
    right = NAMES.get(cause, {"nothing" if cause == "steady" else cause})
    others = ", ".join(f"{name} {n}" for name, n in sorted(named.items(), key=lambda it: -it[1]))
    print(f"  {cause}: named first: {others}")
    count = sum(n for name, n in named.items() if name in right)
    figures.at_least(f"{cause}: right, of {RECORDS}", count, -(-RECORDS * 36 // 40))
figures.end()
