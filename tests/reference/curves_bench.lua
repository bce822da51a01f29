-- Suites whose times have a known course from the warm-up on: recorded for the tests of `analysis::warming`.
--
-- etalon run tests/reference/curves_bench.lua --budget 8 --seed 1 -o curves.jsonl, and
-- tests/reference/curves.py curves.jsonl > crates/etalon-core/tests/data/curves.csv
local measure = require('measure')
measure.options({ warmup = 0.15 })
local describe, sink = measure.describe, measure.sink

local function work(n)
    local sum = 0
    for i = 1, n do sum = sum * 0.5 + i end
    return sum
end

-- The same work in every call, compiled in the first.
describe('flat'):run(function() sink(work(3000)) end)

-- The same, and garbage, which is collected within the warm-up but between samples.
describe('flat with garbage'):run(function()
    local list = {}
    for i = 1, 50 do list[i] = { i } end
    sink(list)
end)

-- Interpreted in the first 10000 calls, then compiled.
local late, calls = nil, 0
describe('late compilation'):setup(function()
    late = assert(loadstring('local s = 0 for i = 1, 1000 do s = s * 0.5 + i end return s'))
    jit.off(late)
end):run(function()
    calls = calls + 1
    if calls == 10000 then jit.on(late) end
    sink(late())
end)

-- Half as much work again in every second stretch of 25000 calls.
local turn = 0
describe('alternating states'):run(function()
    turn = turn + 1
    sink(work(turn % 50000 < 25000 and 1000 or 1500))
end)

-- Every call keeps an entry, and every hundredth walks over all of them.
local kept = {}
describe('leak'):run(function()
    kept[#kept + 1] = #kept
    if #kept % 100 == 0 then
        local sum = 0
        for i = 1, #kept do sum = sum + kept[i] end
        sink(sum)
    end
end)

-- Every call keeps an object until there are 60000, and every 500th collects: the time follows the heap.
local objects = {}
describe('collector sawtooth'):run(function()
    if #objects == 60000 then objects = {} end
    objects[#objects + 1] = {}
    if #objects % 500 == 0 then collectgarbage() end
end)
