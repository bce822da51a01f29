"""A command with known noise: bench/busy.c, its turns and its scatter set for this machine, now.

Owns: how many turns take some 3 ms, what this machine scatters by itself, and how much scatter has
to be added for 3 % in all; that can be adjusted by the noise measured since, never by a verdict.
Refuses: to hide the result; the noise that counts is the one measured in the experiments
themselves, which their parts print.
"""

import math
import statistics

import lab

MILLISECONDS = 3.0
NOISE = 0.03


def cpu(turns, times=41):
    busy = lab.tool("busy")
    return statistics.median(lab.execute([busy, str(turns)]).cpu for _ in range(times))


def log_ratios(shown):
    """Of the CPU times within the blocks of an experiment."""
    path = shown["executions"][0]["source"]
    return [math.log(b / a) for a, b in lab.blocks(path, "cpu")]


def of(ratios):
    """One command's noise: a ratio has that of two. Its standard deviation, and what that would be
    by the quartiles, which disturbances do not move."""
    _, lo, hi = lab.spread(ratios)
    return statistics.stdev(ratios) / math.sqrt(2), (hi - lo) / 1.349 / math.sqrt(2)


class Busy:
    """Commands that differ by a share of their CPU time, with about 3 % noise each."""

    def __init__(self):
        guess = 1_000_000
        empty = cpu(0)
        self.per_turn = (cpu(guess) - empty) / guess
        self.turns = round((MILLISECONDS / 1e3 - empty) / self.per_turn)
        self.in_loop = 1 - empty / (MILLISECONDS / 1e3)
        bare = f"{lab.tool('busy')} {self.turns}"
        shown = lab.analysis("cmd", "--metric", "cpu", "-r", 200, "-n", "a", "-n", "b", bare, bare)
        self.own = of(log_ratios(shown))
        self.added = 0.0
        self.tune(self.own[1])  # by the quartiles: one bad disturbance is not the machine's noise

    def tune(self, measured):
        """Sets what is added from the noise just measured, so that all of it stays at 3 % while
        the machine's own comes and goes. Only the loop's share of the CPU time can scatter."""
        own = max(0.0, measured**2 - (self.added * self.in_loop) ** 2)
        self.added = math.sqrt(max(0.0, NOISE**2 - own)) / self.in_loop

    def command(self, slower=0.0):
        extra = round(slower * MILLISECONDS / 1e3 / self.per_turn)
        return f"{lab.tool('busy')} {self.turns + extra} {self.added:.5f}"

    def describe(self):
        print(
            f"  {MILLISECONDS} ms of CPU: {self.turns} turns; this machine's own noise "
            f"{self.own[0]:.2%} ({self.own[1]:.2%} by quartiles), {self.added:.2%} added to the loop at first"
        )
