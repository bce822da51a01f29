"""tools: what real harnesses' own comparisons say of two revisions, and what `etalon ab --results` says of them.

Measures: git repositories with benchmarks of pytest-benchmark, Google Benchmark, criterion, pyperf and vitest, each
benchmark a loop of a fixed number of steps. Nothing changes (`same`), or the benchmark in the middle takes 5 % more steps
in the working tree (`planted`). In N experiments of each:
  - `etalon ab HEAD --results …`, 15 blocks with controls, harnesses set to a second an execution or less: how many
    experiments call any unchanged benchmark different, and how many find the planted one.
  - Beside it the tool's own way: one execution of the base, then one of the working tree, each benchmark measured as
    long as all executions of a side of etalon's together, and the tool's own comparison: `--benchmark-compare-fail
    median:3%`, compare.py (U test, p < 0.05), criterion's `--baseline` and critcmp (2.5 %), `pyperf compare_to`,
    `vitest bench --compare` (which says no verdict: 2.5 % are counted).

Fair because no experiment is left out, seeds are the experiment's numbers, and both ways execute the same programs on the
same machine, one after the other. Results are kept experiment by experiment in RESULTS (a file, by default in the scratch
directory), so that it can go on where it was stopped. Tools are those in PATH; what npm installed is in $TOOLS/node_modules,
what cargo compiled of criterion in $TOOLS/criterion. One that is not there is named and left out. Arguments: the number
of experiments, then parts, then harnesses.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time

import lab

EXPERIMENTS = lab.count(10)
TOOLS = os.environ.get("TOOLS") or os.path.abspath("target/harnesses")
RESULTS = os.environ.get("RESULTS") or os.path.join(lab.SCRATCH, "tools.jsonl")
ROOM = os.path.join(lab.SCRATCH, "tools")
# Executions of a side of etalon's: 15 blocks, two builds.
BLOCKS, SIDE = 15, 30
# 2.5 % is half of what is planted.
THRESHOLD = 2.5
DIFFERENT = ("faster", "slower")
# A benchmark is called different if any of them is.
TIMES = ("sec/op", "cpu-sec/op")


def execute(words, directory, **variables):
    """What a program prints, which may fail where that is its verdict."""
    environment = {**os.environ, "ETALON_HOME": os.path.join(lab.SCRATCH, "home"), **variables}
    done = subprocess.run(words, cwd=directory, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def have(words, directory, **variables):
    """What a program prints, which has to succeed."""
    code, out, err = execute(words, directory, **variables)
    if code:
        sys.exit(f"{words}: exit {code}\n{out}{err}")
    return out + err


class Pytest:
    """A suite of ten in one file."""

    name, program, rows, steps = "pytest-benchmark", "pytest", 10, 1500
    build = None
    command = ["pytest", "-q", "-p", "no:cacheprovider", "--benchmark-json={results}", "--benchmark-max-time=0.05"]

    def write(self, project, steps):
        body = "def work(steps):\n    total = 0\n    for step in range(steps):\n        total += step * step\n    return total\n"
        for row in range(self.rows):
            body += f"\n\ndef test_{row}(benchmark):\n    benchmark(work, {steps[row]})\n"
        put(project, "test_rows.py", body)

    def row(self, name):
        return number(r"^test_(\d+)", name)

    def own(self, base, head):
        kept = fresh("pytest-kept")
        words = ["pytest", "-q", "-p", "no:cacheprovider", f"--benchmark-storage={kept}", f"--benchmark-max-time={0.05 * SIDE}"]
        have([*words, "--benchmark-save=base"], base)
        # It takes whole percents only.
        code, out, err = execute([*words, "--benchmark-compare", "--benchmark-compare-fail=median:3%"], head)
        failed = numbers(r"^\s*test_(\d+)\b.* - Field 'median' has failed", out + err)
        if (code != 0) != bool(failed):
            sys.exit(f"pytest --benchmark-compare-fail: exit {code}\n{out}{err}")
        return {"--benchmark-compare-fail=median:3%": failed}


class Google:
    name, program, rows, steps = "google-benchmark", "/usr/share/benchmark/compare.py", 10, 4000
    build = "c++ -O2 -o bench bench.cc -lbenchmark -lpthread"
    command = ["./bench", "--benchmark_out={results}", "--benchmark_out_format=json", "--benchmark_min_time=0.01"]

    def write(self, project, steps):
        body = "#include <benchmark/benchmark.h>\n"
        body += "static void rows(benchmark::State &state, long steps) {\n    for (auto _ : state)\n"
        body += "        for (long step = 0; step < steps; step++) benchmark::DoNotOptimize(step);\n}\n"
        for row in range(self.rows):
            body += f"BENCHMARK_CAPTURE(rows, {row}, {steps[row]}L);\n"
        put(project, "bench.cc", body + "BENCHMARK_MAIN();\n")

    def row(self, name):
        return number(r"^rows/(\d+)$", name)

    def own(self, base, head):
        files = []
        for side in (base, head):
            have(["sh", "-c", self.build], side)
            files.append(os.path.join(side, "own.json"))
            more = ["--benchmark_min_time=0.01", f"--benchmark_repetitions={SIDE}"]
            have(["./bench", f"--benchmark_out={files[-1]}", "--benchmark_out_format=json", *more], side)
        out = have(["python3", self.program, "--no-color", "benchmarks", *files], head)
        values = re.findall(r"^rows/(\d+)_pvalue\s+(\S+)", out, re.M)
        return {"compare.py": sorted({int(row) for row, p in values if float(p) < 0.05})}


class Criterion:
    name, program, rows, steps = "criterion", "cargo", 10, 4000
    build = "cargo bench --quiet --offline --no-run"
    command = ["cargo", "bench", "--quiet", "--offline", "--bench", "sums"]

    def write(self, project, steps):
        here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/harnesses/criterion")
        for name in ("Cargo.toml", "Cargo.lock"):
            shutil.copy(os.path.join(here, name), project)
        put(project, "src/lib.rs", "")
        body = "use std::{hint::black_box, time::Duration};\nuse criterion::{Criterion, criterion_group, criterion_main};\n"
        body += "fn work(steps: u64) -> u64 { (0..steps).fold(0, |sum, step| black_box(sum) + step) }\n"
        body += f"const STEPS: [u64; {self.rows}] = {steps};\n"
        body += "fn rows(criterion: &mut Criterion) {\n    for (row, steps) in STEPS.into_iter().enumerate() {\n"
        body += '        criterion.bench_function(&format!("row{row}"), |it| it.iter(|| work(black_box(steps))));\n    }\n}\n'
        body += "fn length() -> u64 { std::env::var(\"MS\").map_or(20, |ms| ms.parse().unwrap()) }\n"
        body += "criterion_group! { name = all; config = Criterion::default().nresamples(2000)\n"
        body += "    .sample_size(if length() > 20 { 100 } else { 10 }).warm_up_time(Duration::from_millis(5))\n"
        body += "    .measurement_time(Duration::from_millis(length())); targets = rows }\ncriterion_main!(all);\n"
        put(project, "benches/sums.rs", body)

    def row(self, name):
        return number(r"^row(\d+)$", name)

    def own(self, base, head):
        home = fresh("criterion-home")
        given = {"CRITERION_HOME": home, "MS": str(20 * SIDE)}
        have([*self.command, "--", "--save-baseline", "base", "--noplot"], base, **given)
        out = have([*self.command, "--", "--baseline", "base", "--noplot"], head, **given)
        changed = []
        for part in re.split(r"^(?=row\d+\b)", out, flags=re.M):
            if re.search(r"Performance has (regressed|improved)", part):
                changed.append(number(r"^row(\d+)", part))
        said = {"criterion --baseline": sorted(set(changed))}
        if shutil.which("critcmp"):
            have([*self.command, "--", "--save-baseline", "head", "--noplot"], head, **given)
            # critcmp wants a directory `target/criterion`.
            target = fresh("critcmp")
            shutil.copytree(home, os.path.join(target, "criterion"))
            # Where no row differs by so much, it fails and says that there is nothing to show.
            _, out, err = execute(["critcmp", "base", "head", "-t", str(THRESHOLD)], head, CARGO_TARGET_DIR=target)
            if "row" not in out and "no benchmark comparisons" not in err:
                sys.exit(f"critcmp: {err}")
            said[f"critcmp -t {THRESHOLD}"] = numbers(r"^row(\d+)\b", out)
        return said


class Pyperf:
    """Four benchmarks: each starts processes of its own."""

    name, program, rows, steps = "pyperf", "pyperf", 4, 1500
    build = None
    command = ["python3", "bench.py", "-q", "-p", "2", "-n", "3", "-w", "1", "--min-time", "0.005", "-o", "{results}"]

    def write(self, project, steps):
        body = "import pyperf\n\n\ndef work(steps):\n    total = 0\n    for step in range(steps):\n        total += step * step\n"
        body += f"\n\nrunner = pyperf.Runner()\nfor row, steps in enumerate({steps}):\n    runner.bench_func(f'row{{row}}', work, steps)\n"
        put(project, "bench.py", body)

    def row(self, name):
        return number(r"^row(\d+)$", name)

    def own(self, base, head):
        files = []
        for side in (base, head):
            files.append(os.path.join(side, "own.json"))
            if os.path.exists(files[-1]):
                os.remove(files[-1])
            words = ["-q", "-p", str(2 * SIDE), "-n", "3", "-w", "1", "--min-time", "0.005", "-o", files[-1]]
            have(["python3", "bench.py", *words], side)
        out = have(["pyperf", "compare_to", "--table", *files], head)
        shown = re.findall(r"^\| row(\d+) .*(?:faster|slower)", out, re.M)
        return {"pyperf compare_to": sorted({int(row) for row in shown})}


class Vitest:
    """Ten benchmarks in one file."""

    name, program, rows, steps = "vitest", os.path.join(TOOLS, "node_modules/.bin/vitest"), 10, 20000
    build = f"ln -s '{TOOLS}/node_modules' node_modules"
    command = ["npx", "vitest", "bench", "--run", "--outputJson={results}"]

    def write(self, project, steps):
        put(project, "package.json", '{ "private": true, "scripts": { "bench": "vitest bench" } }\n')
        body = "import { bench } from 'vitest';\n\nconst work = (steps: number) => {\n    let total = 0;\n"
        body += "    for (let step = 0; step < steps; step++) total = (total + step * step) % 1000003;\n    return total;\n};\n"
        body += f"const time = Number(process.env.MS ?? 10);\n{steps}.forEach((steps, row) =>\n"
        body += "    bench(`row${row}`, () => void work(steps), { time, iterations: 5, warmupTime: 2, warmupIterations: 2 }),\n);\n"
        put(project, "rows.bench.ts", body)

    def row(self, name):
        return number(r"row(\d+)$", name)

    def own(self, base, head):
        file = os.path.join(base, "own.json")
        for side in (base, head):
            if not os.path.lexists(os.path.join(side, "node_modules")):
                have(["sh", "-c", self.build], side)
        length = {"MS": str(10 * SIDE)}
        have(["npx", "vitest", "bench", "--run", "--outputJson", file], base, **length)
        other = os.path.join(head, "own.json")
        have(["npx", "vitest", "bench", "--run", "--compare", file, "--outputJson", other], head, **length)
        one, two = speeds(file), speeds(other)
        off = [row for row in one if abs(two[row] / one[row] - 1) * 100 >= THRESHOLD]
        return {f"vitest --compare, {THRESHOLD} %": sorted(off)}


def speeds(path):
    with open(path, encoding="utf-8") as file:
        files = json.load(file)["files"]
    every = [it for file in files for group in file["groups"] for it in group["benchmarks"]]
    return {number(r"row(\d+)$", it["name"]): it["hz"] for it in every}


def put(project, name, text):
    path = os.path.join(project, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def fresh(name):
    path = os.path.join(ROOM, name)
    shutil.rmtree(path, ignore_errors=True)
    return path


def number(pattern, text):
    found = re.search(pattern, text)
    return int(found.group(1)) if found else None


def numbers(pattern, text):
    return sorted({int(found) for found in re.findall(pattern, text, re.M)})


def project(harness, name, slower):
    """A directory with the harness's benchmarks."""
    path = os.path.join(ROOM, f"{harness.name}-{name}")
    os.makedirs(path, exist_ok=True)
    steps = [harness.steps] * harness.rows
    if slower:
        steps[harness.rows // 2] = harness.steps * 105 // 100
    harness.write(path, steps)
    return path


def experiment(harness, part, seed):
    slower = part == "planted"
    path = project(harness, "ab", False)
    if not os.path.isdir(os.path.join(path, ".git")):
        put(path, ".gitignore", "bench\nnode_modules\ntarget\n__pycache__\n")
        who = ["-c", "user.name=etalon", "-c", "user.email=etalon@localhost"]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "one"]):
            have(["git", *who, *words], path)
    project(harness, "ab", slower)
    words = [lab.ETALON, "ab", "HEAD", "-r", str(BLOCKS), "--seed", str(seed), "--json", "--no-save", "--quiet"]
    words += ["--build", harness.build] if harness.build else []
    # Compiled dependencies are shared, programs are not: each copy has a path of its own.
    words += ["--env", "CRITERION_HOME={results}", "--copy", "target"] if harness.name == "criterion" else []
    started = time.monotonic()
    code, out, err = execute([*words, "--results", harness.name, "--", *harness.command], path)
    seconds = time.monotonic() - started
    if code:
        sys.exit(f"{harness.name} {part} {seed}: exit {code}\n{err}")
    verdicts = {}
    for comparison in json.loads(out)["comparisons"]:
        row = harness.row(comparison["candidate_name"].removesuffix(" (head)"))
        if row is not None and comparison["metric"] in TIMES:
            verdicts.setdefault(row, {})[comparison["metric"]] = comparison["verdict"]
    if len(verdicts) != harness.rows:
        sys.exit(f"{harness.name} {part} {seed}: rows {sorted(verdicts)}\n{err}")
    planted = harness.rows // 2 if slower else None
    base, head = project(harness, "base", False), project(harness, "head", slower)
    for side in (base, head):
        target = os.path.join(side, "target")
        if harness.name == "criterion" and not os.path.isdir(target):
            shutil.copytree(os.path.join(path, "target"), target, symlinks=True)
    own = harness.own(base, head)
    return {"harness": harness.name, "part": part, "seed": seed, "seconds": round(seconds, 1), "planted": planted,
            "verdicts": verdicts, "own": own}


