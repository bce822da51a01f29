-- A suite: loaded, and described in the answer to that.
--
-- Owns the module `measure` that suites get, how a file or a piece of code becomes cases, and what is told
-- of them. Refuses to call any of them.

if jit then jit.off(true, true) end

local parts, new_registry, compile, json, lines, paths, load_script = ...
local error, ipairs, rawset, tostring = error, ipairs, rawset, tostring
local loadfile = loadfile
local package, global = package, _G
local format = string.format
local jit, version, ngx = jit, _VERSION, ngx -- luacheck: ignore

local native = parts.native

-- What is never the place of an error: the driver, by the names of its chunks.
local OWN = {}
for _, name in ipairs({
    "driver.lua", "driver/suite.lua", "driver/hooks.lua", "driver/sampling.lua", "loops.lua",
    "calibrate.lua", "level.lua", "memory.lua", "interned.lua", "interpreted.lua", "traces.lua", "loop",
}) do
    OWN["=etalon/" .. name] = true
end

local function described(entry)
    local fields, params = {}, {}
    lines.put_string(fields, "name", entry.name)
    for _, pair in ipairs(entry.params) do lines.put_string(params, pair[1], pair[3]) end
    if #params > 0 then json.put(fields, "params", json.object(params)) end
    lines.put_string(fields, "group", entry.group)
    lines.put_strings(fields, "tags", entry.tags)
    lines.put_string(fields, "skip", entry.skip)
    lines.put_string(fields, "source", paths.named(entry.source))
    lines.put_number(fields, "line", entry.line)
    lines.put_number(fields, "bytes", entry.bytes)
    lines.put_number(fields, "items", entry.items)
    if entry.run_with_timer then json.put(fields, "timer", "true") end
    return json.object(fields)
end

-- A number such as 1022001, as it is written: 1.22.1.
local function dotted(number)
    return format("%d.%d.%d", number / 1e6, number % 1e6 / 1e3, number % 1e3)
end

-- What Lua calls itself, with the nginx around it.
local function version_of_lua()
    local own = jit and jit.version or version
    if not ngx then return own end
    local nginx, module = ngx.config.nginx_version, ngx.config.ngx_lua_version
    return format("%s, nginx %s, ngx_lua %s", own, dotted(nginx), dotted(module))
end

local function runtime(sources)
    local fields = {}
    lines.put_string(fields, "version", version_of_lua())
    lines.put_string(fields, "language", version)
    lines.put_string(fields, "jit", not jit and "none" or jit.status() and "on" or "off")
    lines.put_string(fields, "clock", sources.clock.name)
    lines.put_string(fields, "memory", sources.memory)
    if parts.assertions then json.put(fields, "assertions", "true") end
    return json.object(fields)
end

-- A suite, with its directory in front of the search path. Its chunk is called by a path that leads to it
-- from the working directory, as suites look for files beside themselves by it. Returns what is wrong with its syntax.
local function load_file(path, name)
    paths.search_beside(path, name)
    rawset(global, "arg", { [0] = path })
    local chunk, problem = loadfile(path)
    if not chunk then return problem end
    chunk()
end

-- A chunk that is itself what is measured: as an expression if it is one, as in Lua's prompt. It is
-- checked by itself first, so that it cannot end the function it is put into. Returns what is wrong with its syntax.
local function load_code(registry, code, name)
    local label = "=" .. name
    local text = "return " .. code
    if not compile(text, label) then
        local valid, problem = compile(code, label)
        if not valid then return problem end
        text = code
    end
    local wrapped, problem = compile("return function() " .. text .. "\nend", label)
    if not wrapped then return problem end -- `...` is no function's, for example
    registry.cases = { { name = name, params = {}, source = name, line = 1, run = wrapped() } }
end

-- The registry of a new suite, whose values for `measure.sink` go to `sunk`.
local function new_measure(name, sunk)
    local module, registry = new_registry({ sink = sunk, own = OWN, suite = name })
    local function opened() return module end
    package.preload["measure"], package.preload["etalon.measure"] = opened, opened
    if native then
        local public = { clock = native.clock, origin = native.origin }
        for _, entry in ipairs({ "begin", "resume", "pause", "end" }) do
            public["count_" .. entry] = native["count_" .. entry]
        end
        package.preload["etalon.native"] = function() return public end
    end
    return registry
end

local suite = {}

-- Loads what is asked for; its registry, and how many ns that took, or nil and what is wrong with its syntax.
function suite.load(request, sunk, clock)
    local registry = new_measure(request.file or request.name, sunk)
    local start = clock()
    if request.caller then paths.search_from(request.caller) end
    local problem
    if request.script then
        problem = load_script(registry, request.script, request.name)
    elseif request.file then
        problem = load_file(request.file, request.name)
        if not problem then registry.close() end
    else
        problem = load_code(registry, request.code, request.name)
    end
    if problem then return nil, problem end
    return registry, clock() - start
end

-- The answer.
function suite.loaded(registry, spent, sources)
    local fields, cases, options = lines.of("loaded"), {}, {}
    for index, entry in ipairs(registry.cases) do cases[index] = described(entry) end
    for _, name in ipairs({ "warmup", "gc_step", "confidence_level", "rciw" }) do
        lines.put_number(options, name, registry.options and registry.options[name])
    end
    lines.put_number(fields, "ns", spent)
    json.put(fields, "cases", json.array(cases))
    json.put(fields, "options", json.object(options))
    json.put(fields, "runtime", runtime(sources))
    return fields
end

return suite
