-- The module table: what `require('measure')` gives a suite, its functions, hooks and sink.
--
-- Owns: which names it has, and what may be assigned to it. Refuses: to know what its larger functions do. Next:
-- describe.lua, options.lua, metric.lua.

local require = type((...)) == 'function' and (...) or require
require('etalon.measure.places').own()

local calls, checks = require('etalon.measure.calls'), require('etalon.measure.checks')
local lists, places = require('etalon.measure.lists'), require('etalon.measure.places')
local words = require('etalon.measure.words')
local bound, check_open, check_count = calls.bound, calls.check_open, calls.check_count
local bad_text, near = checks.bad_text, require('etalon.measure.spelling').near
local contains, sorted_keys = lists.contains, lists.sorted_keys
local at, here, refuse = places.at, places.here, places.refuse
local quoted, shown, WRITE = words.quoted, words.shown, words.WRITE

local next, select, setmetatable, type = next, select, setmetatable, type
local concat, sort = table.concat, table.sort
local jit_on = type(jit) == 'table' and jit.on

local HOOKS = { 'after_all', 'after_each', 'before_all', 'before_each' }

-- By name: function(suite, ...).
local MODULE = {
    describe = require('etalon.measure.describe').describe,
    options = require('etalon.measure.options').options,
    metric = require('etalon.measure.metric').metric,
}

function MODULE.group(suite, ...)
    local place = here(suite)
    check_open(suite, place, 'group')
    check_count(place, 'group', WRITE.group, select('#', ...), 1)
    local name = ...
    local why = select('#', ...) > 0 and bad_text(suite, name)
    if why then
        refuse(place, 'the name of a group ' .. why, 'write ' .. WRITE.group)
    end
    suite.group = name
    return suite.module
end

-- Two stores into a table that lives as long as the suite, which no compiler can prove useless; with two, neither form
-- of call needs a comparison (`measure:sink(v)` stores the module beside v). No C function: calling one costs more than
-- much of what is measured. Unlike the rest of the module it may be compiled.
local function sink_into(store)
    store[1], store[2] = false, false
    local function sink(a, b)
        store[1] = a
        store[2] = b
    end
    if jit_on then
        jit_on(sink)
    end
    return sink
end

local MODULE_NAMES = sorted_keys(MODULE)
MODULE_NAMES[#MODULE_NAMES + 1] = 'sink'
sort(MODULE_NAMES)

local function known_names()
    return 'functions: ' .. concat(MODULE_NAMES, ', ') .. '; hooks: ' .. concat(HOOKS, ', ')
end

local function all_names()
    local names = { '_VERSION' }
    for i = 1, #HOOKS do
        names[#names + 1] = HOOKS[i]
    end
    for i = 1, #MODULE_NAMES do
        names[#names + 1] = MODULE_NAMES[i]
    end
    return names
end

local function set_hook(suite, name, value)
    local place = here(suite)
    if contains(MODULE_NAMES, name) then
        refuse(place, 'measure.' .. name .. ' cannot be replaced', 'call it, or choose a name of your own')
    elseif not contains(HOOKS, name) then
        refuse(place, 'there is no hook ' .. quoted(suite, name)
            .. near(name, HOOKS), 'the hooks are ' .. concat(HOOKS, ', '))
    elseif type(value) ~= 'function' then
        refuse(place, 'the hook ' .. name .. ' must be a function, not ' .. shown(suite, value), 'write ' .. WRITE.hook)
    end
    check_open(suite, place, name)
    local first = suite.hook_places[name]
    if first then
        refuse(place, 'the hook ' .. name .. ' is already set (' .. at(first) .. ')', 'write one function that does both')
    end
    suite.hook_places[name] = place
    suite.registry.hooks[name] = value
end

-- The module table stays empty, so that every assignment arrives at __newindex. Its functions are found in a plain table
-- (not through a function), so that measure.sink(v) in measured code costs a table lookup and no call more.
local function module_table(suite, store)
    local functions = { _VERSION = 'etalon-measure ' .. suite.version, sink = sink_into(store) }
    local module = {}
    for name, act in next, MODULE do
        functions[name] = bound(module, function(...)
            return act(suite, ...)
        end)
    end
    setmetatable(functions, {
        __index = function(_, name)
            if contains(HOOKS, name) then
                return suite.registry.hooks[name]
            end
            refuse(here(suite), 'measure has no ' .. quoted(suite, name)
                .. near(name, all_names()), known_names())
        end,
    })
    return setmetatable(module, {
        __index = functions,
        __newindex = function(_, name, value)
            set_hook(suite, name, value)
        end,
        __metatable = 'measure',
    })
end

return { module_table = module_table }
