"""bursts: what `etalon ab` finds of a change of 5 % beside two hogs that burst, held against `etalon cmd` with twice the blocks.

Measures: a program of some 30 ms of CPU time whose working tree takes 5 % more turns of a loop, beside two processes that
burn a CPU for 20 to 300 ms and rest as long, by turns. N experiments each of `etalon ab HEAD -r 30`, which executes a side
twice in a block, and of `etalon cmd -r 60` on the same two programs: both have 60 executions a side. Counted are
experiments whose first line calls the change, by wall clock or by CPU time where that answers, and those that call it the
wrong way round.

Fair because the two take turns, no experiment is left out, and builds are the same compiler's of the same file. The target is
that `ab` finds at most a quarter of N fewer. Needs git, make and cc. The hogs end with the script. Argument: N.
"""

import contextlib
import os
import re
import subprocess
import sys

import lab

EXPERIMENTS = lab.count(20)
BLOCKS, SLOWER, SECONDS = 30, 1.05, 0.03
PROJECT = os.path.join(lab.SCRATCH, "bursts")
HOG = """
import random, sys, time
random.seed(int(sys.argv[1]))
while True:
    end = time.monotonic() + random.uniform(0.02, 0.3)
    while time.monotonic() < end:
        pass
    time.sleep(random.uniform(0.02, 0.3))
"""
MAKEFILE = "p: busy.c main.c turns\n\tcc -O2 -Dmain=busy -c busy.c\n\tcc -O2 -DTURNS=$$(cat turns) -o p main.c busy.o\n"
MAIN = '#define WORDS(x) #x\n#define TEXT(x) WORDS(x)\nint busy(int, char **);\n' \
       'int main(void) { char *words[] = {"p", TEXT(TURNS), 0}; return busy(2, words); }\n'


@contextlib.contextmanager
def hogs():
    children = [subprocess.Popen([sys.executable, "-c", HOG, str(seed)]) for seed in range(2)]
    try:
        yield
    finally:
        for child in children:
            child.kill()
            child.wait()


def git(*words):
    who = ["-c", "user.name=etalon", "-c", "user.email=etalon@localhost"]
    subprocess.run(["git", "-C", PROJECT, *who, *words], check=True, capture_output=True)


def write(name, text):
    with open(os.path.join(PROJECT, name), "w", encoding="utf-8") as file:
        file.write(text)


def project():
    """The repository, with the change in its working tree; programs of both sides, for `cmd`."""
    turns = 1_000_000
    turns = int(turns * SECONDS / min(lab.execute([lab.tool("busy"), str(turns)]).cpu for _ in range(5)))
    os.makedirs(PROJECT)
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "busy.c"), encoding="utf-8") as source:
        write("busy.c", source.read())
    write("main.c", MAIN)
    write("Makefile", MAKEFILE)
    write(".gitignore", "p\n*.o\nbase\nhead\n")
    for name, of in [("base", turns), ("head", round(turns * SLOWER))]:
        write("turns", f"{of}\n")
        if name == "base":
            git("init", "-q")
            git("add", "-A")
            git("commit", "-qm", "one")
        subprocess.run(["make", "-sBC", PROJECT, "p"], check=True)
        os.rename(os.path.join(PROJECT, "p"), os.path.join(PROJECT, name))


def answer(*words):
    """What the first line says: "right", "wrong" or "open", and whether by CPU time."""
    environment = {**os.environ, "ETALON_HOME": os.path.join(lab.SCRATCH, "home")}
    argv = [lab.ETALON, *map(str, words)]
    done = subprocess.run(argv, cwd=PROJECT, env=environment, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{argv}: exit {done.returncode}\n{done.stderr}")
    shown = " ".join(done.stdout.split("\n\n")[0].split())
    head_first = words[0] == "ab" or shown.startswith("head")
    said = re.search(r"\b(slower|faster)\b", re.split(r" memory: |\. ", shown)[0])
    right = "slower" if head_first else "faster"
    found = "open" if said is None else "right" if said[1] == right else "wrong"
    return found, "(CPU time)" in shown, shown


project()
doors = {
    "ab": ["ab", "HEAD", "--build", "make", "-r", BLOCKS, "--no-save"],
    "cmd": ["cmd", "-r", 2 * BLOCKS, "--no-save"],
}
said = {door: [] for door in doors}
with hogs():
    for seed in range(1, EXPERIMENTS + 1):
        for door in sorted(doors, reverse=seed % 2 == 0):
            subjects = ["--", "./p"] if door == "ab" else ["./base", "./head"]
            subjects = ["./base", "-n", "base", "./head", "-n", "head"] if door == "cmd" else subjects
            said[door].append(answer(*doors[door], "--seed", seed, *subjects))
            print(f"    {seed} {door}: {said[door][-1][2]}", flush=True)
figures = lab.Figures()
for door, answers in said.items():
    count = lambda what: sum(found == what for found, *_ in answers)
    by_cpu = sum(found == "right" and cpu for found, cpu, _ in answers)
    figures.plain(f"`{door}`: found; of these by CPU time; the wrong way round", f"{count('right')} of {EXPERIMENTS}; {by_cpu}; {count('wrong')}")
found = {door: sum(found == "right" for found, *_ in answers) for door, answers in said.items()}
figures.at_most("`ab` with 30 blocks finds fewer than `cmd` with 60 by", found["cmd"] - found["ab"], EXPERIMENTS // 4)
figures.end()
