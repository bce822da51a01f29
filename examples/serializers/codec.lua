-- A small codec for plain data: nil, booleans, numbers, strings and tables. Written for this project as the reference of
-- the comparison; plain Lua, from 5.1 on.
--
-- Equal strings are written once, and so are tables: shared references and cycles are kept. Decoding takes any bytes: what
-- was not written by `encode` is an error, in time and memory that grow no faster than the input. Metatables are left out;
-- functions, threads and userdata are refused. Integers that no double holds (Lua 5.3 on) are refused, too: other Luas
-- could not read them.
--
-- Format. A value begins with a tag; lengths, numbers and references are varints (seven bits a byte, the lowest first).
--   0x00–0x7f  an integer        0x80–0x9f  a list of up to 31 values     0xa0–0xbf  a new string of up to 31 bytes
--   0xc0–0xef  string 0 to 47, in the order in which they were written
--   0xf0 nil   0xf1 false   0xf2 true   0xf3 double, 8 bytes, the lowest first
--   0xf4 n     n + 128      0xf5 n      −1 − n
--   0xf6 n     a new string of n bytes  0xf7 n      string n
--   0xf8 n     a list of n values       0xf9 n m    a table: n values, m pairs      0xfa n      table n

local codec = {}

local byte, char, sub = string.byte, string.char, string.sub
local concat, floor, huge = table.concat, math.floor, math.huge
local error, next, rawget, type = error, next, rawget, type

-- Deeper than this, neither side goes: LuaJIT's stack holds some thousand calls.
local DEEPEST = 1000
local LARGEST = 2 ^ 53

local CHARS = {}
for value = 0, 255 do CHARS[value] = char(value) end

---------------------------------------------------------------------------------------------------
-- Doubles

-- Sign, exponent and fraction by arithmetic, where nothing else reads the bytes of a number.
local function bytes_by_arithmetic(number)
    local sign, exponent, fraction = 0, 0, 0
    if number < 0 or 1 / number < 0 then sign, number = 128, -number end
    if number ~= number then
        sign, exponent, fraction = 0, 2047, 2 ^ 51
    elseif number == huge then
        exponent = 2047
    elseif number > 0 then
        local power = 1023
        while power < 2046 and number >= 2 do number, power = number / 2, power + 1 end
        while power > 1 and number < 1 do number, power = number * 2, power - 1 end
        if number >= 1 then
            exponent, fraction = power, (number - 1) * 2 ^ 52
        else
            fraction = number * 2 ^ 52 -- subnormal
        end
    end
    local bytes = {}
    for index = 1, 6 do
        bytes[index] = CHARS[floor(fraction % 256)]
        fraction = floor(fraction / 256)
    end
    bytes[7] = CHARS[floor(fraction + exponent % 16 * 16)]
    bytes[8] = CHARS[floor(sign + floor(exponent / 16))]
    return concat(bytes)
end

local function number_by_arithmetic(text, at)
    local a, b, c, d, e, f, g, h = byte(text, at, at + 7)
    local sign = h >= 128 and -1 or 1
    local exponent = h % 128 * 16 + floor(g / 16)
    local fraction = ((((((g % 16) * 256 + f) * 256 + e) * 256 + d) * 256 + c) * 256 + b) * 256 + a
    if exponent == 2047 then return fraction == 0 and sign * huge or 0 / 0 end
    if exponent == 0 then return sign * (fraction / 2 ^ 52) * 2 ^ -1022 end
    local number = 1 + fraction / 2 ^ 52
    -- In two steps: no power of two beyond 1023 is a number.
    local half = floor((exponent - 1023) / 2)
    return sign * number * 2 ^ half * 2 ^ (exponent - 1023 - half)
end

local to_bytes, to_number = bytes_by_arithmetic, number_by_arithmetic
local has_ffi, ffi = pcall(require, 'ffi')
if string.pack then
    local pack, unpack = string.pack, string.unpack
    function to_bytes(number) return pack('<d', number) end
    function to_number(text, at) return (unpack('<d', text, at)) end
