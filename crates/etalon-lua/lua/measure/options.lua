-- measure.options: what a suite may ask for all its cases.
--
-- Owns: which options there are, and what each may be. Refuses: to choose what counts where an option is not given;
-- etalon does. Next: registry.lua, where they are kept.

local require = type((...)) == 'function' and (...) or require
require('etalon.measure.places').own()

local calls, checks = require('etalon.measure.calls'), require('etalon.measure.checks')
local lists, places = require('etalon.measure.lists'), require('etalon.measure.places')
local words = require('etalon.measure.words')
local check_open, check_count, bad_number = calls.check_open, calls.check_count, checks.bad_number
local sorted_keys, near = lists.sorted_keys, require('etalon.measure.spelling').near
local at, here, refuse = places.at, places.here, places.refuse
local number_text, quoted, shown, WRITE = words.number_text, words.quoted, words.shown, words.WRITE

local select, type = select, type
local concat = table.concat
local floor, tointeger = math.floor, math.tointeger

-- A step of the collector in KB: what a record holds, and more than any machine has.
local MOST_KB = 2 ^ 32 - 1

local function bad_share(suite, value)
    local why = bad_number(suite, value)
    if not why and (value <= 0 or value > 100) then
        why = 'is a percentage above 0 and at most 100, not ' .. shown(suite, value)
    end
    return why
end

local OPTIONS = {
    context = function(suite, value)
        if type(value) ~= 'table' and type(value) ~= 'function' then
            return 'must be a table, or a function that returns what setup and teardown get, not ' .. shown(suite, value)
        end
    end,
    warmup = function(suite, value)
        local why = bad_number(suite, value)
        if not why and (value < 0 or value > 5) then
            why = 'is 0 to 5 seconds (fractions work), not ' .. shown(suite, value)
        end
        return why
    end,
    gc_step = function(suite, value)
        local why = bad_number(suite, value)
        if not why and (value < -1 or value ~= floor(value) or value > MOST_KB) then
            why = 'is an integer: -1 (collector off), 0 (full collection before each sample) or a step of at most '
                .. number_text(MOST_KB) .. ' KB, not ' .. shown(suite, value)
        end
        return why
    end,
    confidence_level = bad_share,
    rciw = bad_share,
}
local OPTION_NAMES = sorted_keys(OPTIONS)
local OPTION_EXAMPLES = {
    context = 'context = { data = data }', warmup = 'warmup = 0.5', gc_step = 'gc_step = 0',
    confidence_level = 'confidence_level = 95', rciw = 'rciw = 5',
}

local function options(suite, ...)
    local place = here(suite)
    check_open(suite, place, 'options')
    check_count(place, 'options', WRITE.options, select('#', ...), 1)
    local given = ...
    if type(given) ~= 'table' then
        refuse(place, 'options takes a table, not ' .. shown(suite, given), 'write ' .. WRITE.options)
    elseif suite.options_place then
        refuse(place, 'options are already given (' .. at(suite.options_place) .. ')', 'write them in one call')
    elseif suite.declarations[1] then
        refuse(place, 'options hold for all cases, and the first is already described ('
            .. at(suite.declarations[1].place) .. ')', 'write measure.options before the first describe')
    end
    local keys, checked = sorted_keys(given), {}
    for i = 1, #keys do
        local key, value = keys[i], given[keys[i]]
        if not OPTIONS[key] then
            refuse(place, 'there is no option ' .. quoted(suite, key)
                .. near(key, OPTION_NAMES), 'the options are ' .. concat(OPTION_NAMES, ', '))
        end
        local why = OPTIONS[key](suite, value)
        if why then
            refuse(place, key .. ' ' .. why, 'write ' .. OPTION_EXAMPLES[key])
        end
        -- 100.0 is an integer by value; Lua 5.3 and later would still show its point.
        checked[key] = key == 'gc_step' and tointeger and tointeger(value) or value
    end
    suite.registry.options = checked
    suite.options_place = place
    return suite.module
end

return { options = options }
