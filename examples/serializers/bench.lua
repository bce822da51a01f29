-- One measure of one implementation with one job, as lines `name value unit`:
--
--     etalon lua examples/serializers/bench.lua buffer array-16
--     pack-cpu 68.5 ns/op
--     unpack-cpu 95.1 ns/op
--     size 146 B
--     size-gzip 75 B
--
-- Times are CPU time of the process (os.clock) of one operation, from a loop that lasts about SECONDS and reads the clock
-- between batches of operations. What is unpacked is compared with what was packed first. Exits with 3 if the
-- implementation is not installed, with 1 if it fails.

local directory = arg[0]:match('^(.*)/[^/]*$') or '.'
package.path = directory .. '/?.lua;' .. package.path

local adapters, equal, generators = require('adapters'), require('equal'), require('generators')
local clock = os.clock

local SECONDS = tonumber(os.getenv('SERIALIZER_SECONDS') or '0.2')
-- Batches are this long: a thousand times what the clock's steps of a microsecond and its own time are.
local BATCH = 0.002

local function stop(code, message)
    io.stderr:write(message, '\n')
    os.exit(code)
end

local implementation, job = arg[1], arg[2]
if not job then stop(2, 'usage: bench.lua IMPLEMENTATION JOB (' .. table.concat(adapters.names, ', ') .. ')') end
local adapter, missing = adapters.of(implementation)
if not adapter then stop(missing:find('not installed$') and 3 or 1, missing) end
local made, value = pcall(generators.make, job)
if not made then stop(2, value) end

local kept -- where results go, so that no compiler leaves out the work
local function batch(operation, input, count)
    local begin = clock()
    for _ = 1, count do kept = operation(input) end
    return clock() - begin
end

-- CPU time of an operation, in ns.
local function time(operation, input)
    local count, elapsed = 1, batch(operation, input, 1)
    while elapsed < BATCH do
        count = count * 2
        elapsed = batch(operation, input, count)
    end
    local spent, operations = 0, 0
    repeat
        spent = spent + batch(operation, input, count)
        operations = operations + count
    until spent >= SECONDS
    return spent / operations * 1e9
end

local packs, bytes = pcall(adapter.pack, value)
if not packs then stop(1, implementation .. ' does not pack ' .. job .. ': ' .. tostring(bytes)) end
local unpacks, again = pcall(adapter.unpack, bytes)
if not unpacks then stop(1, implementation .. ' does not unpack ' .. job .. ': ' .. tostring(again)) end
if not equal(value, again) then stop(1, implementation .. ': unpack(pack(x)) is not x, for ' .. job) end
again = nil

print(('pack-cpu %.6g ns/op'):format(time(adapter.pack, value)))
print(('unpack-cpu %.6g ns/op'):format(time(adapter.unpack, bytes)))
print(('size %d B'):format(#bytes))

-- The size after a general-purpose compressor, where there is one.
local function compressed(text)
    local name = os.tmpname()
    local file = assert(io.open(name, 'wb'))
    file:write(text)
    file:close()
    local gzip = io.popen('gzip -n -c < ' .. name .. ' 2>/dev/null | wc -c')
    local size = tonumber(gzip:read('*a'))
    gzip:close()
    os.remove(name)
    return size
end
local size = compressed(bytes)
if size and size > 0 then print(('size-gzip %d B'):format(size)) end
