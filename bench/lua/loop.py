"""How near etalon's figures for the smallest functions are to a loop written by hand.

Measures: four functions of next to nothing, each by `etalon run` as a suite of one case with default
settings, and by a suite that, while it is loaded, times 11 loops of 1e7 calls (ffi and clock_gettime;
the median of the 11). In turns, nine times, in alternating order.

Fair because the host is the same, the function is the same text, every reading is in a fresh process,
and nothing is subtracted from either. By hand, too, the function's variables belong to a function that
has returned, as those of a loaded suite do: before that LuaJIT keeps them in registers. Garbage would
be collected within a loop by hand and outside of a batch, so the concatenation has eight results,
which exist after the first calls: they are built in a buffer and looked up.
"""

import os
import statistics

import lab

ROUNDS = lab.count(9)
SHARE, NANOSECONDS = 0.10, 0.2

# What is called, and what stands before it.
FUNCTIONS = {
    "empty function": ("", "function() end"),
    "x = x + 1": ("local x = 0", "function() x = x + 1 end"),
    "string.byte": (
        "local byte, sum, text, at = string.byte, 0, ('etalon'):rep(100), 0",
        "function() at = at % 600 + 1 sum = sum + byte(text, at) end",
    ),
    "concatenation": (
        "local at, last, heads, tails = 0, nil, {}, {} for i = 1, 8 do heads[i], tails[i] = 'head ' .. i, ' tail ' .. i end",
        "function() at = at % 8 + 1 last = heads[at] .. tails[at] end",
    ),
}

SUITE = "local measure = require('measure')\n%s\nmeasure.describe('it'):run(%s)\n"

BY_HAND = """local ffi = require('ffi')
ffi.cdef('typedef struct { long sec, nsec; } hand_time; int clock_gettime(int, hand_time *);')
local time = ffi.new('hand_time')
local function now() ffi.C.clock_gettime(1, time) return tonumber(time.sec) * 1e9 + tonumber(time.nsec) end
local fn = (function() %s return %s end)()
local out = io.open(os.getenv('BY_HAND'), 'w')
for i = 1, 12 do
    local start = now()
    for _ = 1, 1e7 do fn() end
    local spent = now() - start
    if i > 1 then out:write(spent / 1e7, '\\n') end
end
out:close()
require('measure').describe('timed itself'):run(function() end)
"""


def of_etalon(name):
    return lab.analysis("run", suites[name])["benchmarks"][0]["metrics"]["wall"]["median"] * 1e9


def by_hand(name):
    out = os.path.join(lab.SCRATCH, "by_hand.out")
    done = lab.execute([lab.ETALON, "run", "--list", hands[name]], {"BY_HAND": out})
    assert done.code == 0, done
    with open(out, encoding="utf-8") as lines:
        return statistics.median(float(line) for line in lines)


suites = {n: lab.suite(f"loop{i}.lua", SUITE % f) for i, (n, f) in enumerate(FUNCTIONS.items())}
hands = {n: lab.suite(f"hand{i}.lua", BY_HAND % f) for i, (n, f) in enumerate(FUNCTIONS.items())}
found = {name: [] for name in FUNCTIONS}
for number in range(ROUNDS):
    for name in FUNCTIONS:
        if number % 2:
            hand, ours = by_hand(name), of_etalon(name)
        else:
            ours, hand = of_etalon(name), by_hand(name)
        found[name].append((ours, hand))

figures = lab.Figures()
for name, pairs in found.items():
    figures.median(f"{name}: by hand", [hand for _, hand in pairs], unit=" ns")
    figures.median(f"{name}: etalon", [ours for ours, _ in pairs], unit=" ns")
    figures.median(f"{name}: ratio", [ours / hand for ours, hand in pairs])
    # Beyond what is allowed: 10 %, or 0.2 ns where that is more.
    over = [abs(ours - hand) / max(SHARE * hand, NANOSECONDS) for ours, hand in pairs]
    figures.median(f"{name}: share of what it may be off", over, 1)
figures.end()
