-- What a case can be told: its functions, group, tags, skips and amounts, kept in a declaration.
--
-- A declaration is one describe: `name`, `place`, `combinations`, `group`, `tags`, `skips`, `bytes`, `items` (per
-- combination), `given` (function by role) and `places` (of everything that may be said once).
--
-- Owns: what excludes what, and what comes before what. A refused call changes nothing. Refuses: to know how the
-- suite calls it. Next: describe.lua, which does; registry.lua, what a declaration becomes.

local require = type((...)) == 'function' and (...) or require
require('etalon.measure.places').own()

local checks, params = require('etalon.measure.checks'), require('etalon.measure.params')
local places, words = require('etalon.measure.places'), require('etalon.measure.words')
local bad_number, bad_text = checks.bad_number, checks.bad_text
local array_length = require('etalon.measure.lists').array_length
local combination_name = params.combination_name
local at, refuse = places.at, places.refuse
local shown, WRITE = words.shown, words.WRITE

local select, type = select, type
local find = string.find

-- By name: function(suite, declaration, place, ...).
local CASE = {}

local function check_function(suite, place, role, fn)
    if type(fn) ~= 'function' then
        refuse(place, role .. ' takes a function, not ' .. shown(suite, fn), 'write ' .. WRITE[role])
    end
end

local function once(declaration, place, what)
    local first = declaration.places[what]
    if first then
        refuse(place, "case '" .. declaration.name .. "' already has " .. what .. ' (' .. at(first) .. ')',
            'keep one of them')
    end
end

local function measured(declaration)
    return declaration.places.run or declaration.places.run_with_timer
end

-- The five functions of a case: `other` is the one that excludes it, `order` says why it comes too early or too late.
local function takes_function(role, other, order)
    CASE[role] = function(suite, declaration, place, fn)
        check_function(suite, place, role, fn)
        once(declaration, place, role)
        local excluded = other and declaration.places[other]
        if excluded then
            refuse(place, "case '" .. declaration.name .. "' has " .. other .. ' (' .. at(excluded) .. ') and ' .. role,
                'keep one of them')
        end
        order(declaration, place)
        declaration.given[role] = fn
        declaration.places[role] = place
    end
end

local function before_run(role)
    return function(declaration, place)
        if measured(declaration) then
            refuse(place, role .. ' comes before run (' .. at(measured(declaration)) .. ')',
                "write describe('" .. declaration.name .. "'):" .. role .. '(...):run(...)')
        end
    end
end

local function after_run(declaration, place)
    if not measured(declaration) then
        refuse(place, 'teardown comes after run', "write describe('" .. declaration.name .. "'):run(...):teardown(...)")
    end
end

local function any_time() end

takes_function('setup', 'setup_once', before_run('setup'))
takes_function('setup_once', 'setup', before_run('setup_once'))
takes_function('run', 'run_with_timer', any_time)
takes_function('run_with_timer', 'run', any_time)
takes_function('teardown', nil, after_run)

function CASE.group(suite, declaration, place, name)
    local why = bad_text(suite, name)
    if why then
        refuse(place, 'the name of a group ' .. why, 'write ' .. WRITE.case_group)
    end
    once(declaration, place, 'group')
    declaration.places.group = place
    declaration.group = name
end

function CASE.tags(suite, declaration, place, ...)
    local given = { ... }
    local count = select('#', ...)
    if count == 1 and type(given[1]) == 'table' then
        given = given[1]
        count = array_length(given) or 0
    end
    if count == 0 then
        refuse(place, 'tags needs at least one tag', 'write ' .. WRITE.tags)
    end
    -- All are checked before the first is kept: a refused call changes nothing.
    for i = 1, count do
        local why = bad_text(suite, given[i])
        if not why and find(given[i], ',', 1, true) then
            why = "must not hold a comma, which separates tags: '" .. given[i] .. "'"
        end
        if why then
            refuse(place, 'a tag ' .. why, 'write ' .. WRITE.tags)
        end
    end
    for i = 1, count do
        local tag = given[i]
        if not declaration.has_tag[tag] then
            declaration.has_tag[tag] = true
            declaration.tags[#declaration.tags + 1] = tag
        end
    end
end

-- skip(reason), skip(condition, reason); the condition may be a function of params. The first reason that holds stays.
function CASE.skip(suite, declaration, place, ...)
    local condition, reason = ...
    if select('#', ...) < 2 then
        condition, reason = true, condition
    end
    local why = bad_text(suite, reason, true)
    if why then
        refuse(place, 'the reason of skip ' .. why, 'write ' .. WRITE.skip)
    end
    local kind = type(condition)
    if kind ~= 'boolean' and kind ~= 'nil' and kind ~= 'function' then
        refuse(place, 'the condition of skip is true, false or a function of params, not ' .. shown(suite, condition),
            "write skip(value ~= nil, 'why')")
    end
    local skips = {}
    for i = 1, #declaration.combinations do
        local holds = condition
        if kind == 'function' then
            holds = condition(declaration.combinations[i].map)
        end
        skips[i] = declaration.skips[i] or (holds and reason) or nil
    end
    declaration.skips = skips
end

-- Throughput: what one call of run works through, a positive number or a function of params that returns one.
local function takes_amount(what)
    CASE[what] = function(suite, declaration, place, amount)
        once(declaration, place, what)
        local amounts = {}
        for i = 1, #declaration.combinations do
            local value, by = amount, ''
            if type(amount) == 'function' then
                value = amount(declaration.combinations[i].map)
                by = ' (returned for ' .. combination_name(declaration, i) .. ')'
            end
            local why = bad_number(suite, value)
            if not why and value <= 0 then
                why = 'must be above 0, not ' .. shown(suite, value)
            end
            if why then
                refuse(place, what .. ' of one call ' .. why .. by, 'write ' .. WRITE[what])
            end
            amounts[i] = value
        end
        declaration.places[what] = place
        declaration[what] = amounts
    end
end

takes_amount('bytes')
takes_amount('items')

return { methods = CASE, measured = measured }
