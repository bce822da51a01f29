-- What a worker says: lines of JSON, each behind the number of the request it belongs to, and a sample's behind
-- the CPU it was taken on, too, where that is known.
--
-- Owns the number, because the channel's other end takes no other line, and the fields of an observation.
-- Refuses to decide what is said.

if jit then jit.off(true, true) end

local json, channel = ...
local ipairs, select, tostring = ipairs, select, tostring
local floor, max = math.floor, math.max
local format = string.format

local lines = { asked = 0 }

function lines.write(fields, cpu)
    local asked = cpu and format("%d@%d", lines.asked, cpu) or lines.asked
    channel.write(asked .. " " .. json.object(fields) .. "\n")
end

-- An answer: behind everything the suite has printed so far.
function lines.say(fields)
    channel.flush()
    lines.write(fields)
end

function lines.of(kind)
    local fields = {}
    json.put(fields, "type", json.string(kind))
    return fields
end

-- The last answer: how many samples were taken, and numbers of the suite's own.
function lines.finished(samples, metrics)
    local fields = lines.of("finished")
    lines.put_number(fields, "samples", samples)
    json.put(fields, "metrics", metrics or json.array({}))
    return fields
end

function lines.put_number(fields, name, value)
    if value ~= nil then json.put(fields, name, json.number(value)) end
end

function lines.put_string(fields, name, value)
    if value ~= nil then json.put(fields, name, json.string(tostring(value))) end
end

function lines.put_strings(fields, name, list)
    local items = {}
    for index, text in ipairs(list or {}) do items[index] = json.string(tostring(text)) end
    if #items > 0 then json.put(fields, name, json.array(items)) end
end

-- An observation of `sample`; the rest are pairs of name and value, in order. A value that is nil is left out: that
-- is why they are no table, whose length has no meaning then.
function lines.observe(sample, place, ...)
    local fields, list = lines.of("observation"), {}
    lines.put_number(fields, "benchmark", sample.benchmark)
    lines.put_string(fields, "phase", place.phase)
    lines.put_number(fields, "block", sample.block)
    lines.put_number(fields, "turn", place.turn)
    lines.put_number(fields, "at", place.at and max(0, floor(place.at)))
    lines.put_number(fields, "iterations", place.iterations)
    for index = 1, select("#", ...), 2 do
        local name, value = select(index, ...)
        lines.put_number(list, name, value)
    end
    json.put(fields, "values", json.object(list))
    lines.write(fields, place.cpu)
end

-- The line of a sample, as `observe` would write it. Where the channel can, it is written without anything that Lua
-- allocates: what is freed between two timed batches changes what the allocator hands out in the next one.
local texts = { "", "@", ' {"type":"observation","benchmark":', ',"block":', ',"turn":', ',"at":', ',"iterations":',
    ',"values":{"wall":', ',"cpu":', ',"rewarm":', ',"gc_time":', ',"gc_cycles":' }
local figures = { 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }

function lines.sample(sample, place, values)
    local write = channel.write_figures
    if not write then
        return lines.observe(sample, place, "wall", values.wall, "cpu", values.cpu, "rewarm", values.rewarm,
            "gc_time", values.gc_time, "gc_cycles", values.gc_cycles)
    end
    figures[1], figures[2], figures[3] = lines.asked, place.cpu, sample.benchmark
    figures[4], figures[5], figures[6] = sample.block, place.turn, place.at and max(0, floor(place.at))
    figures[7], figures[8], figures[9] = place.iterations, values.wall, values.cpu
    figures[10], figures[11], figures[12] = values.rewarm, values.gc_time, values.gc_cycles
    write(texts, figures, "}}\n")
end

return lines
