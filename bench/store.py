"""store: a store of 100,000 saved runs: what finding, listing, comparing, pruning and saving take.

The runs are small (two commands, ten blocks, 10 kB) and made here, as an earlier etalon left them: without the order and the
index of the store. The first list of all makes both; it is a figure of its own, and everything after it has to take at most 2 s
of CPU time and 100 MB. From the page cache; medians of five; what removes runs is executed once, last, when all files are on
the disk, and so is `rm -r` of a copy of the store: what it takes is what removing files takes. Memory of a process that starts
here is at least this one's (some 12 MB).
"""

import os
import random
import shutil
import subprocess
import sys

import lab

RUNS = lab.count(100_000)
ROUNDS = 5
SECONDS, MEGABYTES = 2, 100
OTHER = os.path.join(lab.SCRATCH, "other.jsonl")


def made(run, text, known):
    """The record of a run: another time, another id."""
    rng = random.Random(run)
    letters = "".join(rng.choice("bcdfghjklmnpqrstvwxz") for _ in range(8))
    day, second = divmod(run * 200, 86_400)
    clock = f"{second // 3600:02}{second // 60 % 60:02}{second % 60:02}"
    started = f"2025-{1 + day // 28 % 12:02}-{1 + day % 28:02}T{clock[:2]}:{clock[2:4]}:{clock[4:]}Z"
    name = f"{started[:10].replace('-', '')}T{clock}.{run % 1_000_000:06}Z-{letters}"
    return name, text.replace(known, name)


def fill():
    """Runs like one that was just saved."""
    lab.etalon("cmd", "-N", "-r", "10", "true", "/bin/true")
    home = os.path.join(os.environ["ETALON_HOME"], "runs")
    (first,) = os.listdir(home)
    with open(os.path.join(home, first), encoding="utf-8") as file:
        text = file.read()
    known = first.removesuffix(".jsonl")
    with open(OTHER, "w", encoding="utf-8") as file:
        file.write(text.replace(known, "other"))
    for run in range(RUNS):
        name, record = made(run, text, known)
        with open(os.path.join(home, f"{name}.jsonl"), "w", encoding="utf-8") as file:
            file.write(record)


def once(arguments):
    """Seconds of CPU time and peak memory in MB. What it prints is not read: the next one's memory would start there."""
    return of_program([lab.ETALON, *arguments])


def of_program(words):
    with open(os.devnull, "r+b") as nowhere:
        files = [(os.POSIX_SPAWN_DUP2, nowhere.fileno(), stream) for stream in range(3)]
        pid = os.posix_spawn(words[0], words, os.environ, file_actions=files)
        _, status, usage = os.wait4(pid, 0)
    if status != 0:
        sys.exit(f"{words}: {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6


def measure(what, arguments, rounds=ROUNDS):
    done = [once(arguments) for _ in range(rounds)]
    figures.median(f"{RUNS:,} runs, {what}", [seconds for seconds, _ in done], SECONDS, unit=" s")
    figures.median(f"{RUNS:,} runs, {what}: peak memory", [size for _, size in done], MEGABYTES, 1, " MB")


figures = lab.Figures()
fill()
figures.plain(f"{RUNS:,} runs, the first list of all", "{:.2f} s, {:.0f} MB".format(*once(["runs", "--all"])))
measure("`runs`", ["runs"])
measure("`runs --all`", ["runs", "--all"])
measure("`runs --all --json`", ["runs", "--all", "--json"])
measure("`runs list WORD`", ["runs", "list", "nowhere"])
measure("`runs show @last`", ["runs", "show", "@last"])
measure("`runs prune --keep 50`", ["runs", "prune", "--keep", "50"])
measure("`report @last`", ["report", "@last"])
measure("`compare @last FILE`", ["compare", "@last", OTHER])
measure("`cmd -r 1 true`", ["cmd", "-N", "-r", "1", "true"])
copy = os.path.join(lab.SCRATCH, "copy")
subprocess.run(["cp", "-a", os.environ["ETALON_HOME"], copy], check=True)
os.sync()
floor, _ = of_program([shutil.which("rm"), "-r", copy])
removal, size = once(["runs", "prune", "--keep", "50", "--yes"])
figures.median(f"{RUNS:,} runs, `runs prune --keep 50 --yes`", [removal], SECONDS, unit=" s")
figures.median(f"{RUNS:,} runs, `runs prune --keep 50 --yes`: peak memory", [size], MEGABYTES, 1, " MB")
figures.median(f"{RUNS:,} runs, `runs prune --keep 50 --yes`, to `rm -r` of a copy", [removal / floor], 3, unit=" ×")
figures.end()
