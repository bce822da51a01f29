-- JSON (RFC 8259) in plain Lua 5.1 to 5.4 and LuaJIT: decode(text [, null]) and encode(value).
--
-- Both are strict. Errors start with `json:` and name the byte where the text is wrong. Refused are lone surrogates,
-- more than 512 levels (cycles end there too), NaN and infinities, arrays with holes, and keys that are no strings.
-- Strings are bytes taken to be UTF-8. null is `json.null`, or the value given to decode. An empty array carries
-- the metatable `json.array`, so that encode writes it as an array again; an unmarked empty table is an object.

local byte, char, find, sub = string.byte, string.char, string.find, string.sub
local format, gsub, concat, floor = string.format, string.gsub, table.concat, math.floor
local is_integer = math.type and function(v) return math.type(v) == 'integer' end or function() return false end

local MAX_DEPTH = 512

local json = {
    null = setmetatable({}, { __tostring = function() return 'null' end }),
    array = {},
}

local function fail(at, what)
    error(('json: %s at byte %d'):format(what, at), 0)
end

-- Decoding: every function takes the text and a position, and returns its value and the position after it.

local function skip_space(s, i)
    local c = byte(s, i)
    while c == 32 or c == 10 or c == 13 or c == 9 do
        i = i + 1
        c = byte(s, i)
    end
    return i, c
end

local function skip_digits(s, i)
    local c = byte(s, i)
    if not c or c < 48 or c > 57 then fail(i, 'a digit is missing') end
    repeat
        i = i + 1
        c = byte(s, i)
    until not c or c < 48 or c > 57
    return i
end

local function decode_number(s, from)
    local i = byte(s, from) == 45 and from + 1 or from -- -
    i = byte(s, i) == 48 and i + 1 or skip_digits(s, i) -- a 0 stands alone
    if byte(s, i) == 46 then i = skip_digits(s, i + 1) end -- .
    local c = byte(s, i)
    if c == 101 or c == 69 then -- e E
        c = byte(s, i + 1)
        i = skip_digits(s, (c == 43 or c == 45) and i + 2 or i + 1) -- + -
    end
    return tonumber(sub(s, from, i - 1)), i
end

local function utf8_bytes(code)
    if code < 0x80 then return char(code) end
    local tail = char(0x80 + code % 64)
    code = floor(code / 64)
    if code < 0x20 then return char(0xC0 + code) .. tail end
    tail = char(0x80 + code % 64) .. tail
    code = floor(code / 64)
    if code < 0x10 then return char(0xE0 + code) .. tail end
    return char(0xF0 + floor(code / 64), 0x80 + code % 64) .. tail
end

local function code_unit(s, i) -- `i` is at the backslash of \uXXXX
    local _, _, hex = find(s, '^\\u(%x%x%x%x)', i)
    return hex and tonumber(hex, 16)
end

local PLAIN_ESCAPE = {
    ['"'] = '"', ['\\'] = '\\', ['/'] = '/', b = '\b', f = '\f', n = '\n', r = '\r', t = '\t',
}

local function decode_escape(s, i)
    local plain = PLAIN_ESCAPE[sub(s, i + 1, i + 1)]
    if plain then return plain, i + 2 end
    local code = code_unit(s, i) or fail(i, 'not an escape sequence')
    if code < 0xD800 or code > 0xDFFF then return utf8_bytes(code), i + 6 end
    local low = code < 0xDC00 and code_unit(s, i + 6)
    if not low or low < 0xDC00 or low > 0xDFFF then fail(i, 'a surrogate without its pair') end
    return utf8_bytes(0x10000 + (code - 0xD800) * 1024 + low - 0xDC00), i + 12
end

