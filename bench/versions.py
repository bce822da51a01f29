"""versions: which published version of a real project changed the time of a benchmark, found with `etalon bisect`.

Measures: the versions of a Go module that its proxy lists, each as a commit; a small program in the module's own tree that
renders one text again and again, built with `go build`.
  - by CPU time, between the first version and a later one: which version is named, and how many executions that takes.
  - the same with `--count`, if valgrind is there.
  - as a check, `etalon ab` between the version named and the one before, with 30 blocks.

Fair because versions are taken as they are published, and the check is an experiment of its own.
Needs git and go, and the module proxy. Arguments: none.
"""

import json
import os
import shutil
import subprocess
import tempfile

import lab

MODULE = "github.com/yuin/goldmark"
TEXT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "statistics.md")
# Behind it times come back to where they were at the first version.
LAST = "v1.7.17"
ROOM = tempfile.mkdtemp(dir=lab.SCRATCH)
PROGRAM = """package main

import (
	"bytes"
	"os"

	"MODULE"
	"MODULE/extension"
)

func main() {
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	markdown := goldmark.New(goldmark.WithExtensions(extension.GFM))
	for i := 0; i < 20; i++ {
		var out bytes.Buffer
		if err := markdown.Convert(text, &out); err != nil {
			panic(err)
		}
	}
}
""".replace("MODULE", MODULE)


def said(*words, cwd=ROOM):
    return subprocess.run(words, cwd=cwd, check=True, stdout=subprocess.PIPE, text=True).stdout


def git(*words):
    said("git", "-c", "user.name=n", "-c", "user.email=e", *words, cwd=REPOSITORY)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


REPOSITORY = os.path.join(ROOM, "project")
os.mkdir(REPOSITORY)
shutil.copy(TEXT, os.path.join(ROOM, "text.md"))
git("init", "-q", ".")
versions = said("go", "list", "-m", "-versions", MODULE).split()[1:]
for version in versions:
    found = json.loads(said("go", "mod", "download", "-json", f"{MODULE}@{version}"))["Dir"]
    git("rm", "-rqf", "--ignore-unmatch", ".")
    shutil.copytree(found, REPOSITORY, dirs_exist_ok=True, copy_function=shutil.copyfile)
    subprocess.run(["chmod", "-R", "u+w", REPOSITORY], check=True)
    write(os.path.join(REPOSITORY, "cmd_render", "main.go"), PROGRAM)
    git("add", "-Af")
    git("commit", "-qm", version)
    git("tag", "-f", version)

figures = lab.Figures()
good, bad = versions[0], LAST
build = ["--build", "go build -o render ./cmd_render"]
command = ["--", "./render", os.path.join(ROOM, "text.md")]


def bisected(*words):
    argv = [lab.ETALON, "bisect", good, bad, *build, *words, "--json", *command]
    done = subprocess.run(argv, cwd=REPOSITORY, stdout=subprocess.PIPE, check=False, text=True)
    document = json.loads(done.stdout)
    print(f"  {document['headline']}", flush=True)
    return document["bisection"]


def plainly(name, found):
    versions_named = [(step["subject"], round(step["share"]["value"], 3)) for step in found["steps"]]
    figures.plain(f"{name}: {good} to {bad}, {versions.index(bad)} versions behind the first: named, with shares", versions_named)
    figures.plain(f"{name}: executions, second builds included", found["executions"])


by_time = bisected("--metric", "cpu", "--seed", "1")
plainly("time", by_time)
if shutil.which("valgrind"):
    plainly("counts", bisected("--count", "--metric", "cpu", "--seed", "1"))
for step in by_time["steps"]:
    before, at = versions[step["before"]], versions[step["place"]]
    argv = [lab.ETALON, "ab", before, at, *build, "-r", "30", "--json", "--metric", "cpu", *command]
    done = subprocess.run(argv, cwd=REPOSITORY, stdout=subprocess.PIPE, check=False, text=True)
    compared = [row for row in json.loads(done.stdout)["comparisons"] if row["metric"] == "cpu"]
    shown = "; ".join(f"{row['ratio']:.4f} ({row['lo']:.4f} … {row['hi']:.4f})" for row in compared)
    figures.plain(f"ab of {before} and {at} against what was said, {step['ratio']['value']:.4f}", shown)
figures.end()
