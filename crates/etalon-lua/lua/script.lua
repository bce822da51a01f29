-- A script as the `luajit` program executes it.
--
-- Owns how it is called and what is said of its errors. Refuses to change anything that a script sees.
--
-- Called with the path (nil: standard input) and the arguments in a table, which becomes `arg`. Returns whether the
-- script ended well.

if jit then jit.off(true, true) end

local path, arguments = ...
local stderr = io.stderr
local getmetatable, gsub, loadfile, traceback = debug.getmetatable, string.gsub, loadfile, debug.traceback
local tostring, type, unpack, xpcall = tostring, type, unpack, xpcall

-- What stands below the script in a trace of its calls.
local BELOW = "\n\t%[C%]: in function 'xpcall'\n\tetalon/script%.lua:.*$"

local function explained(problem)
    if type(problem) ~= "string" then
        local meta = getmetatable(problem)
        if not (meta and meta.__tostring) then
            problem = "(error object is a " .. type(problem) .. " value)"
        end
        problem = tostring(problem)
    end
    return (gsub(traceback(problem, 2), BELOW, ""))
end

local function fail(problem)
    stderr:write("etalon lua: ", problem, "\n")
    return false
end

arg = arguments
local chunk, problem = loadfile(path)
if not chunk then return fail(problem) end
local ok, said = xpcall(chunk, explained, unpack(arguments))
return ok or fail(said)
