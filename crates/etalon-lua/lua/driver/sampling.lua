-- One case: made ready, sampled, its memory read, finished.
--
-- Owns the order of warm-up, calibration, collections and timed batches, and what is recorded of each.
-- Refuses to subtract anything, and to time what it does itself.

if jit then jit.off(true, true) end

local parts, worker, shared = ...
local compile, json, lines, hooks = shared.compile, shared.json, shared.lines, shared.hooks
local named, resident, traces = shared.paths.named, shared.resident, shared.traces
local error, ipairs, tostring = error, ipairs, tostring
local ceil, floor, max, min = math.ceil, math.floor, math.max, math.min
local format, sort = string.format, table.sort
local jit_status = jit and jit.status or function() return nil end

local native, channel = parts.native, parts.channel
local loops = parts.loops(compile)
local new_collector = parts.collector()
local new_calibrate, new_memory = parts.calibrate(), parts.memory(parts.interned(), traces)
local interpreted = parts.interpreted()
local new_level = parts.level()
local observe = lines.observe

-- A memory reading is of a sample's calls, so that what is allocated now and then (a table that grows)
-- is seen as often as it happens; of at most so many where a sample allocates more than so many bytes:
-- what every call allocates is seen in few calls, and the table of all strings must not grow in them
-- (memory.lua): these bytes are at most 20,000 strings.
local READ_CALLS, READ_BYTES = 10000, 512 * 1024
-- A heap that grew by less since the case was made ready holds traces and the like, and nothing of its calls.
local KEPT_BYTES = 64 * 1024
-- So many calls are looked at alone for results that they find (interned.lua); fewer where so many collections
-- take longer than this, in ns, and one of calls that are made as rarely as can be.
local SINGLES, FEW_SINGLES, SINGLES_NS = 16, 4, 40e6
-- A reading during which a trace was started is repeated at most so often.
local REPEATS = 10
-- The empty loop at the end is timed so often, for so long each; the fastest counts, because
-- nothing can make a loop of nothing faster than it is. 0.02 ms are 600 times the clock's cost, and
-- longer ones were felt in the time of a suite of one case.
local EMPTY_LOOPS, EMPTY_NS = 5, 20000
-- What warms the caches again after a collection, as a share of a sample's calls. A whole batch was
-- tried: half as many samples fit into a block, and the scatter of blocks was 1.7 times as large.
local REWARM = 1 / 8
-- A case is warm from the first batch that takes at most so many times the median sample, per call. So many samples
-- are looked at.
local WARM, LOOKED_AT = 1.25, 64

local clock, cpu_clock, origin, collector, read_memory
local sample, policy, batch, around

-- Nanoseconds since the start of the run; nil where the clock does not know.
local function now()
    if not origin then return nil end
    return max(0, floor(origin - sample.started + clock()))
end

