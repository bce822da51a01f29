-- When garbage is collected, so that it does not happen inside a timed batch.
--
-- Owns the three policies of `gc_step`. Each has `before()` and `after()`, called around a sample,
-- which return the time spent collecting in ns and the number of finished cycles (nil: nothing was
-- done), and `rewarm`: whether a sample begins with untimed calls. Between the two the collector
-- is stopped. Refuses to hide a collection: it is timed, and recorded with the sample.

if jit then jit.off(true, true) end

local collectgarbage, max = collectgarbage, math.max
local unpack = table.unpack or unpack

-- A collection that frees less than this has nothing left to do.
local LITTLE = 1024

-- A collection shrinks the stack to little more than what is in use, and the line of a sample would let it grow
-- again: a block for which malloc merges all small free ones, after which calls that allocate took 10 to 20 % longer
-- (5.2). So there is room for twice as many: a turn has some 100 values in use, and its line up to 248.
local STACK, NOTHING = 200, {}
local function below(...)
    collectgarbage("collect")
    return (...) -- 5.1 makes a table of values that nobody names
end
local function collect() below(unpack(NOTHING, 1, STACK)) end

-- Generational collection has no steps worth a name; nobody asks for it here, and a suite that
-- does gets it in the timed calls' absence only.
local function size() return collectgarbage("count") * 1024 end

-- `limit`: bytes of garbage that may pile up.
return function(clock, limit)
    local function full()
        local start = clock()
        collect()
        local spent = clock() - start
        collectgarbage("stop") -- in 5.1 and LuaJIT a collection sets it going
        return spent, 1
    end

    local function nothing() return nil end

    -- 0: everything is collected before each sample, and the caches are warmed again.
    local function every() return { before = full, after = nothing, rewarm = true } end

    -- -1: nothing is collected until `limit` bytes of garbage are reached.
    local function never()
        local settled = size()
        local function before()
            collectgarbage("stop")
            if size() - settled < limit then return nil end
            local spent, cycles = full()
            settled = size()
            return spent, cycles
        end
        return { before = before, after = nothing, rewarm = false }
    end

    -- More: what a sample leaves beyond `step` KB is worked off in steps after it. What is still
    -- there after two finished cycles is not garbage; not every Lua says when a cycle is finished
    -- (5.4 hardly ever), so work for twice the heap counts as that, too.
    local function stepping(step)
        local settled = size()
        local function after()
            local excess = (size() - settled) / 1024 - step
            if excess <= 0 then return nil end
            local portion = max(1, excess - excess % 1)
            local aim, most = settled + step * 1024, 2 * size() / 1024
            local cycles, worked = 0, 0
            local start = clock()
            repeat
                if collectgarbage("step", portion) then cycles = cycles + 1 end
                worked = worked + portion
            until size() <= aim or cycles == 2 or worked >= most
            local spent = clock() - start
            if size() > aim then settled = size() end
            collectgarbage("stop")
            return spent, cycles
        end
        return { before = function() collectgarbage("stop") end, after = after, rewarm = false }
    end

    local collector = { size = size }

    -- The policy of a `gc_step`.
    function collector.policy(step)
        if step == 0 then return every() end
        if step < 0 then return never() end
        return stepping(step)
    end

    -- Collects once.
    collector.once = collect

    -- The size of the heap in bytes when everything is collected. At least twice, because what had a
    -- finaliser is freed by the collection after it, and again while it shrinks: the table of all strings,
    -- which only grows while the collector is stopped, is halved by a collection.
    function collector.settled()
        collectgarbage("collect")
        local before
        repeat
            before = size()
            collect()
        until size() > before - LITTLE
        return size()
    end

    -- Nothing is collected from here on; or again as Lua does it by itself.
    function collector.stop() collectgarbage("stop") end
    function collector.restart() collectgarbage("restart") end

    return collector
end
