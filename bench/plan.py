"""How well --plan foretells the time, and whether planned experiments find what they are planned for.

Measures: live experiments of short commands (sleeps, loops, a shell, gzip, etalon itself). Each is planned from a
pilot of 10 blocks, and one of its planned numbers of blocks is executed with the command line that the plan gives:
that of the smallest difference which takes between 2 and 12 s, so that all of it takes at most ten minutes. The time that
is compared is that of all blocks, from the first start to the last end in the record; etalon's own start is not in it,
as it is not in the plan.

Fair because every experiment counts, the command line is the one that is shown, and nothing is tuned between. The power
of planned experiments cannot be seen live, where nobody knows the true difference: it is simulated, with known ones, in
crates/etalon-core/tests/public/power.rs and the calibration.
"""

import json
import os
import shlex

import lab

EXPERIMENTS = lab.count(30)

LOOP = "sh -c 'i=0; while [ $i -lt {} ]; do i=$((i+1)); done'"
PAIRS = [
    ("sleep 0.002", "sleep 0.003"),
    ("true", "sleep 0.001"),
    (LOOP.format(2000), LOOP.format(2100)),
    (LOOP.format(10000), LOOP.format(10500)),
    ("sh -c :", "sh -c 'true | true'"),
    (f"gzip -1 -c {lab.ETALON}.part", f"gzip -2 -c {lab.ETALON}.part"),
    (f"{lab.ETALON} -V", "true"),
    ("ls /usr/bin", "ls /usr/lib"),
    ("cat /etc/passwd", "head /etc/passwd"),
    ("sort /etc/services", "uniq /etc/services"),
]
PART = os.path.join(lab.SCRATCH, "part")
with open(lab.ETALON, "rb") as program, open(PART, "wb") as part:
    part.write(program.read(1 << 18))
PAIRS = [tuple(command.replace(f"{lab.ETALON}.part", PART) for command in pair) for pair in PAIRS]


def chosen(rows):
    """The number of blocks that is executed: one that takes some seconds."""
    each = [row["each"] for row in rows if row["each"]["blocks"]]
    some = [one for one in each if 2 <= one["seconds"] <= 12]
    return some[0] if some else min(each, key=lambda one: abs(one["seconds"] - 5))


def spent(record):
    """Seconds from the first start of a measured execution to the last end."""
    starts, ends = [], []
    for row in lab.observations(record):
        start = row["at"] / 1e9
        starts.append(start)
        ends.append(start + row["values"]["wall"] / 1e9)
    return max(ends) - min(starts)


record = os.path.join(lab.SCRATCH, "planned.jsonl")
ratios = []
for number in range(EXPERIMENTS):
    pair = PAIRS[number % len(PAIRS)]
    planned = lab.analysis("cmd", "--plan", "-i", "--no-save", *pair)
    one = chosen(planned["differences"])
    words = [word for word in shlex.split(one["command"])[1:] if word not in ("--quiet",)]
    lab.etalon(*words, "-o", record, "--force", "--quiet")
    took = spent(record)
    ratios.append(took / one["seconds"])
    print(f"  {planned['subjects'][0][:30]:30} {one['blocks']:6} blocks: {one['seconds']:6.2f} s foretold, {took:6.2f} s taken")

figures = lab.Figures()
figures.median("time taken over time foretold", ratios, digits=2, unit="")
within = sum(1 for ratio in ratios if 0.8 <= ratio <= 1.25)
figures.at_least(f"within a quarter, of {EXPERIMENTS}", within, -(-EXPERIMENTS * 27 // 30))
figures.end()
