"""go_aa: how often an unchanged Go package is called different, and a planted 5 % is found.

Measures: a module of ten benchmarks in a git repository.
  - `etalon go --base HEAD`, 10 blocks, 40 experiments, quiet and with two CPU hogs: experiments in which any row (time, B/op,
    allocs/op) is called different. The usual way beside it, while it is quiet: two `go test -count=10` one after the other, read by benchstat
    (from $BENCHSTAT or the path; without it that part is said to be missing).
  - One of the ten benchmarks does 5 % more work in the working tree than in HEAD, 20 blocks, 40 experiments: how often its time
    is called slower, and how often any other row is called different. The standard deviation of the log ratio is printed.
  - The share of the time from the first benchmark's start to the last one's end that test binaries spend between the start and
    the end of their TestMain, which they write down themselves: with Go's own benchmark time of 1 s, and with 100 ms.

Fair because no experiment is repeated or left out, seeds are the experiment's numbers, both ways have the same benchmark time and the
same number of readings a side, and benchstat has its own defaults. Needs go and git; an argument is the number of experiments.
"""

import collections
import json
import math
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys

import lab

EXPERIMENTS = lab.count(40)
PARTS = sys.argv[2:] or ["share", "planted", "quiet", "hogs"]
# Of unchanged packages, and of the planted one, whose times have to scatter by 3 % at most.
BENCHTIME, PLANTED_BENCHTIME = "10ms", "100ms"
HOGS = 2
BENCHSTAT = os.environ.get("BENCHSTAT") or shutil.which("benchstat")
MODULE = os.path.join(lab.SCRATCH, "module")
DIFFERENT = ("faster", "slower")
PLANTED = "Mix"

TESTS = """package m

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"
)

var sum uint64

func TestMain(m *testing.M) {
	start := time.Now().UnixNano()
	code := m.Run()
	log, ok := os.LookupEnv("SPENT")
	if bench := flag.Lookup("test.bench"); ok && bench.Value.String() != "" {
		file, _ := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		fmt.Fprintln(file, start, time.Now().UnixNano())
		file.Close()
	}
	os.Exit(code)
}

func mix(rounds int) {
	x := sum | 1
	for i := 0; i < rounds; i++ {
		x = x*6364136223846793005 + 1442695040888963407
	}
	sum = x
}

func each(b *testing.B, do func()) {
	for i := 0; i < b.N; i++ {
		do()
	}
}

func BenchmarkMix(b *testing.B)  { each(b, func() { mix(Rounds) }) }
func BenchmarkMix2(b *testing.B) { each(b, func() { mix(3000) }) }

func BenchmarkSort(b *testing.B) {
	numbers := make([]int, 500)
	each(b, func() {
		for i := range numbers {
			numbers[i] = i * 7919 % 500
		}
		sort.Ints(numbers)
	})
}

func BenchmarkMap(b *testing.B) {
	each(b, func() {
		known := map[int]int{}
		for i := 0; i < 200; i++ {
			known[i*31] = i
		}
	})
}

func BenchmarkHash(b *testing.B) {
	data := make([]byte, 4096)
	each(b, func() { data[0] = sha256.Sum256(data)[0] })
}

func BenchmarkBuild(b *testing.B) {
	each(b, func() {
		var text strings.Builder
		for i := 0; i < 200; i++ {
			text.WriteString(strconv.Itoa(i))
		}
	})
}

func BenchmarkJSON(b *testing.B) {
	value := map[string]any{"name": "x", "list": []int{1, 2, 3}, "more": map[string]string{"a": "b"}}
	each(b, func() {
		text, _ := json.Marshal(value)
		var back map[string]any
		_ = json.Unmarshal(text, &back)
	})
}

func BenchmarkRegexp(b *testing.B) {
	word := regexp.MustCompile(`(\\w+)@(\\w+)\\.com`)
	text := strings.Repeat("some words and a@b.com ", 10)
	each(b, func() { word.FindAllString(text, -1) })
}

func BenchmarkReplace(b *testing.B) {
	text := bytes.Repeat([]byte("abcdefgh"), 200)
	each(b, func() { bytes.ReplaceAll(text, []byte("cd"), []byte("x")) })
}

func BenchmarkChannel(b *testing.B) {
	pipe := make(chan int, 64)
	each(b, func() {
		for i := 0; i < 64; i++ {
			pipe <- i
		}
		for i := 0; i < 64; i++ {
			<-pipe
		}
	})
}
"""


def write(name, text):
    with open(os.path.join(MODULE, name), "w", encoding="utf-8") as file:
        file.write(text)


def rounds(number):
    """What is planted: the work of one benchmark."""
    write("m.go", f"package m\n\nconst Rounds = {number}\n")


def in_module(*argv):
    return subprocess.run(argv, cwd=MODULE, check=True, capture_output=True, text=True).stdout


def prepare():
    os.mkdir(MODULE)
    write("go.mod", "module example.org/m\n\ngo 1.21\n")
    write("m_test.go", TESTS)
    rounds(3000)
    in_module("git", "init", "--quiet")
    in_module("git", "add", "--all")
    in_module("git", "-c", "user.name=n", "-c", "user.email=e", "commit", "--quiet", "--message", "one")


