-- What calls allocate, in readings of their own.
--
-- Owns a reading: everything collected, the collector stopped, one pass of the same calls that does
-- not count (buffers and call records get the size they keep), then the calls that count. Nothing of
-- the driver's is allocated in between. Where those found strings of earlier calls, a reading is of calls
-- that could not (`interned`). Refuses to count what a JIT compiler allocates for itself: a reading during
-- which a trace was started says so (`traces`); and what Lua allocates for its table of all strings.

if jit then jit.off(true, true) end

local min, pcall, error = math.min, pcall, error

-- The table of all strings is doubled by whoever makes the one that fills it, and halved by a collection
-- that finds it three quarters empty (by one of LuaJIT's twice). With so many strings for each that a pass
-- may make, room for those of two passes is left then.
local ROOM = 8
-- So many take some 30 ms to make. Beyond them a doubling may be counted; it is less than 16 bytes a string.
local MOST = 200000

local made = 0
local function make_room(strings)
    for _ = 1, min(strings * ROOM, MOST) do
        made = made + 1
        local _ = "etalon makes room " .. made
    end
end

-- A pass that does not count, made as deep in the call stack as the one that does: from 5.2 on a new
-- depth allocates a call record, and a full collection frees it again.
local function rehearse(batch, calls)
    local ok, problem = pcall(batch, calls)
    if not ok then error(problem, 0) end
end

local new_interned, traces = ...

-- `forget` lets go of the results that the last calls handed to the driver.
return function(native, collector, forget)
    -- Calls `batch` counted by the allocator. `around` sets what stands around a timed target; without
    -- it the batch counts as a whole.
    local function counted(batch, calls, around)
        native.count_begin(collector.size())
        local ok, problem
        if around then
            around(native.count_resume, native.count_pause)
            ok, problem = pcall(batch, calls)
            around()
        else
            native.count_resume()
            ok, problem = pcall(batch, calls)
            native.count_pause()
        end
        local bytes, allocations, reallocations, frees, peak, fresh, returned = native.count_end()
        if not ok then error(problem, 0) end
        return {
            calls = calls, bytes = bytes, allocs = allocations, reallocs = reallocations, frees = frees,
            peak = peak, new_bytes = fresh, returned = returned,
        }
    end

    -- The second result is the rehearsal, counted, too; nil if a trace was started in it.
    local function by_allocator(batch, calls, around)
        local known = traces.started()
        local first = counted(batch, calls, around)
        local began = traces.started()
        return counted(batch, calls, around), began == known and first or nil, began
    end

    -- The same from the size of the heap alone: with the collector stopped it only grows.
    local function by_size(batch, calls, around)
        local ok, problem
        local grown, mark = 0, 0
        local began
        if around then
            around(function() mark = collector.size() end,
                function() grown = grown + (collector.size() - mark) end)
            -- Rehearsed with what stands around a target, too: the stack has to be large enough for it.
            ok, problem = pcall(rehearse, batch, calls)
            grown, began = 0, traces.started()
            if ok then ok, problem = pcall(batch, calls) end
            around()
        else
            rehearse(batch, calls)
            began = traces.started()
            mark = collector.size()
            ok, problem = pcall(batch, calls)
            grown = collector.size() - mark
        end
        if not ok then error(problem, 0) end
        return { calls = calls, bytes = grown, peak = collector.size() }, nil, began
    end

    -- `reader(batch, calls, around)`, and whether a trace was started meanwhile, after its rehearsal if it tells
    -- how many there had been then.
    local function watched(reader, batch, calls, around)
        traces.insist()
        local before = traces.started()
        local reading, first, began = reader(batch, calls, around)
        return reading, traces.started() ~= (began or before), first
    end

    local interned = new_interned(counted, collector, forget)

    local function read(batch, calls, around)
        interned.renew(collector.settled)
        local reader = native and by_allocator or by_size
        local reading, traced, first = watched(reader, batch, calls, around)
        if traced or not reading.frees or reading.frees == 0 then return reading, traced, first end
        -- With the collector stopped, only tables that grow free anything: the calls' own, or that of
        -- strings, of which there were at most as many as allocations.
        make_room(reading.allocs)
        interned.renew(collector.once)
        return watched(reader, batch, calls, around)
    end

    -- One reading; the second result is whether a trace was started during it. `singles`: how many calls
    -- are looked at alone.
    return function(batch, calls, around, singles)
        local reading, traced, first = read(batch, calls, around)
        if traced or not native then return reading, traced end
        if calls == 1 and singles == 1 then -- a long one, which was made twice already
            local finds = first and first.allocs > reading.allocs
            return finds and interned.found(first, reading) or reading, false
        end
        local known = { reading = reading, singles = singles }
        local renewed, compiled = watched(interned.among, batch, known, around)
        return renewed or reading, compiled
    end
end
