-- Serializers under one roof: `adapters.of(name)` gives `pack(value)` and `unpack(bytes)`, or nil and why not.
--
-- A module that is not installed is called `not installed`; one that does not load is told with its own error.

local adapters = {}

-- In the order of the comparison, then those that the published one does not have.
adapters.names = {
    'buffer', 'ldf', 'ldf-stable', 'msgpack', 'bitser', 'binser', 'mpack', 'cjson', 'dkjson', 'reference',
}

local function two(module, pack, unpack)
    return function()
        local loaded = require(module)
        return { pack = loaded[pack], unpack = loaded[unpack] }
    end
end

local MAKE = {
    buffer = two('string.buffer', 'encode', 'decode'),
    msgpack = two('MessagePack', 'pack', 'unpack'),
    mpack = two('mpack', 'pack', 'unpack'),
    dkjson = two('dkjson', 'encode', 'decode'),
    bitser = two('bitser', 'dumps', 'loads'),
    ldf = two('ldf', 'pack', 'unpack'),
    reference = two('codec', 'encode', 'decode'),
}

function MAKE.cjson()
    local cjson = require('cjson').new()
    cjson.encode_number_precision(14) -- the most it has
    return { pack = cjson.encode, unpack = cjson.decode }
end

function MAKE.binser()
    local binser = require('binser')
    local serialize, deserialize = binser.serialize, binser.deserializeN
    return { pack = serialize, unpack = function(bytes) return (deserialize(bytes, 1)) end }
end

MAKE['ldf-stable'] = function()
    local ldf, stable = require('ldf'), { stable = true }
    return { pack = function(value) return ldf.pack(value, stable) end, unpack = ldf.unpack }
end

function adapters.of(name)
    local make = MAKE[name]
    if not make then
        return nil, ("there is no implementation '%s'; they are %s")
            :format(tostring(name), table.concat(adapters.names, ', '))
    end
    local ok, made = pcall(make)
    if ok then return made end
    local message = tostring(made):match('[^\n]*')
    if message:find("^module '[^']*' not found") or message:find(": module '[^']*' not found") then
        return nil, name .. ': not installed'
    end
    return nil, name .. ': ' .. message
end

return adapters
