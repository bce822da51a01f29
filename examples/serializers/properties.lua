-- What an implementation keeps and survives, as lines `name value unit`:
--
--     etalon lua examples/serializers/properties.lua buffer
--     references 0 count
--     values 6 count
--     survived 1000 count
--
-- references: 1 where what was one table twice is one table afterwards. values: how many of eight awkward values come back
-- as they were. survived: how many of a thousand damaged inputs end with an error or with any value, each within a second;
-- an implementation that ends the process has no number. Exits with 3 if the implementation is not installed.

local directory = arg[0]:match('^(.*)/[^/]*$') or '.'
package.path = directory .. '/?.lua;' .. package.path

local adapter, missing = require('adapters').of(arg[1])
if not adapter then
    io.stderr:write(missing, '\n')
    os.exit(missing:find('not installed$') and 3 or 1)
end
local equal = require('equal')
local pack, unpack = adapter.pack, adapter.unpack

local shared = { 1, 2, 3 }
local kept, twice = pcall(function() return unpack(pack({ shared, shared })) end)
print(('references %d count'):format(kept and rawequal(twice[1], twice[2]) and 1 or 0))

local function comes_back(value, is_same)
    local unpacks, again = pcall(function() return unpack(pack({ value = value })).value end)
    return unpacks and is_same(again) and 1 or 0
end
local function as_before(value) return function(again) return equal(value, again) end end
local same = {
    comes_back(0 / 0, function(again) return type(again) == 'number' and again ~= again end),
    comes_back(1 / 0, as_before(1 / 0)),
    comes_back(-0.0, function(again) return again == 0 and 1 / again < 0 end),
    comes_back(2 ^ 53, as_before(2 ^ 53)),
    comes_back(0.1, as_before(0.1)),
    comes_back('\0\255\128', as_before('\0\255\128')),
    comes_back({ 1, nil, 3 }, function(again) return type(again) == 'table' and again[3] == 3 and again[2] == nil end),
    comes_back({ ['1'] = 'text', [1] = 'number' }, as_before({ ['1'] = 'text', [1] = 'number' })),
}
local values = 0
for _, one in ipairs(same) do values = values + one end
print(('values %d count'):format(values))

-- Numbers that look random and are the same everywhere.
local state = 20251015
local function random(below)
    state = (state * 16807) % 2147483647
    return state % below
end

local function damaged(bytes)
    local at, kind = random(#bytes) + 1, random(4)
    local before, behind = bytes:sub(1, at - 1), bytes:sub(at + 1)
    if kind == 0 then return before end
    if kind == 1 then return before .. string.char(random(256)) .. behind end
    if kind == 2 then return before .. '\255\255\255\255' .. behind end
    return before .. bytes:sub(random(#bytes) + 1) .. behind
end

-- Tables with one key each: the order of several is another one in every process.
local bytes = pack({ 1, -2, 0.5, 'text', { list = { true, false, { inner = 300 }, 70000 } }, ('long '):rep(20) })
local survived = 0
for _ = 1, 1000 do
    local input, begin = damaged(bytes), os.clock()
    pcall(unpack, input)
    if os.clock() - begin < 1 then survived = survived + 1 end
end
print(('survived %d count'):format(survived))
