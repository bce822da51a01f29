-- One call and no clock: `time resty one_call.lua`, as people do it.
ngx.re.find('hello, world.', [[\w+\.]], 'jo') -- luacheck: ignore
