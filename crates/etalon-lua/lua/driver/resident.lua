-- The memory of the process, as the system sees it.

if jit then jit.off(true, true) end

local open, match, tonumber = io.open, string.match, tonumber

-- The largest the process was, in bytes; nil where the system does not say.
return function()
    local file = open("/proc/self/status", "r")
    if not file then return nil end
    local text = file:read("*a")
    file:close()
    local kilobytes = match(text or "", "VmHWM:%s*(%d+) kB")
    return kilobytes and tonumber(kilobytes) * 1024 or nil
end
