-- Encodes and decodes 0.7 MB of generated JSON as Base64, in two ways in plain Lua (lib/base64.lua; the first is the
-- baseline) and with basexx, luabase64 and base64mix. Reports name a module that is not installed as skipped.

local measure = require('measure')
local base64 = require('lib.base64')
local data = require('lib.data')
local optional = require('lib.optional')
local sink = measure.sink

local plain = data.json(20251015, 1740)
local encoded = base64.encode(plain)
print(('Loaded data size: %f MB'):format(#plain / 1e6))

local function describe(name, encode, decode)
    measure.describe(name .. ' encode'):group('encode'):bytes(#plain):setup(function()
        assert(encode(plain) == encoded, name .. ' encodes differently')
    end):run(function()
        sink(encode(plain))
    end)
    measure.describe(name .. ' decode'):group('decode'):bytes(#plain):setup(function()
        assert(decode(encoded) == plain, name .. ' decodes differently')
    end):run(function()
        sink(decode(encoded))
    end)
end

measure.options({ warmup = 0.1 })

describe('base64', base64.tables.encode, base64.tables.decode)
describe('base64 gsub', base64.gsub.encode, base64.gsub.decode)

-- The names of each module's two functions.
local MODULES = {
    { name = 'basexx', encode = 'to_base64', decode = 'from_base64' },
    { name = 'luabase64', encode = 'encode', decode = 'decode' },
    { name = 'base64mix', encode = 'encode', decode = 'decode' },
}
for _, entry in ipairs(MODULES) do
    local module, missing = optional(entry.name)
    if module then
        describe(entry.name, module[entry.encode], module[entry.decode])
    else
        measure.describe(entry.name):skip(missing)
    end
end
