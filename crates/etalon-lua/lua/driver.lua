-- The driver: what a worker does with a suite. Runs unchanged on Lua 5.1 to 5.4 and LuaJIT.
--
-- Owns the order of things in a worker: a request is read, carried out, answered (the protocol is
-- described in src/protocol.rs). Its parts: `json`, `sources`, `loops`, `collector`, `calibrate`,
-- `memory`; `measure` is what a suite registers its cases with. Refuses requests out of order, and
-- to let anything a suite does to globals or standard streams reach the answers: all it needs of
-- Lua is taken before the suite is loaded.
--
-- Called with a table: the parts as chunks, `native` (the native module, or nil), `channel` (`read`,
-- `write`, `flush`), and `assertions` (whether Lua was built with them). Returns the worker's exit code.

if jit then jit.off(true, true) end -- the driver leaves no traces among a benchmark's

local parts = ...
local collectgarbage, error, ipairs, pcall = collectgarbage, error, ipairs, pcall
local getmetatable, rawget = debug.getmetatable, rawget -- a metatable may hide itself
local setfenv, tonumber, tostring, type = setfenv, tonumber, tostring, type
local loadstring, load, loadfile = loadstring, load, loadfile
local ceil, floor, max, min = math.ceil, math.floor, math.max, math.min
local concat = table.concat
local find, format, gsub = string.find, string.format, string.gsub
local match, sub = string.match, string.sub
local open, package, global = io.open, package, _G
local jit, version = jit, _VERSION

local native, channel = parts.native, parts.channel

-- A memory reading is of a sample's calls, so that what is allocated now and then (a table that grows)
-- is seen as often as it happens; of at most so many where a sample allocates more than so many bytes:
-- what every call allocates is seen in few calls, and the table of all strings must not grow in them
-- (memory.lua): these bytes are at most 20,000 strings.
local READ_CALLS, READ_BYTES = 10000, 512 * 1024
-- A heap that grew by less since the case was made ready holds traces and the like, and nothing of its calls.
local KEPT_BYTES = 64 * 1024
-- A reading during which a trace was started is repeated at most so often.
local REPEATS = 10
-- The empty loop at the end is timed so often, for so long each; the fastest counts, because
-- nothing can make a loop of nothing faster than it is. 0.02 ms are 600 times the clock's cost, and
-- longer ones were felt in the time of a suite of one case.
local EMPTY_LOOPS, EMPTY_NS = 5, 20000
-- An error says at most so much: more than anybody reads, and far less than a line may have.
local LONGEST_MESSAGE = 4096
-- What warms the caches again after a collection, as a share of a sample's calls. A whole batch was
-- tried: half as many samples fit into a block, and the scatter of blocks was 1.7 times as large.
local REWARM = 1 / 8

local function compile(text, name, environment)
    if not setfenv then return load(text, name, "t", environment or global) end
    local chunk, problem = loadstring(text, name)
    if chunk and environment then setfenv(chunk, environment) end
    return chunk, problem
end

-- All of them now, so that they take what they need of Lua before the suite can change it.
local new_suite, sequence = parts.measure(parts)
local json, loops = parts.json(sequence), parts.loops(compile)
local new_sources, new_collector = parts.sources(compile, native), parts.collector()
local new_calibrate, new_memory = parts.calibrate(), parts.memory()

-- The number of the request under way, which stands before every line: the channel's other end takes no other.
local asked = 0
-- What is known so far. `step` is the last request carried out; `stage` what is under way now, for
-- the message if it fails; `undo` the hooks that are due because their counterparts were called.
local step, stage = "start", "request"
local undo = {}
local module, registry, sources, clock, collector, read_memory
local case, sample, policy, batch, around
local before_all_value, context
local sunk = {} -- where measure.sink puts values
local renamed = {} -- beginnings of paths, and what they are where etalon was started

---------------------------------------------------------------------------------------------------
-- Lines

local function write(fields) channel.write(asked .. " " .. json.object(fields) .. "\n") end

local function say(fields)
    channel.flush()
    write(fields)
end

local function line(kind)
    local fields = {}
    json.put(fields, "type", json.string(kind))
    return fields
end

local function put_number(fields, name, value)
    if value ~= nil then json.put(fields, name, json.number(value)) end
end

local function put_string(fields, name, value)
    if value ~= nil then json.put(fields, name, json.string(tostring(value))) end
end

