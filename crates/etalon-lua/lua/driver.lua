-- The driver: what a worker does with a suite. Runs unchanged on Lua 5.1 to 5.4 and LuaJIT.
--
-- Owns the order of things in a worker: a request is read, carried out, answered (the protocol is
-- described in src/protocol.rs). Its parts: `driver/lines` (what is said), `driver/paths` and `driver/suite`
-- (loading), `driver/hooks`, `driver/once` (a script), `driver/sampling` (a case from preparation to end) with `sources`, `loops`,
-- `collector`, `calibrate`, `level`, `memory`, `traces` and `interpreted`, `driver/errors`; `measure` is what a suite registers its cases
-- with. Refuses requests out of order, and to let anything a suite does to globals or standard streams reach
-- the answers: all it needs of Lua is taken before the suite is loaded.
--
-- Called with a table: the parts as chunks, `native` (the native module, or nil), `channel` (`read`,
-- `write`, `flush`), and `assertions` (whether Lua was built with them). Returns the worker's exit code.

if jit then jit.off(true, true) end -- the driver leaves no traces among a benchmark's

local parts = ...
local collectgarbage, error, pairs, pcall = collectgarbage, error, pairs, pcall
local tonumber, tostring, type = tonumber, tostring, type
local load, loadstring, setfenv = load, loadstring, setfenv
local concat, format, match, sub = table.concat, string.format, string.match, string.sub
local global = _G
local channel = parts.channel
local jit_status = jit and jit.status or function() return nil end

local function compile(text, name, environment)
    if not setfenv then return load(text, name, "t", environment or global) end
    local chunk, problem = loadstring(text, name)
    if chunk and environment then setfenv(chunk, environment) end
    return chunk, problem
end

-- What the parts share: `stage` is what is under way, for the message if it fails; `registry` the suite's cases,
-- `case` the one that is measured; `is_script` whether the only one is a script; `clock` what times it; `compiles` whether the JIT compiler was on when the suite was
-- loaded; `sunk` where measure.sink puts values.
local worker = { stage = "request", sunk = {} }

-- All of them now, so that they take what they need of Lua before the suite can change it.
local new_registry, sequence = parts.measure(parts)
local json = parts.json(sequence)
local lines, paths = parts["driver/lines"](json, channel), parts["driver/paths"]()
local message_of = parts["driver/errors"](paths)
local resident = parts["driver/resident"]()
local once = parts["driver/once"](parts, worker, lines, resident)
local suite = parts["driver/suite"](parts, new_registry, compile, json, lines, paths, once.load)
local new_sources = parts.sources(compile, parts.native)
local traces = parts.traces()
local hooks = parts["driver/hooks"](worker)
local operations = parts["driver/sampling"](parts, worker, { compile = compile, json = json, lines = lines, hooks = hooks,
    paths = paths, traces = traces, resident = resident })
operations.once = once.execute
local count_case = operations.count
function operations.count(request)
    if worker.is_script then return once.count(request) end
    return count_case(request)
end

-- Their chunks are not called again. What is live is marked in every collection while calls are timed, and as much again is
-- allocated between two: with less, a function's garbage stays in the caches that it has without etalon.
for name, part in pairs(parts) do
    if type(part) == "function" then parts[name] = nil end
end

function operations.load(request)
    local sources = new_sources(request.clock)
    worker.clock = sources.clock
    worker.stage = "load"
    if not request.script then traces.watch() end -- a script runs as it is, once
    local registry, spent = suite.load(request, worker.sunk, sources.clock.read)
    if not registry then
        worker.stage = "syntax"
        error(spent, 0)
    end
    worker.registry, worker.is_script = registry, request.script ~= nil
    worker.compiles = jit_status()
    lines.say(suite.loaded(worker.registry, spent, sources))
end

-- What may come after what.
local AFTER = {
    load = { start = true },
    once = { load = true },
    count = { load = true },
    prepare = { load = true },
    turn = { prepare = true, turn = true, memory = true },
    memory = { prepare = true, turn = true, memory = true },
    finish = { prepare = true, turn = true, memory = true },
}

local step = "start" -- the last request carried out

local function receive()
    local piece = channel.read()
    if not piece or sub(piece, -1) == "\n" then return piece end
    local pieces = { piece }
    repeat
        piece = channel.read()
        if not piece then return nil end
        pieces[#pieces + 1] = piece
    until sub(piece, -1) == "\n"
    return concat(pieces)
end

-- A request, which is the text of a table. That of a turn comes between two timed batches, where a chunk that is
-- compiled and freed again would change what the allocator hands out (see `lines.sample`).
local turn = { op = "turn" }
local function read(text)
    local first, name, value = match(text, '^{op="turn",turn=(%d+),?(%a*)=?(%d*)}\n$')
    if first then
        turn.turn, turn.cpu, turn.count = tonumber(first), nil, nil
        if name ~= "" then turn[name] = tonumber(value) end
        return turn
    end
    local chunk, problem = compile("return " .. text, "=request", {})
    if not chunk then error(problem, 0) end
    return chunk()
end

local function carry_out(text)
    worker.stage = "request"
    lines.asked = lines.asked + 1
    local request = read(text)
    local allowed = AFTER[request.op]
    if not allowed or not allowed[step] then
        error(format("`%s` cannot come after `%s`", tostring(request.op), step), 0)
    end
    operations[request.op](request)
    step = request.op
end

local function fail(problem)
    collectgarbage("restart")
    collectgarbage("collect") -- room for the message, when there was not enough
    local fields = lines.of("failed")
    lines.put_string(fields, "stage", worker.stage)
    lines.put_string(fields, "message", message_of(problem, worker.case))
    lines.say(fields)
    while hooks.are_due() do pcall(hooks.perform_due) end
    channel.flush()
    return 1
end

repeat
    local text = receive()
    if not text then return 0 end -- etalon has hung up: nothing more is wanted
    local ok, problem = pcall(carry_out, text)
    if not ok then return fail(problem) end
until step == "finish" or step == "once" or step == "count"
channel.flush()
return 0
