-- Where times and sizes come from: the native module, or what Lua has without it.
--
-- Owns the choice and its name, which every report states. A clock gives whole nanoseconds from an
-- origin of its own; `origin` is that origin on CLOCK_MONOTONIC, absent where it is not known.
-- Refuses to mix sources within a process.

if jit then jit.off(true, true) end

local compile, native = ...
local floor, pcall, require = math.floor, pcall, require
local os_clock = os.clock

-- LuaJIT's FFI. A chunk of its own, so that it may be compiled: interpreted it costs ten times as
-- much. The names are its own, so that a suite can declare the C ones.
local FFI = [[
local ffi = require("ffi")
ffi.cdef("typedef struct { long sec; long nsec; } etalon_timespec;"
    .. "int etalon_clock_gettime(int, etalon_timespec *) __asm__(\"clock_gettime\");")
local C, time = ffi.C, ffi.new("etalon_timespec")
local read = C.etalon_clock_gettime
read(1, time)
local seconds = tonumber(time.sec)
return function()
    C.etalon_clock_gettime(1, time)
    return (tonumber(time.sec) - seconds) * 1e9 + tonumber(time.nsec)
end, seconds * 1e9]]

local function from_native()
    if not native then return nil end
    return { name = "native", read = native.clock, origin = native.origin }
end

local function from_ffi()
    if not pcall(require, "ffi") then return nil end
    local ok, read, origin = pcall(compile(FFI, "=etalon/clock"))
    return ok and { name = "ffi", read = read, origin = origin } or nil
end

-- Processor time, in steps of a microsecond: better than nothing.
local function from_os()
    return { name = "os", read = function() return floor(os_clock() * 1e9 + 0.5) end }
end

-- One that stands: a process that asks it does the same in every execution.
local function of_none() return { name = "none", read = function() return 0 end } end

-- `forced`: "ffi", "os" or "none" instead of the best clock.
return function(forced)
    local sources = { memory = native and "allocator" or "count" }
    if forced == "none" then
        sources.clock = of_none()
    elseif forced == "os" then
        sources.clock = from_os()
    elseif forced == "ffi" then
        sources.clock = from_ffi() or from_os()
    else
        sources.clock = from_native() or from_ffi() or from_os()
    end
    return sources
end
