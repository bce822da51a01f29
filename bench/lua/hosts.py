"""How near etalon's figures are to a loop written by hand, on every Lua that is installed.

Measures: eleven functions from less than a nanosecond to tens of milliseconds, where there is an FFI a call through it, and in OpenResty
`ngx.re.find`, in one `etalon run` with a `--lua` for each Lua, each case by itself (`--order sequential`); and by a script that each Lua executes (`etalon
lua` for the embedded one, an nginx with a configuration of its own for OpenResty): no driver, no native module, and os.clock
is the clock. `hosts.py ROUNDS WORD...` does it for the Luas and functions that are named. In turns, nine times, in
alternating order after the first.

Fair because the interpreter is the same program, the function is the same text and called with the same argument,
every reading is in a fresh process, and nothing is subtracted from either. By hand, too, a batch has as many calls as
etalon's had last, because their memory is in use until its end; garbage is collected between batches and never in one, an
eighth of a batch comes before it, and the function's variables belong to a function that has returned.
"""

import os
import shutil
import statistics
import sys

import lab

ROUNDS = lab.count(9)
SHARE, NANOSECONDS = 0.10, 0.2
NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
LUAS = ["embedded"] + [n for n in "luajit lua5.1 lua5.2 lua5.3 lua5.4".split() if shutil.which(n)]
MODULES = "/usr/lib/nginx/modules"
LUAS += ["openresty"] if NGINX and os.path.exists(f"{MODULES}/ngx_http_lua_module.so") else []

# What is called, and what stands before it.
FUNCTIONS = {
    "empty function": ("", "function() end"),
    "x = x + 1": ("local x = 0", "function() x = x + 1 end"),
    "string.byte": (
        "local byte, sum, text, at = string.byte, 0, ('etalon'):rep(100), 0",
        "function() at = at % 600 + 1 sum = sum + byte(text, at) end",
    ),
    "a table of three": ("local kept", "function() kept = { 1, 2, 3 } end"),
    "a closure": ("local kept, n = nil, 0", "function() n = n + 1 local m = n kept = function() return m end end"),
    "a growing table": ("local kept", "function() local t = {} for i = 1, 100 do t[i] = i end kept = t end"),
    "pcall": ("local pcall, x = pcall, 0 local function f() x = x + 1 end", "function() pcall(f) end"),
    "a coroutine's turn": (
        "local yield = coroutine.yield local turn = coroutine.wrap(function() while true do yield() end end)",
        "function() turn() end",
    ),
    "table.sort of 1,000": (
        "local sort, numbers = table.sort, {} for i = 1, 1000 do numbers[i] = i * 7919 % 1009 end",
        "function() local t = {} for i = 1, 1000 do t[i] = numbers[i] end sort(t) end",
    ),
    "a new string": ("local kept, n = nil, 0", "function() n = n + 1 kept = 'string ' .. n end"),
    "a loop of 2,000,000": (
        "local kept",
        "function() local x = 0 for i = 1, 2000000 do x = x + i % 7 end kept = x end",
    ),
}

REGEX, FFI = "ngx.re.find", "FFI: abs"
FUNCTIONS[REGEX] = (
    "local find, sum = ngx and ngx.re.find, 0",
    "function() sum = sum + find('hello, world.', [[\\w+\\.]], 'jo') end",
)
FUNCTIONS[FFI] = (
    "local there, ffi = pcall(require, 'ffi') if there then ffi.cdef('int abs(int);') end local C, sum = there and ffi.C, 0",
    "function() sum = sum + C.abs(-3) end",
)
# Where there is not everything: which Luas have it, and what is false there.
ONLY = {REGEX: (["openresty"], "ngx"), FFI: (["embedded", "luajit", "openresty"], "jit")}

named = [word for word in sys.argv[2:] if word in FUNCTIONS]
FUNCTIONS = {name: FUNCTIONS[name] for name in named or FUNCTIONS}
LUAS = [word for word in sys.argv[2:] if word not in named] or LUAS


