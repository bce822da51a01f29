-- measure.metric: a number of the suite's own, given while a case runs.
--
-- Owns: which names, units and directions it may have. Refuses: to keep it. Next: driver.lua, which does
-- (`registry.metric`).

local require = type((...)) == 'function' and (...) or require
require('etalon.measure.places').own()

local checks, lists = require('etalon.measure.checks'), require('etalon.measure.lists')
local places, words = require('etalon.measure.places'), require('etalon.measure.words')
local check_count = require('etalon.measure.calls').check_count
local bad_number, bad_text, contains = checks.bad_number, checks.bad_text, lists.contains
local near = require('etalon.measure.spelling').near
local here, refuse = places.here, places.refuse
local shown, WRITE = words.shown, words.WRITE

local select = select
local find, concat = string.find, table.concat

-- What etalon measures itself; a number of the suite under one of these names would be mixed with it.
local OWN_METRICS = {
    'alloc', 'allocs', 'compiling', 'cpu', 'empty_loop', 'first_call', 'frees', 'gc_cycles', 'gc_time', 'heap',
    'instructions', 'interned', 'interpreted', 'mcode', 'peak', 'reallocs', 'returned', 'rewarm', 'rss', 'samples', 'sys',
    'trace_aborts', 'trace_starts', 'traces', 'uncollected', 'user', 'wall', 'warm_calls', 'warmup_cut',
}
local DIRECTIONS = { 'lower', 'higher', 'neither' }

local function bad_metric_name(suite, name)
    local why = bad_text(suite, name)
    if not why and not find(name, '^[A-Za-z_][A-Za-z0-9_.-]*$') then
        why = "is letters, digits, '_', '.' and '-', beginning with a letter or '_', not " .. shown(suite, name)
    elseif not why and contains(OWN_METRICS, name) then
        why = "'" .. name .. "' is one that etalon measures itself"
    end
    return why
end

local function metric(suite, ...)
    local place = here(suite)
    check_count(place, 'metric', WRITE.metric, select('#', ...), 4)
    local name, value, unit, direction = ...
    local wrong = bad_metric_name(suite, name)
    local what = wrong and 'the name of a metric ' .. wrong
    if not what then
        wrong = bad_number(suite, value)
        what = wrong and "the value of metric '" .. name .. "' " .. wrong
    end
    if not what then
        wrong = bad_text(suite, unit)
        what = wrong and "the unit of metric '" .. name .. "' " .. wrong
    end
    if not what and direction ~= nil and not contains(DIRECTIONS, direction) then
        what = "the direction of metric '" .. name .. "' is " .. concat(DIRECTIONS, ', ') .. ', not '
            .. shown(suite, direction) .. near(direction, DIRECTIONS)
    end
    if what then
        refuse(place, what, 'write ' .. WRITE.metric)
    end
    local report = suite.registry.metric
    if not report then
        refuse(place, "metric '" .. name .. "' is given outside a running case",
            'call measure.metric in before_all, before_each, setup, run, teardown, after_each or after_all')
    end
    report(name, value, unit, direction or 'neither')
end

return { metric = metric }
