"""What the parts of the bench share: executing things, reading what came out, printing figures.

Owns: the one way a process is timed here (monotonic clock around posix_spawn and wait4, the same
for etalon and for what it is held against) and the one form of a figure: median, quartiles, target,
PASS or FAIL. Refuses: to decide what is measured; that is each part's.
"""

import json
import os
import statistics
import sys
import time
from collections import namedtuple
from datetime import datetime, timezone

ETALON = os.environ["ETALON"]
SCRATCH = os.environ["SCRATCH"]

Done = namedtuple("Done", "seconds cpu rss code out")


def tool(name):
    """A compiled program of this directory."""
    return os.path.join(SCRATCH, name)


def count(default):
    """How often, from the command line: for trying a part out small."""
    return int(sys.argv[1]) if len(sys.argv) > 1 else default


def execute(argv, env=None):
    """One process, from before its start to after its end. Its resident size is not below this
    one's (some 12 MB): children start there."""
    out = os.path.join(SCRATCH, "out")
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, out + ".err", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    ]
    env = {**os.environ, **(env or {})}
    start = time.monotonic()
    pid = os.posix_spawn(argv[0], argv, env, file_actions=actions)
    _, status, usage = os.wait4(pid, 0)
    seconds = time.monotonic() - start
    with open(out, encoding="utf-8") as text:
        code = os.waitstatus_to_exitcode(status)
        cpu = usage.ru_utime + usage.ru_stime
        return Done(seconds, cpu, usage.ru_maxrss * 1024, code, text.read())


def etalon(*arguments):
    """etalon, which has to succeed."""
    done = execute([ETALON, *map(str, arguments)])
    if done.code != 0:
        with open(os.path.join(SCRATCH, "out.err"), encoding="utf-8") as text:
            sys.exit(f"etalon {arguments}: exit {done.code}\n{text.read()}")
    return done


def analysis(*arguments):
    """What etalon says about an experiment, as data."""
    return json.loads(etalon(*arguments, "--json", "--quiet").out)


def suite(name, text):
    """A Lua suite under this name in the scratch directory."""
    path = os.path.join(SCRATCH, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def observations(path):
    """The measured observations of a record."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["type"] == "observation" and row.get("phase") != "warmup":
                yield row


def blocks(path, metric):
    """Per block, the metric of each benchmark in their order."""
    by_block = {}
    for row in observations(path):
        by_block.setdefault(row["block"], {})[row["benchmark"]] = row["values"][metric]
    return [[value for _, value in sorted(block.items())] for block in by_block.values()]


def spread(values):
    """Median and quartiles."""
    if len(values) < 2:
        return values[0], values[0], values[0]
    lo, _, hi = statistics.quantiles(values, n=4, method="inclusive")
    return statistics.median(values), lo, hi


def row(name, shown, limit, met):
    """A figure as a row of docs/performance.md: with its part, the day and the machine."""
    with open("/proc/cpuinfo", encoding="utf-8") as text:
        models = [line.split(":", 1)[1].strip() for line in text if line.startswith("model name")]
    model = models[0] if models else "unknown"
    machine = next((known for known in ("EPYC", "Xeon") if known in model), model)
    target = "" if limit is None else limit if met else f"{limit}: **missed**"
    day = datetime.now(timezone.utc).date()
    with open(os.path.join(SCRATCH, "rows.md"), "a", encoding="utf-8") as rows:
        part = os.environ.get("PART", "")
        rows.write(f"| `{part}` | {name} | {shown} | {target} | {day} | {machine} |\n")


class Figures:
    """The figures of one part."""

    def __init__(self):
        self.missed = False

    def median(self, name, values, target=None, digits=3, unit=""):
        """A figure measured several times; at most `target`, if there is one."""
        middle, lo, hi = spread(values)
        shown = f"{middle:.{digits}f} ({lo:.{digits}f} … {hi:.{digits}f}){unit}"
        limit = None if target is None else f"≤ {target}{unit}"
        self._line(name, shown, limit, target is None or middle <= target)

    def within(self, name, values, share):
        """A ratio whose median has to be 1 to within a share."""
        middle, lo, hi = spread(values)
        shown = f"{middle:.4f} ({lo:.4f} … {hi:.4f})"
        self._line(name, shown, f"1 ± {share}", abs(middle - 1) <= share)

    def plain(self, name, shown):
        """A figure without a target."""
        self._line(name, shown, None, True)

    def at_most(self, name, value, target):
        self._line(name, value, f"≤ {target}", value <= target)

    def at_least(self, name, value, target):
        self._line(name, value, f"≥ {target}", value >= target)

    def _line(self, name, shown, limit, met):
        self.missed |= not met
        verdict = "" if limit is None else f"  target {limit:<10} {'PASS' if met else 'FAIL'}"
        print(f"  {name:<50} {shown!s:<27}{verdict}".rstrip(), flush=True)
        row(name, shown, limit, met)

    def end(self):
        """Ends the part; anything but 0 and 3 means that it did not get here."""
        sys.exit(3 if self.missed else 0)
