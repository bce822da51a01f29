"""Anything, in any order, for as long as it is left running.

Does: commands and suites measured, killed, interrupted, resumed, reported, compared and converted with random options on
small random inputs, and damaged records read, all in a scratch store. After each: the exit code is one that is
documented, nothing panicked, JSON parses, a report says the same twice, what is converted and read again has the same
benchmarks and counts, what is converted once more is the same bytes, records hold whole lines, no process is left, and no
hidden file survives the next writer. Prints what it has done every ten seconds, and at once what it found, with the
command and the seed.

    python3 bench/soak.py ETALON [--seconds N] [--seed N] [--keep DIR]

Ends with a summary on Ctrl-C or after --seconds; exits with 1 if anything was found. Standard library only.
"""

import argparse
import collections
import glob
import itertools
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

COMMANDS = ["true", "false", "sleep 0.002", "sh -c 'exit 3'", "sh -c 'kill -9 $$'", "no-such-program", "echo '\x1b[31m'", "printf x"]
NAMES = ["a", "b c", "=1+1", "x,y\"z", "größer 漢", "a\u202eb", "-8", "n/m=1", "l\nm", ""]
FORMATS = ["etalon", "bestguess", "hyperfine", "go"]
SUITES = [
    "local m = require('measure')\nm.describe('a'):run(function() return 1 end)\n",
    "local m = require('measure')\nm.describe('a', { n = { 1, 2 } }):run(function() m.sink({}) end)\nm.describe('b', { n = { 1, 2 } }):run(function() end)\n",
    "local m = require('measure')\nm.describe('a'):run(function() error('x') end)\nm.describe('b'):run(function() end)\n",
    "local m = require('measure'\n",
    "print('hello') local m = require('measure')\nm.describe('t'):run_with_timer(function(m) return m(function() end) end)\n",
]
CODES = {0, 1, 2, 3}


