-- The time of a call as the mean of ever more calls, all of them after a warm-up.
local ngx = ngx -- luacheck: ignore
local find = ngx.re.find

local function per_call(calls)
    ngx.update_time()
    local start = ngx.now()
    for _ = 1, calls do find('hello, world.', [[\w+\.]], 'jo') end
    ngx.update_time()
    return (ngx.now() - start) / calls
end

per_call(1000)
for _, calls in ipairs({ 10, 1000, 100000, 10000000 }) do
    ngx.say('of ', calls, ' calls: ', per_call(calls), ' s')
end
