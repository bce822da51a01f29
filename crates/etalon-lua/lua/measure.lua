-- The module a benchmark suite sees: `local measure = require('measure')`.
--
-- Owns: what a suite may say (options, hooks, cases), its checking, and the expansion of params into cases. Every misuse
-- is an error `file:line: what is wrong; what to write instead`, raised where the suite says it.
-- Refuses: to time, collect or print anything. That is the driver's work (driver.lua), which calls what is registered here.
--
-- Loaded in one of two ways, told apart by the argument `require` passes to a chunk:
--   by the driver, without one: returns new(environment) -> module, registry (plain data, described at `new`), and
--   `sequence`, by which the driver mends text as it is checked here;
--   by `require` of a plain interpreter (rock etalon-measure): returns a module with which a suite loads but does not run.
-- One text for Lua 5.1 to 5.4 and LuaJIT: nothing here may need a later version.

-- Kept as locals because a suite may replace globals, library functions and the metatable of strings.
local debug_getinfo = debug.getinfo
local error, next, rawequal, select, setmetatable = error, next, rawequal, select, setmetatable
local tonumber, tostring, type = tonumber, tostring, type
local byte, find, format, gsub = string.byte, string.find, string.format, string.gsub
local lower, match, sub = string.lower, string.match, string.sub
local concat, sort = table.concat, table.sort
local floor, huge, min, math_type, tointeger = math.floor, math.huge, math.min, math.type, math.tointeger

-- Traces of this file would stand among those of the benchmark. measure.sink, which is called in measured code, is
-- switched on again where it is made.
local jit_on = type(jit) == 'table' and jit.on
if jit_on then
    jit.off(true, true)
end

local THIS_CHUNK = debug_getinfo(1, 'S').source

-- A case takes seconds: more than this from one describe is a slip, and would fill the memory before anybody sees it.
local MOST_COMBINATIONS = 10000

-- A step of the collector in KB: what a record holds, and more than any machine has.
local MOST_KB = 2 ^ 32 - 1

-- What etalon measures itself; a number of the suite under one of these names would be mixed with it.
local OWN_METRICS = {
    'alloc', 'allocs', 'cpu', 'empty_loop', 'frees', 'gc_cycles', 'gc_time', 'heap', 'peak', 'reallocs', 'rss',
    'samples', 'sys', 'uncollected', 'user', 'wall',
}
local DIRECTIONS = { 'lower', 'higher', 'neither' }
local HOOKS = { 'after_all', 'after_each', 'before_all', 'before_each' }

-- How each thing is written when it is written right; the second half of the error messages.
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

---------------------------------------------------------------------------------------------------------------------
-- Places and refusals

local function at(place)
    return place.line and place.source .. ':' .. place.line or place.source
end

-- The name of a chunk as people know it: `@file` and `=name` without their mark, a loaded string by its first line.
local function chunk_name(source)
    local mark = sub(source, 1, 1)
    if mark == '@' or mark == '=' then
        return sub(source, 2)
    end
    return '[string "' .. sub(match(source, '^[^\r\n]*'), 1, 40) .. '"]'
end

-- Where the suite, or a helper module working for it, called this module: the innermost frame that is neither this file
-- nor the driver nor C. A tail call (`return case:run(f)`) leaves no frame of its caller, so that nothing may be found;
-- the last place of this suite is the nearest known then.
local function here(suite)
    local level = 2
    while true do
        local frame = debug_getinfo(level, 'Sl')
        if not frame then
            break
        end
        local source = frame.source
        if frame.currentline > 0 and source ~= THIS_CHUNK and not suite.own[source] then
            suite.last = { source = chunk_name(source), line = frame.currentline }
            return suite.last
        end
        level = level + 1
    end
    return suite.last or { source = suite.name or '?' }
end

local function refuse(place, what, instead)
    error(at(place) .. ': ' .. what .. '; ' .. instead, 0)
