-- Builds one string of 100 pieces, in the ways that Lua offers. All cases return the same string.
--
-- LuaJIT and Lua 5.1 keep every string once, so a string built of a piece seen before would cost nothing. `fresh`
-- returns a new piece each time (one repeats after 65536) for about the price of one short `..`.

local measure = require('measure')
local optional = require('lib.optional')
local sink = measure.sink
local buffer = optional('string.buffer')

local PIECES = 100

local heads, tails = {}, {}
for i = 1, 256 do
    heads[i], tails[i] = ('%04d'):format(i), (':%03d'):format(i)
end

local at = 0
local function fresh()
    at = (at + 1) % 65536
    local tail = at % 256
    return heads[(at - tail) / 256 + 1] .. tails[tail + 1]
end

local function by_concat(piece)
    local parts = {}
    for i = 1, PIECES do parts[i] = piece end
    return table.concat(parts)
end

local function by_operator(piece)
    local s = ''
    for _ = 1, PIECES do s = s .. piece end
    return s
end

local function by_format(piece)
    local s = ''
    for _ = 1, PIECES do s = ('%s%s'):format(s, piece) end
    return s
end

local function by_rep(piece)
    return piece:rep(PIECES)
end

local reused = buffer and buffer.new()
local function by_buffer(piece)
    for _ = 1, PIECES do reused:put(piece) end
    return reused:get()
end

-- For `setup`: checks that the built string is the right one. Each process checks only the case it measures.
local function check(build)
    return function()
        assert(build('piece') == ('piece'):rep(PIECES), 'another string is built')
    end
end

measure.options({ warmup = 0.1 })
.describe('table.concat'):items(PIECES):setup(check(by_concat)):run(function()
    sink(by_concat(fresh()))
end)
.describe('.. in a loop'):items(PIECES):setup(check(by_operator)):run(function()
    sink(by_operator(fresh()))
end)
.describe('string.format in a loop'):items(PIECES):setup(check(by_format)):run(function()
    sink(by_format(fresh()))
end)
.describe('string.rep'):items(PIECES):setup(check(by_rep)):run(function()
    sink(by_rep(fresh()))
end)
.describe('string.buffer'):skip(not buffer, 'string.buffer is a part of LuaJIT')
:items(PIECES):setup(check(by_buffer)):run(function()
    sink(by_buffer(fresh()))
end)
