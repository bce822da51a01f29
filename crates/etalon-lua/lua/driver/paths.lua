-- Paths of a suite, which is executed in a directory of its own but named from where etalon was started.
--
-- Owns the search paths of `require` and how a path is told. Refuses to read files.

if jit then jit.off(true, true) end

local ipairs = ipairs
local find, gsub, match, sub = string.find, string.gsub, string.match, string.sub
local package = package

local paths = {}
local renamed = {} -- beginnings of paths, and what they are where etalon was started

-- A search path whose relative places were meant from where etalon was started.
local function from_caller(path, caller)
    if find(caller, "[;?]") then return path end -- no search path can hold that
    return (gsub(path, "[^;]+", function(place)
        if sub(place, 1, 1) == "/" then return place end
        return caller .. "/" .. gsub(place, "^%./", "")
    end))
end

-- Makes search paths, and messages, independent of the working directory.
function paths.search_from(caller)
    package.path = from_caller(package.path, caller)
    package.cpath = from_caller(package.cpath, caller)
    renamed[#renamed + 1] = { caller .. "/", "" }
end

-- Puts a suite's directory in front of the search path; `name` is what the suite is called.
function paths.search_beside(path, name)
    local directory = match(path, "^(.*)/[^/]*$") or "."
    if directory == "" then directory = "/" end
    renamed[#renamed + 1] = { match(path, "^.*/") or "", match(name, "^.*/") or "" }
    package.path = directory .. "/?.lua;" .. directory .. "/?/init.lua;" .. package.path
end

-- A path as it is where etalon was started.
function paths.named(path)
    for _, pair in ipairs(renamed) do
        local from, to = pair[1], pair[2]
        if from ~= "" and sub(path, 1, #from) == from then return to .. sub(path, #from + 1) end
    end
    return path
end

-- A text with its places (`path:line`, and files that a loader names) as they are there.
function paths.named_in(text)
    text = gsub("\n" .. text, "([^%w%._/%-])([%./][^:%s]-:%d+)", function(before, place)
        return before .. paths.named(place)
    end)
    local function file(before, path) return before .. paths.named(path) end
    text = gsub(gsub(text, "( file ')([^'\n]*)", file), "(cannot open )([^'\n]*)", file)
    return sub(text, 2)
end

return paths
