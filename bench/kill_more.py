"""What is lost when `run`, `--resume`, `convert` or a report's exports are killed.

Measures: etalon is killed with SIGKILL at random instants: 100 times `run` with a suite of two cases whose teardown logs
its end; 100 times an experiment of two commands (bench/logged.c) that is resumed twice and killed in each of the three
sittings; 50 times `convert`, 50 times `report` with exports, both of which write over files that were there before.
Then: the record must hold every completion in the log, in its order, except at most the one in flight of each sitting;
its lines must be whole, and it must be reportable; files that are written over must be the old ones or the new ones to
the byte; once etalon has written to a directory again, nothing else may be in it; and no process may be left.

Fair for the reasons that kill.py names. Instants are uniform over what the whole takes.
"""

import glob
import json
import os
import random
import shutil

import kill
import lab

SUITE = """local measure = require('measure')
for _, letter in ipairs({ 'a', 'b' }) do
    measure.describe(letter):run(function() return #letter end):teardown(function()
        local log = io.open('log', 'a')
        log:write(letter)
        log:close()
    end)
end
"""
RUNS = lab.count(100)


def fresh(name):
    directory = os.path.join(lab.SCRATCH, name)
    shutil.rmtree(directory, ignore_errors=True)
    os.mkdir(directory)
    return directory


def record_of(directory):
    """The newest record, its path and text: a run that is resumed begins one with all that the one before holds."""
    path = max(glob.glob(os.path.join(directory, "home", "runs", "*")), default=os.path.join(directory, "none"))
    return path, kill.read(path)


def torn(text):
    return bool(text) and not text.endswith("\n")


def killed_run(number, rng):
    """Cases in blocks: the last observation of a case in a block follows its teardown."""
    directory = fresh(f"run-{number}")
    suite = lab.suite(os.path.join(directory, "s.lua"), SUITE)
    argv = ["run", "--warmup", "0", "--budget", "1h", "--precision", "0.0001", suite]
    gone = kill.killed(argv, directory, rng.uniform(0, 1.5))
    path, text = record_of(directory)
    rows = [json.loads(line) for line in text.splitlines()]
    ends = [row for row in rows if row["type"] == "observation" and "heap" in row["values"]]
    held = "".join("ab"[row["benchmark"]] for row in ends)
    log = kill.read(os.path.join(directory, "log"))
    shown = '"type":"benchmark"' not in text or lab.execute([lab.ETALON, "report", path, "--json"]).code in (0, 1)
    return {"finished": len(log), "lost": kill.lost(log, held), "torn": torn(text), "unreportable": not shown, "left": gone is None}


def killed_resume(number, rng):
    """Three sittings of one experiment."""
    directory, losses, left = fresh(f"resume-{number}"), [], False
    log_path = os.path.join(directory, "log")
    for sitting in range(3):
        path, before = record_of(directory)
        if sitting and '"type":"observation"' not in before:
            break
        commands = [f"{lab.tool('logged')} {log_path} {letter}" for letter in "ab"]
        first = ["cmd", "-r", "1000000", "-n", "a", "-n", "b", *commands]
        logged, held = len(kill.read(log_path)), kill.letters_of_record(before)
        argv = ["cmd", "--resume", path] if sitting else first
        left = kill.killed(argv, directory, rng.uniform(0.02, 0.3)) is None or left
        _, text = record_of(directory)
        log, now = kill.read(log_path)[logged:], kill.letters_of_record(text)
        # Killed before there was a new record, it has executed nothing.
        losses.append(kill.lost(log, now[len(held) :]) if now.startswith(held) else len(held))
        losses.append(0 if not sitting or kill.read(path) == before else len(held))
    path, text = record_of(directory)
    begun = '"type":"benchmark"' in text
    unreportable = begun and not kill.reportable(path, len(kill.letters_of_record(text)))
    return {"finished": len(kill.read(log_path)), "lost": max(losses, default=0), "torn": torn(text), "unreportable": unreportable, "left": left}


def killed_writing(name, number, rng, argv, outputs, whole):
    """Files that were there before, and are written over."""
    directory = fresh(f"{name}-{number}")
    for output in outputs:
        with open(os.path.join(directory, output), "w", encoding="utf-8") as file:
            file.write("before\n")
    gone = kill.killed(argv(directory), directory, rng.uniform(0, whole["seconds"]))
    now = {output: kill.read(os.path.join(directory, output)) for output in outputs}
    changed = sum(text != "before\n" for text in now.values())
    wrong = sum(text not in ("before\n", whole[output]) for output, text in now.items())
    lab.execute([lab.ETALON, *argv(directory)], {"ETALON_HOME": os.path.join(directory, "home")})
    files = set(os.listdir(directory)) - {"home"} - set(outputs)
    return {"finished": changed, "lost": 0, "torn": bool(wrong), "unreportable": False, "left": gone is None or bool(files)}


def whole_of(argv, outputs):
    """What is written when nobody interferes, and the seconds that takes."""
    directory = fresh("whole")
    done = lab.execute([lab.ETALON, *argv(directory)], {"ETALON_HOME": os.path.join(directory, "home")})
    if done.code != 0:
        raise SystemExit(f"{argv(directory)}: exit {done.code}\n{kill.read(os.path.join(lab.SCRATCH, 'out.err'))}")
    return {"seconds": done.seconds} | {output: kill.read(os.path.join(directory, output)) for output in outputs}


def big():
    """Results of hyperfine that take a while."""
    path, rng = os.path.join(lab.SCRATCH, "big.json"), random.Random(3)
    results = [{"command": f"command {name}", "times": [rng.uniform(1, 2) for _ in range(100)]} for name in range(300)]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"results": results}, file)
    return path


def converting(source):
    return lambda directory: ["convert", source, "--to", "etalon", "--force", "-o", os.path.join(directory, "o.jsonl")]


EXPORTS = ("o.json", "o.md")


def exporting(source):
    names = lambda directory: [os.path.join(directory, name) for name in EXPORTS]
    options = ("--export-json", "--export-markdown")
    return lambda directory: ["report", source, *(word for pair in zip(options, names(directory)) for word in pair)]


def main():
    rng, figures, source = random.Random(11), lab.Figures(), big()
    trials = {
        "run": [killed_run(number, rng) for number in range(RUNS)],
        "resume": [killed_resume(number, rng) for number in range(RUNS)],
    }
    for name, argv, outputs in [("convert", converting(source), ("o.jsonl",)), ("exports", exporting(source), EXPORTS)]:
        whole = whole_of(argv, outputs)
        trials[name] = [killed_writing(name, number, rng, argv, outputs, whole) for number in range(RUNS // 2)]
    for name, of in trials.items():
        figures.median(f"{name}: finished before the kill", [t["finished"] for t in of], digits=0)
        if name in ("run", "resume"):
            figures.at_most(f"{name}: finished and lost, most in a sitting", max(t["lost"] for t in of), 1)
            figures.at_most(f"{name}: records that cannot be reported", sum(t["unreportable"] for t in of), 0)
        figures.at_most(f"{name}: files that are torn", sum(t["torn"] for t in of), 0)
        figures.at_most(f"{name}: trials that left a process or a file", sum(t["left"] for t in of), 0)
    figures.end()


main()