end

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

-- Edits (insert, delete, replace, swap of neighbours) between two words: optimal string alignment, O(#a * #b).
local function distance(a, b)
    local before_last, last, row = nil, nil, {}
    for j = 0, #b do
        row[j] = j
    end
    for i = 1, #a do
        before_last, last, row = last, row, { [0] = i }
        for j = 1, #b do
            local cost = byte(a, i) == byte(b, j) and 0 or 1
            row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
            if i > 1 and j > 1 and byte(a, i) == byte(b, j - 1) and byte(a, i - 1) == byte(b, j) then
                row[j] = min(row[j], before_last[j - 2] + 1)
            end
        end
    end
    return row[#b]
end

-- " (did you mean 'x'?)" for a slip of the pen (up to two edits, fewer in short words) or an unfinished word; else "".
local function near(word, known)
    if type(word) ~= 'string' then
        return ''
    end
    local best, fewest = nil, min(2, floor(#word / 3)) + 1
    for i = 1, #known do
        local candidate = known[i]
        local edits = distance(lower(word), candidate)
        if edits >= fewest and #word >= 3 and find(candidate, lower(word), 1, true) then
            edits = fewest - 0.5
        end
        if edits < fewest then
            best, fewest = candidate, edits
        end
    end
    return best and " (did you mean '" .. best .. "'?)" or ''
end

local function sorted_keys(map)
    local keys = {}
    for key in next, map do
        keys[#keys + 1] = key
    end
    -- Keys of several types have no order in Lua; their type first gives one.
    sort(keys, function(a, b)
        local kind_a, kind_b = type(a), type(b)
        if kind_a ~= kind_b then
            return kind_a < kind_b
        end
        if kind_a == 'number' or kind_a == 'string' then
            return a < b
        end
        return tostring(a) < tostring(b)
    end)
    return keys
end

---------------------------------------------------------------------------------------------------------------------
-- Checks of values: each returns what is wrong, or nothing

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

---------------------------------------------------------------------------------------------------------------------
-- Params: { size = { 1, 2 }, kind = 'a' } or { { 'size', { 1, 2 } }, { 'kind', 'a' } } to combinations

local WRITE_PARAMS = "write { size = { 10, 1000 }, kind = 'a' }, or { { 'size', { 10, 1000 } }, { 'kind', 'a' } } "
    .. "to choose the order"

-- The number of elements if `t` is an array without holes, else nil.
local function array_length(t)
    local count = 0
    for key in next, t do
        if type(key) ~= 'number' then
            return nil
        end
        count = count + 1
    end
    for i = 1, count do
        if t[i] == nil then
            return nil
        end
    end
    return count
end

local function value_text(value)
    return type(value) == 'number' and number_text(value) or tostring(value)
end

local function check_value(suite, place, key, value)
    local why
    local kind = type(value)
    if kind == 'number' then
        why = bad_number(suite, value)
    elseif kind == 'string' then
        why = value ~= '' and bad_text(suite, value) or nil
    elseif kind ~= 'boolean' then
        why = 'must be a string, number or boolean, not ' .. shown(suite, value)
    end
    if why then
        refuse(place, "a value of param '" .. key .. "' " .. why, WRITE_PARAMS)
    end
end

-- One axis: its key and every value with the text that identifies it in records and reports.
local function axis(suite, place, key, given)
    local why = bad_text(suite, key)
    if why then
        refuse(place, 'the name of a param ' .. why, WRITE_PARAMS)
    end
    local values = given
    if type(given) ~= 'table' then
        values = { given }
    else
        local length = array_length(given)
        if length == nil or length == 0 then
            local what = length and ' has no values' or ' has a table that is not an array without holes'
            refuse(place, "param '" .. key .. "'" .. what, WRITE_PARAMS)
        end
    end
    local self, seen = { key = key }, {}
    for i = 1, #values do
        check_value(suite, place, key, values[i])
        local text = value_text(values[i])
        if seen[text] then
            refuse(place, "param '" .. key .. "' has the value " .. text .. ' twice', 'write each value once')
        end
        seen[text] = true
        self[i] = { value = values[i], text = text }
    end
    return self
end

local function axes_of_pairs(suite, place, params, count)
    local axes, seen = {}, {}
    for i = 1, count do
        local pair = params[i]
        if type(pair) ~= 'table' or array_length(pair) ~= 2 then
            refuse(place, 'params as a list need pairs { name, value or values }, element ' .. i .. ' is '
                .. shown(suite, pair), WRITE_PARAMS)
        end
        axes[i] = axis(suite, place, pair[1], pair[2])
        if seen[pair[1]] then
            refuse(place, "param '" .. pair[1] .. "' is given twice", 'write all its values in one list')
        end
        seen[pair[1]] = true
    end
    return axes
end

local function axes_of(suite, place, params)
    if type(params) ~= 'table' then
        local what = 'params must be a table, not ' .. shown(suite, params)
        if type(params) == 'function' then
            refuse(place, what, "write measure.describe('name'):" .. WRITE.run)
        end
        refuse(place, what, WRITE_PARAMS)
    end
    local count = array_length(params)
    if count == 0 then
        refuse(place, 'params are empty', "leave them out: measure.describe('name')")
    elseif count then
        return axes_of_pairs(suite, place, params, count)
    end
    local axes = {}
    local keys = sorted_keys(params)
    for i = 1, #keys do
        axes[i] = axis(suite, place, keys[i], params[keys[i]])
    end
    return axes
end

-- Every combination, the last axis varying fastest: { list = { {key, value, text}, … }, map = { key = value } }.
local function combinations(suite, place, params)
    if params == nil then
        return { { list = {}, map = {} } }
    end
    local axes = axes_of(suite, place, params)
    local total = 1
    for i = 1, #axes do
        total = total * #axes[i]
    end
    if total > MOST_COMBINATIONS then
        refuse(place, 'these params make ' .. number_text(total) .. ' cases, at most ' .. MOST_COMBINATIONS
            .. ' are possible', 'give fewer values, or describe fewer combinations')
    end
    local all = {}
    for n = 0, total - 1 do
        local rest, combination = n, { list = {}, map = {} }
        for i = #axes, 1, -1 do
            local chosen = axes[i][rest % #axes[i] + 1]
            rest = floor(rest / #axes[i])
            combination.list[i] = { axes[i].key, chosen.value, chosen.text }
            combination.map[axes[i].key] = chosen.value
        end
        all[n + 1] = combination
    end
    return all
end

local function params_text(combination)
    local parts = {}
    for i = 1, #combination.list do
        parts[i] = combination.list[i][1] .. '=' .. combination.list[i][3]
    end
    return concat(parts, ', ')
end

local function combination_name(declaration, i)
    local text = params_text(declaration.combinations[i])
    return "'" .. declaration.name .. "'" .. (text ~= '' and ' [' .. text .. ']' or '')
end

---------------------------------------------------------------------------------------------------------------------
-- What a case can be told. A declaration is one describe: `name`, `place`, `combinations`, `group`, `tags`, `skips`,
-- `bytes`, `items` (per combination), `given` (function by role) and `places` (of everything that may be said once).

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

---------------------------------------------------------------------------------------------------------------------
-- What the module can be told

local MODULE = {}

-- Objects: the module and every case. `obj.name(...)` and `obj:name(...)` are the same, because a bound function drops
-- its object from the front of its arguments.
local function bound(object, act)
    return function(...)
        if rawequal((...), object) then
            return act(select(2, ...))
        end
        return act(...)
    end
end

local function check_open(suite, place, what)
    if suite.closed then
        refuse(place, what .. ' is called after the file was loaded', 'register cases, hooks and options while it is loaded')
    end
    if suite.plain and type(arg) == 'table' and arg[0] == place.source then
        refuse(place, 'a plain interpreter measures nothing', 'write: etalon run ' .. place.source)
    end
end

local function check_count(place, what, instead, given, most)
    if given > most then
        refuse(place, what .. ' takes at most ' .. most .. (most == 1 and ' argument, not ' or ' arguments, not ') .. given,
            'write ' .. instead)
    end
end

-- tags takes any number; skip and describe take two.
local MOST_ARGUMENTS = { tags = huge, skip = 2, describe = 2 }

local new_case

-- `describe` as a method of a case: the chain goes on only from a case that is complete.
local function chained_describe(suite, declaration)
    return function(...)
        local place = here(suite)
        if not measured(declaration) and next(declaration.skips) == nil then
            refuse(place, "case '" .. declaration.name .. "' (" .. at(declaration.place) .. ') has no run yet',
                'write ' .. WRITE.run .. ' before the next describe')
        end
        return MODULE.describe(suite, ...)
    end
end

local CASE_NAMES = sorted_keys(CASE)
CASE_NAMES[#CASE_NAMES + 1] = 'describe'
sort(CASE_NAMES)

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

function new_case(suite, declaration)
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
        __metatable = 'case',
    })
end

function MODULE.describe(suite, ...)
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

function MODULE.options(suite, ...)
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

local function contains(list, value)
    for i = 1, #list do
        if list[i] == value then
            return true
        end
    end
    return false
end

local function bad_metric_name(suite, name)
    local why = bad_text(suite, name)
    if not why and not find(name, '^[A-Za-z_][A-Za-z0-9_.-]*$') then
        why = "is letters, digits, '_', '.' and '-', beginning with a letter or '_', not " .. shown(suite, name)
    elseif not why and contains(OWN_METRICS, name) then
        why = "'" .. name .. "' is one that etalon measures itself"
    end
    return why
end

function MODULE.metric(suite, ...)
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

-- Two stores into a table that lives as long as the suite, which no compiler can prove useless; with two, neither form
-- of call needs a comparison (`measure:sink(v)` stores the module beside v). No C function: calling one costs more than
-- much of what is measured.
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
    local functions = { _VERSION = 'etalon-measure 0.1.0', sink = sink_into(store) }
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

---------------------------------------------------------------------------------------------------------------------
-- Closing: what can only be known when the whole file was read

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

---------------------------------------------------------------------------------------------------------------------
-- new(environment) -> module, registry
--
-- environment (all optional): `sink`, the table whose elements 1 and 2 hold what measure.sink was last given; `own`, a
-- set of chunk sources (as debug.getinfo gives them) that belong to the driver and are never named as the place of an
-- error; `suite`, the shown name of the file, for the rare error without a place.
--
-- registry, complete once registry.close() returned:
--   options   what was given; `context` always: a table, or a function to be called once per process for it
--   hooks     before_all, after_all, before_each, after_each: only those given
--   cases     in the order described; fields: see `entry`. `params` are { key, value, text }, text being the identity.
--             Calls: setup(context, params_table), teardown(context, params_table), run_with_timer(m, params_table) and
--             run(is_warmup), which is run(is_warmup, params_table) only if `wants_params`
--   metric    set by the driver while a case runs: function(name, value, unit, direction)
local function new(environment)
    environment = environment or {}
    local suite = {
        own = environment.own or {}, name = environment.suite, plain = environment.plain,
        declarations = {}, hook_places = {}, objects = setmetatable({}, { __mode = 'k' }),
    }
    suite.registry = { options = {}, hooks = {}, cases = {} }
    suite.registry.close = function()
        close(suite)
    end
    suite.module = module_table(suite, environment.sink or {})
    suite.objects[suite.module] = 'the module measure'
    return suite.module, suite.registry
end

if type((...)) == 'string' then
    return (new({ plain = true }))
end
return new, sequence
