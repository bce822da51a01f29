-- What was probably meant: the known name nearest to one that is not known.
--
-- Owns: how near is near enough to ask. Refuses: to correct anything. Next: its users, options.lua, describe.lua,
-- module.lua.

local require = type((...)) == 'function' and (...) or require
require('etalon.measure.places').own()

local type = type
local byte, find, lower = string.byte, string.find, string.lower
local floor, min = math.floor, math.min

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

return { near = near }
