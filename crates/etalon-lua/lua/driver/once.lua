-- A script, executed once as it is: nothing is warmed up, repeated or collected while it runs.
--
-- Owns the time of its chunk, and its end: a script may end its process, well or not. Refuses to read what it
-- prints, which is etalon's.

if jit then jit.off(true, true) end

local parts, worker, lines, resident = ...
local collectgarbage, error, loadfile, os, rawset = collectgarbage, error, loadfile, os, rawset
local exit, floor, max = os.exit, math.floor, math.max
local global, ngx = _G, ngx -- luacheck: ignore

local cpu_clock = parts.native and parts.native.cpu_clock
local once = {}

-- Compiles a script, which is the only case; what is wrong with its syntax.
function once.load(registry, path, name)
    rawset(global, "arg", { [0] = path })
    local chunk, problem = loadfile(path)
    if not chunk then return problem end
    registry.cases = { { name = name, params = {}, source = name, line = 1, run = chunk } }
end

-- A script that ends its process without a failure has come to its end, too.
local function at_its_end(ended)
    function os.exit(code, ...)
        if code == nil or code == true or code == 0 then ended() end
        return exit(code, ...)
    end
    if ngx then ngx.exit = os.exit end
end

local function script()
    local case = worker.registry.cases[1]
    if not case then error("there is no script", 0) end
    worker.case, worker.stage = case, "run"
    collectgarbage("collect") -- what the driver left
    return case
end

function once.execute(request)
    local clock, origin = worker.clock.read, worker.clock.origin
    local sample = { benchmark = request.benchmark, block = request.block }
    local case = script()
    local at, began, cpu_began
    local function ended()
        local spent, cpu = clock() - began, cpu_clock and cpu_clock() - cpu_began
        lines.observe(sample, { turn = 0, at = at, iterations = 1 }, "wall", spent, "cpu", cpu)
        lines.observe(sample, {}, "rss", resident())
        lines.say(lines.finished(1))
    end
    at_its_end(ended)
    began = clock()
    at = origin and max(0, floor(origin - request.started + began))
    cpu_began = cpu_clock and cpu_clock()
    case.run()
    ended()
end

-- The script, or nothing for no call, for who counts what a process executes.
function once.count(request)
    local case = script()
    local function ended() lines.say(lines.finished(0)) end
    at_its_end(ended)
    for _ = 1, request.calls do case.run() end
    ended()
end

return once
