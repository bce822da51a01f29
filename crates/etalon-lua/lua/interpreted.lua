-- How many instructions a call leaves to the interpreter, beside a JIT compiler.
--
-- Owns a count of its own, apart from every timed sample: Lua's count hook is called for interpreted instructions and
-- never in compiled code. Twice as many calls are held against a number of them, so that what a batch takes by itself
-- is in neither. Refuses to count where the suite has a hook of its own.

if jit then jit.off(true, true) end

local gethook, sethook = debug and debug.gethook, debug and debug.sethook
local ceil, floor, max, min = math.ceil, math.floor, math.max, math.min
local error, pcall = error, pcall

-- A call of the hook takes as long as some hundred instructions: so many are counted at most, if an instruction takes
-- a nanosecond or more, and beyond them each hundredth (or so) instead of each.
local MOST = 10000
local CALLS = 100

local counted, counting = 0, true
local function on_count()
    if counting then counted = counted + 1 end
end
local function resume() counting = true end
local function pause() counting = false end

local function instructions(batch, calls, step)
    counted = 0
    sethook(on_count, "", step)
    local ok, problem = pcall(batch, calls)
    sethook()
    if not ok then error(problem, 0) end
    return counted * step
end

-- By a call that takes so many ns. `around`: see memory.lua; what it takes itself is counted with it.
return function(batch, call, around)
    if not gethook or gethook() then return nil end
    local calls = max(1, min(CALLS, floor(MOST / max(call, 1))))
    local step = max(1, ceil(call * calls / MOST))
    if around then
        counting = false
        around(resume, pause)
    end
    local ok, once, twice = pcall(function()
        return instructions(batch, calls, step), instructions(batch, 2 * calls, step)
    end)
    if around then around() end
    counting = true
    if not ok then error(once, 0) end
    return max(0, twice - once) / calls
end
