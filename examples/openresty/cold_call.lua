-- The first call of a process, by a clock with steps of a millisecond.
local ngx = ngx -- luacheck: ignore
ngx.update_time()
local start = ngx.now()
ngx.re.find('hello, world.', [[\w+\.]], 'jo')
ngx.update_time()
ngx.say('first call: ', ngx.now() - start, ' s')
