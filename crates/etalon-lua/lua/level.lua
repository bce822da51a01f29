-- Whether times stay on one level.
--
-- Owns the rule by which a warm-up ends: of the last eight readings, no four in a row are all below or all above the
-- other four. Eight readings of one level look otherwise in one of 35 cases (two of the 70 ways in which four of eight
-- can be the first), and then four more are taken. Refuses to say why times change.

if jit then jit.off(true, true) end

local HALF = 4

return function()
    local last, count = { 0, 0, 0, 0, 0, 0, 0, 0 }, 0

    local function is_level()
        local low, high, later_low, later_high = last[1], last[1], last[HALF + 1], last[HALF + 1]
        for index = 2, HALF do
            local early, late = last[index], last[HALF + index]
            if early < low then low = early end
            if early > high then high = early end
            if late < later_low then later_low = late end
            if late > later_high then later_high = late end
        end
        return later_low <= high and low <= later_high
    end

    -- Takes a reading; whether times were on one level in the last eight. Looks at every fourth only.
    return function(time)
        for index = 1, 2 * HALF - 1 do last[index] = last[index + 1] end
        last[2 * HALF] = time
        count = count + 1
        return count >= 2 * HALF and count % HALF == 0 and is_level()
    end
end
