-- What the embedded LuaJIT gets besides its defaults: the places where Debian keeps packages for
-- Lua 5.1. LUA_PATH and LUA_CPATH mean what they mean everywhere: without `;;` they are the whole path.

local architecture = ...

local function with(path, variable, more)
    local given = os.getenv(variable .. "_5_1") or os.getenv(variable)
    if given and not given:find(";;", 1, true) then return path end
    for _, place in ipairs(more) do
        if not (";" .. path .. ";"):find(";" .. place .. ";", 1, true) then
            path = path .. ";" .. place
        end
    end
    return path
end

package.path = with(package.path, "LUA_PATH", {
    "/usr/local/share/lua/5.1/?.lua", "/usr/local/share/lua/5.1/?/init.lua",
    "/usr/share/lua/5.1/?.lua", "/usr/share/lua/5.1/?/init.lua",
})
package.cpath = with(package.cpath, "LUA_CPATH", {
    "/usr/local/lib/lua/5.1/?.so", "/usr/lib/" .. architecture .. "-linux-gnu/lua/5.1/?.so",
    "/usr/lib/lua/5.1/?.so",
})
