-- How many calls make a batch.
--
-- Owns the search for a number of calls that takes about `aim` ns and allocates at most `limit`
-- bytes: doubled until a batch takes long enough, then scaled, then checked. One call if a call takes
-- longer or allocates more; a single one is made if it takes longer than `long` ns. Everything it times
-- is told to `timed(calls, ns)`.

if jit then jit.off(true, true) end

local floor, max, min = math.floor, math.max, math.min

-- A batch is long enough to scale from when it is a quarter of the aim.
local ENOUGH = 1 / 4
-- A number of calls within these shares of the wanted one stays: batches of 2 to 5 ms for 3.
local SHORT, LONG = 2 / 3, 5 / 3
-- Scaled at most so often; a function whose cost jumps about has no right number.
local TRIES = 6
-- A JIT compiler tries a loop's exit ten times and gives up after four attempts to compile it; these
-- short batches take that out of the first samples.
local EXITS = 40

return function(clock, collector)
    -- Returns the number of calls, what one takes (elapsed, not only what is timed), and what all of them
    -- allocate.
    return function(batch, bounds, timed)
        local aim, limit, long = bounds.aim, bounds.limit, bounds.long
        local garbage = 0

        -- One batch with the collector stopped: elapsed ns, and bytes allocated. Garbage is thrown away
        -- when the next batch might exceed the limit with it.
        local function observe(calls)
            if garbage >= limit then
                collector.settled()
                garbage = 0
            end
            collector.stop()
            local before = collector.size()
            local start = clock()
            local spent = batch(calls)
            local elapsed = clock() - start
            local bytes = max(0, collector.size() - before)
            timed(calls, spent)
            garbage = garbage + bytes
            return elapsed, bytes
        end

        -- The same, the faster one of two where it looks long enough: a batch that was interrupted
        -- would make all later ones too short.
        local function steady(calls)
            local elapsed, bytes = observe(calls)
            if elapsed < aim * ENOUGH or elapsed > long then return elapsed, bytes end
            local again, more = observe(calls)
            return min(elapsed, again), min(bytes, more)
        end

        local calls = 1
        local elapsed, bytes = steady(calls)
        while elapsed < aim * ENOUGH and bytes * 2 <= limit do
            calls = calls * 2
            elapsed, bytes = steady(calls)
        end
        for _ = 1, TRIES do
            local wanted = elapsed > 0 and calls * aim / elapsed or calls * 2
            local allowed = bytes > 0 and calls * limit / bytes or wanted
            local better = max(1, floor(min(wanted, allowed)))
            if better >= calls * SHORT and better <= calls * LONG and calls <= allowed then break end
            if better == calls then break end
            calls = better
            elapsed, bytes = steady(calls)
        end

        local call = elapsed / calls
        local short = min(100, floor(aim / 2 / EXITS / max(call, 0.1)))
        if short >= 2 then
            local sum = 0
            for _ = 1, EXITS do sum = sum + batch(short) end
            timed(short * EXITS, sum)
        end
        return calls, call, bytes
    end
end