elseif has_ffi and ffi.abi('le') then
    local cell = ffi.new('union { double number; uint8_t bytes[8]; }')
    function to_bytes(number)
        cell.number = number
        return ffi.string(cell.bytes, 8)
    end
    -- LuaJIT keeps types in the bits of NaNs: one from outside must not become a value of its.
    function to_number(text, at)
        local before, last = byte(text, at + 6, at + 7)
        if last % 128 == 127 and before >= 240 then return number_by_arithmetic(text, at) end
        ffi.copy(cell.bytes, sub(text, at, at + 7), 8)
        return cell.number
    end
end
codec.by_arithmetic = { to_bytes = bytes_by_arithmetic, to_number = number_by_arithmetic }

---------------------------------------------------------------------------------------------------
-- Encoding


local function put(writer, text)
    local count = writer.count + 1
    writer.count, writer.pieces[count] = count, text
end

local function put_varint(writer, number)
    while number >= 128 do
        put(writer, CHARS[number % 128 + 128])
        number = floor(number / 128)
    end
    put(writer, CHARS[number])
end

local function put_tagged(writer, tag, number)
    put(writer, CHARS[tag])
    put_varint(writer, number)
end

local function put_number(writer, number)
    local is_integer = number == floor(number) and number <= LARGEST and number >= -LARGEST
    if not is_integer or (number == 0 and 1 / number < 0) then
        if math.type and math.type(number) == 'integer' then
            error(('codec: the integer %d is beyond 2^53'):format(number), 0)
        end
        put(writer, CHARS[0xf3])
        put(writer, to_bytes(number))
        return
    end
    number = floor(number)
    if number < 0 then
        put_tagged(writer, 0xf5, -1 - number)
    elseif number < 128 then
        put(writer, CHARS[number])
    else
        put_tagged(writer, 0xf4, number - 128)
    end
end

local function put_string(writer, text)
    local known = writer.strings[text]
    if known then
        if known < 48 then put(writer, CHARS[0xc0 + known]) else put_tagged(writer, 0xf7, known) end
        return
    end
    writer.strings[text] = writer.string_count
    writer.string_count = writer.string_count + 1
    if #text < 32 then put(writer, CHARS[0xa0 + #text]) else put_tagged(writer, 0xf6, #text) end
    put(writer, text)
end

local put_value

-- How many values stand at 1, 2, 3…, and how many others there are.
local function measured(value)
    local length, all = 0, 0
    while rawget(value, length + 1) ~= nil do length = length + 1 end
    for _ in next, value do all = all + 1 end
    return length, all - length
end

local function put_table(writer, value, depth)
    local known = writer.tables[value]
    if known then return put_tagged(writer, 0xfa, known) end
    if depth > DEEPEST then error(('codec: tables are nested deeper than %d'):format(DEEPEST), 0) end
    writer.tables[value] = writer.table_count
    writer.table_count = writer.table_count + 1
    local length, pairs_count = measured(value)
    if pairs_count > 0 then
        put_tagged(writer, 0xf9, length)
        put_varint(writer, pairs_count)
    elseif length < 32 then
        put(writer, CHARS[0x80 + length])
    else
        put_tagged(writer, 0xf8, length)
    end
    for index = 1, length do put_value(writer, rawget(value, index), depth + 1) end
    if pairs_count == 0 then return end
    for key, entry in next, value do
        local in_list = type(key) == 'number' and key >= 1 and key <= length and key == floor(key)
        if not in_list then
            put_value(writer, key, depth + 1)
            put_value(writer, entry, depth + 1)
        end
    end
end

function put_value(writer, value, depth)
    local kind = type(value)
    if kind == 'number' then
        put_number(writer, value)
    elseif kind == 'string' then
        put_string(writer, value)
    elseif kind == 'table' then
        put_table(writer, value, depth)
    elseif kind == 'boolean' then
        put(writer, CHARS[value and 0xf2 or 0xf1])
    elseif kind == 'nil' then
        put(writer, CHARS[0xf0])
    else
        error(('codec: a %s cannot be encoded'):format(kind), 0)
    end
end

-- The bytes of a value.
function codec.encode(value)
    local writer = { pieces = {}, count = 0, strings = {}, string_count = 0, tables = {}, table_count = 0 }
    put_value(writer, value, 1)
    return concat(writer.pieces, '', 1, writer.count)