def is_there(lua, name):
    return lua in ONLY.get(name, (LUAS,))[0]


CASE = "measure.describe(%r):skip(%s, 'not of this Lua'):run((function() %s return %s end)())\n"

# An nginx that executes one file and ends, with nothing of etalon's in it.
CONFIGURATION = f"""daemon off; master_process off; pid {lab.tool("nginx.pid")}; error_log stderr warn;
load_module {MODULES}/ndk_http_module.so;
load_module {MODULES}/ngx_http_lua_module.so;
env FILE; env CALLS;
events {{ worker_connections 64; }}
http {{ access_log off; init_worker_by_lua_block {{ ngx.timer.at(0, function()
    rawset(_G, "arg", {{ os.getenv("CALLS") }})
    print = function(number) io.stdout:write(number, "\\n") end
    local ok, problem = pcall(loadfile(os.getenv("FILE"))) -- dofile would not let coroutines pass
    os.exit(ok or io.stderr:write(problem, "\\n") and 1)
end) }} }}
"""

BY_HAND = """local clock = os.clock
local fn = (function() %s return %s end)()
local function batch(n)
    local start = clock()
    for _ = 1, n do fn(false) end
    return clock() - start
end
local function sample(n)
    collectgarbage() collectgarbage('stop')
    batch(math.ceil(n / 8))
    return batch(n)
end
local n = tonumber(arg[1])
for _ = 1, 5 do sample(n) end
for _ = 1, n == 1 and 11 or 41 do print(sample(n) / n * 1e9) end
"""


calls = {}


def of_etalon():
    luas = [word for lua in LUAS for word in ("--lua", lua)]
    found = lab.analysis("run", "--budget", "1s", "--order", "sequential", *luas, suite)["benchmarks"]
    times = {}
    for each in found:
        if "wall" not in each["metrics"]:
            continue
        at = each["params"]["lua"], each["name"]
        calls[at] = str(round(each["case"]["iterations"]))
        times[at] = each["metrics"]["wall"]["median"] * 1e9
    return times


def by_hand():
    found = {}
    for name, path in hands.items():
        for lua in (lua for lua in LUAS if is_there(lua, name)):
            if lua == "openresty":
                program = [NGINX, "-p", "./", "-e", "stderr", "-c", configuration]
                done = lab.execute(program, {"FILE": path, "CALLS": calls[lua, name]})
            else:
                program = [lab.ETALON, "lua"] if lua == "embedded" else [shutil.which(lua)]
                done = lab.execute([*program, path, calls[lua, name]])
            assert done.code == 0, done
            found[lua, name] = statistics.median(map(float, done.out.split()))
    return found


skip = {name: f"not {needed}" for name, (_, needed) in ONLY.items()}
cases = "".join(CASE % (name, skip.get(name, "false"), *parts) for name, parts in FUNCTIONS.items())
configuration = lab.suite("nginx.conf", CONFIGURATION)
suite = lab.suite("hosts.lua", "local measure = require('measure')\n" + cases)
hands = {n: lab.suite(f"host{i}.lua", BY_HAND % f) for i, (n, f) in enumerate(FUNCTIONS.items())}
rounds = []
for number in range(ROUNDS):
    if number % 2:
        hand, ours = by_hand(), of_etalon()
    else:
        ours, hand = of_etalon(), by_hand()
    rounds.append((ours, hand))

figures = lab.Figures()
for lua in LUAS:
    for name in (name for name in FUNCTIONS if is_there(lua, name)):
        pairs = [(ours[lua, name], hand[lua, name]) for ours, hand in rounds]
        figures.median(f"{lua}, {name}: by hand", [hand for _, hand in pairs], unit=" ns")
        figures.median(f"{lua}, {name}: ratio", [ours / hand for ours, hand in pairs])
        # Beyond what is allowed: 10 %, or 0.2 ns where that is more.
        over = [abs(ours - hand) / max(SHARE * hand, NANOSECONDS) for ours, hand in pairs]
        figures.median(f"{lua}, {name}: share of what it may be off", over, 1)
figures.end()
