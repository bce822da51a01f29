-- Checks the reference codec: what it writes, what it reads, and that no bytes can do it harm. Any Lua executes it:
-- `etalon lua examples/serializers/codec_spec.lua [ROUNDS] [SEED]`. A failure prints the seed and the bytes.

local directory = arg[0]:match('^(.*)/[^/]*$') or '.'
package.path = directory .. '/?.lua;' .. package.path

local codec, equal = require('codec'), require('equal')
local ROUNDS, SEED = tonumber(arg[1] or '') or 3000, tonumber(arg[2] or '') or 1

local checks, failed = 0, 0
local function check(holds, ...)
    checks = checks + 1
    if holds then return end
    failed = failed + 1
    print(string.format(...))
end

local function hex(bytes)
    return (bytes:gsub('.', function(c) return ('%02x'):format(c:byte()) end))
end

-- The minimal standard generator: the same numbers on every Lua.
local state = SEED % 2147483647
if state == 0 then state = 1 end
local function random(most)
    state = state * 16807 % 2147483647
    return state % most
end

---------------------------------------------------------------------------------------------------
-- What is written and read

local huge = math.huge
local deep = {}
for _ = 1, 998 do deep = { deep } end
local values = {
    0, 1, 127, 128, 129, -1, -2, 300, 2 ^ 31, 2 ^ 53, -2 ^ 53, 2 ^ 53 + 2, 0.1, -0.1, 1e308, 5e-324, -2.5e-310,
    2 ^ -1022, 2 ^ -1074 * 3, huge, -huge, 0 / 0, -1 / huge, 1.5, 'x', '', ('x'):rep(31), ('x'):rep(32), ('x'):rep(1000),
    '\0\255', true, false, {}, { 1, 2, 3 }, { a = 1 }, { { {} } }, { [0.5] = 1, [-1] = 2, [true] = 3 },
    { 1, nil, 3 }, { [2] = 2 }, { [1e300] = 1 }, { 'a', 'a', b = 'a' }, deep,
}
for _, value in ipairs(values) do
    local bytes = codec.encode(value)
    local ok, again = pcall(codec.decode, bytes)
    check(ok and equal(value, again), 'not the same: %s -> %s', tostring(value), tostring(again))
    if type(value) == 'number' then
        local by_hand = codec.by_arithmetic
        local text = by_hand.to_bytes(value)
        check(equal(value, by_hand.to_number(text, 1)), 'by arithmetic: %s is not %s', hex(text), tostring(value))
        if value == value and bytes:byte() == 0xf3 then
            check(bytes:sub(2) == text, 'bytes of %.17g: %s, not %s', value, hex(text), hex(bytes:sub(2)))
        end
    end
end
check(codec.decode(codec.encode(nil)) == nil, 'nil')

-- NaNs as nobody here writes them. Often, so that a compiler has its say.
for round = 1, 200 do
    for _, ends in ipairs({ '\248\127', '\248\255', '\255\255', '\252\255', '\240\127', '\247\255' }) do
        local ok, again = pcall(codec.decode, '\243' .. string.char(round, 0, 0, 0, 1, 2) .. ends)
        check(ok and type(again) == 'number' and again ~= again, 'a NaN is read as %s', type(again))
    end
end

