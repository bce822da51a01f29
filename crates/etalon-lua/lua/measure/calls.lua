-- How everything of the module is called.
--
-- Owns: that a dot and a colon are the same, how many arguments are too many, and until when anything can be
-- registered. Refuses: to know what is called. Next: describe.lua and module.lua, the objects a suite holds.

local require = type((...)) == 'function' and (...) or require
require('etalon.measure.places').own()

local refuse = require('etalon.measure.places').refuse

local rawequal, select, type = rawequal, select, type

-- Objects: the module and every case. `obj.name(...)` and `obj:name(...)` are the same, because a bound function drops
-- its object from the front of its arguments.
local function bound(object, act)
    return function(...)
        if rawequal((...), object) then
            return act(select(2, ...))
        end
        return act(...)
    end
end

local function check_open(suite, place, what)
    if suite.closed then
        refuse(place, what .. ' is called after the file was loaded', 'register cases, hooks and options while it is loaded')
    end
    if suite.plain and type(arg) == 'table' and arg[0] == place.source then
        refuse(place, 'a plain interpreter measures nothing', 'write: etalon run ' .. place.source)
    end
end

local function check_count(place, what, instead, given, most)
    if given > most then
        refuse(place, what .. ' takes at most ' .. most .. (most == 1 and ' argument, not ' or ' arguments, not ') .. given,
            'write ' .. instead)
    end
end

return { bound = bound, check_open = check_open, check_count = check_count }