end

---------------------------------------------------------------------------------------------------
-- Decoding

local function fail(reader, what)
    error(('codec: byte %d: %s'):format(reader.at, what), 0)
end

local function take_byte(reader)
    local at = reader.at
    local value = byte(reader.text, at)
    if not value then fail(reader, 'the data end here') end
    reader.at = at + 1
    return value
end

-- At most `most`.
local function take_varint(reader, most)
    local number, scale = 0, 1
    repeat
        local value = take_byte(reader)
        number, scale = number + value % 128 * scale, scale * 128
        if number > most or scale > 128 ^ 8 then fail(reader, 'a number is too large') end
    until value < 128
    return number
end

-- A count of things that take a byte each, at least.
local function take_count(reader) return take_varint(reader, #reader.text - reader.at + 1) end

local function take_string(reader, length)
    local at = reader.at
    if at + length - 1 > #reader.text then fail(reader, 'the data end in a string') end
    local text = sub(reader.text, at, at + length - 1)
    reader.at = at + length
    reader.string_count = reader.string_count + 1
    reader.strings[reader.string_count] = text
    return text
end

local function known_string(reader, index)
    local text = reader.strings[index + 1]
    if not text then fail(reader, 'there is no such string yet') end
    return text
end

local take_value

local function take_table(reader, length, pairs_count, depth)
    if depth > DEEPEST then fail(reader, ('tables are nested deeper than %d'):format(DEEPEST)) end
    local value = {}
    reader.table_count = reader.table_count + 1
    reader.tables[reader.table_count] = value
    for index = 1, length do
        local entry = take_value(reader, depth + 1)
        if entry == nil then fail(reader, 'a list holds nil') end
        value[index] = entry
    end
    for _ = 1, pairs_count do
        local key = take_value(reader, depth + 1)
        if key == nil or key ~= key then fail(reader, 'a key is nil or no number') end
        if value[key] ~= nil then fail(reader, 'a key is given twice') end
        local entry = take_value(reader, depth + 1)
        if entry == nil then fail(reader, 'a table holds nil') end
        value[key] = entry
    end
    return value
end

-- By tags from 0xf0 on.
local TAGGED = {
    [0xf0] = function() return nil end,
    [0xf1] = function() return false end,
    [0xf2] = function() return true end,
    [0xf3] = function(reader)
        local at = reader.at
        if at + 7 > #reader.text then fail(reader, 'the data end in a number') end
        reader.at = at + 8
        return to_number(reader.text, at)
    end,
    [0xf4] = function(reader) return take_varint(reader, LARGEST - 128) + 128 end,
    [0xf5] = function(reader) return -1 - take_varint(reader, LARGEST - 1) end,
    [0xf6] = function(reader) return take_string(reader, take_count(reader)) end,
    [0xf7] = function(reader) return known_string(reader, take_varint(reader, LARGEST)) end,
    [0xf8] = function(reader, depth) return take_table(reader, take_count(reader), 0, depth) end,
    [0xf9] = function(reader, depth)
        local length = take_count(reader)
        return take_table(reader, length, take_count(reader), depth)
    end,
    [0xfa] = function(reader)
        local value = reader.tables[take_varint(reader, LARGEST) + 1]
        return value or fail(reader, 'there is no such table yet')
    end,
}

function take_value(reader, depth)
    local tag = take_byte(reader)
    if tag < 0x80 then return tag end
    if tag < 0xa0 then return take_table(reader, tag - 0x80, 0, depth) end
    if tag < 0xc0 then return take_string(reader, tag - 0xa0) end
    if tag < 0xf0 then return known_string(reader, tag - 0xc0) end
    local take = TAGGED[tag] or fail(reader, 'there is no such tag')
    return take(reader, depth)
end

-- The value of these bytes; an error that begins with `codec: ` if they are not what `encode` writes.
function codec.decode(text)
    local reader = { text = text, at = 1, strings = {}, string_count = 0, tables = {}, table_count = 0 }
    local value = take_value(reader, 1)
    if reader.at <= #text then fail(reader, 'the value ends before the data do') end
    return value
end

return codec
