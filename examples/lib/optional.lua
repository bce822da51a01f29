-- Modules that may be missing: optional(name) returns the module, or nil and the reason to give to `skip`.
-- A module that is installed and does not load is never called missing: the reason is its own error message.

return function(name)
    local ok, result = pcall(require, name)
    if ok then return result end
    local message = tostring(result)
    if message:find("module '" .. name .. "' not found", 1, true) then
        return nil, ("module '%s' is not installed"):format(name)
    end
    return nil, ("module '%s' does not load: %s"):format(name, message:match('[^\n]*'))
end
