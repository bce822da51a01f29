"""culprit: how often the right commit is named in a C repository while hogs come and go, and whether a bisection that is
killed comes to the same answer.

Measures: repositories of 64 commits, each of which changes a constant that nothing reads; one, at a random place, makes
the program's loop 10 % longer.
  - 10 bisections by CPU time and 10 by wall clock, while a hog on each CPU comes and goes with pauses of some seconds: how
    often the commit is named, and how many executions that takes.
  - 20 bisections by CPU time of 16 commits, of which one makes the loop four times as long, each killed with SIGKILL at a
    random instant and resumed: how often the same commit is named; copies that are left, and files of the repository that differ.

Fair because no bisection is repeated or left out, the seeds are the numbers of the bisections, and everything else is the default.
Needs git and cc. Arguments: the number of bisections of the first part.
"""

import hashlib
import json
import os
import random
import signal
import subprocess
import tempfile
import threading
import time

import lab

BISECTIONS = lab.count(10)
KILLS = 2 * BISECTIONS
ROOM = tempfile.mkdtemp(dir=lab.SCRATCH)

PROGRAM = """#include <stdio.h>
#include "constants.h"
int main(void) {
    volatile unsigned x = UNUSED;
    for (long i = 0; i < ROUNDS; i++) x = x * 1664525u + 1013904223u;
    printf("%u\\n", x);
    return 0;
}
"""


def git(where, *words):
    name = ["-c", "user.name=n", "-c", "user.email=e", "-c", "gc.auto=0"]
    subprocess.run(["git", *name, *words], cwd=where, check=True, stdout=subprocess.DEVNULL)


def repository(commits, step, rounds):
    where = tempfile.mkdtemp(dir=ROOM)
    with open(os.path.join(where, "p.c"), "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    git(where, "init", "-q", ".")
    for commit in range(commits + 1):
        with open(os.path.join(where, "constants.h"), "w", encoding="utf-8") as file:
            file.write(f"#define UNUSED {commit % 7}\n#define ROUNDS {rounds[commit >= step]}\n")
        git(where, "add", "-A")
        git(where, "commit", "-q", "-m", f"commit {commit}")
        git(where, "tag", f"c{commit}")
    return where


def argv(commits, seed, metric):
    words = ["bisect", "c0", f"c{commits}", "--build", "cc -O1 -o p p.c", "--metric", metric]
    return [*words, "--no-cache", "--seed", str(seed), "--json", "--", "./p"]


def answer(where, words, wait=True):
    env = {**os.environ, "TMPDIR": ROOM_TMP}
    done = subprocess.Popen([lab.ETALON, *words], cwd=where, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return json.loads(done.communicate()[0] or "null") if wait else done


def named(document):
    return [step["place"] for step in document["bisection"]["steps"]] if document else None


def hogs(stop, seed):
    """A hog for each CPU, there and gone."""
    rng = random.Random(seed)
    while not stop.is_set():
        hog = subprocess.Popen([lab.tool("busy"), str(10**15)])
        stop.wait(rng.uniform(1, 6))
        hog.send_signal(signal.SIGKILL)
        hog.wait()
        stop.wait(rng.uniform(1, 6))


def contents(where):
    found = {}
    for at, _, files in os.walk(where):
        for file in files:
            path = os.path.join(at, file)
            with open(path, "rb") as data:
                found[path] = (hashlib.sha256(data.read()).hexdigest(), os.stat(path).st_mtime_ns)
    return found


ROOM_TMP = os.path.join(ROOM, "tmp")
os.mkdir(ROOM_TMP)
figures = lab.Figures()

stop = threading.Event()
threads = [threading.Thread(target=hogs, args=(stop, cpu)) for cpu in range(os.cpu_count())]
for thread in threads:
    thread.start()
right, executions = {"cpu": 0, "wall": 0}, []
try:
    for number in range(BISECTIONS):
        step = random.Random(number).randrange(1, 65)
        where = repository(64, step, (6_000_000, 6_600_000))
        for metric in right:
            document = answer(where, argv(64, number, metric))
            right[metric] += named(document) == [step]
            executions += [document["bisection"]["executions"]] if metric == "cpu" else []
            print(f"  {number}: step at {step}, {metric}: {document['headline']}", flush=True)
finally:
    stop.set()
    for thread in threads:
        thread.join()
told = f"10 % among 64 commits, hogs coming and going, of {BISECTIONS}"
figures.at_least(f"{told}: right by CPU time", right["cpu"], 8 * BISECTIONS // 10)
figures.plain(f"{told}: right by wall clock", right["wall"])
figures.plain("executions by CPU time, second builds included", lab.spread(executions))

same, left, changed = 0, 0, 0
where = repository(16, 9, (400_000, 1_600_000))
before = contents(where)
began = time.monotonic()
whole = named(answer(where, argv(16, 1, "cpu")))
takes = time.monotonic() - began
print(f"  named without a kill: {whole}, in {takes:.1f} s")
for number in range(KILLS):
    started = answer(where, argv(16, 1, "cpu"), wait=False)
    after = random.Random(number).uniform(0.3, takes)
    time.sleep(after)
    os.kill(started.pid, signal.SIGKILL)
    started.communicate()
    document = answer(where, ["bisect", "--resume", "@last", "--json"])
    # One that was killed behind its end is finished, and refused.
    document = document or answer(where, ["report", "@last", "--json"])
    there = os.listdir(ROOM_TMP)
    print(f"  killed after {after:.2f} s: {named(document)}, left {there}", flush=True)
    same += named(document) == whole
    left += len(there)
    changed += contents(where) != before
figures.at_least(f"the same answer after SIGKILL and --resume, of {KILLS}", same, KILLS)
figures.at_most("copies left behind", left, 0)
figures.at_most("repositories that differ", changed, 0)
figures.end()
