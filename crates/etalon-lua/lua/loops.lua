-- The loops that calls are timed in.
--
-- Owns what is between two readings of the clock. Every loop is compiled from text anew, because a
-- JIT compiler specialises a loop to the function it first saw in it: one loop shared by two
-- functions would make the second one slow. Refuses to subtract anything.
--
-- A batch is a function of a number of calls that returns the time spent in them, in ns.

if jit then jit.off(true, true) end

local compile = ...
local error, format, select, type = error, string.format, select, type

local TIMED = [[
local fn, clock, params = ...
return function(n)
    local start = clock()
    for i = 1, n do fn(%s) end
    return clock() - start
end]]

local EMPTY = [[
local clock = ...
return function(n)
    local start = clock()
    for i = 1, n do end
    return clock() - start
end]]

local loops = {}

-- Calls of `fn(is_warmup)`, or `fn(is_warmup, params)`: an argument nobody takes is not passed.
function loops.of(fn, is_warmup, params, clock)
    local arguments = (is_warmup and "true" or "false") .. (params and ", params" or "")
    return compile(format(TIMED, arguments), "=etalon/loop")(fn, clock, params)
end

-- Calls of nothing.
function loops.empty(clock) return compile(EMPTY, "=etalon/loop")(clock) end

-- Calls of `fn(m, params)`, which has to `return m(target)`: only the calls of `target` are timed, each by
-- itself. The second result sets what stands around a target instead of the clock (`before()`,
-- `after()`), or the clock again.
function loops.with_timer(fn, params, where, clock)
    local token, times, spent = {}, 0, 0
    local before, after
    local function wrong(what)
        error(format("%s: run_with_timer: %s; write `return m(target)` once, as its last statement",
            where, what), 0)
    end
    local function m(target, ...)
        if type(target) ~= "function" then wrong("m was given a " .. type(target)) end
        if select("#", ...) > 0 then wrong("m was given more than a function, which is called with nothing") end
        times = times + 1
        if before then
            before()
            target()
            after()
        else
            local start = clock()
            target()
            spent = spent + (clock() - start)
        end
        return token
    end
    local function batch(n)
        spent = 0
        for _ = 1, n do
            times = 0
            local returned = fn(m, params)
            if times == 0 then wrong("m was not called") end
            if times > 1 then wrong("m was called more than once") end
            if returned ~= token then wrong("what m returned was not returned") end
        end
        return spent
    end
    return batch, function(first, second) before, after = first, second end
end

return loops
