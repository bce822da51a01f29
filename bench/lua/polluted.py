"""Whether another file of the run can change what a case takes.

Measures: a module with a function that a JIT compiler specialises to what it is called with; a suite
that calls it in every way there is, while it is loaded and in its own case; and a suite with the same
case twice. 20 runs of both suites, the polluting one first: counts runs in which one of the two
subjects is called `faster` or `slower`. In every run the suite is measured alone, too, in alternating
order: the ratio of its median with the other file to that without. At the end once the same
pollution within the case's own process, which shows what would be seen if processes were shared.

Fair because the suites share the module and its search path, everything is the default, and no run
is left out.
"""

import collections

import lab

RUNS = lab.count(20)
SHARE = 0.05

lab.suite(
    "shared.lua",
    """local shared = {}
function shared.total(list, get)
    local sum = 0
    for i = 1, #list do sum = sum + get(list, i) end
    return sum
end
local function plain(list, i) return list[i] end
function shared.case()
    local list = {}
    for i = 1, 50 do list[i] = i end
    return function() return shared.total(list, plain) end
end
function shared.pollute()
    local lists = { { 1, 2, 3.5 }, { '1', '2' }, { 1, '2', 3 } }
    lists[4] = setmetatable({ 1, 2 }, { __index = function() return 0 end })
    for turn = 1, 3000 do
        for number = 1, #lists do
            local get = function(list, i) return list[i] end
            if turn % 3 == 0 then get = function(list, i) return tonumber(list[i]) + turn end end
            if turn % 5 == 0 then get = function(list, i) return #tostring(list[i]) end end
            if turn % 7 == 0 then get = function(list, i) return select(2, pcall(rawget, list, i)) end end
            shared.total(lists[number], get)
        end
    end
end
return shared
""",
)
TWICE = """local measure, shared = require('measure'), require('shared')
for _, name in ipairs({ 'first', 'second' }) do
    local call = shared.case()
    measure.describe(name):run(function() measure.sink(call()) end)
end
"""
twice = lab.suite("twice.lua", TWICE)
polluting = lab.suite(
    "polluting.lua",
    """local measure, shared = require('measure'), require('shared')
shared.pollute()
measure.describe('pollution'):run(function() shared.pollute() end)
""",
)
inside = lab.suite(
    "inside.lua",
    """local measure, shared = require('measure'), require('shared')
for _, name in ipairs({ 'clean', 'polluted' }) do
    local call = shared.case()
    measure.describe(name):setup(function()
        if name == 'polluted' then shared.pollute() end
    end):run(function() measure.sink(call()) end)
end
""",
)


def median(shown):
    return next(b for b in shown["benchmarks"] if b["name"] == "first")["metrics"]["wall"]["median"]


verdicts, against_alone = collections.Counter(), []
for seed in range(RUNS):
    order = [(polluting, twice), (twice,)]
    shown = {len(paths): lab.analysis("run", *paths, "--seed", seed) for paths in order[:: -1 if seed % 2 else 1]}
    (comparison,) = shown[2]["comparisons"]
    verdicts[comparison["verdict"]] += 1
    against_alone.append(median(shown[2]) / median(shown[1]))

figures = lab.Figures()
print("  " + ", ".join(f"{n} {verdict}" for verdict, n in verdicts.most_common()))
different = verdicts["faster"] + verdicts["slower"]
figures.at_least(f"not called different, of {RUNS}", RUNS - different, RUNS - RUNS // 10)
figures.within("with the other file, to without it", against_alone, SHARE)
figures.plain("polluted in its own process, ratio", round(lab.analysis("run", inside)["comparisons"][0]["ratio"], 2))
figures.end()
