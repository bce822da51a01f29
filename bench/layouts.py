"""What is said of commits that change nothing but where code lies, with four layouts a side and with one build of each.

Measures: PUC Lua, built from the source in LUA_SOURCE (a directory with lvm.c), in a repository of its own. In experiment N
the newer commit swaps two neighbouring functions of lapi.c, drawn by N, which moves everything behind them; in the part
`planted` the script takes 3 % more rounds besides. `etalon ab HEAD~ HEAD` with --layouts 4 and with --no-control, 15 blocks,
judged by CPU time: how many experiments call the sides different.

Fair because both ways measure the same commits, one after the other, and no experiment is left out. Objects come from
ccache, and only links differ between layouts (lld's --shuffle-sections). Results are kept experiment by experiment in
RESULTS, so that it can go on where it was stopped. Arguments: the number of experiments, then parts.
"""

import json
import os
import random
import re
import shutil
import subprocess
import sys

import lab

EXPERIMENTS = lab.count(60)
RESULTS = os.environ.get("RESULTS") or os.path.join(lab.SCRATCH, "layouts.jsonl")
ROOM = os.path.join(lab.SCRATCH, "layouts")
ROUNDS = 3000
WORKLOAD = """
local rounds = ...
local t, s = {}, 0
for i = 1, rounds do
  local k = "k" .. (i % 61)
  t[k] = (t[k] or 0) + i
  for j = 1, 60 do s = s + (t[k] * j) % 7; t[j] = s end
  local q = { i, s, k }
  s = s + #q + math.floor(s / 3) % 5
end
print(s)
"""
# Executes work.lua with the rounds that `rounds` says.
MAIN = """#include <stdio.h>
#include <stdlib.h>
#include "lauxlib.h"
#include "lualib.h"
int main(void) {
    FILE *file = fopen("rounds", "r"); long rounds = 0;
    lua_State *L = luaL_newstate(); luaL_openlibs(L);
    if (!file || fscanf(file, "%ld", &rounds) != 1 || luaL_loadfile(L, "work.lua")) return 1;
    lua_pushinteger(L, rounds);
    return lua_pcall(L, 1, 0, 0);
}
"""
BUILD = """#!/bin/sh
# One object a file, from ccache; the link says where functions lie.
set -e
for file in l*.c main.c; do
  case $file in lua.c | luac.c | ltests.c) continue ;; esac
  ccache cc -O2 -ffunction-sections -DLUA_USE_LINUX -c "$file"
done
shuffle=
[ -z "$ETALON_LAYOUT" ] || shuffle="-Wl,--shuffle-sections=.text*=$ETALON_LAYOUT"
cc -fuse-ld=lld -Wl,-E $shuffle -o lua *.o -lm -ldl
"""


def git(*words):
    who = ["-c", "user.name=b", "-c", "user.email=b@example.org"]
    subprocess.run(["git", *who, *words], cwd=ROOM, check=True, stdout=subprocess.DEVNULL)


def write(name, text):
    with open(os.path.join(ROOM, name), "w", encoding="utf-8") as file:
        file.write(text)


def functions(text):
    """Where each function of lapi.c that others see begins and ends."""
    starts = [it.start() for it in re.finditer(r"^LUA_API [^;{]*\{", text, re.M)]
    return [(start, text.index("\n}\n", start) + 3) for start in starts]


def swapped(text, seed):
    """Two neighbouring functions in each other's place."""
    found = functions(text)
    pairs = [(a, b) for a, b in zip(found, found[1:]) if "(" not in text[a[1]:b[0]] and "#" not in text[a[1]:b[0]]]
    (a, b), (c, d) = random.Random(seed).choice(pairs)
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def experiment(part, seed):
    """One commit, measured both ways."""
    shutil.rmtree(ROOM, ignore_errors=True)
    shutil.copytree(os.environ["LUA_SOURCE"], ROOM)
    write("work.lua", WORKLOAD)
    write("build.sh", BUILD)
    write("main.c", MAIN)
    write("rounds", str(ROUNDS))
    write(".gitignore", "*.o\nlua\n")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-q", "-m", "base")
    with open(os.path.join(ROOM, "lapi.c"), encoding="latin-1") as file:
        text = file.read()
    write("lapi.c", swapped(text, seed))
    if part == "planted":
        write("rounds", str(ROUNDS * 103 // 100))
    git("commit", "-q", "-a", "-m", "head")
    done = {"part": part, "seed": seed}
    for way in (["--layouts", "4"], ["--no-control"]):
        words = ["ab", "HEAD~", "HEAD", "--build", "sh build.sh", *way, "-r", "15", "--no-save", "--json", "--quiet"]
        words += ["--no-cache", "--", "./lua"]
        environment = {**os.environ, "ETALON_HOME": os.path.join(lab.SCRATCH, "home")}
        ended = subprocess.run([lab.ETALON, *words], cwd=ROOM, env=environment, capture_output=True, text=True)
        if not ended.stdout:
            sys.exit(f"{words}: exit {ended.returncode}\n{ended.stderr}")
        found = [it for it in json.loads(ended.stdout)["comparisons"] if it["metric"] == "cpu-sec/op"][0]
        kept = {key: found[key] for key in ("verdict", "ratio", "lo", "hi", "layouts")}
        done[way[0]] = kept
    return done


def known():
    if not os.path.exists(RESULTS):
        return {}
    with open(RESULTS, encoding="utf-8") as lines:
        return {(row["part"], row["seed"]): row for row in map(json.loads, lines)}


def main():
    figures = lab.Figures()
    for part in sys.argv[2:] or ["swapped", "planted"]:
        for seed in range(1, EXPERIMENTS + 1):
            if (part, seed) not in known():
                done = experiment(part, seed)
                with open(RESULTS, "a", encoding="utf-8") as file:
                    file.write(json.dumps(done) + "\n")
        rows = [known()[part, seed] for seed in range(1, EXPERIMENTS + 1)]
        for way, name in (("--layouts", "four layouts a side"), ("--no-control", "one build a side")):
            different = sum(row[way]["verdict"] in ("faster", "slower") for row in rows)
            figures.plain(f"{part}, {name}: called different", f"{different} of {EXPERIMENTS}")
        scatter = sorted(row["--layouts"]["layouts"]["scatter"] for row in rows)
        figures.plain(f"{part}: layouts of one side scatter by", f"{100 * scatter[len(scatter) // 2]:.2f} %")
    figures.end()


if __name__ == "__main__":
    main()
