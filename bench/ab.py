"""ab: how often two revisions that do the same are called different, what is found, and what controls see.

Measures: projects in git repositories, in C (make), Rust (cargo), Go, Lua (a suite, `etalon run --base`) and Python
(a script in a virtual environment).
  - A commit that changes a comment, 40 experiments of 60 blocks, each language in turn, quiet and with two CPU hogs:
    experiments in which any metric of etalon's first screen (time, CPU time, memory) is called different, and those
    in which controls withhold the verdicts. The usual way beside it, while it is quiet: the same builds executed one
    after the other, 60 times each, read by benchstat's rule (Mann-Whitney, p < 0.05).
  - One of ten commands takes 3 % longer in the working tree, 40 experiments of 60 blocks, each language in turn: how
    often its CPU time or its time is called slower, and how often any other command is called different. How much
    more work that is, is found before, from the fastest of 15 executions with the usual work and with twice that. Lua
    is a script here, executed by `etalon lua`.
  - One of the four builds does 3.5 % more work by itself, which is 3 % of its time and more, each in turn, 40
    experiments: how often the verdicts are withheld.
  - One of the four builds is disturbed: a hog on its CPU, a path ten directories longer, two hundred more variables,
    in turn, 40 experiments, each build in turn: the same. (An order that always starts the same build cannot be asked
    for; the tests of etalon-core simulate it.)
  - etalon is killed at 50 instants, spread over one experiment: instants after which a file of the repository
    differs, and copies that are left after the next start.
  - A commit that adds a function nobody calls, in C, Rust and Go, an eighth of the experiments each: by how much
    times and CPU times change. That is where the compiler puts code, which both builds of a side have alike; there is
    no target.
  - A short command: the share of the time after the builds that executions take, from the record.

Fair because no experiment is repeated or left out, seeds are the experiment's numbers, builds are not kept from one
to the next (`--no-cache`), and everything else is the default. Needs git, cc and make; languages that are not there
are left out, and that is said. Arguments: the number of experiments, then parts.
"""

import collections
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import lab

EXPERIMENTS = lab.count(40)
# Several parts named one by one are several of these programs in one scratch directory.
ROOM = tempfile.mkdtemp(dir=lab.SCRATCH)
PARTS = sys.argv[2:] or ["overhead", "kills", "controls", "disturbed", "placement", "planted", "quiet", "hogs"]
# Of controls more: all metrics of both sides are one family at 1 %.
BLOCKS, CONTROL_BLOCKS = 60, 120
KILLS = 50
HOGS = 2
DIFFERENT = ("faster", "slower")
SCREEN = ("sec/op", "cpu-sec/op", "rss-B/op", "rss-B")

