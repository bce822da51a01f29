-- What an error says.
--
-- Owns the words of anything a suite may throw, and the place they get. Refuses to call what hides its words.

if jit then jit.off(true, true) end

local paths = ...
local ipairs, pcall, tostring, type = ipairs, pcall, tostring, type
local getmetatable, rawget = debug.getmetatable, rawget -- a metatable may hide itself
local find, format, sub = string.find, string.format, string.sub

-- An error says at most so much: more than anybody reads, and far less than a line may have.
local LONGEST_MESSAGE = 4096

-- What a table says that is thrown and has no words of its own.
local function fields_of(problem)
    local text = "(error object is a table value)"
    for _, name in ipairs({ "message", "msg", "code" }) do
        local value = rawget(problem, name)
        if type(value) == "string" or type(value) == "number" then
            text = format("%s %s = %s", text, name, tostring(value))
        end
    end
    return text
end

local function words_of(problem)
    if type(problem) == "string" then return problem end
    local meta = getmetatable(problem)
    if type(problem) == "table" and not (meta and rawget(meta, "__tostring")) then
        return fields_of(problem)
    end
    local known, text = pcall(tostring, problem)
    if not known or type(text) ~= "string" then return "an error without words" end
    if type(problem) == "table" then return text end
    return format("(error object is a %s value) %s", type(problem), text)
end

-- What stands behind the places where a module was looked for: reports show the first line of an error and the last.
local MODULES = "\n\tetalon's own module is 'measure'; others are looked for beside the suite first, then where "
    .. "LUA_PATH and LUA_CPATH say"

-- The message of an error. One without a place gets that of the case it happened in.
return function(problem, case)
    local text = words_of(problem)
    if #text > LONGEST_MESSAGE then
        local more = #text - LONGEST_MESSAGE
        text = format("%s... (%d bytes more)", sub(text, 1, LONGEST_MESSAGE), more)
    end
    if find(text, "module '[^'\n]+' not found:") then text = text .. MODULES end
    if case and case.source and not find(text, "^[^\n]-:%d+:") then
        text = format("%s:%s: %s", tostring(case.source), tostring(case.line), text)
    end
    return paths.named_in(text)
end