-- For everything timed before the first sample; called when it is over.
local function warmed(calls, spent)
    local at = now()
    sample.warmups[#sample.warmups + 1] = { calls, spent }
    observe(sample, { phase = "warmup", at = at and at - spent, iterations = calls }, "wall", spent)
end

---------------------------------------------------------------------------------------------------
-- Preparing

-- Untimed calls before a sample, where everything was collected: one at least, and none of calls so long
-- that cold caches are nothing beside them.
local function rewarming()
    if not policy.rewarm or sample.call > sample.long_ns then return 0 end
    return ceil(sample.calls * REWARM)
end

-- Fewer calls are a sample where calls allocate ever more, or more than when they were calibrated.
local function fit(calls, grown)
    if grown > sample.allocation then
        sample.calls = max(1, floor(calls * sample.allocation / grown))
    end
end

-- Batches of about `aim` ns until `is_enough(ns of the whole, a call's, of a batch)` says so.
local function warm_up(loop, aim, is_enough)
    local calls, begin = 1, clock()
    repeat
        local start = clock()
        local spent = loop(calls)
        local elapsed = clock() - start
        warmed(calls, spent)
        local enough = is_enough(clock() - begin, spent / calls, elapsed)
        if elapsed < aim / 2 then
            calls = calls * 2
        elseif elapsed > aim * 2 then
            calls = max(1, floor(calls / 2))
        end
    until enough
    return clock() - begin
end

-- As long as somebody asked for.
local function warm_up_for(loop, seconds)
    local wanted = seconds * 1e9
    if wanted <= 0 then return 0 end
    -- A few dozen readings show how a function warms up, however long it may.
    return warm_up(loop, max(sample.batch_ns, wanted / 40), function(all) return all >= wanted end)
end

-- Until batches, a quarter as long as a sample, take the same time; calls that are made as rarely as can be get a
-- third of the time.
local function warm_up_until_level(loop, limit)
    local aim, add = sample.batch_ns / 4, new_level()
    return warm_up(loop, aim, function(all, call, elapsed)
        local level = elapsed >= aim / 2 and add(call)
        return level or all >= limit or call > sample.long_ns and all >= limit / 3
    end)
end

-- A process goes on to change with what surrounds a sample: the heap grows to what batches and collections make of it.
-- So batches like those of samples are taken until they, too, are on one level, or the time is up; whether they were.
local function settle(limit)
    local add, begin = new_level(), clock()
    local level = false
    while not level and clock() - begin < limit do
        policy.before()
        local untimed = rewarming()
        if untimed > 0 then batch(untimed) end
        local before, calls = collector.size(), sample.calls
        local spent = batch(calls)
        fit(calls, collector.size() - before)
        policy.after()
        traces.settle(named)
        warmed(calls, spent)
        level = add(spent / calls)
    end
    return level, clock() - begin
end

-- Lets go of what the calls gave to measure.sink.
local function forget() worker.sunk[1], worker.sunk[2] = false, false end

-- Makes the case's batch; what warms it up.
local function make_batches()
    around, cpu_clock = nil, native and native.cpu_clock
    if sample.case == 0 then
        batch = loops.empty(clock)
        return batch
    end
    local case = worker.case
    if case.run_with_timer then
        local where = format("%s:%s", tostring(case.source), tostring(case.line))
        cpu_clock = nil -- it would count what stands around the targets, too
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
        long_ns = request.long_ns, taken = 0, compiling = 0, warmups = {}, times = {},
    }
    for index = 1, LOOKED_AT do sample.times[index] = 0 end -- it must not grow between samples
    if request.case == 0 then
        worker.case = {}
        return
    end
    local registry = worker.registry
    local case = registry and registry.cases[request.case]
    if not case then error("there is no case " .. tostring(request.case), 0) end
    worker.case = case
    if case.skip then error("case " .. tostring(request.case) .. " is skipped", 0) end
    sample.metrics = hooks.take_metrics()
end

-- Once in a process: what reading the driver and the suite left is collected, and its blocks are not used again (see
-- the native module).
local is_laid_out = not native
local function lay_out()
    if is_laid_out then return end
    is_laid_out = true
    collector.settled()
    native.fill_holes()
end

local sampling = {}

function sampling.prepare(request)
    clock, origin = worker.clock.read, worker.clock.origin
    start_sampling(request)
    collector = new_collector(clock, sample.allocation)
    read_memory = new_memory(native, collector, forget)
    lay_out()
    local begin = clock()
    if worker.case.name then hooks.set_up() end
    local hooks_ns = clock() - begin
    worker.stage = "warmup"
    traces.restart()
    local warming, limit_ns = make_batches(), request.warmup * 1e9
    local warmup = request.until_level and warm_up_until_level(warming, limit_ns)
        or warm_up_for(warming, request.warmup)
    worker.stage = "run"
    policy = collector.policy(request.gc_step)
    -- With untimed calls in a sample, both together stay below the limit: as many, for a batch of one.
    local limit = policy.rewarm and sample.allocation / 2 or sample.allocation
    local calibrate = new_calibrate(clock, collector)
    local bounds = { aim = sample.batch_ns, limit = limit, long = sample.long_ns }
    sample.calls, sample.call, sample.bytes = calibrate(batch, bounds, warmed)
    traces.settle(named)
    sample.heap = collector.settled()
    policy = collector.policy(request.gc_step) -- it counts from the settled heap
    if request.until_level and sample.call <= sample.long_ns then
        local spent
        sample.level, spent = settle(limit_ns - warmup)
        warmup = warmup + spent
        sample.heap = collector.settled()
        policy = collector.policy(request.gc_step)
    end
    local collecting = policy.before() or 0
    local fields = lines.of("prepared")
    lines.put_number(fields, "iterations", sample.calls)
    lines.put_number(fields, "call_ns", sample.call)
    lines.put_number(fields, "turn_ns", collecting + (sample.calls + rewarming()) * sample.call)
    lines.put_number(fields, "hooks_ns", hooks_ns)
    lines.put_number(fields, "warmup_ns", warmup)
    lines.say(fields)