def share(name, benchtime, blocks):
    """The share of an `etalon go` that benchmarks take."""
    log = os.path.join(lab.SCRATCH, "spent")
    os.environ["SPENT"] = log
    in_module(lab.ETALON, "go", "-bench", "Mix|Hash", "-benchtime", benchtime, "-r", str(blocks), "--base", "HEAD", "--quiet", "--no-save", ".")
    del os.environ["SPENT"]
    with open(log, encoding="utf-8") as lines:
        spent = [tuple(map(int, line.split())) for line in lines]
    os.unlink(log)
    whole = max(end for _, end in spent) - min(start for start, _ in spent)
    figures.at_least(f"share of the time in benchmarks, {name} (%)", round(100 * sum(end - start for start, end in spent) / whole, 2), 95)


def experiment(seed, blocks, record, benchtime=BENCHTIME):
    """By unit and benchmark, the verdict of one `etalon go`; its record stands in a file."""
    shown = in_module(lab.ETALON, "go", "-benchtime", benchtime, "-r", str(blocks), "--base", "HEAD", "--seed", str(seed),
                      "--json", "--quiet", "--no-save", "-o", record, ".")
    document = json.loads(shown)
    named = lambda comparison: document["benchmarks"][comparison["candidate"]]["name"].split("-")[0]
    return {(it["metric"], named(it)): it["verdict"] for it in document["comparisons"]}


def sequence():
    """Whether benchstat calls any row of two runs in sequence different."""
    files = []
    for name in ("one", "two"):
        path = os.path.join(lab.SCRATCH, f"{name}.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(in_module("go", "test", "-run", "^$", "-bench", ".", "-benchmem", "-count", "10", "-benchtime", BENCHTIME))
        files.append(path)
    shown = in_module(BENCHSTAT, *files)
    return bool(re.search(r"[+-]\d+\.\d+% \(p=", shown))


def unchanged(name, beside):
    """One series of unchanged packages; with the usual way `beside` it."""
    different, rows, said, usual = 0, 0, collections.Counter(), 0
    for seed in range(EXPERIMENTS):
        record = os.path.join(lab.SCRATCH, f"{name}-{seed}.jsonl")
        verdicts = list(experiment(seed, 10, record).values())
        called = sum(verdict in DIFFERENT for verdict in verdicts)
        said.update(verdicts)
        different += called > 0
        rows += called
        os.unlink(record)
        usual += sequence() if beside else 0
    told = ", ".join(f"{n} {verdict}" for verdict, n in said.most_common())
    figures.at_most(f"{name}: experiments of {EXPERIMENTS} with a difference ({rows} rows; {told})", different, 6 * EXPERIMENTS // 40)
    if beside:
        figures.plain(f"{name}: in sequence, by benchstat, of {EXPERIMENTS}", str(usual))


def spread_of(record, wanted):
    """The standard deviation of the log ratio of a benchmark's times within blocks."""
    names, times = [], collections.defaultdict(dict)
    with open(record, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            if row["type"] == "benchmark":
                names.append(row)
            elif row["type"] == "observation" and names[row["benchmark"]]["name"].split("-")[0] == wanted:
                value = row["values"]["sec/op"]
                side = names[row["benchmark"]]["configuration"]["side"]
                times[row["block"]][side] = value["value"] if isinstance(value, dict) else value
    logs = [math.log(pair["head"] / pair["base"]) for pair in times.values() if len(pair) == 2]
    return statistics.stdev(logs) if len(logs) > 1 else math.nan


def planted():
    """One series with a benchmark that does 5 % more."""
    rounds(3150)
    found = others = 0
    spreads = []
    for seed in range(EXPERIMENTS):
        record = os.path.join(lab.SCRATCH, f"planted-{seed}.jsonl")
        verdicts = experiment(seed, 20, record, PLANTED_BENCHTIME)
        spreads.append(spread_of(record, PLANTED))
        found += verdicts.pop(("sec/op", PLANTED)) == "slower"
        others += any(verdict in DIFFERENT for verdict in verdicts.values())
        os.unlink(record)
    rounds(3000)
    figures.plain("planted 5 %: standard deviation of the log ratio", f"{100 * statistics.median(spreads):.1f} %")
    figures.at_least(f"planted 5 %: called slower, of {EXPERIMENTS}", found, 33 * EXPERIMENTS // 40)
    figures.at_most(f"planted 5 %: others called different, of {EXPERIMENTS}", others, 6 * EXPERIMENTS // 40)


if not (shutil.which("go") and shutil.which("git")):
    sys.exit("go or git is not there")
prepare()
figures = lab.Figures()
if "share" in PARTS:
    share("1 s each", "1s", 5)
    share("100 ms each", "100ms", 20)
if "planted" in PARTS:
    planted()
if "quiet" in PARTS:
    if not BENCHSTAT:
        print("  benchstat is not there: the usual way is not measured")
    unchanged("quiet", beside=bool(BENCHSTAT))
if "hogs" in PARTS:
    hogs = [subprocess.Popen([lab.tool("busy"), str(10**15)]) for _ in range(HOGS)]
    try:
        unchanged(f"{HOGS} hogs", beside=False)
    finally:
        for hog in hogs:
            hog.send_signal(signal.SIGKILL)
            hog.wait()
figures.end()
