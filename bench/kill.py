"""What is lost when etalon is killed.

Measures: 100 times, etalon is killed with SIGKILL at a random instant of an experiment of two
commands that log their own completion (bench/logged.c), with -o as JSON Lines and as CSV in turn.
Then: the record and -o must hold every completion in the log, in its order, except at most the
last (in flight); all their lines must be whole; the record must be reportable; and no process may
be left.

Fair because the log is written by the commands, not by etalon, and every process etalon leaves
behind becomes a child of this one (subreaper), so none can hide. The instants are uniform
over 0 to 400 ms, every fifth over 0 to 20 ms: start, first block and running ahead are all met.
"""

import csv
import ctypes
import glob
import json
import os
import random
import signal
import time

import lab

TRIALS = lab.count(100)
LONGEST, SHORT = 0.4, 0.02
PATIENCE = 5.0
SEED = 7

PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def killed(argv, directory, after):
    """Starts etalon and kills it. The seconds until nothing of it was left, or None if something stayed."""
    null = [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_RDWR, 0) for fd in range(3)]
    env = {**os.environ, "ETALON_HOME": os.path.join(directory, "home")}
    pid = os.posix_spawn(lab.ETALON, [lab.ETALON, *argv], env, file_actions=null)
    time.sleep(after)
    os.kill(pid, signal.SIGKILL)
    gone = time.monotonic()
    while time.monotonic() - gone < PATIENCE:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.0005)
        except ChildProcessError:
            return time.monotonic() - gone
    return None


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def letters_of_record(text):
    rows = map(json.loads, text.splitlines())
    return "".join("ab"[row["benchmark"]] for row in rows if row["type"] == "observation")


def letters_of_rows(text):
    return "".join(row["Name"] for row in csv.DictReader(text.splitlines()))


def lost(log, held):
    """How many of the log's completions are missing; more than those of the log cannot be."""
    return len(log) - len(held) if log.startswith(held) else len(log)


def reportable(path, rows):
    """Whether a report shows what the record holds."""
    done = lab.execute([lab.ETALON, "report", path, "--json"])
    if done.code != 0:
        return False
    shown = json.loads(done.out)["benchmarks"]
    return sum(b["outcomes"]["ok"] for b in shown) == rows


def trial(number, rng):
    directory = os.path.join(lab.SCRATCH, f"kill-{number}")
    os.mkdir(directory)
    kind = ("jsonl", "csv")[number % 2]
    output = os.path.join(directory, f"o.{kind}")
    commands = [f"{lab.tool('logged')} {os.path.join(directory, 'log')} {letter}" for letter in "ab"]
    argv = ["cmd", "-r", "1000000", "-o", output, "-n", "a", "-n", "b", *commands]
    gone = killed(argv, directory, rng.uniform(0, LONGEST if number % 5 else SHORT))
    records = glob.glob(os.path.join(directory, "home", "runs", "*"))
    record = records[0] if records else os.path.join(directory, "none")
    log, text, second = read(os.path.join(directory, "log")), read(record), read(output)
    held = letters_of_record(text)
    other = (letters_of_record if kind == "jsonl" else letters_of_rows)(second)
    begun = '"type":"benchmark"' in text
    return {
        "finished": len(log),
        "lost": lost(log, held),
        "lost of -o": lost(log, other),
        "torn": any(t and not t.endswith("\n") for t in (text, second)),
        "begun": begun,
        "unreportable": begun and not reportable(record, len(held)),
        "left": gone is None,
        "gone": gone,
    }


def main():
    rng = random.Random(SEED)
    trials = [trial(number, rng) for number in range(TRIALS)]
    figures = lab.Figures()
    figures.median("executions finished before the kill", [t["finished"] for t in trials], digits=0)
    figures.median("time until nothing was left", [t["gone"] * 1e3 for t in trials if t["gone"]], digits=1, unit=" ms")
    print(f"  killed before anything was measured: {sum(not t['finished'] for t in trials)} of {TRIALS}")
    for kind in ("lost", "lost of -o"):
        cases = sum(t[kind] == 1 for t in trials)
        print(f"  {kind}: the one in flight in {cases} of {TRIALS}")
        figures.at_most(f"{kind}: finished executions, most in a trial", max(t[kind] for t in trials), 1)
    figures.at_most("files with a torn line", sum(t["torn"] for t in trials), 0)
    figures.at_most("records that cannot be reported", sum(t["unreportable"] for t in trials), 0)
    figures.at_most("trials that left a process", sum(t["left"] for t in trials), 0)
    figures.end()


if __name__ == "__main__":
    main()
