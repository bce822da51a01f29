-- Decodes and encodes 0.7 MB of generated JSON. The baseline is lib/json.lua, written for this project. It is compared
-- with cjson, simdjson (which only decodes), dkjson, lunajson and yyjson, and with two binary formats of the same values:
-- MessagePack and LuaJIT's string.buffer. Reports name a module that is not installed as skipped.

local measure = require('measure')
local data = require('lib.data')
local json = require('lib.json')
local optional = require('lib.optional')
local sink = measure.sink

local RECORDS = 1740

local text = data.json(20251015, RECORDS)
print(('Loaded data size: %f MB'):format(#text / 1e6))

-- The names of each module's two functions, as far as it has them.
local CODECS = {
    { name = 'json', module = 'lib.json', decode = 'decode', encode = 'encode' },
    { name = 'cjson', module = 'cjson', decode = 'decode', encode = 'encode' },
    { name = 'simdjson', module = 'simdjson', decode = 'parse' },
    { name = 'dkjson', module = 'dkjson', decode = 'decode', encode = 'encode' },
    { name = 'lunajson', module = 'lunajson', decode = 'decode', encode = 'encode' },
    { name = 'yyjson', module = 'yyjson', decode = 'decode', encode = 'encode' },
    { name = 'MessagePack', module = 'MessagePack', decode = 'unpack', encode = 'pack', binary = true },
    { name = 'string.buffer', module = 'string.buffer', decode = 'decode', encode = 'encode', binary = true },
}

-- Every encoder gets the same value. null becomes false, because each module has a null of its own.
local function the_value()
    return json.decode(text, false)
end

local function describe_decode(codec, decode, encode)
    local input
    measure.describe(codec.name .. ' decode'):group('decode'):items(RECORDS):setup(function()
        input = codec.binary and encode(the_value()) or text
        assert(#decode(input) == RECORDS, 'the decoded value is not what was encoded')
    end):run(function()
        sink(decode(input))
    end)
end

local function describe_encode(codec, encode)
    local value
    measure.describe(codec.name .. ' encode'):group('encode'):items(RECORDS):setup(function()
        value = the_value()
        assert(#encode(value) > RECORDS, 'nothing was encoded')
    end):run(function()
        sink(encode(value))
    end)
end

measure.options({ warmup = 0.1 })

for _, codec in ipairs(CODECS) do
    local module, missing = optional(codec.module)
    if module then
        describe_decode(codec, module[codec.decode], module[codec.encode])
        if codec.encode then describe_encode(codec, module[codec.encode]) end
    else
        measure.describe(codec.name):skip(missing)
    end
end