local function decode_string(s, open) -- `open` is at the quotation mark
    local from, i, out = open + 1, open + 1, nil
    while true do
        local c = byte(s, i)
        if c == 34 then -- "
            local last = sub(s, from, i - 1)
            if not out then return last, i + 1 end
            out[#out + 1] = last
            return concat(out), i + 1
        elseif c == 92 then -- \
            out = out or {}
            out[#out + 1] = sub(s, from, i - 1)
            out[#out + 1], i = decode_escape(s, i)
            from = i
        elseif not c then
            fail(open, 'a string without an end')
        elseif c < 32 then
            fail(i, 'a control character in a string')
        else
            i = i + 1
        end
    end
end

local decode_value

local function decode_array(s, i, null, depth)
    local out, n, c = {}, 0, nil
    i, c = skip_space(s, i + 1)
    if c == 93 then return setmetatable(out, json.array), i + 1 end -- ]
    while true do
        n = n + 1
        out[n], i = decode_value(s, i, null, depth)
        i, c = skip_space(s, i)
        if c == 93 then return out, i + 1 end
        if c ~= 44 then fail(i, "',' or ']' expected") end
        i = i + 1
    end
end

local function decode_object(s, i, null, depth)
    local out, key, c = {}, nil, nil
    i, c = skip_space(s, i + 1)
    if c == 125 then return out, i + 1 end -- }
    while true do
        if c ~= 34 then fail(i, 'a string as key expected') end
        key, i = decode_string(s, i)
        i, c = skip_space(s, i)
        if c ~= 58 then fail(i, "':' expected") end
        out[key], i = decode_value(s, i + 1, null, depth)
        i, c = skip_space(s, i)
        if c == 125 then return out, i + 1 end
        if c ~= 44 then fail(i, "',' or '}' expected") end
        i, c = skip_space(s, i + 1)
    end
end

function decode_value(s, i, null, depth)
    local c
    i, c = skip_space(s, i)
    if c == 34 then return decode_string(s, i) end
    if c == 123 or c == 91 then -- { [
        if depth >= MAX_DEPTH then fail(i, 'more than ' .. MAX_DEPTH .. ' levels') end
        return (c == 123 and decode_object or decode_array)(s, i, null, depth + 1)
    end
    if c == 45 or c and c >= 48 and c <= 57 then return decode_number(s, i) end
    if c == 116 and sub(s, i, i + 3) == 'true' then return true, i + 4 end
    if c == 102 and sub(s, i, i + 4) == 'false' then return false, i + 5 end
    if c == 110 and sub(s, i, i + 3) == 'null' then return null, i + 4 end
    fail(i, 'a value expected')
end

-- The value of a whole text. `null` stands for null (default `json.null`). Of two equal keys the later one wins.
function json.decode(text, null)
    if null == nil then null = json.null end
    local value, i = decode_value(text, 1, null, 0)
    local behind, c = skip_space(text, i)
    if c then fail(behind, 'nothing more expected') end
    return value
end

-- Encoding: pieces are appended to `out` from position `n` on; every function returns the new `n`.

-- %z is the zero byte, which Lua 5.1 does not accept in a pattern; later versions still know %z.
local TO_ESCAPE = '[%z\1-\31\\"]'
local ESCAPE = {
    ['"'] = '\\"', ['\\'] = '\\\\', ['\b'] = '\\b', ['\f'] = '\\f', ['\n'] = '\\n', ['\r'] = '\\r', ['\t'] = '\\t',
}
for c = 0, 31 do ESCAPE[char(c)] = ESCAPE[char(c)] or format('\\u%04x', c) end

local function quoted(s)
    if find(s, TO_ESCAPE) then s = gsub(s, TO_ESCAPE, ESCAPE) end
    return '"' .. s .. '"'
end

local function number_text(v)
    if is_integer(v) then return format('%d', v) end
    if v ~= v or v == math.huge or v == -math.huge then error('json: no number of JSON: ' .. tostring(v), 0) end
    local short = format('%.15g', v) -- 15 digits are enough for most, 17 for every double
    return tonumber(short) == v and short or format('%.17g', v)
end

local function array_length(t) -- nil for an object
    local length, entries = #t, 0
    if length == 0 then return getmetatable(t) == json.array and 0 or nil end
    for _ in pairs(t) do entries = entries + 1 end
    if entries ~= length then error('json: an array with holes or with other keys', 0) end
    return length
end

local encode_value

local function encode_table(t, out, n, depth)
    if depth >= MAX_DEPTH then error('json: more than ' .. MAX_DEPTH .. ' levels, or a cycle', 0) end
    local length, separator = array_length(t), nil
    if length then
        out[n + 1] = '['
        n = n + 1
        for i = 1, length do
            if i > 1 then
                n = n + 1
                out[n] = ','
            end
            n = encode_value(t[i], out, n, depth + 1)
        end
        out[n + 1] = ']'
        return n + 1
    end
    separator = '{'
    for key, value in pairs(t) do
        if type(key) ~= 'string' then error('json: a key that is no string: ' .. tostring(key), 0) end
        out[n + 1] = separator -- one by one: a multiple assignment fills from the right, into the hash part
        out[n + 2] = quoted(key)
        out[n + 3] = ':'
        n = encode_value(value, out, n + 3, depth + 1)
        separator = ','
    end
    out[n + 1] = separator == '{' and '{}' or '}'
    return n + 1
end

function encode_value(value, out, n, depth)
    local kind = type(value)
    if kind == 'table' and value ~= json.null then return encode_table(value, out, n, depth) end
    if kind == 'string' then
        out[n + 1] = quoted(value)
    elseif kind == 'number' then
        out[n + 1] = number_text(value)
    elseif kind == 'boolean' then
        out[n + 1] = value and 'true' or 'false'
    elseif value == json.null then
        out[n + 1] = 'null'
    else
        error('json: no value of JSON: ' .. kind, 0)
    end
    return n + 1
end

-- The text of a value, without white space; members in the order of `pairs`.
function json.encode(value)
    local out = {}
    encode_value(value, out, 0, 0)
    return concat(out)
end

return json
