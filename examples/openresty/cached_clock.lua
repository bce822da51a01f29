-- The clock of nginx stands still while Lua is at work.
local start = ngx.now() -- luacheck: ignore
for _ = 1, 1e6 do ngx.re.find('hello, world.', [[\w+\.]], 'jo') end -- luacheck: ignore
print('without update_time: ', ngx.now() - start, ' s') -- luacheck: ignore
ngx.update_time() -- luacheck: ignore
print('with update_time: ', ngx.now() - start, ' s') -- luacheck: ignore