-- Nanoseconds since the start of the run; nil where the clock does not know.
local function now()
    if not sources.clock.origin then return nil end
    return max(0, floor(sources.clock.origin - sample.started + clock()))
end

-- An observation. `values` are pairs of name and value, in order.
local function observe(phase, turn, at, iterations, values)
    local fields, list = line("observation"), {}
    put_number(fields, "benchmark", sample.benchmark)
    put_string(fields, "phase", phase)
    put_number(fields, "block", sample.block)
    put_number(fields, "turn", turn)
    put_number(fields, "at", at)
    put_number(fields, "iterations", iterations)
    for index = 1, #values, 2 do put_number(list, values[index], values[index + 1]) end
    json.put(fields, "values", json.object(list))
    write(fields)
end

-- For everything timed before the first sample; called when it is over.
local function warmed(calls, spent)
    local at = now()
    observe("warmup", nil, at and max(0, floor(at - spent)), calls, { "wall", spent })
end

---------------------------------------------------------------------------------------------------
-- Loading

local function put_texts(fields, name, list)
    local items = {}
    for index, text in ipairs(list or {}) do items[index] = json.string(tostring(text)) end
    if #items > 0 then json.put(fields, name, json.array(items)) end
end

-- A path as it is where etalon was started.
local function as_named(path)
    for _, pair in ipairs(renamed) do
        local from, to = pair[1], pair[2]
        if from ~= "" and sub(path, 1, #from) == from then return to .. sub(path, #from + 1) end
    end
    return path
end

local function described(entry)
    local fields, params = {}, {}
    put_string(fields, "name", entry.name)
    for _, pair in ipairs(entry.params) do put_string(params, pair[1], pair[3]) end
    if #params > 0 then json.put(fields, "params", json.object(params)) end
    put_string(fields, "group", entry.group)
    put_texts(fields, "tags", entry.tags)
    put_string(fields, "skip", entry.skip)
    put_string(fields, "source", as_named(entry.source))
    put_number(fields, "line", entry.line)
    put_number(fields, "bytes", entry.bytes)
    put_number(fields, "items", entry.items)
    if entry.run_with_timer then json.put(fields, "timer", "true") end
    return json.object(fields)
end

local function runtime()
    local fields = {}
    put_string(fields, "version", jit and jit.version or version)
    put_string(fields, "language", version)
    put_string(fields, "jit", not jit and "none" or jit.status() and "on" or "off")
    put_string(fields, "clock", sources.clock.name)
    put_string(fields, "memory", sources.memory)
    if parts.assertions then json.put(fields, "assertions", "true") end
    return json.object(fields)
end

-- A search path whose relative places were meant from where etalon was started.
local function from_caller(path, caller)
    if find(caller, "[;?]") then return path end -- no search path can hold that
    return (gsub(path, "[^;]+", function(place)
        if sub(place, 1, 1) == "/" then return place end
        return caller .. "/" .. gsub(place, "^%./", "")
    end))
end

-- Makes search paths, and messages, independent of the working directory.
local function search_from(caller)
    package.path = from_caller(package.path, caller)
    package.cpath = from_caller(package.cpath, caller)
    renamed[#renamed + 1] = { caller .. "/", "" }
end

-- A suite, with its directory in front of the search path. Its chunk is called by a path that leads to it
-- from the working directory, as suites look for files beside themselves by it.
local function load_file(path, name)
    local directory = match(path, "^(.*)/[^/]*$") or "."
    if directory == "" then directory = "/" end
    renamed[#renamed + 1] = { match(path, "^.*/") or "", match(name, "^.*/") or "" }
    package.path = directory .. "/?.lua;" .. directory .. "/?/init.lua;" .. package.path
    global.arg = { [0] = path }
    local chunk, problem = loadfile(path)
    if not chunk then error(problem, 0) end
    chunk()
end

-- A chunk that is itself what is measured: as an expression if it is one, as in Lua's prompt. It is
-- checked by itself first, so that it cannot end the function it is put into.
local function load_code(code, name)
    local label = "=" .. name
    local text = "return " .. code
    if not compile(text, label) then
        local valid, problem = compile(code, label)
        if not valid then error(problem, 0) end
        text = code
    end
    local wrapped, problem = compile("return function() " .. text .. "\nend", label)
    if not wrapped then error(problem, 0) end -- `...` is no function's, for example
    registry.cases = { { name = name, params = {}, source = name, line = 1, run = wrapped() } }
end

-- What is never the place of an error: the driver, by the names of its chunks.
local OWN = {}
for _, name in ipairs({ "driver.lua", "loops.lua", "calibrate.lua", "memory.lua", "loop" }) do
    OWN["=etalon/" .. name] = true
end

local function new_measure(suite)
    module, registry = new_suite({ sink = sunk, own = OWN, suite = suite })
    local function opened() return module end
    package.preload["measure"], package.preload["etalon.measure"] = opened, opened
    if native then
        local public = { clock = native.clock, origin = native.origin }
        for _, name in ipairs({ "begin", "resume", "pause", "end" }) do
            public["count_" .. name] = native["count_" .. name]
        end
        package.preload["etalon.native"] = function() return public end
    end
end

local operations = {}

function operations.load(request)
    sources = new_sources(request.clock)
    clock = sources.clock.read
    stage = "load"
    new_measure(request.file or request.name)
    local start = clock()
    if request.caller then search_from(request.caller) end
    if request.file then
        load_file(request.file, request.name)
        registry.close()
    else
        load_code(request.code, request.name)
    end
    local spent = clock() - start
    local fields, cases, options = line("loaded"), {}, {}
    for index, entry in ipairs(registry.cases) do cases[index] = described(entry) end
    for _, name in ipairs({ "warmup", "gc_step", "confidence_level", "rciw" }) do
        put_number(options, name, registry.options and registry.options[name])
    end
    put_number(fields, "ns", spent)
    json.put(fields, "cases", json.array(cases))
    json.put(fields, "options", json.object(options))
    json.put(fields, "runtime", runtime())
    say(fields)
end

---------------------------------------------------------------------------------------------------
-- Hooks

local function hook(name, ...)
    local fn = registry.hooks and registry.hooks[name]
    if not fn then return nil end
    stage = name
    return fn(...)
end

-- Enters what has to be called in the end. It is taken out before it is called, so it is called once.
local function due(fn) undo[#undo + 1] = fn end

local function perform_due()
    while #undo > 0 do
        local fn = undo[#undo]
        undo[#undo] = nil
        fn()
    end
end

local function set_up()
    before_all_value = hook("before_all")
    due(function() hook("after_all", before_all_value) end)
    hook("before_each")
    due(function() hook("after_each") end)
    stage = "setup"
    local given = registry.options and registry.options.context
    if type(given) == "function" then context = given() else context = given end
    local setup = case.setup or case.setup_once
    if setup then setup(context, case.params_table) end
    due(function()
        stage = "teardown"
        if case.teardown then case.teardown(context, case.params_table) end
    end)
end

-- measure.metric: the last value of a name counts.
local function take_metrics()
    local metrics = {}
    registry.metric = function(name, value, unit, direction)
        local entry = metrics[name]
        if not entry then
            entry = { name = name }
            metrics[name] = entry
            metrics[#metrics + 1] = entry
        end
        entry.value, entry.unit, entry.direction = value, unit, direction
    end
    return metrics
end

---------------------------------------------------------------------------------------------------
-- Preparing

local function warm_up(loop, seconds)
    local wanted = seconds * 1e9
    if wanted <= 0 then return 0 end
    -- A few dozen readings show how a function warms up, however long it may.
    local aim, calls, begin = max(sample.batch_ns, wanted / 40), 1, clock()
    repeat
        local start = clock()
        local spent = loop(calls)
        local elapsed = clock() - start
        warmed(calls, spent)
        if elapsed < aim / 2 then
            calls = calls * 2
        elseif elapsed > aim * 2 then
            calls = max(1, floor(calls / 2))
        end
    until clock() - begin >= wanted
    return clock() - begin
end

local function make_batches()
    around = nil
    if sample.case == 0 then
        batch = loops.empty(clock)
        return batch
    end
    if case.run_with_timer then
        local where = format("%s:%s", tostring(case.source), tostring(case.line))
        batch, around = loops.with_timer(case.run_with_timer, case.params_table, where, clock)
        return batch
    end
    local params = case.wants_params and case.params_table or nil
    batch = loops.of(case.run, false, params, clock)
    return loops.of(case.run, true, params, clock)
end

local function start_sampling(request)
    sample = {
        benchmark = request.benchmark, block = request.block, started = request.started,
        case = request.case, batch_ns = request.batch_ns, allocation = request.allocation,
        long_ns = request.long_ns, taken = 0,
    }
    if request.case == 0 then
        case = {}
        return
    end
    case = registry and registry.cases[request.case]
    if not case then error("there is no case " .. tostring(request.case), 0) end
    if case.skip then error("case " .. tostring(request.case) .. " is skipped", 0) end
    sample.metrics = take_metrics()
end

-- Untimed calls before a sample, where everything was collected: one at least, and none of calls so long
-- that cold caches are nothing beside them.
local function rewarming()
    if not policy.rewarm or sample.call > sample.long_ns then return 0 end
    return ceil(sample.calls * REWARM)
end

function operations.prepare(request)
    start_sampling(request)
    collector = new_collector(clock, sample.allocation)
    read_memory = new_memory(native, collector)
    local begin = clock()
    if case.name then set_up() end
    local hooks = clock() - begin
    stage = "warmup"
    local warmup = warm_up(make_batches(), request.warmup)
    stage = "run"
    policy = collector.policy(request.gc_step)
    -- With untimed calls in a sample, both together stay below the limit: as many, for a batch of one.
    local limit = policy.rewarm and sample.allocation / 2 or sample.allocation
    local calibrate = new_calibrate(clock, collector)
    local bounds = { aim = sample.batch_ns, limit = limit, long = sample.long_ns }
    local bytes
    sample.calls, sample.call, bytes = calibrate(batch, bounds, warmed)
    sample.bytes = bytes
    sample.heap = collector.settled()
    policy = collector.policy(request.gc_step) -- it counts from the settled heap
    local collecting = policy.before() or 0
    local fields = line("prepared")
    put_number(fields, "iterations", sample.calls)
    put_number(fields, "call_ns", sample.call)
    put_number(fields, "turn_ns", collecting + (sample.calls + rewarming()) * sample.call)
    put_number(fields, "hooks_ns", hooks)
    put_number(fields, "warmup_ns", warmup)
    say(fields)
end

---------------------------------------------------------------------------------------------------
-- Sampling

local function sum(first, second)
    if first and second then return first + second end
    return first or second
end

local function take(turn)
    local collecting, cycles = policy.before()
    local before = collector.size()
    local untimed = rewarming()
    if untimed > 0 then batch(untimed) end
    local at = now()
    local calls = sample.calls
    local spent = batch(calls)
    local grown = collector.size() - before
    -- Calls that allocate ever more, or more than when they were calibrated.
    if grown > sample.allocation then
        sample.calls = max(1, floor(calls * sample.allocation / grown))
    end
    local more, further = policy.after()
    sample.taken = sample.taken + 1
    local values = { "wall", spent }
    local gc_time, gc_cycles = sum(collecting, more), sum(cycles, further)
    if gc_time then values = { "wall", spent, "gc_time", gc_time, "gc_cycles", gc_cycles } end
    channel.flush()
    observe(nil, turn, at, calls, values)
end

function operations.turn(request)
    stage = "run"
    for turn = request.turn, request.turn + (request.count or 1) - 1 do take(turn) end
end

local function settled_reading(calls)
    for _ = 1, REPEATS do
        local at = now()
        local reading, traced = read_memory(batch, calls, around)
        if not traced then return reading, at end
    end
    local fields = line("note")
    put_string(fields, "about", case.name or "empty loop")
    put_string(fields, "text", format("a trace was still started in the last of %d memory readings; "
        .. "what the compiler allocated for it is in the counts", REPEATS + 1))
    say(fields)
    local at = now()
    return read_memory(batch, calls, around), at
end

function operations.memory(request)
    stage = "run"
    -- Calls that allocated nothing when they were calibrated, and left nothing since, need no more than a few.
    local still = sample.bytes == 0 and collector.settled() - sample.heap < KEPT_BYTES
    local few = still or sample.bytes > READ_BYTES
    local calls = few and min(sample.calls, READ_CALLS) or sample.calls
    channel.flush()
    for turn = 0, request.readings - 1 do
        local reading, at = settled_reading(calls)
        observe(nil, turn, at, calls, {
            "alloc", reading.bytes, "allocs", reading.allocs, "reallocs", reading.reallocs,
            "frees", reading.frees, "peak", reading.peak,
        })
    end
    collector.stop()
    say(line("done"))
end

---------------------------------------------------------------------------------------------------
-- Finishing

-- The largest the process was, in bytes; nil where the system does not say.
local function resident()
    local file = open("/proc/self/status", "r")
    if not file then return nil end
    local text = file:read("*a")
    file:close()
    local kilobytes = match(text or "", "VmHWM:%s*(%d+) kB")
    return kilobytes and tonumber(kilobytes) * 1024 or nil
end

-- What a call takes that does nothing: an iteration of the empty loop, or an empty target with the clock
-- around it.
local function empty_call()
    local loop, calls = loops.empty(clock), 1000
    if case.run_with_timer then
        local function nothing() end
        loop = loops.with_timer(function(m) return m(nothing) end, nil, "driver.lua", clock)
    end
    while loop(calls) < EMPTY_NS and calls < 1e9 do calls = calls * 2 end
    local fastest = loop(calls)
    for _ = 2, EMPTY_LOOPS do fastest = min(fastest, loop(calls)) end
    return fastest / calls
end

local function metric_list()
    local items = {}
    for index, entry in ipairs(sample.metrics or {}) do
        local fields = {}
        put_string(fields, "name", entry.name)
        put_number(fields, "value", entry.value)
        put_string(fields, "unit", entry.unit)
        put_string(fields, "direction", entry.direction)
        items[index] = json.object(fields)
    end
    return json.array(items)
end

function operations.finish()
    stage = "run"
    local rss = resident() -- before anything that only the end needs
    sunk[1], sunk[2] = false, false
    local at = now()
    local uncollected = collector.settled() - sample.heap
    collector.restart()
    perform_due()
    if registry then registry.metric = nil end
    stage = "run"
    observe(nil, nil, at, nil, {
        "heap", sample.heap, "uncollected", uncollected, "rss", rss, "empty_loop", empty_call(),
    })
    local fields = line("finished")
    put_number(fields, "samples", sample.taken)
    json.put(fields, "metrics", metric_list())
    say(fields)
end

---------------------------------------------------------------------------------------------------
-- Requests

-- What may come after what.
local AFTER = {
    load = { start = true },
    prepare = { load = true },
    turn = { prepare = true, turn = true, memory = true },
    memory = { prepare = true, turn = true, memory = true },
    finish = { prepare = true, turn = true, memory = true },
}

local function receive()
    local pieces = {}
    repeat
        local piece = channel.read()
        if not piece then return nil end
        pieces[#pieces + 1] = piece
    until sub(piece, -1) == "\n"
    return concat(pieces)
end

local function carry_out(text)
    stage = "request"
    asked = asked + 1
    local chunk, problem = compile("return " .. text, "=request", {})
    if not chunk then error(problem, 0) end
    local request = chunk()
    local allowed = AFTER[request.op]
    if not allowed or not allowed[step] then
        error(format("`%s` cannot come after `%s`", tostring(request.op), step), 0)
    end
    operations[request.op](request)
    step = request.op
end

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

-- The words of an error.
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

-- A text with its places (`path:line`, and files that a loader names) as they are where etalon was started.
local function with_named_places(text)
    text = gsub("\n" .. text, "([^%w%._/%-])([%./][^:%s]-:%d+)", function(before, place)
        return before .. as_named(place)
    end)
    local function file(before, path) return before .. as_named(path) end
    text = gsub(gsub(text, "( file ')([^'\n]*)", file), "(cannot open )([^'\n]*)", file)
    return sub(text, 2)
end

-- What an error says. One without a place gets that of the case it happened in.
local function message_of(problem)
    local text = words_of(problem)
    if #text > LONGEST_MESSAGE then
        local more = #text - LONGEST_MESSAGE
        text = format("%s... (%d bytes more)", sub(text, 1, LONGEST_MESSAGE), more)
    end
    if case and case.source and not find(text, "^[^\n]-:%d+:") then
        text = format("%s:%s: %s", tostring(case.source), tostring(case.line), text)
    end
    return with_named_places(text)
end

local function fail(problem)
    collectgarbage("restart")
    collectgarbage("collect") -- room for the message, when there was not enough
    local fields = line("failed")
    put_string(fields, "stage", stage)
    put_string(fields, "message", message_of(problem))
    say(fields)
    while #undo > 0 do pcall(perform_due) end
    channel.flush()
    return 1
end

repeat
    local text = receive()
    if not text then return 0 end -- etalon has hung up: nothing more is wanted
    local ok, problem = pcall(carry_out, text)
    if not ok then return fail(problem) end
until step == "finish"
channel.flush()
return 0
