-- measure.describe: the object a suite holds of a case, through which it says the rest about it in a chain.
--
-- Owns: how its methods are found, and how the chain goes on to the next case. Refuses: to know what the methods do.
-- Next: case.lua.

local require = type((...)) == 'function' and (...) or require
require('etalon.measure.places').own()

local calls, case = require('etalon.measure.calls'), require('etalon.measure.case')
local lists, places = require('etalon.measure.lists'), require('etalon.measure.places')
local words = require('etalon.measure.words')
local bound, check_open, check_count = calls.bound, calls.check_open, calls.check_count
local CASE, measured = case.methods, case.measured
local bad_text = require('etalon.measure.checks').bad_text
local combinations = require('etalon.measure.params').combinations
local near, sorted_keys = require('etalon.measure.spelling').near, lists.sorted_keys
local at, here, refuse = places.at, places.here, places.refuse
local quoted, WRITE = words.quoted, words.WRITE

local next, select, setmetatable = next, select, setmetatable
local huge = math.huge
local concat, sort = table.concat, table.sort

-- tags takes any number; skip and describe take two.
local MOST_ARGUMENTS = { tags = huge, skip = 2, describe = 2 }

local CASE_NAMES = sorted_keys(CASE)
CASE_NAMES[#CASE_NAMES + 1] = 'describe'
sort(CASE_NAMES)

local describe

-- `describe` as a method of a case: the chain goes on only from a case that is complete.
local function chained_describe(suite, declaration)
    return function(...)
        local place = here(suite)
        if not measured(declaration) and next(declaration.skips) == nil then
            refuse(place, "case '" .. declaration.name .. "' (" .. at(declaration.place) .. ') has no run yet',
                'write ' .. WRITE.run .. ' before the next describe')
        end
        return describe(suite, ...)
    end
end

local function case_method(suite, declaration, object, name)
    if name == 'describe' then
        return bound(object, chained_describe(suite, declaration))
    end
    local act = CASE[name]
    if not act then
        refuse(here(suite), 'a case has no ' .. quoted(suite, name)
            .. near(name, CASE_NAMES), 'it has ' .. concat(CASE_NAMES, ', '))
    end
    return bound(object, function(...)
        local place = here(suite)
        check_open(suite, place, name)
        check_count(place, name, WRITE[name], select('#', ...), MOST_ARGUMENTS[name] or 1)
        act(suite, declaration, place, ...)
        return object
    end)
end

local function new_case(suite, declaration)
    local object = {}
    suite.objects[object] = "the case '" .. declaration.name .. "'"
    return setmetatable(object, {
        __index = function(_, name)
            return case_method(suite, declaration, object, name)
        end,
        __newindex = function(_, name)
            local method = CASE[name] and 'call it: ' .. (WRITE[name])
            refuse(here(suite), 'nothing can be assigned to a case', method or 'it has ' .. concat(CASE_NAMES, ', '))
        end,
        __tostring = function() return suite.objects[object] end,
        __metatable = 'case',
    })
end

function describe(suite, ...)
    local place = here(suite)
    check_open(suite, place, 'describe')
    check_count(place, 'describe', WRITE.describe, select('#', ...), MOST_ARGUMENTS.describe)
    local name, params = ...
    local why = bad_text(suite, name)
    if why then
        refuse(place, 'the name of a case ' .. why, 'write ' .. WRITE.describe)
    end
    local declaration = {
        name = name, place = place, combinations = combinations(suite, place, params), group = suite.group,
        tags = {}, has_tag = {}, skips = {}, bytes = {}, items = {}, given = {}, places = {},
    }
    suite.declarations[#suite.declarations + 1] = declaration
    return new_case(suite, declaration)
end

return { describe = describe }
