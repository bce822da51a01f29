-- Two functions that allocate: strings, and tables.

local measure = require('measure')
local sink = measure.sink

local function strings()
    local parts = {}
    for i = 1, 50 do parts[i] = ('%d'):format(i) end
    return table.concat(parts)
end

local function tables()
    local of = {}
    for i = 1, 50 do of[i] = { i } end
    return of
end

measure.options({ warmup = 0.1 })
.describe('string'):run(function() sink(strings()) end)
.describe('table'):run(function() sink(tables()) end)
