-- What is called around the samples of a case.
--
-- Owns the order of hooks and that each counterpart is called once, also after a failure. Refuses to catch
-- errors: `worker.stage` says whose one was.

if jit then jit.off(true, true) end

local worker = ... -- `stage`, `registry`, `case`
local type = type

local undo = {} -- what is due in the end because its counterpart was called
local before_all_value, context

local hooks = {}

local function hook(name, ...)
    local fn = worker.registry.hooks and worker.registry.hooks[name]
    if not fn then return nil end
    worker.stage = name
    return fn(...)
end

local function due(fn) undo[#undo + 1] = fn end

function hooks.are_due() return #undo > 0 end

-- Calls what is due, the last first. It is taken out before it is called, so it is called once.
function hooks.perform_due()
    while #undo > 0 do
        local fn = undo[#undo]
        undo[#undo] = nil
        fn()
    end
end

function hooks.set_up()
    local case = worker.case
    before_all_value = hook("before_all")
    due(function() hook("after_all", before_all_value) end)
    hook("before_each")
    due(function() hook("after_each") end)
    worker.stage = "setup"
    local given = worker.registry.options and worker.registry.options.context
    if type(given) == "function" then context = given() else context = given end
    local setup = case.setup or case.setup_once
    if setup then setup(context, case.params_table) end
    due(function()
        worker.stage = "teardown"
        if case.teardown then case.teardown(context, case.params_table) end
    end)
end

-- measure.metric: the last value of a name counts.
function hooks.take_metrics()
    local metrics = {}
    worker.registry.metric = function(name, value, unit, direction)
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

return hooks
