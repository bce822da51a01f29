-- How nginx becomes a worker: the driver is called by a timer without delay, where most of `ngx` may be used.
--
-- Owns that call. Refuses to go on without it: an nginx without a driver would wait for ever.
--
-- Called with the path of the driver, and what `boot.lua` is called with.

local driver_path, module_path, answers_path, descriptors = ...
local exit, stderr = os.exit, io.stderr

local function must(done, problem)
    if done then return done end
    stderr:write(tostring(problem), "\n")
    return exit(1)
end

local driver = must(loadfile(driver_path))

-- Whoever holds it holds the texts of all parts.
local function taken()
    local taken = driver
    driver = nil
    return taken
end

must(ngx.timer.at(0, function()
    must(pcall(taken(), module_path, answers_path, descriptors))
end))
