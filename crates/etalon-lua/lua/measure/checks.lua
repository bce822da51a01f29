-- Checks of values: each returns what is wrong, or nothing.
--
-- Owns: what a text and a number must be, wherever a suite gives one. Refuses: to raise an error; the caller knows
-- the place, and what to write instead. Next: params.lua, options.lua, case.lua, metric.lua.

local require = type((...)) == 'function' and (...) or require
require('etalon.measure.places').own()

local shown = require('etalon.measure.words').shown

local type = type
local byte, find = string.byte, string.find
local huge = math.huge

-- Length of the well-formed UTF-8 sequence at `i`, or nil (no overlong forms, no surrogates, at most U+10FFFF; Unicode 15,
-- table 3-7).
local function sequence(s, i)
    local first = byte(s, i)
    if first < 0x80 then
        return 1
    end
    local length = first >= 0xF0 and first <= 0xF4 and 4 or first >= 0xE0 and first <= 0xEF and 3
        or first >= 0xC2 and first <= 0xDF and 2
    if not length or i + length - 1 > #s then
        return nil
    end
    local lo = first == 0xE0 and 0xA0 or first == 0xF0 and 0x90 or 0x80
    local hi = first == 0xED and 0x9F or first == 0xF4 and 0x8F or 0xBF
    for k = i + 1, i + length - 1 do
        local following = byte(s, k)
        if following < lo or following > hi then
            return nil
        end
        lo, hi = 0x80, 0xBF
    end
    return length
end

local function is_utf8(s)
    if not find(s, '[\128-\255]') then
        return true
    end
    local i = 1
    while i <= #s do
        local length = sequence(s, i)
        if not length then
            return false
        end
        i = i + length
    end
    return true
end

-- Records are JSON and reports are tables: a text is UTF-8, not blank, and (names) one line without control characters.
local function bad_text(suite, value, lines_allowed)
    if type(value) ~= 'string' then
        return 'must be a string, not ' .. shown(suite, value)
    elseif not find(value, '%S') then
        return 'must not be empty'
    elseif not is_utf8(value) then
        return 'must be UTF-8'
    elseif not lines_allowed and find(value, '%c') then
        return 'must not hold control characters or line ends'
    end
end

local function is_finite(value)
    return type(value) == 'number' and value == value and value ~= huge and value ~= -huge
end

local function bad_number(suite, value)
    if type(value) ~= 'number' then
        return 'must be a number, not ' .. shown(suite, value)
    elseif not is_finite(value) then
        return 'must be a finite number, not ' .. shown(suite, value)
    end
end

return { sequence = sequence, bad_text = bad_text, bad_number = bad_number }
