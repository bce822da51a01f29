-- Whether two plain values are the same: numbers bit for bit but for NaN, tables entry by entry, and with the same
-- references shared if `same` is a table.

local function equal(a, b, same)
    if type(a) ~= type(b) then return false end
    if type(a) ~= 'table' then
        if a ~= a then return b ~= b end
        return a == b and (a ~= 0 or 1 / a == 1 / b)
    end
    if same then
        if same[a] then return same[a] == b end
        same[a] = b
    end
    local count = 0
    for key, value in next, a do
        count = count + 1
        if type(key) ~= 'table' and not equal(value, rawget(b, key), same) then return false end
    end
    for _ in next, b do count = count - 1 end
    return count == 0
end

return equal
