-- One search for a word with a dot behind it, by ngx.re.find and its neighbours. Only nginx has them:
--
--     etalon run examples/openresty/regex_bench.lua --lua openresty
--
-- docs/openresty.md shows what comes of it, and what ways of timing that went wrong.

local measure = require('measure')
local sink = measure.sink
local ngx = ngx -- luacheck: ignore
local re = ngx and ngx.re or {}
local find, match = re.find, re.match

local SUBJECT, PATTERN = 'hello, world.', [[\w+\.]]
local NEEDED = 'ngx.re is a part of OpenResty: --lua openresty'

local function check(search)
    return function()
        local first, last = search()
        assert(first == 8 and last == 13, 'it finds another place')
    end
end

-- Where the function comes from: two tables in every call, or a local variable.
local function by_tables() return ngx.re.find(SUBJECT, PATTERN, 'jo') end
local function by_local() return find(SUBJECT, PATTERN, 'jo') end

measure.group('lookups')
.describe('ngx.re.find'):skip(not ngx, NEEDED):setup(check(by_tables)):run(function()
    sink(ngx.re.find(SUBJECT, PATTERN, 'jo'))
end)
.describe('local find'):skip(not ngx, NEEDED):setup(check(by_local)):run(function()
    sink(find(SUBJECT, PATTERN, 'jo'))
end)

-- j: PCRE compiles the pattern to machine code. o: the compiled pattern is kept for the next call.
measure.group('flags')
for _, flags in ipairs({ 'jo', 'o', 'j', '' }) do
    local name = flags == '' and 'none' or flags
    measure.describe(name):skip(not ngx, NEEDED)
        :setup(check(function() return find(SUBJECT, PATTERN, flags) end))
        :run(function() sink(find(SUBJECT, PATTERN, flags)) end)
end

-- What a call leaves behind: nothing, a new table, or one that is used again.
local captures = {}
measure.group('garbage')
.describe('find'):skip(not ngx, NEEDED):run(function()
    sink(find(SUBJECT, PATTERN, 'jo'))
end)
.describe('match'):skip(not ngx, NEEDED):run(function()
    sink(match(SUBJECT, PATTERN, 'jo'))
end)
.describe('match, one table'):skip(not ngx, NEEDED):run(function()
    sink(match(SUBJECT, PATTERN, 'jo', nil, captures))
end)
