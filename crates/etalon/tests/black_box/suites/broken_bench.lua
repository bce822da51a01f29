-- Cases that break, each in its own way, among some that do not.
local measure = require('measure')

measure.describe('first'):run(function() measure.sink(1) end)
measure.describe('errs'):run(function() error('out of order') end)
measure.describe('errs later'):setup(function() N = 0 end):run(function()
    N = N + 1
    if N == 50 then error('the fiftieth') end
end)
measure.describe('errs without words'):run(function() error() end)
measure.describe('errs in setup'):setup(function() error('no room') end):run(function() end)
measure.describe('errs in teardown'):run(function() end):teardown(function() error('will not go') end)
measure.describe('exits with 0'):run(function() os.exit(0) end)
measure.describe('exits with 3'):run(function() os.exit(3) end)
measure.describe('exits in setup'):setup(function() os.exit(true) end):run(function() end)
measure.describe('closes everything'):run(function()
    pcall(io.stdout.close, io.stdout)
    pcall(io.stderr.close, io.stderr)
    pcall(io.stdin.close, io.stdin)
    measure.sink(1)
end)
measure.describe('reads its input'):run(function() assert(io.read('*a') == '' or not io.read()) end)
measure.describe('crashes'):run(function()
    local ffi = require('ffi')
    ffi.cast('volatile int *', 0)[0] = 1
end)
measure.describe('overflows'):run(function()
    local function deeper() return 1 + deeper() end
    deeper()
end)
measure.describe('forgets to return m'):run_with_timer(function(m) m(function() end) end)
measure.describe('last'):run(function() measure.sink(2) end)
