-- Writes down who is called when: `pid case event`, a line each.
local measure = require('measure')
local ffi = require('ffi')
ffi.cdef('int getpid(void);')

local case = '-'
local function log(event)
    local file = assert(io.open('events', 'a'))
    file:write(('%d %s %s\n'):format(ffi.C.getpid(), case, event))
    file:close()
end
log('load')

local called = false
local function run(is_warmup)
    -- The first call only: a batch must not become a test of the disk.
    if not called then
        called = true
        log('run ' .. tostring(is_warmup))
    end
end

function measure.before_all() log('before_all') return 'value' end
function measure.after_all(value) log('after_all ' .. tostring(value)) end
function measure.before_each() log('before_each') end
function measure.after_each() log('after_each') end

measure.options({ context = function() log('context') return { key = 'context' } end })

measure.describe('a', { n = { 7 } }):setup(function(context, params)
    case = 'a'
    log('setup ' .. context.key .. ' ' .. params.n)
end):run(run):teardown(function(context, params)
    log('teardown ' .. context.key .. ' ' .. params.n)
end)

measure.describe('b'):setup_once(function(context)
    case = 'b'
    log('setup ' .. context.key .. ' nil')
end):run_with_timer(function(m)
    run(false)
    return m(function() end)
end):teardown(function(context)
    log('teardown ' .. context.key .. ' nil')
end)
