-- Checks the libraries of the suites (lib/json.lua, lib/base64.lua, lib/prng.lua, lib/data.lua) against known vectors.
-- Any interpreter executes it, from any directory: `luajit examples/lib/selfcheck.lua`. A failed check exits with 1.

local here = arg and arg[0] and arg[0]:match('^(.*)/[^/]*$') or '.'
package.path = here .. '/../?.lua;' .. package.path

local base64 = require('lib.base64')
local data = require('lib.data')
local json = require('lib.json')
local optional = require('lib.optional')
local prng = require('lib.prng')

local checks, failures = 0, 0

local function shown(v)
    return type(v) == 'string' and ('%q'):format(v) or tostring(v)
end

local function equal(what, got, wanted)
    checks = checks + 1
    if got == wanted then return end
    failures = failures + 1
    print(('FAILED %s: %s instead of %s'):format(what, shown(got), shown(wanted)))
end

-- `f(...)` must raise an error that contains `wanted`.
local function raises(wanted, f, ...)
    checks = checks + 1
    local ok, message = pcall(f, ...)
    if not ok and tostring(message):find(wanted, 1, true) then return end
    failures = failures + 1
    print(('FAILED %s: %s instead of an error with %q'):format(shown((...)), shown(message), wanted))
end

local function same(a, b)
    if type(a) ~= 'table' or type(b) ~= 'table' or a == json.null or b == json.null then return a == b end
    for k, v in pairs(a) do
        if not same(v, b[k]) then return false end
    end
    for k in pairs(b) do
        if a[k] == nil then return false end
    end
    return getmetatable(a) == getmetatable(b)
end

local function checksum(s) -- exact in doubles
    local sum = 0
    for i = 1, #s do sum = (sum * 31 + s:byte(i)) % 2147483647 end
    return sum
end

-- The generator: C++ requires this of std::minstd_rand (ISO C++ [rand.predef]): the 10000th value from seed 1.
local rng = prng.new(1)
for _ = 1, 10000 do rng:integer(0, 1) end
equal('prng, 10000th state', rng.state, 399268537)
raises('the seed', prng.new, 0)