class Soak:
    def __init__(self, etalon, seed, directory):
        self.etalon, self.seed, self.directory = etalon, seed, directory
        self.rng = random.Random(seed)
        self.done, self.codes, self.executed, self.found = collections.Counter(), collections.Counter(), 0, []
        self.last, self.wrote = None, False
        self.mark = f"etalon-soak-{os.getpid()}-{seed}"
        home = os.path.join(directory, "home")
        self.environment = dict(os.environ, ETALON_HOME=home, ETALON_SOAK=self.mark, COLUMNS=str(self.rng.choice([40, 80, 200])))

    # What is done.

    def start(self, argv):
        self.executed += 1
        return subprocess.Popen(
            [self.etalon, *argv], cwd=self.directory, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )

    def etalon_with(self, *argv):
        child = self.start(argv)
        try:
            out, err = child.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            child.kill()
            out, err = child.communicate()
            self.report("takes more than two minutes", argv)
        self.codes[child.returncode] += 1
        self.last, self.wrote = child.returncode, "--no-save" not in argv
        if child.returncode not in CODES:
            self.report(f"exits with {child.returncode}: {err[-300:]!r}", argv)
        if b"panicked" in err or b"panicked" in out:
            self.report(f"panics: {err[-600:]!r}", argv)
        return child.returncode, out, err

    def interrupted(self, *argv):
        """Ended by a signal that can be handled: nothing is lost, and the exit code says so."""
        child = self.start(argv)
        time.sleep(self.rng.uniform(0, 0.3))
        sent = self.rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
        child.send_signal(sent)
        out, err = child.communicate()
        # Before the signal is handled, and where there is nothing to save, it ends the process itself.
        if child.returncode not in CODES | {130, -sent, 128 + sent} or b"panicked" in err:
            self.report(f"{sent.name} ends it with {child.returncode}: {err[-300:]!r}", argv)

    def killed(self, *argv):
        child = self.start(argv)
        time.sleep(self.rng.uniform(0, 0.3))
        child.kill()
        child.communicate()

    def report(self, what, argv):
        line = " ".join(shlex.quote(word) for word in [self.etalon, *argv])
        self.found.append((what, line))
        print(f"FOUND (seed {self.seed}, action {sum(self.done.values())}) {what}\n  in {self.directory}: {line}", flush=True)

    # What it is done with.

    def some(self, *options):
        """Some of these options, each a list of words."""
        return [word for option in options if self.rng.random() < 0.3 for word in option]

    def records(self):
        return sorted(glob.glob(os.path.join(self.directory, "home", "runs", "*.jsonl*")))

    def commands(self):
        chosen = self.rng.choices(COMMANDS, k=self.rng.randint(1, 3))
        named = [[command, f"--name={self.rng.choice(NAMES)}"] if self.rng.random() < 0.4 else [command] for command in chosen]
        return [word for words in named for word in words]

    # Actions.

    def cmd(self):
        r = self.rng
        options = ["-r", str(r.randint(1, 8))] + self.some(
            ["-i"], ["-w", "1"], ["-s", "/bin/sh -c"], ["--order", r.choice(["blocks", "sequential", "abba"])], ["--json"], ["--full"],
            ["-o", f"o-{self.executed}." + r.choice(["jsonl", "csv"])], ["--export-csv", "e.csv"], ["--export-json", "e.json"], ["--export-markdown", "e.md"],
            ["--no-save"], ["--prepare", "true"], ["--conclude", "false"], ["--timeout", "1s"], ["--style", r.choice(["bestguess", "etalon"])],
            ["--spreadsheet"], ["--randomize-env"], ["--quiet"],
        )
        code, out, _ = self.etalon_with("cmd", *options, *self.commands())
        if "--json" in options and code == 0:
            self.parsed(out, ["cmd", *options])

    def run(self):
        with open(os.path.join(self.directory, "s.lua"), "w") as suite:
            suite.write(self.rng.choice(SUITES))
        r = self.rng
        options = self.some(["--json"], ["--full"], ["--by", r.choice(["none", "n"])], ["--show-overhead"], ["--order", "sequential"], ["--style", "lua-measure"])
        self.etalon_with("run", "-r", str(self.rng.randint(1, 3)), "--budget", "0.02s", *options, "s.lua")

    def kill_cmd(self):
        self.killed("cmd", "-r", "10000", *self.commands())

    def kill_run(self):
        with open(os.path.join(self.directory, "s.lua"), "w") as suite:
            suite.write(self.rng.choice(SUITES[:3]))
        self.killed("run", "--budget", "5s", "s.lua")

    def resume(self):
        path = self.any_record()
        if path:
            argv = [self.rng.choice(["cmd", "run"]), "--resume", path]
            self.killed(*argv)

    def resume_to_the_end(self):
        """What was killed and is resumed has every block that was asked for, and at most a half of the one it was killed in."""
        known, blocks = set(self.records()), self.rng.randint(20, 60)
        self.killed("cmd", "-r", str(blocks), "sleep 0.002", "true")
        begun = [path for path in self.records() if path not in known and path.endswith(".partial")]
        if not begun:
            return
        # A busy machine takes a while to end what was killed; until then it holds the record.
        self.left_processes()
        argv = ["cmd", "--resume", begun[0]]
        code, _, err = self.etalon_with(*argv)
        if code != 0:
            self.report(f"is not resumed: {err[-300:]!r}", argv)
            return
        for path in set(self.records()) - known - set(begun):
            executed = [outcomes["ok"] for _, _, outcomes, _ in self.counts(path) or []]
            if not executed or min(executed) != blocks or max(executed) > blocks + 1:
                self.report(f"{blocks} blocks were asked for, and {path} has {executed}", argv)

    def any_record(self):
        records = self.records()
        return self.rng.choice(records) if records else None

    def report_(self):
        path = self.any_record()
        if not path:
            return
        options = self.some(["--full"], ["-E"], ["-G", "-B"], ["--metric", self.rng.choice(["cpu", "wall", "rss"])], ["--format", self.rng.choice(["csv", "markdown"])], ["--strict"])
        one = self.etalon_with("report", path, *options)
        other = self.etalon_with("report", path, *options)
        if one[:2] != other[:2]:
            self.report("says something else the second time", ["report", path, *options])
        code, out, _ = self.etalon_with("report", path, "--json")
        if code == 0:
            self.parsed(out, ["report", path, "--json"])

    def compare(self):
        paths = [path for path in (self.any_record(), self.any_record()) if path]
        if paths:
            argv = ["compare", *paths, *self.some(["--full"], ["--format", self.rng.choice(["csv", "markdown", "github"])], ["--col", ".file"], ["--row", ".name"], ["--fail-on", "worse"])]
            self.etalon_with(*argv)
            code, out, _ = self.etalon_with("compare", *paths, "--json")
            if code == 0:
                self.parsed(out, ["compare", *paths, "--json"])

    def convert(self):
        path, to = self.any_record(), self.rng.choice(FORMATS)
        if not path:
            return
        target = os.path.join(self.directory, f"converted-{self.executed}.{to}")
        code, _, _ = self.etalon_with("convert", path, "--to", to, "-o", target)
        if code == 0 and to == "etalon":
            was, now = (self.counts(source) for source in (path, target))
            if was is not None and was != now:
                self.report(f"loses something: {was} became {now}", ["convert", path, "--to", to])
        elif code == 0:
            self.etalon_with("report", target)
            self.rewritten(target, to)
        if os.path.exists(target):
            os.remove(target)

    def rewritten(self, source, to):
        """What a format holds is the same when it is written again."""
        again = source + ".again"
        self.etalon_with("convert", source, "--from", to, "--to", to, "-o", again, "--force")
        if os.path.exists(again):
            with open(source, "rb") as one, open(again, "rb") as other:
                first, second = self.without_comments(one.read(), to), self.without_comments(other.read(), to)
            # Times of functions are exact in CSV, and those of commands, as which they are read again, whole.
            of_functions = to == "bestguess" and b"." in first.split(b"\n", 1)[-1]
            # The exit codes that a shell gives for a command that was killed, timed out or did not start are read as that,
            # and said to be.
            as_killed = to == "hyperfine" and re.search(rb"[\s\[:](124|127|129|1[3-8]\d|19[0-2])[,\s\]]", first)
            if first != second and not of_functions and not as_killed:
                lines = itertools.zip_longest(first.split(b"\n"), second.split(b"\n"))
                self.report(f"is something else when it is written again: {next(it for it in lines if it[0] != it[1])}", ["convert", source, "--to", to])
            os.remove(again)

    @staticmethod
    def without_comments(text, to):
        """Without Go's comments, which hold facts that differ between executions and which nobody reads, and without rows of
        BestGuess with the exit code that a shell gives for a command that was killed: these are read as killed."""
        is_left_out = {"go": lambda line: line.startswith(b"#"), "bestguess": lambda line: b",137," in line}.get(to, lambda _: False)
        return b"".join(line for line in text.splitlines(keepends=True) if not is_left_out(line))

    def interrupt(self):
        self.interrupted("cmd", "-r", "10000", *self.commands())

    def damage(self):
        """A file that is cut, overwritten, or has pieces of itself elsewhere: read or refused, with a word."""
        path = self.any_record()
        if not path:
            return
        with open(path, "rb") as record:
            data = bytearray(record.read())
        for _ in range(self.rng.randint(1, 4)):
            at = self.rng.randint(0, len(data))
            piece = self.rng.choice([b"", b'"', b"\n", b"-", b"9" * 30, b"\0", b"{", b"\xff", bytes(data[: self.rng.randint(0, 400)])])
            data[at : at + self.rng.choice([0, 1, 20, len(data)])] = piece
        target = os.path.join(self.directory, "damaged.jsonl")
        with open(target, "wb") as damaged:
            damaged.write(data)
        argv = ["report", target, *self.some(["--strict"], ["--json"], ["--from", self.rng.choice(FORMATS)])]
        code, out, err = self.etalon_with(*argv)
        if code == 2 and (out or not err.strip()):
            self.report(f"is refused without a word, or reported all the same: {err[-300:]!r}", argv)
        self.etalon_with("compare", target, target, "--json")

    def runs(self):
        code, out, _ = self.etalon_with("runs", "--json")
        if code == 0:
            self.parsed(out, ["runs", "--json"])
        if len(self.records()) > 40:
            self.etalon_with("runs", "prune", "--keep", "10", "--yes")

    # What has to hold.

    def counts(self, path):
        code, out, _ = self.etalon_with("report", path, "--json")
        if code != 0:
            return None
        return [(it["name"], it["params"], it["outcomes"], {name: m["n"] for name, m in it["metrics"].items()}) for it in json.loads(out)["benchmarks"]]

    def parsed(self, out, argv):
        try:
            json.loads(out)
        except ValueError as error:
            self.report(f"prints no JSON: {error}", argv)

    def invariants(self, action):
        left = self.left_processes()
        if left:
            self.report(f"processes are left after {action}: {left}", [action])
        for path in self.records():
            with open(path, "rb") as record:
                text = record.read()
            lines = text.split(b"\n")
            if lines[-1] and path.endswith(".jsonl"):
                self.report("the last line of a finished record is torn", ["report", path])
            for line in lines[:-1]:
                try:
                    json.loads(line)
                except ValueError:
                    self.report(f"a line is not whole: {line[:100]!r}", ["report", path])
        # Whoever was refused or saves nothing wrote nothing, and swept nothing.
        if action in ("cmd", "run") and self.last == 0 and self.wrote:
            hidden = glob.glob(os.path.join(self.directory, "home", "runs", ".etalon-*"))
            if hidden:
                self.report(f"hidden files are left after {action}: {hidden}", [action])

    def left_processes(self):
        """Of this soak, a while after whatever was killed."""
        wanted = f"ETALON_SOAK={self.mark}".encode()
        for _ in range(40):
            left = []
            for number in filter(str.isdigit, os.listdir("/proc")):
                try:
                    with open(f"/proc/{number}/environ", "rb") as environment:
                        if wanted in environment.read():
                            left.append(int(number))
                except OSError:
                    pass
            if not left:
                return []
            time.sleep(0.05)
        return left

    def step(self):
        actions = {
            "cmd": self.cmd, "run": self.run, "kill_cmd": self.kill_cmd, "kill_run": self.kill_run, "resume": self.resume,
            "report": self.report_, "compare": self.compare, "convert": self.convert, "runs": self.runs, "interrupt": self.interrupt, "damage": self.damage,
            "resume_to_the_end": self.resume_to_the_end,
        }
        name = self.rng.choices(list(actions), weights=[4, 2, 1, 1, 1, 3, 2, 3, 1, 1, 3, 1])[0]
        actions[name]()
        self.done[name] += 1
        self.invariants(name)

    def summary(self):
        actions = ", ".join(f"{n} {name}" for name, n in self.done.most_common())
        codes = ", ".join(f"{n} × {code}" for code, n in sorted(self.codes.items()))
        return f"{self.executed} executions of etalon: {actions}; exit codes {codes}; {len(self.found)} found (seed {self.seed})"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("etalon")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--keep", help="work in this directory, and keep it")
    asked = parser.parse_args()
    seed = random.randrange(1 << 31) if asked.seed is None else asked.seed
    directory = asked.keep or tempfile.mkdtemp(prefix="etalon-soak.")
    os.makedirs(directory, exist_ok=True)
    soak = Soak(os.path.abspath(asked.etalon), seed, directory)
    end, said = time.monotonic() + asked.seconds, time.monotonic()
    try:
        while time.monotonic() < end:
            soak.step()
            if time.monotonic() - said > 10:
                said = time.monotonic()
                print(soak.summary(), flush=True)
    except KeyboardInterrupt:
        pass
    print(soak.summary())
    if not asked.keep and not soak.found:
        shutil.rmtree(directory, ignore_errors=True)
    sys.exit(1 if soak.found else 0)


if __name__ == "__main__":
    main()