end

---------------------------------------------------------------------------------------------------
-- Sampling

local function sum(first, second)
    if first and second then return first + second end
    return first or second
end

-- What is said of a sample; used again, so that nothing is allocated between two samples.
local place = { turn = 0, at = 0, iterations = 0, cpu = 0 }
local values = { wall = 0, cpu = 0, rewarm = 0, gc_time = 0, gc_cycles = 0 }

local function take(turn, cpu)
    if cpu and native then native.go_to(cpu) end
    local collecting, cycles = policy.before()
    local before = collector.size()
    local untimed = rewarming()
    local rewarm = untimed > 0 and batch(untimed) or nil
    local at = now()
    local calls = sample.calls
    local cpu_before = cpu_clock and cpu_clock()
    local begun = traces.started()
    local spent = batch(calls)
    local cpu_time = cpu_clock and cpu_clock() - cpu_before
    if traces.started() ~= begun then sample.compiling = sample.compiling + 1 end
    local grown = collector.size() - before
    fit(calls, grown)
    local more, further = policy.after()
    sample.taken = sample.taken + 1
    if sample.taken <= LOOKED_AT then sample.times[sample.taken] = spent / calls end
    traces.settle(named)
    -- Where calls leave nothing behind, later ones find what the first ones found.
    if sample.bytes == 0 then rewarm = nil end
    local gc_time, gc_cycles = sum(collecting, more), sum(cycles, further)
    channel.flush()
    place.turn, place.at, place.iterations, place.cpu = turn, at, calls, native and native.cpu()
    values.wall, values.cpu, values.rewarm = spent, cpu_time, rewarm
    values.gc_time, values.gc_cycles = gc_time, gc_cycles
    lines.sample(sample, place, values)
end

function sampling.turn(request)
    worker.stage = "run"
    for turn = request.turn, request.turn + (request.count or 1) - 1 do take(turn, request.cpu) end
end

local function note(text)
    local fields = lines.of("note")
    lines.put_string(fields, "about", worker.case.name or "empty loop")
    lines.put_string(fields, "text", text)
    lines.say(fields)
end

-- How many calls are looked at alone.
local function singles()
    if sample.call > sample.long_ns then return 1 end
    local start = clock()
    collector.once()
    return (clock() - start) * SINGLES > SINGLES_NS and FEW_SINGLES or SINGLES
end

-- Instructions of a call that are not compiled, without those that stand around a timed target.
local function left_to_interpreter()
    if sample.call > sample.long_ns then return nil end
    local of_calls = interpreted(batch, sample.call, around)
    if not around or not of_calls then return of_calls end
    local function nothing() end
    local idle, around_idle = loops.with_timer(function(m) return m(nothing) end, nil, "driver.lua", clock)
    return max(0, of_calls - interpreted(idle, 1, around_idle))
end

local function settled_reading(calls, alone)
    for _ = 1, REPEATS do
        local at = now()
        local reading, traced = read_memory(batch, calls, around, alone)
        if not traced then return reading, at end
    end
    note(format("a trace was still started in the last of %d memory readings; "
        .. "what the compiler allocated for it is in the counts", REPEATS + 1))
    local at = now()
    return read_memory(batch, calls, around, alone), at
end

function sampling.memory(request)
    worker.stage = "run"
    -- Calls that allocated nothing when they were calibrated, and left nothing since, need no more than a few.
    local still = sample.bytes == 0 and collector.settled() - sample.heap < KEPT_BYTES
    local few = still or sample.bytes > READ_BYTES
    local calls = few and min(sample.calls, READ_CALLS) or sample.calls
    local alone = singles()
    local left = traces.watching and worker.compiles and left_to_interpreter() or nil
    channel.flush()
    for turn = 0, request.readings - 1 do
        local reading, at = settled_reading(calls, alone)
        observe(sample, { turn = turn, at = at, iterations = reading.calls },
            "alloc", reading.bytes, "allocs", reading.allocs, "reallocs", reading.reallocs,
            "frees", reading.frees, "peak", reading.peak, "interned", reading.interned,
            "returned", reading.returned ~= 0 and reading.returned or nil,
            "interpreted", left and left * reading.calls)
    end
    collector.stop()
    lines.say(lines.of("done"))