SPIN = """#include <stdio.h>
#include <stdlib.h>
#ifndef EXTRA
#define EXTRA 0
#endif
int main(int n, char **words) {
    int row = n > 1 ? atoi(words[1]) : 0;
    volatile unsigned x = 1;
    long planted = 0;
    long rounds = 4000000 + (row == 7 ? planted : 0) + EXTRA;
    for (long i = 0; i < rounds; i++) x = x * 1664525u + 1013904223u;
    printf("%u\\n", x);
    return 0;
}
"""
# What it does takes longer with a longer path, and with more variables; with HOG, a child of it spins on its CPU.
DISTURBED = """#define _GNU_SOURCE
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
    char here[PATH_MAX], path[PATH_MAX];
    volatile unsigned x = 1;
    pid_t hog = 0;
#ifdef HOG
    cpu_set_t cpu;
    CPU_ZERO(&cpu);
    CPU_SET(sched_getcpu(), &cpu);
    sched_setaffinity(0, sizeof cpu, &cpu);
    if ((hog = fork()) == 0)
        for (;;) x++;
#endif
    for (long i = 0; i < 3000000; i++) x = x * 1664525u + 1013904223u;
    for (int i = 0; i < 40; i++) x += realpath(getcwd(here, sizeof here), path) != 0;
    for (int i = 0; i < 1500; i++) x += getenv("NOT_THERE") != 0;
    if (hog) kill(hog, SIGKILL);
    printf("%u\\n", x);
    return 0;
}
"""
EXECUTED = '. ./variables\ncd "$(cat where)" && exec "$OLDPWD/p"\n'
DISTURBANCES = {
    "hog": "make FLAGS=-DHOG",
    "path": "make; d=.; for i in $(seq 10); do d=$d/d; done; mkdir -p $d; echo $d > where",
    "environment": "make; for i in $(seq 200); do echo export N$i=1; done > variables",
}
RUST = """fn main() {
    let row = std::env::args().nth(1);
    let planted = 0;
    let mut x: u32 = std::env::args().count() as u32;
    let rounds = 1_500_000 + if row.as_deref() == Some("7") { planted } else { 0 };
    for _ in 0..rounds { x = std::hint::black_box(x.wrapping_mul(1664525).wrapping_add(1013904223)); }
    println!("{x}");
}
"""
GO = """package main

import (
	"fmt"
	"os"
)

func main() {
	x := uint32(1)
	planted := 0
	if len(os.Args) < 2 || os.Args[1] != "7" {
		planted = 0 * planted
	}
	for i := 0; i < 3000000+planted; i++ {
		x = x*1664525 + 1013904223
	}
	fmt.Println(x)
}
"""
LUA = """local planted = 0
if not arg or arg[1] ~= "7" then planted = 0 * planted end
local x = 1
for i = 1, 300000 + planted do x = (x * 16645 + 10139) % 4294967296 end
print(x)
"""
SUITE = 'local chunk = loadfile("p.lua")\nlocal silent = setfenv(chunk, {print = function() end})\nrequire("measure").describe("p"):run(silent)\n'
# Behind the rest of a file: a function nobody calls, and that is compiled all the same.
UNUSED = {
    "C": ("p.c", "unsigned unused(unsigned x) { for (int i = 0; i < 9; i++) x = x * 5u + (x >> 3); return x; }\n"),
    "Rust": ("main.rs", "#[unsafe(no_mangle)]\npub extern \"C\" fn unused(mut x: u32) -> u32 { for i in 0..9 { x = x.wrapping_mul(5) ^ (x >> i); } x }\n"),
    "Go": ("main.go", "\n//go:noinline\nfunc unused(x uint32) uint32 {\n\tfor i := 0; i < 9; i++ {\n\t\tx = x*5 + x>>3\n\t}\n\treturn x\n}\n\nvar _ = unused(1)\n"),
}
PYTHON = """import sys
planted = 0
if sys.argv[1:] != ["7"]: planted = 0 * planted
x = 1
for i in range(50000 + planted):
    x = (x * 1664525 + 1013904223) % 4294967296
print(x)
"""
# The work of each, and how it stands in its file; more of it is planted where `planted` is 0.
ROUNDS = {"C": 4000000, "Rust": 1500000, "Go": 3000000, "Lua": 300000, "Python": 50000}
PLANTED = re.compile(r"(planted :?= )0\b")

# Language: files, the sign of a comment, what has to be there, the build, the command.
PROJECTS = {
    "C": ({"p.c": SPIN, "Makefile": "p: p.c\n\tcc -O2 $(FLAGS) -o p p.c\n"},
          "p.c", "// ", ["cc", "make"], "make", ["./p", "0"]),
    "Rust": ({"main.rs": RUST, "Cargo.toml": '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[[bin]]\nname = "p"\npath = "main.rs"\n'},
             "main.rs", "// ", ["cargo"], "CARGO_TARGET_DIR={side}/target cargo build --quiet --release --offline", ["target/release/p"]),
    "Go": ({"main.go": GO, "go.mod": "module example.org/p\n\ngo 1.21\n"}, "main.go", "// ", ["go"], "go build -o p .", ["./p"]),
    "Lua": ({"p.lua": LUA, "p_bench.lua": SUITE}, "p.lua", "-- ", [], None, [lab.ETALON, "lua", "p.lua"]),
    "Python": ({"p.py": PYTHON}, "p.py", "# ", ["python3"], "python3 -m venv --without-pip .venv", [".venv/bin/python", "p.py"]),
}


def there(language):
    return all(shutil.which(program) for program in PROJECTS[language][3])


def git(directory, *words):
    subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *words], cwd=directory, check=True, capture_output=True)


def committed(directory, files):
    """A repository with these files."""
    for name, text in files.items():
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(text)
    git(directory, "init", "--quiet")
    git(directory, "add", "--all")
    git(directory, "commit", "--quiet", "--message", "one")


def project(language):
    """A repository whose last commit changes a comment only; the one before is `base`."""
    directory = os.path.join(ROOM, language)
    os.mkdir(directory)
    files, commented, sign, _, _, _ = PROJECTS[language]
    committed(directory, files)
    git(directory, "tag", "base")
    with open(os.path.join(directory, commented), "a", encoding="utf-8") as file:
        file.write(f"{sign}a comment\n")
    git(directory, "commit", "--quiet", "--all", "--message", "two")
    return directory


