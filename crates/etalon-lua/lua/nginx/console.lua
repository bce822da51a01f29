-- What nginx has besides Lua where there is no request to answer: text goes to standard output, and an exit ends the
-- process, as under the `resty` program.
--
-- Owns the functions of `ngx` that would speak to a client. Executed before any other code of nginx's.

local stdout, exit, null = io.stdout, os.exit, ngx.null
local concat, rawequal, select, tostring, type = table.concat, rawequal, select, tostring, type
local maxn = table.maxn

-- A value as nginx would send it: of a table its elements, without anything between them.
local function text_of(value)
    if rawequal(value, null) then return "null" end
    if type(value) ~= "table" then return tostring(value) end
    local pieces = {}
    for index = 1, maxn(value) do pieces[index] = text_of(value[index]) end
    return concat(pieces)
end

local function joined(...)
    local pieces = {}
    for index = 1, select("#", ...) do pieces[index] = text_of((select(index, ...))) end
    return concat(pieces)
end

function ngx.print(...) return stdout:write(joined(...)) end
function ngx.say(...) return stdout:write(joined(...), "\n") end
function ngx.flush() return stdout:flush() end
function ngx.eof() return true end
ngx.exit = exit
print = ngx.say -- luacheck: ignore
