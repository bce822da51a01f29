-- Params of a describe: { size = { 1, 2 }, kind = 'a' } or { { 'size', { 1, 2 } }, { 'kind', 'a' } } to combinations.
--
-- Owns: axes, the text that identifies each value in records and reports, and every combination of them.
-- Refuses: to know what a case does with them. Next: case.lua.

local require = type((...)) == 'function' and (...) or require
require('etalon.measure.places').own()

local checks, lists = require('etalon.measure.checks'), require('etalon.measure.lists')
local words = require('etalon.measure.words')
local bad_number, bad_text = checks.bad_number, checks.bad_text
local array_length, sorted_keys = lists.array_length, lists.sorted_keys
local refuse = require('etalon.measure.places').refuse
local number_text, shown, WRITE = words.number_text, words.shown, words.WRITE

local tostring, type = tostring, type
local concat, floor = table.concat, math.floor

-- A case takes seconds: more than this from one describe is a slip, and would fill the memory before anybody sees it.
local MOST_COMBINATIONS = 10000

local WRITE_PARAMS = "write { size = { 10, 1000 }, kind = 'a' }, or { { 'size', { 10, 1000 } }, { 'kind', 'a' } } "
    .. "to choose the order"

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

return { combinations = combinations, combination_name = combination_name }
