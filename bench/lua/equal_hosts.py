"""How often equal cases are called different, on every Lua.

Measures: 20 suites of five cases with the same function on each Lua that is there (the embedded LuaJIT, luajit, lua5.1 to
lua5.4, OpenResty as nginx with the Lua module), `--budget .3s` and otherwise default settings; counts suites in which any comparison is called `faster` or `slower`.
At alpha 0.05 over a suite, 1 is expected; more than 4 happen in 0.3 % of such series.

Fair because every suite is of its own, none is repeated or left out, the Luas take turns, and lua/reach and lua/slower
show the other side.
"""

import collections
import shutil

import lab

SUITES = lab.count(20)
LUAS = [lua for lua in ["luajit", "lua5.1", "lua5.2", "lua5.3", "lua5.4"] if shutil.which(lua)]
if shutil.which("resty") or shutil.which("nginx"):
    LUAS.append("openresty")
EQUAL = """local measure = require('measure')
for _, name in ipairs({ 'a', 'b', 'c', 'd', 'e' }) do
    measure.describe(name):run(function()
        local sum = 0
        for i = 1, 100 do sum = sum + i * i % 7 end
        measure.sink(sum)
    end)
end
"""

path = lab.suite("equal_hosts.lua", EQUAL)
verdicts = {lua: collections.Counter() for lua in ["embedded", *LUAS]}
different = collections.Counter()
for seed in range(SUITES):
    for lua, seen in verdicts.items():
        shown = lab.analysis("run", path, "--lua", lua, "--budget", ".3s", "--seed", seed)
        said = [comparison["verdict"] for comparison in shown["comparisons"]]
        seen.update(said)
        different[lua] += any(verdict in ("faster", "slower") for verdict in said)
figures = lab.Figures()
for lua, seen in verdicts.items():
    counted = ", ".join(f"{n} {verdict}" for verdict, n in seen.most_common())
    figures.at_most(f"{lua}: suites of {SUITES} with a difference ({counted})", different[lua], 4 * SUITES // 20)
figures.end()
