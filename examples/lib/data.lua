-- Generates the inputs of the suites: JSON documents and log-like text. The same seed gives the same bytes everywhere
-- (`selfcheck.lua` compares checksums), so results from different machines are about the same input.
-- Only integers are formatted, because interpreters print floats differently.

local prng = require('lib.prng')

local data = {}

local FIRST = { 'Ada', 'Bj\195\182rn', 'Chlo\195\169', 'Dmitri', 'Edsger', 'Grace', 'Ken', 'Mei', 'Radia', 'Zo\195\171' }
local LAST = { 'Aho', 'Dahl', 'Erd\197\145s', 'Hoare', 'Hopper', 'Liskov', 'Naur', 'Perlman', 'Shannon', 'Turing' }
local CITY = { 'Bergen', 'Gy\197\145r', 'Krak\195\179w', 'Lisboa', 'Malm\195\182', 'Rio', '\230\157\177\228\186\172' }
local WORD = {
    'block', 'cache', 'clock', 'core', 'draw', 'event', 'fresh', 'heap', 'index', 'key', 'line', 'mean', 'order',
    'page', 'queue', 'round', 'sample', 'slot', 'table', 'trace', 'unit', 'value', 'width', 'yield', 'zone',
}
-- Strings in real documents hold more than words: quotes, backslashes, control characters, escaped characters.
local TRICKY = { '\\"', '\\\\', '\\n', '\\t', '\\/', '\\u00e9', '\\ud83d\\ude00', '\240\159\154\128' }

local function sentence(rng, words)
    local out = {}
    for i = 1, words do out[i] = rng:pick(WORD) end
    return table.concat(out, ' ')
end

local function list(n, element)
    local out = {}
    for i = 1, n do out[i] = element(i) end
    return '[' .. table.concat(out, ',') .. ']'
end

local function name(rng)
    return rng:pick(FIRST) .. ' ' .. rng:pick(LAST)
end

local RECORD = '{"id":%d,"key":"%08x-%08x","name":"%s","active":%s,"balance":%d.%02d,"ratio":%d.%06de-%d,'
    .. '"manager":%s,"address":{"street":"%d %s","city":"%s","location":[%d.%05d,%d.%05d]},'
    .. '"tags":%s,"friends":%s,"note":"%s %s%s"}'

local function record(rng, id)
    local int = function(lo, hi) return rng:integer(lo, hi) end
    return RECORD:format(id, int(0, 999999999), int(0, 999999999), name(rng), rng:pick({ 'true', 'false' }),
        int(-5000, 5000), int(0, 99), int(1, 9), int(0, 999999), int(1, 30),
        rng:pick({ 'null', ('%d'):format(int(1, 1000)) }), int(1, 300), sentence(rng, 2), rng:pick(CITY),
        int(-90, 90), int(0, 99999), int(-180, 180), int(0, 99999),
        list(int(1, 6), function() return '"' .. rng:pick(WORD) .. '"' end),
        list(int(1, 4), function(i) return ('{"id":%d,"name":"%s"}'):format(i, name(rng)) end),
        sentence(rng, int(3, 16)), rng:pick(TRICKY), sentence(rng, int(0, 4)))
end

-- A JSON array of `records` objects of about 415 bytes, without white space between tokens.
function data.json(seed, records)
    local rng = prng.new(seed)
    return list(records, function(id) return record(rng, id) end)
end

-- Lower-case words in lines, cut at `bytes`; about one word in `rarity` is `marker`.
function data.text(seed, bytes, marker, rarity)
    local rng, out, size = prng.new(seed), {}, 0
    while size < bytes do
        local word = (rng:integer(1, rarity) == 1 and marker or rng:pick(WORD)) .. (rng:integer(1, 12) == 1 and '\n' or ' ')
        out[#out + 1], size = word, size + #word
    end
    return table.concat(out):sub(1, bytes)
end

return data
