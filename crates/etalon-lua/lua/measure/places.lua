-- Where a suite said something, and the refusal that names it: `file:line: what is wrong; what to write instead`.
--
-- Owns: what is a frame of the module's own and so never a place; every part says first that it is one (`own`).
-- Refuses: to know what may be said, and how values are shown. Next: words.lua.

local debug_getinfo = debug.getinfo
local error = error
local match, sub = string.match, string.sub
local jit_off = type(jit) == 'table' and jit.off

-- The sources of all parts, as debug.getinfo gives them.
local OWN = {}

-- Called by each part first. Its frames are nobody's place, and no traces of it stand among those of the benchmark.
local function own()
    local part = debug_getinfo(2, 'Sf')
    OWN[part.source] = true
    if jit_off then
        jit_off(part.func, true)
    end
end

own()

local function at(place)
    return place.line and place.source .. ':' .. place.line or place.source
end

-- The name of a chunk as people know it: `@file` and `=name` without their mark, a loaded string by its first line.
local function chunk_name(source)
    local mark = sub(source, 1, 1)
    if mark == '@' or mark == '=' then
        return sub(source, 2)
    end
    return '[string "' .. sub(match(source, '^[^\r\n]*'), 1, 40) .. '"]'
end

-- Where the suite, or a helper module working for it, called this module: the innermost frame that is neither the
-- module's nor the driver's nor C. A tail call (`return case:run(f)`) leaves no frame of its caller, so that nothing may
-- be found; the last place of this suite is the nearest known then.
local function here(suite)
    local level = 2
    while true do
        local frame = debug_getinfo(level, 'Sl')
        if not frame then
            break
        end
        local source = frame.source
        if frame.currentline > 0 and not OWN[source] and not suite.own[source] then
            suite.last = { source = chunk_name(source), line = frame.currentline }
            return suite.last
        end
        level = level + 1
    end
    return suite.last or { source = suite.name or '?' }
end

local function refuse(place, what, instead)
    error(at(place) .. ': ' .. what .. '; ' .. instead, 0)
end

return { own = own, at = at, here = here, refuse = refuse }