end

---------------------------------------------------------------------------------------------------
-- Counting from outside

-- So many calls, for who counts what a process executes: what it does depends on no clock, and nothing is warmed up. The
-- collector is as in a sample.
function sampling.count(request)
    clock = worker.clock.read
    start_sampling(request)
    collector = new_collector(clock, request.allocation)
    if worker.case.name then hooks.set_up() end
    worker.stage = "run"
    make_batches()
    collector.settled()
    collector.policy(request.gc_step).before()
    batch(request.calls)
    collector.restart()
    hooks.perform_due()
    lines.say(lines.finished(0))
end

---------------------------------------------------------------------------------------------------
-- Finishing

-- What a call takes that does nothing: an iteration of the empty loop, or an empty target with the clock
-- around it.
local function empty_call()
    local loop, calls = loops.empty(clock), 1000
    if worker.case.run_with_timer then
        local function nothing() end
        loop = loops.with_timer(function(m) return m(nothing) end, nil, "driver.lua", clock)
    end
    while loop(calls) < EMPTY_NS and calls < 1e9 do calls = calls * 2 end
    local fastest = loop(calls)
    for _ = 2, EMPTY_LOOPS do fastest = min(fastest, loop(calls)) end
    return fastest / calls
end

-- How many calls a case makes until it is warm; nil where the warm-up ended before.
local function calls_until_warm()
    local times = {}
    for index = 1, min(sample.taken, LOOKED_AT) do times[index] = sample.times[index] end
    sort(times)
    local steady, calls = times[ceil(#times / 2)], 0
    for _, warmup in ipairs(sample.warmups) do
        if not steady or warmup[2] / warmup[1] <= steady * WARM then return steady and calls end
        calls = calls + warmup[1]
    end
end

local function abort_list()
    local items = {}
    for index, entry in ipairs(traces.aborts()) do
        local fields = {}
        lines.put_string(fields, "reason", entry.reason)
        lines.put_string(fields, "at", entry.at)
        lines.put_number(fields, "count", entry.count)
        items[index] = json.object(fields)
    end
    return json.array(items)
end

local function metric_list()
    local items = {}
    for index, entry in ipairs(sample.metrics or {}) do
        local fields = {}
        lines.put_string(fields, "name", entry.name)
        lines.put_number(fields, "value", entry.value)
        lines.put_string(fields, "unit", entry.unit)
        lines.put_string(fields, "direction", entry.direction)
        items[index] = json.object(fields)
    end
    return json.array(items)
end

-- Hooks and calls may switch the compiler, and take the events that etalon counts.
local function note_compiler(counted)
    local now_on = jit_status()
    if now_on ~= worker.compiles then
        note(now_on and "measured with JIT=on, which its hooks or calls switched on"
            or "measured with JIT=off, which its hooks or calls switched off")
    end
    if now_on and not counted then
        note("its compiler's traces are not counted: the suite has a handler of its own for them (jit.attach)")
    end
end

function sampling.finish()
    worker.stage = "run"
    local rss = resident() -- before anything that only the end needs
    forget()
    traces.settle(named)
    -- Of a compiler that is off there is nothing to count, and the record says that it is.
    local counted = (worker.compiles or jit_status()) and traces.counted()
    note_compiler(counted)
    counted = counted or {}
    local at = now()
    local uncollected = collector.settled() - sample.heap
    collector.restart()
    hooks.perform_due()
    if worker.registry then worker.registry.metric = nil end
    worker.stage = "run"
    observe(sample, { at = at },
        "heap", sample.heap, "uncollected", uncollected, "rss", rss, "empty_loop", empty_call(),
        "first_call", sample.warmups[1] and sample.warmups[1][2], "warm_calls", calls_until_warm(),
        "warmup_cut", sample.level ~= nil and (sample.level and 0 or 1) or nil,
        "trace_starts", counted.started, "traces", counted.completed, "trace_aborts", counted.aborted,
        "mcode", counted.bytes, "compiling", counted.started and sample.compiling)
    local fields = lines.finished(sample.taken, metric_list())
    json.put(fields, "aborts", counted.started and abort_list() or "[]")
    lines.say(fields)
end

return sampling
