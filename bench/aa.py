"""How often identical commands are called different.

Measures: 200 experiments of 30 randomised blocks with the same path under two names; counts the
verdicts `faster` and `slower` from --json. At alpha 0.05 and true null, 10 of 200 are expected, and
more than 18 happen in 0.6 % of such series. Again with two CPU hogs running, one for each CPU of a
small machine: started here, ended here.

Which of the two was called slower is printed too: a bias for the first or the second would show there.

Fair because everything is the default, no experiment is repeated or left out, and the seeds of the
schedules are the experiment's numbers.
"""

import collections
import signal
import subprocess

import lab

EXPERIMENTS = lab.count(200)
HOGS = 2
DIFFERENT = ("faster", "slower")


def series():
    """How often which name was called different, and every other verdict."""
    said = collections.Counter()
    for seed in range(EXPERIMENTS):
        shown = lab.analysis("cmd", "--metric", "cpu", "-r", 30, "--seed", seed, "-n", "a", "-n", "b", "/bin/true", "/bin/true")
        comparison = shown["comparisons"][0]
        verdict, pair = comparison["verdict"], (comparison["base_name"], comparison["candidate_name"])
        if verdict in DIFFERENT:
            slower = pair[verdict == "slower"]
            verdict = f"{slower} slower"
        said[verdict] += 1
    return said


def report(name, said):
    print(f"  {name}: " + ", ".join(f"{n} {verdict}" for verdict, n in said.most_common()))
    different = said["a slower"] + said["b slower"]
    figures.at_most(f"{name}: called different, of {EXPERIMENTS}", different, 18)


figures = lab.Figures()
report("quiet", series())
hogs = [subprocess.Popen([lab.tool("busy"), str(10**15)]) for _ in range(HOGS)]
try:
    report(f"{HOGS} hogs", series())
finally:
    for hog in hogs:
        hog.send_signal(signal.SIGKILL)
        hog.wait()
figures.end()
