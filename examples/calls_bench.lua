-- Measures what a call costs: functions, methods and closures; fixed and variable arguments; where a counter lives.
-- A call of a case makes 100 calls (or steps) over random integers. All cases of a group have the same result.

local measure = require('measure')
local prng = require('lib.prng')
local sink = measure.sink
local select = select

local CALLS = 100

local values = prng.new(5):integers(CALLS, 1, 1000)

-- One accumulator, three ways.

local function add(total, v)
    return total + v
end

local Account = {}
Account.__index = Account
function Account:add(v)
    self.total = self.total + v
end

local function new_closure()
    local total = 0
    return function(v)
        total = total + v
        return total
    end
end

-- One sum of the arguments, three ways.

local function sum_fixed(a, b, c)
    return a + b + c
end

local function sum_select(...)
    local sum = 0
    for i = 1, select('#', ...) do sum = sum + (select(i, ...)) end
    return sum
end

local function sum_packed(...)
    local sum, list = 0, { ... }
    for i = 1, #list do sum = sum + list[i] end
    return sum
end

-- One counter, four places.

local upvalue = 0
local field = { counter = 0 }
etalon_example_counter = 0 -- a global on purpose

local account, closure

measure.options({ warmup = 0.1 })

.describe('function'):group('accumulate'):items(CALLS):run(function()
    local total = 0
    for i = 1, CALLS do total = add(total, values[i]) end
    sink(total)
end)
.describe('method'):group('accumulate'):items(CALLS):setup(function()
    account = setmetatable({ total = 0 }, Account)
end):run(function()
    account.total = 0
    for i = 1, CALLS do account:add(values[i]) end
    sink(account.total)
end)
.describe('closure'):group('accumulate'):items(CALLS):setup(function()
    closure = new_closure()
end):run(function()
    local before = closure(0) -- it cannot be reset: the sum is a difference
    for i = 1, CALLS do closure(values[i]) end
    sink(closure(0) - before)
end)
.describe('a new closure each time'):group('accumulate'):items(CALLS):run(function()
    local total = 0
    for i = 1, CALLS do
        local v = values[i]
        local step = function() return total + v end
        total = step()
    end
    sink(total)
end)

.describe('fixed arguments'):group('arguments'):items(CALLS):run(function()
    local sum = 0
    for i = 1, CALLS do sum = sum_fixed(sum, values[i], i) end
    sink(sum)
end)
.describe('..., select'):group('arguments'):items(CALLS):run(function()
    local sum = 0
    for i = 1, CALLS do sum = sum_select(sum, values[i], i) end
    sink(sum)
end)
.describe('{ ... } of three'):group('arguments'):items(CALLS):run(function()
    local sum = 0
    for i = 1, CALLS do sum = sum_packed(sum, values[i], i) end
    sink(sum)
end)
-- Only measuring shows this cliff: from four values on, LuaJIT 2.1 compiles a chain of traces that all leave at
-- their first exit. The call then takes about a hundred times as long as with three values.
.describe('{ ... } of four'):group('arguments'):items(CALLS):run(function()
    local sum = 0
    for i = 1, CALLS do sum = sum_packed(sum, values[i], i, 0) end
    sink(sum)
end)

.describe('local'):group('counter'):items(CALLS):run(function()
    local counter = 0
    for i = 1, CALLS do counter = counter + values[i] end
    sink(counter)
end)
.describe('upvalue'):group('counter'):items(CALLS):run(function()
    upvalue = 0
    for i = 1, CALLS do upvalue = upvalue + values[i] end
    sink(upvalue)
end)
.describe('table field'):group('counter'):items(CALLS):run(function()
    field.counter = 0
    for i = 1, CALLS do field.counter = field.counter + values[i] end
    sink(field.counter)
end)
.describe('global'):group('counter'):items(CALLS):run(function()
    etalon_example_counter = 0
    for i = 1, CALLS do etalon_example_counter = etalon_example_counter + values[i] end
    sink(etalon_example_counter)
end)
