-- The words of messages: a value as people read it, and how each thing is written when it is written right.
--
-- Owns: the text of a number, which also identifies params. Refuses: to say what is wrong with a value. Next:
-- checks.lua; spelling.lua for a name that is nearly right.

local require = type((...)) == 'function' and (...) or require
require('etalon.measure.places').own()

local tonumber, tostring, type = tonumber, tostring, type
local format, gsub, sub = string.format, string.gsub, string.sub
local math_type = math.type

-- The second half of the messages.
local WRITE = {
    options = "measure.options({ warmup = 0.5, gc_step = 0, confidence_level = 95, rciw = 5, context = {} })",
    describe = "measure.describe('name') or measure.describe('name', { size = { 10, 1000 } })",
    group = "measure.group('name'), and measure.group() to end the group",
    metric = "measure.metric('name', 12, 'B') or measure.metric('name', 12, 'B', 'lower')",
    setup = "setup(function(context, params) ... end)",
    setup_once = "setup_once(function(context, params) ... end)",
    run = "run(function(is_warmup) ... end)",
    run_with_timer = "run_with_timer(function(m) ... return m(target) end)",
    teardown = "teardown(function(context, params) ... end)",
    case_group = "group('name')",
    tags = "tags('one', 'two')",
    skip = "skip('why') or skip(not found, 'why')",
    bytes = "bytes(1024), or bytes(function(params) return params.size end) when it depends on params",
    items = "items(100), or items(function(params) return params.count end) when it depends on params",
    hook = "function measure.before_all() ... end (or before_each, after_each, after_all)",
}

local function number_text(value)
    if math_type and math_type(value) == 'integer' then
        return format('%d', value)
    end
    -- The shortest text that reads back as the same number: what was written, in nearly all cases. 17 digits always do.
    local text
    for digits = 14, 17 do
        text = format('%.' .. digits .. 'g', value)
        if tonumber(text) == value then
            break
        end
    end
    return text
end

-- A value inside an error message: its text if that is short, else its type.
local function shown(suite, value)
    local kind = type(value)
    if kind == 'string' then
        local text = #value > 40 and sub(value, 1, 40) .. '...' or value
        return "the string '" .. gsub(text, '%c', '?') .. "'"
    elseif kind == 'number' then
        return value ~= value and 'NaN' or number_text(value)
    elseif kind == 'nil' then
        return 'nothing (nil)'
    elseif kind == 'boolean' then
        return tostring(value)
    end
    return suite.objects[value] or 'a ' .. kind
end

-- A key or name inside an error message: 'in quotes', or what it is when it is no string.
local function quoted(suite, name)
    return (gsub(shown(suite, name), '^the string ', ''))
end

return { WRITE = WRITE, number_text = number_text, shown = shown, quoted = quoted }