def known():
    if not os.path.exists(RESULTS):
        return {}
    with open(RESULTS, encoding="utf-8") as file:
        every = map(json.loads, file)
        return {(it["harness"], it["part"], it["seed"]): it for it in every}


def line(name, part, way, called):
    """called: by experiment, the rows called different and the planted one."""
    false = sum(any(row != planted for row in rows) for rows, planted in called)
    text = f"{name:<17} {part:<8} {way:<33} unchanged called different in {false} of {len(called)}"
    if part == "planted":
        text += f", 5 % found in {sum(planted in rows for rows, planted in called)}"
    print(text, flush=True)


def summary(harness, part, done):
    def of(it):
        return [int(row) for row, verdict in it["verdicts"].items() if set(verdict.values()) & set(DIFFERENT)]
    line(harness.name, part, "etalon ab --results", [(of(it), it["planted"]) for it in done])
    for way in done[0]["own"]:
        line(harness.name, part, way, [(it["own"][way], it["planted"]) for it in done])


def main():
    every = {it.name: it for it in (Pytest(), Google(), Criterion(), Pyperf(), Vitest())}
    words = sys.argv[2:]
    parts = [word for word in words if word not in every] or ["same", "planted"]
    harnesses = [every[word] for word in words if word in every] or list(every.values())
    for harness in harnesses:
        if not (shutil.which(harness.program) or os.path.exists(harness.program)):
            print(f"{harness.name}: {harness.program} is not there: left out")
            continue
        if harness.name == "criterion":
            path = project(harness, "ab", False)
            if not os.path.isdir(os.path.join(path, "target")):
                shutil.copytree(os.path.join(TOOLS, "criterion"), os.path.join(path, "target"), symlinks=True)
        for seed in range(1, EXPERIMENTS + 1):
            for part in parts:
                if (harness.name, part, seed) not in known():
                    done = experiment(harness, part, seed)
                    with open(RESULTS, "a", encoding="utf-8") as file:
                        file.write(json.dumps(done) + "\n")
        for part in parts:
            found = known()
            summary(harness, part, [found[harness.name, part, seed] for seed in range(1, EXPERIMENTS + 1)])


main()
