-- Tables that a suite gives: their keys in an order, whether they are arrays.
--
-- Owns: the order of what Lua keeps in none. Refuses: to judge what the tables hold. Next: params.lua, options.lua.

local require = type((...)) == 'function' and (...) or require
require('etalon.measure.places').own()

local next, tostring, type = next, tostring, type
local sort = table.sort

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

local function contains(list, value)
    for i = 1, #list do
        if list[i] == value then
            return true
        end
    end
    return false
end

return { sorted_keys = sorted_keys, array_length = array_length, contains = contains }