-- The data: the same bytes on every machine and interpreter.
local text = data.json(20251015, 1740)
equal('data.json, bytes', #text, 717468)
equal('data.json, checksum', checksum(text), 618645244)
local words = data.text(1, 16384, 'WARN', 40)
equal('data.text, bytes', #words, 16384)
equal('data.text, checksum', checksum(words), 1606014401)

-- Base64, both implementations. The two checksums are of what Python's base64 module writes.
local VECTORS = { -- RFC 4648, section 10, and the two last digits
    { '', '' }, { 'f', 'Zg==' }, { 'fo', 'Zm8=' }, { 'foo', 'Zm9v' }, { 'foob', 'Zm9vYg==' }, { 'fooba', 'Zm9vYmE=' },
    { 'foobar', 'Zm9vYmFy' }, { '\251\255\191', '+/+/' }, { '\0\0\0', 'AAAA' }, { '\255', '/w==' }, { '\0\n', 'AAo=' },
}
local REFUSED = {
    { 'Z', 'multiple of 4' }, { 'Zg', 'multiple of 4' }, { 'Zg=', 'multiple of 4' }, { 'Zm9vYg==\n', 'multiple of 4' },
    { 'Zm9\n', 'outside the alphabet at byte 4' }, { 'Zm9vZm-v', 'at byte 7' }, { 'Z===', 'at byte 2' },
    { '====', 'at byte 1' }, { 'Zg==Zg==', 'at byte 3' }, { 'Z=g=', 'at byte 2' }, { 'Zm9v\195\169AA', 'at byte 5' },
    { 'Zh==', 'not zero at byte 2' }, { 'Zm9=', 'not zero at byte 3' },
}
local every_byte = {}
for i = 0, 255 do every_byte[i + 1] = string.char(i, 255 - i) end
every_byte = table.concat(every_byte)
for _, name in ipairs({ 'tables', 'gsub' }) do
    local codec = base64[name]
    for _, vector in ipairs(VECTORS) do
        equal(name .. ' encodes', codec.encode(vector[1]), vector[2])
        equal(name .. ' decodes', codec.decode(vector[2]), vector[1])
    end
    for _, refused in ipairs(REFUSED) do raises(refused[2], codec.decode, refused[1]) end
    for length = 0, #every_byte, 7 do -- all three endings
        local s = every_byte:sub(1, length)
        equal(name .. ' there and back', codec.decode(codec.encode(s)), s)
    end
    equal(name .. ' encodes every byte', checksum(codec.encode(every_byte)), 2119168176)
    equal(name .. ' encodes the data', checksum(codec.encode(text)), 730174381)
end

-- JSON: texts and their values.
local null = json.null
local function array(...)
    return select('#', ...) == 0 and setmetatable({}, json.array) or { ... }
end
local VALUES = {
    { 'null', null }, { 'true', true }, { ' \t\r\nfalse \n', false }, { '""', '' }, { '[]', array() }, { '{}', {} },
    { '0', 0 }, { '-0', 0 }, { '7', 7 }, { '-12', -12 }, { '1.5', 1.5 }, { '-0.25', -0.25 }, { '1e3', 1000 },
    { '1E+2', 100 }, { '25e-2', 0.25 }, { '0e0', 0 }, { '0.1', 0.1 }, { '1e400', math.huge }, { '5e-324', 5e-324 },
    { '1.7976931348623157e308', 1.7976931348623157e308 }, { '9007199254740993.0', 9007199254740992 },
    { '"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t' }, { '"a\\u0000b"', 'a\0b' }, { '"\127"', '\127' },
    { '"\\u0041\\u00e9\\u00E9"', 'A\195\169\195\169' }, { '"\\u07ff\\u0800"', '\223\191\224\160\128' },
    { '"\\u20ac\\uffff"', '\226\130\172\239\191\191' }, { '"\\\\u0041"', '\\u0041' }, { '"\195\169"', '\195\169' },
    { '"\\ud83d\\ude00"', '\240\159\152\128' }, { '"x\\uD834\\uDD1Ey"', 'x\240\157\132\158y' },
    { '"\\ud800\\udc00\\udbff\\udfff"', '\240\144\128\128\244\143\191\191' },
    { '[1,[2,[3,[]]],{}]', array(1, array(2, array(3, array())), {}) }, { '[null,false]', array(null, false) },
    { ' { "a" : [ 1 , 2 ] , "" : { "b" : null } } ', { a = array(1, 2), [''] = { b = null } } },
    { '{"a":1,"a":2}', { a = 2 } }, { '{"1":1}', { ['1'] = 1 } },
}
for _, case in ipairs(VALUES) do
    equal('decode ' .. case[1], same(json.decode(case[1]), case[2]), true)
end
equal('null as false', json.decode('[null]', false)[1], false)
equal('512 levels', type(json.decode(('['):rep(512) .. (']'):rep(512))), 'table')

-- JSON: texts to refuse, and where.
local WRONG = {
    { '', 'value expected at byte 1' }, { ' ', 'byte 2' }, { '[', 'byte 2' }, { '{', 'byte 2' }, { '[1', "',' or ']'" },
    { '[1,]', 'value expected at byte 4' }, { '[,1]', 'byte 2' }, { '[1 2]', 'byte 4' }, { '[1]]', 'nothing more' },
    { '{"a"}', "':' expected at byte 5" }, { '{"a":}', 'byte 6' }, { '{"a":1,}', 'key expected at byte 8' },
    { '{a:1}', 'byte 2' }, { '{1:1}', 'byte 2' }, { "{'a':1}", 'byte 2' }, { '{"a":1 "b":2}', "',' or '}'" },
    { 'nul', 'byte 1' }, { 'True', 'byte 1' }, { 'NaN', 'byte 1' }, { 'truer', 'nothing more' }, { '1 2', 'byte 3' },
    { '01', 'nothing more' }, { '-', 'a digit is missing at byte 2' }, { '+1', 'byte 1' }, { '.5', 'byte 1' },
    { '1.', 'byte 3' }, { '1.e1', 'byte 3' }, { '1e', 'byte 3' }, { '1e+', 'byte 4' }, { '0x10', 'nothing more' },
    { '-01', 'nothing more' }, { '-a', 'byte 2' }, { '1\0', 'byte 2' }, { '\239\187\1911', 'byte 1' },
    { '"', 'without an end at byte 1' }, { '"abc\\"', 'without an end' },
    { '"\n"', 'control character in a string at byte 2' },
    { '"\0"', 'control' }, { '"\31"', 'control' }, { '"\\x41"', 'escape sequence at byte 2' }, { '"\\', 'escape' }, { '"\\u12g4"', 'escape' },
    { '"\\u123"', 'escape' }, { '"\\ud800"', 'surrogate' }, { '"\\udc00"', 'surrogate without its pair at byte 2' },
    { '"\\ud800\\u0041"', 'surrogate' }, { '"\\ud800\\ud800"', 'surrogate' }, { '"\\ud83dude00"', 'surrogate' },
    { '"\\udc00\\udc00"', 'surrogate' }, { '"\\ud800\\ue000"', 'surrogate' },
    { ('['):rep(513) .. (']'):rep(513), '512 levels at byte 513' }, { ('{"a":'):rep(100000), '512 levels' },
}
for _, case in ipairs(WRONG) do raises(case[2], json.decode, case[1]) end

-- JSON: values and their texts; there and back.
local TEXTS = {
    { null, 'null' }, { true, 'true' }, { false, 'false' }, { '', '""' }, { array(), '[]' }, { {}, '{}' }, { 3, '3' },
    { -1.5, '-1.5' }, { 0.1, '0.1' }, { 1e15, '1e+15' }, { 123456789012345, '123456789012345' },
    { 2 ^ 53, '9007199254740992' },
    { 1 / 3, '0.33333333333333331' }, { 1e300, '1e+300' }, { '"\\/\n\1\127\0', '"\\"\\\\/\\n\\u0001\127\\u0000"' },
    { '\195\169', '"\195\169"' }, { array(1, 'a', array(true), { k = null }), '[1,"a",[true],{"k":null}]' },
}
for _, case in ipairs(TEXTS) do
    equal('encode to ' .. case[2], json.encode(case[1]), case[2])
    equal('there and back ' .. case[2], same(json.decode(case[2]), case[1]), true)
end
if math.type then equal('integers keep their digits', json.encode(math.maxinteger), '9223372036854775807') end
local cycle = {}
cycle[1] = cycle
for _, case in ipairs({
    { 0 / 0, 'no number' }, { math.huge, 'no number' }, { -math.huge, 'no number' }, { print, 'function' },
    { { [1] = 1, [3] = 3, [4] = 4, [9] = 9 }, 'json: ' }, { { 1, a = 2 }, 'other keys' }, { { [true] = 1 }, 'no string' },
    { { [2] = 1, [0] = 1 }, 'json: ' }, { cycle, 'cycle' },
}) do
    raises(case[2], json.encode, case[1])
end
raises('nil', json.encode, nil)
local document = json.decode(text)
equal('records', #document, 1740)
equal('a record', document[1740].id, 1740)
equal('the data there and back', same(json.decode(json.encode(document)), document), true)

-- optional() distinguishes missing modules from broken ones.
local module, reason = optional('no.such.module')
equal('a missing module', module, nil)
equal('its reason', reason, "module 'no.such.module' is not installed")
package.preload['broken.module'] = function() error('out of order', 0) end
module, reason = optional('broken.module')
equal('a broken module', module, nil)
equal('its reason', reason:find("module 'broken.module' does not load: ", 1, true), 1)

print(('%s: %d checks, %d failed'):format(jit and jit.version or _VERSION, checks, failures))
os.exit(failures == 0 and 0 or 1)
