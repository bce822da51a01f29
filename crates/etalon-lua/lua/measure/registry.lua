-- The registry: what the driver gets of a suite, and what can only be known when the whole file was read.
--
-- Complete once registry.close() returned:
--   options   what was given; `context` always: a table, or a function to be called once per process for it
--   hooks     before_all, after_all, before_each, after_each: only those given
--   cases     in the order described; fields: see `entry`. `params` are { key, value, text }, text being the identity.
--             Calls: setup(context, params_table), teardown(context, params_table), run_with_timer(m, params_table) and
--             run(is_warmup), which is run(is_warmup, params_table) only if `wants_params`
--   metric    set by the driver while a case runs: function(name, value, unit, direction)
--
-- Refuses: cases that no run was given to, and two that nothing tells apart. Next: driver.lua, which calls what
-- stands here.

local require = type((...)) == 'function' and (...) or require
require('etalon.measure.places').own()

local places = require('etalon.measure.places')
local at, refuse = places.at, places.refuse
local combination_name = require('etalon.measure.params').combination_name
local measured = require('etalon.measure.case').measured
local WRITE = require('etalon.measure.words').WRITE

local debug_getinfo = debug.getinfo
local concat, sort = table.concat, table.sort

-- Whether `fn` declares a second parameter, so that a run that does not is called without one and costs nothing more.
-- Lua 5.1 cannot tell: then it is taken to.
local function declares_params(fn)
    local about = debug_getinfo(fn, 'u')
    return about.nparams == nil or about.nparams >= 2 or about.isvararg == true
end

local function copy(list)
    local result = {}
    for i = 1, #list do
        result[i] = list[i]
    end
    return result
end

-- The entry of the registry for one combination of one declaration.
local function entry(declaration, i)
    local combination, given = declaration.combinations[i], declaration.given
    return {
        name = declaration.name, params = combination.list, params_table = combination.map,
        wants_params = #combination.list > 0 and given.run ~= nil and declares_params(given.run),
        group = declaration.group, tags = copy(declaration.tags), skip = declaration.skips[i],
        source = declaration.place.source, line = declaration.place.line,
        bytes = declaration.bytes[i], items = declaration.items[i],
        setup = given.setup, setup_once = given.setup_once, run = given.run, run_with_timer = given.run_with_timer,
        teardown = given.teardown,
    }
end

-- What tells cases apart: group, name and every param, each with its length in front so that no two run into one.
local function identity(case)
    local parts = { case.group and #case.group .. ':' .. case.group or '-', #case.name .. ':' .. case.name }
    local keys = {}
    for i = 1, #case.params do
        keys[i] = #case.params[i][1] .. ':' .. case.params[i][1] .. '=' .. #case.params[i][3] .. ':' .. case.params[i][3]
    end
    sort(keys)
    return concat(parts, ' ') .. ' ' .. concat(keys, ' ')
end

local function close(suite)
    if suite.closed then
        return
    end
    local cases, seen = {}, {}
    for d = 1, #suite.declarations do
        local declaration = suite.declarations[d]
        for i = 1, #declaration.combinations do
            local case = entry(declaration, i)
            if not case.skip and not measured(declaration) then
                refuse(declaration.place, 'case ' .. combination_name(declaration, i) .. ' has no run',
                    "write describe('" .. declaration.name .. "'):" .. WRITE.run)
            end
            local key = identity(case)
            if seen[key] then
                refuse(declaration.place, 'case ' .. combination_name(declaration, i) .. ' is already described ('
                    .. at(seen[key]) .. ')' .. (case.group and " in group '" .. case.group .. "'" or ''),
                    'give it another name, other params or another group')
            end
            seen[key] = declaration.place
            cases[#cases + 1] = case
        end
    end
    suite.registry.cases = cases
    -- Without a context setup and teardown still have a table to share.
    if suite.registry.options.context == nil then
        suite.registry.options.context = {}
    end
    suite.closed = true
end

return { close = close }
