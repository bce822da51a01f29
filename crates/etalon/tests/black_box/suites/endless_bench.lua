-- Cases that never end, one of them compiled, one by the system's leave.
local measure = require('measure')
local ffi = require('ffi')
ffi.cdef('int pause(void);')

measure.describe('ends'):run(function() measure.sink(1) end)
measure.describe('compiled'):run(function() while true do end end)
measure.describe('in setup'):setup(function() repeat until false end):run(function() end)
measure.describe('waits'):run(function() ffi.C.pause() end)
measure.describe('ends too'):run(function() measure.sink(1) end)