def ab(directory, seed, words, blocks=BLOCKS):
    """What `etalon ab` says, as data."""
    words = ([*words[0], *(["--no-cache"] if "--build" in words[0] else [])], words[1])
    command = [lab.ETALON, "ab", *words[0], "--json", "--quiet", "--seed", str(seed), "-r", str(blocks), "--", *words[1]]
    done = subprocess.run(command if words[1] else command[:-1], cwd=directory, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}: exit {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def suite(directory, seed):
    """What `etalon run --base` says of the suite, as data."""
    command = [lab.ETALON, "run", "--base", "base", "--json", "--quiet", "--seed", str(seed), "-r", str(BLOCKS), "--budget", "200ms", "p_bench.lua"]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{command}: exit {done.returncode}\n{done.stderr}")
    return json.loads(done.stdout)


def comparisons(shown, units=SCREEN):
    """By unit and row, what is said of the head."""
    for comparison in shown["comparisons"]:
        if comparison["metric"] in units:
            yield comparison["metric"], shown["benchmarks"][comparison["candidate"]], comparison


def rows(shown, units=SCREEN):
    """By unit and row, the verdict and its first reason."""
    for unit, row, comparison in comparisons(shown, units):
        yield unit, row["labels"][".fullname"], comparison["verdict"], [r["code"] for r in comparison["reasons"]]


def mann_whitney(one, two):
    """p of the two-sided test, by the normal distribution, with ties: what benchstat judges by."""
    values = sorted(one + two)
    first, last = {}, {}
    for place, value in enumerate(values, 1):
        first.setdefault(value, place)
        last[value] = place
    u = sum((first[value] + last[value]) / 2 for value in one) - len(one) * (len(one) + 1) / 2
    n = len(values)
    ties = sum((last[value] - first[value] + 1) ** 3 - (last[value] - first[value] + 1) for value in first)
    variance = len(one) * len(two) / 12 * (n + 1 - ties / (n * (n - 1)))
    return 2 * statistics.NormalDist().cdf(-abs(u - len(one) * len(two) / 2) / variance**0.5) if variance else 1.0


def in_sequence(language, directory):
    """Whether benchstat's rule calls the times of two sides different that were built, and executed one after the other."""
    _, _, _, _, build, command = PROJECTS[language]
    times = []
    for side in ("base", "HEAD"):
        copy = os.path.join(ROOM, f"in-sequence-{side}")
        shutil.rmtree(copy, ignore_errors=True)
        subprocess.run(["git", "clone", "--quiet", directory, copy], check=True, capture_output=True)
        git(copy, "checkout", "--quiet", side if side == "HEAD" else "tags/base")
        if build:
            subprocess.run(build.replace("{side}", copy), shell=True, cwd=copy, check=True, capture_output=True)
        file = os.path.join(ROOM, f"{side}.jsonl")
        subprocess.run([lab.ETALON, "cmd", "--quiet", "--no-save", "--force", "-o", file, "-r", str(BLOCKS), "-n", "p", " ".join(command)],
                       cwd=copy, check=True, capture_output=True)
        times.append([row["values"]["wall"] for row in lab.observations(file)])
    return mann_whitney(*times) < 0.05


def unchanged(name, beside):
    """One series of commits that change a comment; with the usual way `beside` it."""
    different = withheld = usual = 0
    said = collections.Counter()
    for seed in range(EXPERIMENTS):
        language = languages[seed % len(languages)]
        _, _, _, _, build, command = PROJECTS[language]
        words = ["base", "HEAD", *(["--build", build] if build else [])]
        shown = suite(projects[language], seed) if language == "Lua" else ab(projects[language], seed, (words, command))
        found = list(rows(shown))
        called = [unit for unit, _, verdict, _ in found if verdict in DIFFERENT]
        said.update(f"{language} {unit}" for unit in called)
        different += bool(called)
        withheld += any("control_moved" in reasons for _, _, _, reasons in found)
        usual += beside and in_sequence(language, projects[language])
    which = f" ({', '.join(f'{n} {what}' for what, n in said.most_common())})" if said else ""
    figures.at_most(f"{name}: experiments of {EXPERIMENTS} with a difference{which}", different, 6 * EXPERIMENTS // 40)
    figures.at_most(f"{name}: experiments of {EXPERIMENTS} withheld", withheld, 2 * EXPERIMENTS // 40)
    if beside:
        figures.plain(f"{name}: in sequence, time by benchstat's rule, of {EXPERIMENTS}", str(usual))


def placement():
    """One series for each language with a commit that adds a function nobody calls."""
    for language, (name, text) in UNUSED.items():
        if language not in languages:
            continue
        directory = projects[language]
        path = os.path.join(directory, name)
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)
        _, _, _, _, build, command = PROJECTS[language]
        changes = collections.defaultdict(list)
        for seed in range(EXPERIMENTS // 8):
            for unit, _, comparison in comparisons(ab(directory, seed, (["HEAD", "--build", build], command)), ("sec/op", "cpu-sec/op")):
                changes[unit].append((100 * (comparison["ratio"] - 1), comparison["verdict"]))
        git(directory, "checkout", "--quiet", name)
        for unit, of in changes.items():
            different = sum(verdict in DIFFERENT for _, verdict in of)
            shown = " ".join(f"{change:+.1f}" for change, _ in of)
            figures.plain(f"{language}: an unused function: {unit} (%), called different", f"{shown}, {different} of {len(of)}")


def with_work(language, text, more):
    """The file of a language with more work in row 7."""
    return PLANTED.sub(lambda found: f"{found[1]}{more}", text, count=1)


def more_work(language):
    """How much more work takes 3 % longer."""
    files, name, _, _, build, command = PROJECTS[language]
    fastest = []
    for more in (0, ROUNDS[language]):
        copy = os.path.join(ROOM, f"work-{language}-{more}")
        os.mkdir(copy)
        committed(copy, {**files, name: with_work(language, files[name], more)})
        if build:
            subprocess.run(build.replace("{side}", copy), shell=True, cwd=copy, check=True, capture_output=True)
        times = []
        for _ in range(15):
            began = time.monotonic()
            subprocess.run([*command[:-1], command[-1], "7"] if language != "C" else ["./p", "7"], cwd=copy, check=True, capture_output=True)
            times.append(time.monotonic() - began)
        fastest.append(min(times))
    return round(0.03 * fastest[0] / (fastest[1] - fastest[0]) * ROUNDS[language])


def planted():
    """One series with a command of ten that takes 3 % longer."""
    works = {language: more_work(language) for language in languages}
    for language, more in works.items():
        files, name, _, _, _, command = PROJECTS[language]
        program = " ".join(["./p"] if language == "C" else command)
        with open(os.path.join(projects[language], "commands"), "w", encoding="utf-8") as file:
            file.writelines(f"{program} {row}\n-n row{row}\n" for row in range(10))
        with open(os.path.join(projects[language], name), encoding="utf-8") as file:
            text = file.read()
        with open(os.path.join(projects[language], name), "w", encoding="utf-8") as file:
            file.write(with_work(language, text, more))
    found, others, of = collections.Counter(), 0, collections.Counter()
    for seed in range(EXPERIMENTS):
        language = languages[seed % len(languages)]
        build = PROJECTS[language][4]
        words = ["HEAD", *(["--build", build] if build else []), "-f", "commands"]
        shown = list(rows(ab(projects[language], seed, (words, []))))
        is_it = lambda row: row.startswith("row7")
        of[language] += 1
        found[language] += any(is_it(row) and unit != "rss-B/op" and verdict == "slower" for unit, row, verdict, _ in shown)
        others += any(not is_it(row) and verdict in DIFFERENT for _, row, verdict, _ in shown)
    for language in works:
        git(projects[language], "checkout", "--quiet", PROJECTS[language][1])
        os.unlink(os.path.join(projects[language], "commands"))
    said = ", ".join(f"{language} {found[language]} of {n}" for language, n in of.items())
    figures.at_least(f"planted 3 % in one of ten rows ({said}): called slower, of {EXPERIMENTS}", sum(found.values()), 33 * EXPERIMENTS // 40)
    figures.at_most(f"planted 3 %: other rows called different, of {EXPERIMENTS}", others, 6 * EXPERIMENTS // 40)


def controls():
    """One series with a build that is 3 % slower by itself."""
    withheld = 0
    for seed in range(EXPERIMENTS):
        build = ["base-1", "head-1", "base-2", "head-2"][seed % 4]
        slow = f"case {{side}} in */{build}) make FLAGS=-DEXTRA=140000;; *) make;; esac"
        found = rows(ab(projects["C"], seed, (["HEAD", "HEAD", "--build", slow], ["./p", "0"]), CONTROL_BLOCKS))
        withheld += any("control_moved" in reasons for _, _, _, reasons in found)
    figures.at_least(f"one build of four 3 % slower: withheld, of {EXPERIMENTS}", withheld, 38 * EXPERIMENTS // 40)


def disturbed():
    """One series with a build that is executed under other conditions."""
    directory = os.path.join(ROOM, "disturbed")
    os.mkdir(directory)
    files = {"p.c": DISTURBED, "Makefile": "p: p.c\n\tcc -O2 $(FLAGS) -o p p.c\n", "run": EXECUTED, "where": ".\n", "variables": "\n"}
    committed(directory, files)
    withheld = collections.Counter()
    for seed in range(EXPERIMENTS):
        build = ["base-1", "head-1", "base-2", "head-2"][seed % 4]
        what = list(DISTURBANCES)[seed // 4 % 3]
        made = f"case {{side}} in */{build}) {DISTURBANCES[what]};; *) make;; esac"
        found = rows(ab(directory, seed, (["HEAD", "HEAD", "--build", made], ["sh", "run"]), CONTROL_BLOCKS))
        withheld[what] += any("control_moved" in reasons for _, _, _, reasons in found)
    said = ", ".join(f"{what} {n}" for what, n in withheld.items())
    figures.at_least(f"one build of four disturbed ({said}): withheld, of {EXPERIMENTS}", sum(withheld.values()), 38 * EXPERIMENTS // 40)


def contents(directory):
    """Every file below a directory with what it holds and its mode; links with where they lead."""
    found = {}
    for at, _, names in os.walk(directory):
        for name in names:
            path = os.path.join(at, name)
            if os.path.islink(path):
                found[path] = os.readlink(path)
                continue
            with open(path, "rb") as file:
                found[path] = (os.stat(path).st_mode, file.read())
    return found


def kills():
    """One experiment, killed at instants spread over the time it takes."""
    directory, temporary = projects["C"], os.path.join(ROOM, "temporary")
    os.mkdir(temporary)
    with open(os.path.join(directory, "untracked"), "w", encoding="utf-8") as file:
        file.write("kept")
    environment = {**os.environ, "TMPDIR": temporary}
    command = [lab.ETALON, "ab", "base", "--quiet", "--no-save", "--build", "make", "-r", "30", "--", "./p", "0"]
    execute = lambda: subprocess.Popen(command, cwd=directory, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    began = time.monotonic()
    execute().wait()
    whole = time.monotonic() - began
    before, differ, killed = contents(directory), 0, 0
    for number in range(KILLS):
        running = execute()
        time.sleep(whole * number / KILLS)
        killed += running.poll() is None
        running.kill()
        running.wait()
        differ += contents(directory) != before
    # A build that was under way goes on to its end.
    time.sleep(2)
    execute().wait()
    left = [name for name in os.listdir(temporary) if name.startswith("etalon")]
    os.unlink(os.path.join(directory, "untracked"))
    figures.plain(f"killed before its end, of {KILLS}", str(killed))
    figures.at_most("kills after which the repository differs", differ, 0)
    figures.at_most("copies left after the next start", len(left), 0)


def overhead():
    """The share of the time that executions take, of a short command."""
    record = os.path.join(ROOM, "overhead.jsonl")
    ab(projects["C"], 1, (["HEAD", "HEAD", "--build", "make FLAGS=-DEXTRA=-3500000", "--no-save", "-o", record], ["./p", "0"]))
    begin, end, inside = None, 0, 0
    for row in lab.observations(record):
        begin = row["at"] if begin is None else begin
        end = max(end, row["at"] + row["values"]["wall"])
        inside += row["values"]["wall"]
    os.unlink(record)
    each = inside / (4 * BLOCKS) / 1e6
    figures.at_least(f"share of the time in commands of {each:.1f} ms (%)", round(100 * inside / (end - begin), 1), 90)


languages = [language for language in PROJECTS if there(language)]
if missing := [language for language in PROJECTS if language not in languages]:
    print(f"  not there: {', '.join(missing)}")
projects = {language: project(language) for language in languages}
figures = lab.Figures()
for part in PARTS:
    if part == "hogs":
        hogs = [subprocess.Popen([lab.tool("busy"), str(10**15)]) for _ in range(HOGS)]
        try:
            unchanged(f"{HOGS} hogs", beside=False)
        finally:
            for hog in hogs:
                hog.send_signal(signal.SIGKILL)
                hog.wait()
    elif part == "quiet":
        unchanged("quiet", beside=True)
    else:
        {"planted": planted, "controls": controls, "disturbed": disturbed, "kills": kills, "placement": placement, "overhead": overhead}[part]()
figures.end()
