-- Checks the generators: encoded sizes as published.csv has them, for LuaJIT's string.buffer and lua-MessagePack 0.5.2
-- as far as they are installed. `etalon lua examples/serializers/sizes.lua [JOB...]`; all jobs take some seconds.

local directory = arg[0]:match('^(.*)/[^/]*$') or '.'
package.path = directory .. '/?.lua;' .. package.path

local adapters, generators = require('adapters'), require('generators')

local SIZES = {
    ['array-16'] = { 146, 19 }, ['array-32'] = { 290, 35 }, ['array-128'] = { 1154, 132 },
    ['array-1024'] = { 9219, 2693 }, ['array-1e6'] = { 9000006, 4868553 },
    ['farray-16'] = { 146, 139 }, ['farray-1e3'] = { 9003, 8995 }, ['farray-1e6'] = { 9000006, 8999997 },
    ['vectors-3-1000'] = { 29003, 18621 },
    ['entities-1'] = { 61, 27 }, ['entities-100'] = { 6100, 2838 }, ['entities-1000'] = { 61001, 32279 },
    ['tree-2-8'] = { 2814, 511 }, ['tree-8-7'] = { 19473554, 2396745 },
}

local asked = {}
for _, name in ipairs(arg) do asked[name] = true end

local checks, failed = 0, 0
for column, name in ipairs({ 'buffer', 'msgpack' }) do
    local adapter, missing = adapters.of(name)
    if not adapter then print(missing) end
    for _, job in ipairs(adapter and generators.jobs or {}) do
        if #arg == 0 or asked[job.name] then
            local size, expected = #adapter.pack(generators.make(job.name)), SIZES[job.name][column]
            checks = checks + 1
            if size ~= expected then
                failed = failed + 1
                print(('%s %s: %d bytes, not %d'):format(name, job.name, size, expected))
            end
        end
    end
end
print(('%d checks, %d failed'):format(checks, failed))
os.exit(failed == 0 and 0 or 1)
