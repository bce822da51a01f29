-- Values to JSON text, as the record wants it: integers without a point, other numbers with the
-- fewest digits that read back as the same double, text that is always UTF-8.
--
-- Owns the spelling of a line. Refuses to guess what a Lua table is: objects and arrays are built
-- from parts that are JSON already.

if jit then jit.off(true, true) end -- the driver leaves no traces among a benchmark's

local sequence = ... -- of `measure`, which checks texts by it
local byte, find, format = string.byte, string.find, string.format
local gsub, sub = string.gsub, string.sub
local concat, floor, huge, tonumber = table.concat, math.floor, math.huge, tonumber

local json = {}

-- A finite number, or nil: there is no JSON for the others.
function json.number(x)
    if x ~= x or x == huge or x == -huge then return nil end
    if x == 0 then return "0" end -- and never "-0"
    if floor(x) == x and x >= -2 ^ 53 and x <= 2 ^ 53 then
        return format("%.0f", x)
    end
    local text
    for digits = 15, 17 do
        text = format("%." .. digits .. "g", x)
        if tonumber(text) == x then break end
    end
    text = gsub(text, ",", ".") -- a locale may have its own point
    return text
end

local ESCAPES = { ['"'] = '\\"', ["\\"] = "\\\\", ["\n"] = "\\n", ["\t"] = "\\t", ["\r"] = "\\r" }

local function escape(character)
    return ESCAPES[character] or format("\\u%04x", byte(character))
end

-- The text with U+FFFD in place of every byte that is no UTF-8.
local function repaired(text)
    local parts, at = {}, 1
    while at <= #text do
        local length = sequence(text, at)
        parts[#parts + 1] = length and sub(text, at, at + length - 1) or "\239\191\189"
        at = at + (length or 1)
    end
    return concat(parts)
end

function json.string(text)
    if find(text, "[\128-\255]") then text = repaired(text) end
    return '"' .. gsub(text, '[%z\1-\31\127"\\]', escape) .. '"'
end

-- Keys come again with every line; escaping them anew was a third of what a line costs.
local keys = {}

-- An object, from { key, json, key, json, … }; a field whose json is nil is left out by `put`.
function json.put(fields, key, value)
    if value == nil then return end
    local text = keys[key]
    if not text then
        text = json.string(key) .. ":"
        keys[key] = text
    end
    fields[#fields + 1] = text .. value
end

function json.object(fields) return "{" .. concat(fields, ",") .. "}" end

function json.array(items) return "[" .. concat(items, ",") .. "]" end

return json
