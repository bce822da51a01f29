-- A worker's first steps in an interpreter of its own: behind the texts of the parts (`sources`, a list of names and
-- texts), which stand before this in one file.
--
-- Owns the choice between the native module and what Lua has without it: standard input for requests, and a pipe for
-- answers. Refuses to leave etalon's descriptors to the suite: the native module closes them; without it they stay.
--
-- Called with the path of the native module, that of the pipe, and the descriptors that were opened for this.

if jit then jit.off(true, true) end

local sources = sources -- luacheck: ignore
local module_path, answers_path, descriptors = ...
local assert, exit, pcall, tonumber = assert, os.exit, pcall, tonumber
local compile = loadstring or load

-- The native module with its channel; nil where this interpreter loads no such module.
local function with_module()
    local open = package.loadlib and package.loadlib(module_path, "luaopen_etalon_native")
    local ok, native = pcall(open)
    if not open or not ok then return nil end
    native.adopt()
    for descriptor in descriptors:gmatch("%d+") do native.close(tonumber(descriptor)) end
    return native
end

-- A channel of what Lua has. What a suite reads from standard input is not etalon's requests.
local function of_streams()
    local requests, answers = io.stdin, assert(io.open(answers_path, "w"))
    local out, err = io.stdout, io.stderr
    io.input("/dev/null")
    io.stdin = io.input()
    local channel = {}
    function channel.read()
        local line = requests:read("*l")
        return line and line .. "\n"
    end
    function channel.write(line)
        answers:write(line)
        answers:flush()
    end
    function channel.flush()
        out:flush()
        err:flush()
    end
    return channel
end

local parts = {}
for index = 1, #sources do
    local name, text = sources[index][1], sources[index][2]
    parts[name] = assert(compile(text, "=etalon/" .. name .. ".lua"))
end
rawset(_G, "arg", nil) -- nginx warns of globals that appear by assignment
parts.native = with_module()
parts.channel = parts.native or of_streams()
-- What stands here would be live as long as its function is, and the texts of all parts with it. So nothing comes back here.
return compile("local parts, exit = ... exit(parts.driver(parts))", "=etalon/boot.lua")(parts, exit)
