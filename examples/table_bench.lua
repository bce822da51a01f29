-- Reads, fills and takes the length of tables of 1000 elements. A call is a pass over all elements.
-- The elements are random integers, so no sum can be known before the pass.

local measure = require('measure')
local prng = require('lib.prng')
local optional = require('lib.optional')
local sink = measure.sink
local new = optional('table.new')

local SIZE = 1000

local rng = prng.new(4)
local array = rng:integers(SIZE, 1, 1000)
local keys, hash, lists = {}, {}, {}
for i = 1, SIZE do
    keys[i] = ('key%d'):format(i)
    hash[keys[i]] = array[i]
    lists[i] = rng:integers(rng:integer(0, 9), 1, 9)
end

measure.options({ warmup = 0.1 })

-- Reading all elements.
.describe('array, for'):group('read'):items(SIZE):run(function()
    local sum = 0
    for i = 1, SIZE do sum = sum + array[i] end
    sink(sum)
end)
.describe('array, ipairs'):group('read'):items(SIZE):run(function()
    local sum = 0
    for _, v in ipairs(array) do sum = sum + v end
    sink(sum)
end)
.describe('hash, by key'):group('read'):items(SIZE):run(function()
    local sum = 0
    for i = 1, SIZE do sum = sum + hash[keys[i]] end
    sink(sum)
end)
.describe('hash, pairs'):group('read'):items(SIZE):run(function()
    local sum = 0
    for _, v in pairs(hash) do sum = sum + v end
    sink(sum)
end)

-- Filling a new table. The first case keeps the count itself.
.describe('t[i] = v'):group('fill'):items(SIZE):run(function()
    local t = {}
    for i = 1, SIZE do t[i] = array[i] end
    sink(t)
end)
.describe('t[#t + 1] = v'):group('fill'):items(SIZE):run(function()
    local t = {}
    for i = 1, SIZE do t[#t + 1] = array[i] end
    sink(t)
end)
.describe('table.insert'):group('fill'):items(SIZE):run(function()
    local t = {}
    for i = 1, SIZE do table.insert(t, array[i]) end
    sink(t)
end)
.describe('preallocated, t[i] = v'):skip(not new, 'table.new is a part of LuaJIT'):group('fill'):items(SIZE):run(function()
    local t = new(SIZE, 0)
    for i = 1, SIZE do t[i] = array[i] end
    sink(t)
end)
.describe('t[key] = v'):group('fill'):items(SIZE):run(function()
    local t = {}
    for i = 1, SIZE do t[keys[i]] = array[i] end
    sink(t)
end)

-- The length of many short lists.
.describe('#list'):group('length'):items(SIZE):run(function()
    local sum = 0
    for i = 1, SIZE do sum = sum + #lists[i] end
    sink(sum)
end)
