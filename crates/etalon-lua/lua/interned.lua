-- Calls that find their results in memory.
--
-- Owns telling them apart. Lua keeps one copy of equal strings, so a call that makes a string of which an
-- equal one was not collected yet allocates nothing for it: while the collector is stopped, a formatter of one
-- value seems to allocate nothing. Single calls, each after a collection, are held against single calls
-- without one; a call alone is not compiled like one of many, so neither is held against a batch. Refuses to
-- take anything for a string but new blocks: a collection lets buffers and stacks shrink, which then grow again.

if jit then jit.off(true, true) end

local ipairs, rep = ipairs, string.rep
local huge, max, min = math.huge, math.max, math.min

-- A collection frees call records (from 5.2 on) and a buffer (in 5.2). Calls within calls up to so deep find
-- some again,
local DEPTH = 200
-- and so does what joins strings of so many bytes.
local JOINED = 64
-- At least this share of the calls has to allocate more when nothing is found: some calls of many do for other
-- reasons (a table that grows now and then). So must three calls: of four, one that does is no share.
local SHARE, LEAST = 1 / 4, 3

local ADDED = { "bytes", "new_bytes", "allocs", "reallocs", "frees", "returned" }

local function deepen(levels)
    if levels > 0 then
        local _ = deepen(levels - 1)
    end
    return levels
end

-- `count(batch, calls, around)`: a reading without a rehearsal; `forget`: see memory.lua.
return function(count, collector, forget)
    -- After `collect()`, everything that a call could find is gone, and what it works in is there.
    local function renew(collect)
        forget()
        collect()
        collector.stop()
        deepen(DEPTH)
        local _ = rep("e", JOINED) .. "."
    end

    -- So many calls, each counted alone, with `before()` ahead of it: what they allocate together, and the
    -- allocations of each.
    local function alone(batch, calls, around, before)
        local sum = { calls = calls, each = {}, most = 0, fewest = huge, peak = 0 }
        for _, name in ipairs(ADDED) do sum[name] = 0 end
        for index = 1, calls do
            before()
            local reading = count(batch, 1, around)
            for _, name in ipairs(ADDED) do sum[name] = sum[name] + reading[name] end
            sum.each[index] = reading.allocs
            sum.most, sum.fewest = max(sum.most, reading.allocs), min(sum.fewest, reading.allocs)
        end
        return sum
    end

    local interned = { renew = renew }

    -- What as many calls allocate as were counted, with the new blocks of those that found nothing; `interned` of it
    -- are the bytes that those of `again` did without.
    function interned.found(fresh, again)
        local bytes = fresh.new_bytes - again.new_bytes
        return {
            calls = again.calls, bytes = again.bytes + bytes, allocs = fresh.allocs, reallocs = again.reallocs,
            frees = again.frees, peak = again.peak, interned = bytes, returned = again.returned,
        }
    end

    -- `found` of so many single calls (`known.singles`); nil if they find nothing. `known.reading` is of as many as in
    -- a sample.
    function interned.among(batch, known, around)
        local reading, calls = known.reading, known.singles
        local fresh = alone(batch, calls, around, function() renew(collector.once) end)
        if fresh.allocs * reading.calls <= reading.allocs * calls then return nil end
        batch(reading.calls) -- whatever there is to find is there
        local again = alone(batch, calls, around, function() end)
        again.peak = reading.peak
        local more = 0
        for index = 1, calls do
            if fresh.each[index] > again.most then more = more + 1 end
        end
        if fresh.fewest < again.most or more < min(calls, max(LEAST, calls * SHARE)) then return nil end
        return interned.found(fresh, again)
    end

    return interned
end