local shared = { 'shared' }
local graph = { shared, shared, { shared } }
graph.itself = graph
local again = codec.decode(codec.encode(graph))
check(again[1] == again[2] and again[3][1] == again[1] and again.itself == again, 'references are not kept')
check(#codec.encode({ ('k'):rep(100), ('k'):rep(100), ('k'):rep(100) }) < 110, 'equal strings are written again')

local list = {}
for i = 1, 100 do list[i] = 's' .. i end
for i = 1, 100 do list[100 + i] = 's' .. i end
check(equal(list, codec.decode(codec.encode(list))), 'more than 48 strings')

local function refused(value, what)
    local ok, message = pcall(codec.encode, value)
    check(not ok and message:find('^codec: ') and message:find(what, 1, true), '%s is not refused: %s', what,
        tostring(message))
end
refused(print, 'function')
refused({ coroutine.create(function() end) }, 'thread')
refused({ { { deep } } }, 'deeper')
if math.maxinteger then refused(math.maxinteger, '2^53') end

for _, case in ipairs({
    { '', 'end here' }, { '\1\1', 'ends before' }, { '\255', 'no such tag' }, { '\130\1', 'end here' },
    { '\163xy', 'end in a string' }, { '\192', 'no such string' }, { '\250\0', 'no such table' },
    { '\243\0', 'end in a number' }, { '\129\240', 'holds nil' }, { '\249\0\1\240\1', 'a key is nil' },
    { '\249\0\2\1\1\1\1', 'given twice' }, { '\249\0\1\1\240', 'holds nil' }, { '\248\255\255\255\127', 'too large' },
    { '\246\255\255\255\255\255\255\255\255\255\1', 'too large' }, { ('\129'):rep(5000), 'deeper' },
}) do
    local ok, message = pcall(codec.decode, case[1])
    check(not ok and tostring(message):find(case[2], 1, true), '%s: %s', hex(case[1]:sub(1, 20)), tostring(message))
end

---------------------------------------------------------------------------------------------------
-- Random values, and bytes that `encode` did not write

local function random_number()
    local kind = random(5)
    if kind == 0 then return random(300) end
    if kind == 1 then return -random(100000) end
    if kind == 2 then return random(2147483646) / (1 + random(1000)) end
    if kind == 3 then return (random(2) * 2 - 1) * 2 ^ (random(2000) - 1000) end
    return 2 ^ 53 - random(1000)
end

local function random_string()
    local bytes = {}
    for index = 1, random(40) do bytes[index] = string.char(random(256)) end
    return table.concat(bytes)
end

-- A value with tables of `known`, so that references are shared and lead back.
local function random_value(depth, known)
    local kind = random(10)
    if kind < 3 then return random_number() end
    if kind < 5 then return random_string() end
    if kind == 5 then return random(2) == 0 end
    if kind == 6 and #known > 0 then return known[1 + random(#known)] end
    if depth == 0 then return 'leaf' end
    local value = {}
    known[#known + 1] = value
    for index = 1, random(6) do value[index] = random_value(depth - 1, known) end
    for _ = 1, random(4) do value[random_string()] = random_value(depth - 1, known) end
    return value
end

-- Whatever the bytes are: an error of the codec's own, or a value that can be written again.
local function survives(bytes, what)
    local ok, value = pcall(codec.decode, bytes)
    if ok then
        local written, text = pcall(codec.encode, value)
        check(written and equal(value, codec.decode(text), {}), 'seed %d, %s: %s is read, not written again: %s', SEED,
            what, hex(bytes), tostring(text))
    else
        check(type(value) == 'string' and value:find('^codec: byte %d+: '), 'seed %d, %s: %s: %s', SEED, what,
            hex(bytes), tostring(value))
    end
end

for _ = 1, ROUNDS do
    local value = random_value(4, {})
    local bytes = codec.encode(value)
    local ok, decoded = pcall(codec.decode, bytes)
    check(ok and equal(value, decoded, {}), 'seed %d: %s: %s', SEED, hex(bytes), tostring(decoded))
    survives(bytes:sub(1, random(#bytes)), 'cut')
    local at = 1 + random(#bytes)
    survives(bytes:sub(1, at - 1) .. string.char(random(256)) .. bytes:sub(at + 1), 'one byte changed')
    survives(bytes:sub(1, at) .. bytes:sub(1 + random(#bytes)), 'put together')
    survives(random_string(), 'random')
end

print(jit and jit.version or _VERSION)
print(('%d checks, %d failed'):format(checks, failed))
os.exit(failed == 0 and 0 or 1)
