"""Whether counting the JIT compiler's events changes the times of hot loops.

Measures: every function twice in the same blocks, once with etalon's handler of trace events attached and once detached
(its `setup` takes it out of LuaJIT's registry); 9 suites. Reports the median of the ratios attached / detached.

Fair because both are the same code in the same blocks, in an order that is new every turn; the functions are those of
which a part in a hundred can be seen (an addition, a table, a loop), and one that makes the compiler work in every call.
"""

import statistics

import lab

SUITES = lab.count(9)
SUITE = """local measure = require('measure')
local n, t = 0, {}
for i = 1, 100 do t[i] = i % 7 end
local function detach()
    local found
    for _, handler in pairs(debug.getregistry()._VMEVENTS) do found = handler end
    assert(found, 'nothing is attached')
    jit.attach(found)
end
local works = {
    addition = function() n = n + 1 end,
    table = function() measure.sink({}) end,
    loop = function() local sum = 0 for i = 1, 100 do sum = sum + t[i] end measure.sink(sum) end,
    closure = function() measure.sink(function() return n end) end,
    compiling = function() n = loadstring('local s = 0 for i = 1, 100 do s = s + i end return s')() end,
}
for _, job in ipairs({ 'addition', 'table', 'loop', 'closure', 'compiling' }) do
    measure.describe('detached', { job = job }):setup(detach):run(works[job])
    measure.describe('attached', { job = job }):run(works[job])
end
"""

path = lab.suite("events.lua", SUITE)
ratios = {}
for seed in range(SUITES):
    shown = lab.analysis("run", path, "--budget", ".5s", "--seed", seed)
    for comparison in shown["comparisons"]:
        job = shown["benchmarks"][comparison["candidate"]]["params"]["job"]
        ratios.setdefault(job, []).append(comparison["ratio"])
figures = lab.Figures()
for job, found in ratios.items():
    figures.plain(f"{job}: attached / detached", f"{statistics.median(found):.4f} ({min(found):.3f}–{max(found):.3f})")
hot = [statistics.median(ratios[job]) for job in ratios if job != "compiling"]
figures.at_most("furthest from 1, of what is hot", max(abs(ratio - 1) for ratio in hot), 0.01)
figures.end()
