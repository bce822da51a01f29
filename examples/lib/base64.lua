-- Base64 (RFC 4648, section 4) in plain Lua 5.1 to 5.4 and LuaJIT, twice: `base64.tables` uses arithmetic and lookup
-- tables; `base64.gsub` calls a replacement function for every group, as is common. Both give the same results.
--
-- decode is strict: it requires padding. It refuses other characters (line breaks too) and pad bits that are not zero,
-- with an error that starts with `base64:`.

local byte, char, sub, gsub, concat = string.byte, string.char, string.sub, string.gsub, table.concat

local ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

local DIGIT, VALUE = {}, {} -- 0..63 to its character; the byte of a character to 0..63
for v = 0, 63 do
    DIGIT[v] = sub(ALPHABET, v + 1, v + 1)
    VALUE[byte(ALPHABET, v + 1)] = v
end
local PAIR = {} -- 0..4095 to two characters
for v = 0, 4095 do PAIR[v] = DIGIT[(v - v % 64) / 64] .. DIGIT[v % 64] end

local function refuse(what, at)
    error(('base64: %s at byte %d'):format(what, at), 0)
end

-- The last one or two bytes as four characters.
local function encode_rest(a, b)
    local n = a * 65536 + (b or 0) * 256
    local low = n % 4096
    return PAIR[(n - low) / 4096] .. (b and DIGIT[(low - low % 64) / 64] or '=') .. '='
end

-- The four characters at `at`, of which the last `pads` are padding, as a number of 24 bits.
local function group_value(s, at, pads)
    local n = 0
    for i = at, at + 3 - pads do
        n = n * 64 + (VALUE[byte(s, i)] or refuse('a character outside the alphabet', i))
    end
    return n * 64 ^ pads
end

-- One to three bytes of 24 bits.
local function bytes_of(n, count)
    local c = n % 256
    local b = (n - c) / 256 % 256
    local a = (n - c - b * 256) / 65536
    if count == 3 then return char(a, b, c) end
    return count == 2 and char(a, b) or char(a)
end

local function padding(s)
    if #s % 4 ~= 0 then error('base64: the length is no multiple of 4', 0) end
    return sub(s, -2) == '==' and 2 or sub(s, -1) == '=' and 1 or 0
end

-- The last group of a text that has padding.
local function decode_rest(s, pads)
    local n = group_value(s, #s - 3, pads)
    if n % 256 ^ pads ~= 0 then refuse('pad bits that are not zero', #s - pads) end
    return bytes_of(n, 3 - pads)
end

local tables = {}

function tables.encode(s)
    local out, n, whole = {}, 0, #s - #s % 3
    for i = 1, whole, 3 do
        local a, b, c = byte(s, i, i + 2)
        local v = a * 65536 + b * 256 + c
        local low = v % 4096
        out[n + 1] = PAIR[(v - low) / 4096]
        out[n + 2] = PAIR[low]
        n = n + 2
    end
    if whole < #s then out[n + 1] = encode_rest(byte(s, whole + 1, whole + 2)) end
    return concat(out)
end

function tables.decode(s)
    local pads, out, n = padding(s), {}, 0
    for i = 1, pads > 0 and #s - 4 or #s, 4 do
        local a, b, c, d = byte(s, i, i + 3)
        a, b, c, d = VALUE[a], VALUE[b], VALUE[c], VALUE[d]
        if not (a and b and c and d) then group_value(s, i, 0) end -- raises, at the right byte
        n = n + 1
        out[n] = bytes_of(a * 262144 + b * 4096 + c * 64 + d, 3)
    end
    if pads > 0 then out[n + 1] = decode_rest(s, pads) end
    return concat(out)
end

local by_gsub = {}

function by_gsub.encode(s)
    return (gsub(s, '..?.?', function(group)
        local a, b, c = byte(group, 1, 3)
        if not c then return encode_rest(a, b) end
        local v = a * 65536 + b * 256 + c
        return PAIR[(v - v % 4096) / 4096] .. PAIR[v % 4096]
    end))
end

function by_gsub.decode(s)
    local pads = padding(s)
    local whole = pads > 0 and sub(s, 1, -5) or s
    local bad = string.find(whole, '[^A-Za-z0-9+/]')
    if bad then refuse('a character outside the alphabet', bad) end
    return gsub(whole, '....', function(group) return bytes_of(group_value(group, 1, 0), 3) end)
        .. (pads > 0 and decode_rest(s, pads) or '')
end

return { tables = tables, gsub = by_gsub, encode = tables.encode, decode = tables.decode }
