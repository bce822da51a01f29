-- The module a benchmark suite sees: `local measure = require('measure')`.
--
-- Owns: what a suite may say (options, hooks, cases), its checking, and the expansion of params into cases. Every misuse
-- is an error `file:line: what is wrong; what to write instead`, raised where the suite says it. This file makes one
-- module for one suite of the parts in measure/.
-- Refuses: to time, collect or print anything. That is the driver's work (driver.lua), which calls what is registered here.
-- Next: measure/module.lua, what the suite holds; measure/registry.lua, what the driver gets.
--
-- Loaded in one of two ways, told apart by the argument of the chunk:
--   by the driver, with a table that holds the parts as chunks (`measure/places` and so on): returns
--   new(environment) -> module, registry, and `sequence`, by which the driver mends text as it is checked here;
--   by `require` of a plain interpreter (rock etalon-measure): returns a module with which a suite loads but does not run.
-- The parts ask for each other by their names in the rock, with the `require` they are called with or else with Lua's.
--
-- One text for Lua 5.1 to 5.4 and LuaJIT: nothing here may need a later version. A part keeps what it needs of Lua as
-- locals, because a suite may replace globals, library functions and the metatable of strings.

local chunks = ...
local given_by_driver = type(chunks) == 'table'

local require, gsub = require, string.gsub
if given_by_driver then
    local loaded = {}
    function require(name)
        if not loaded[name] then
            local chunk = chunks[(gsub(name, '^etalon%.measure%.', 'measure/'))]
            loaded[name] = chunk(require)
        end
        return loaded[name]
    end
end
require('etalon.measure.places').own()

local close = require('etalon.measure.registry').close
local module_table = require('etalon.measure.module').module_table
local sequence = require('etalon.measure.checks').sequence

local setmetatable = setmetatable

-- That of etalon and of the rock; a test holds them together.
local VERSION = '0.1.0'

-- environment (all optional): `sink`, the table whose elements 1 and 2 hold what measure.sink was last given; `own`, a
-- set of chunk sources (as debug.getinfo gives them) that belong to the driver and are never named as the place of an
-- error; `suite`, the shown name of the file, for the rare error without a place; `plain`, whether a suite that is executed
-- as a script is told how to measure it.
local function new(environment)
    environment = environment or {}
    local suite = {
        own = environment.own or {}, name = environment.suite, plain = environment.plain, version = VERSION,
        declarations = {}, hook_places = {}, objects = setmetatable({}, { __mode = 'k' }),
    }
    suite.registry = { options = {}, hooks = {}, cases = {} }
    suite.registry.close = function()
        close(suite)
    end
    suite.module = module_table(suite, environment.sink or {})
    suite.objects[suite.module] = 'the module measure'
    return suite.module, suite.registry
end

if given_by_driver then
    return new, sequence
end
return (new({ plain = true }))
