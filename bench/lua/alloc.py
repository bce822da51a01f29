"""Whether what calls allocate is counted exactly.

Measures: functions whose allocations on this LuaJIT (64 bits, GC64) follow from the sizes of its
structures, against `alloc` and `allocs` of every single reading.

Fair because what is expected is added up from lj_obj.h below, not taken from a reading. What a
function makes goes to measure.sink: LuaJIT leaves out allocations that nobody sees.
"""

import lab

TABLE = 64  # GCtab
SLOT = 8  # TValue; up to 16 are allocated together with their table, and the one of index 0 is among them
NODE = 24  # Node
CLOSURE = 40  # GCfuncL without upvalues
UPVALUE = 8, 48  # its reference in the closure; GCupval
NUMBER = 16 + 8  # GCcdata and an int64_t


def string(length):
    """GCstr and its bytes with a zero, in fours."""
    return 24 + (length + 4) // 4 * 4


# What stands before it, the function, bytes and allocations of one call.
KNOWN = {
    "nothing": ("", "function() end", 0, 0),
    "an empty table": ("", "function() measure.sink({}) end", TABLE, 1),
    "two tables": ("", "function() measure.sink({}, {}) end", 2 * TABLE, 2),
    "a table of four": ("", "function() measure.sink({ 1, 2, 3, 4 }) end", TABLE + 5 * SLOT, 1),
    "a table with a key": ("", "function() measure.sink({ key = 1 }) end", TABLE + 2 * NODE, 2),
    "a closure of one variable": (
        "",
        "function() local mine = 1 measure.sink(function() mine = mine + 1 end) end",
        CLOSURE + sum(UPVALUE),
        2,
    ),
    "a string of 10": (
        "local number = 0",
        "function() number = number + 1 measure.sink(string.format('%010d', number)) end",
        string(10),
        1,
    ),
    "a string of 1,000": (
        "local number, text = 0, ('x'):rep(990)",
        "function() number = number + 1 measure.sink(string.format('%010d', number) .. text) end",
        string(1000),  # both go into one buffer
        1,
    ),
    "a 64-bit integer": ("local number = 0LL", "function() number = number + 1 end", NUMBER, 1),
    "a string that is a constant": ("local a, b = {}, 'b'", "function() measure.sink(b, a) end", 0, 0),
    "a string that the last call made, too": (
        "local t = { a = 'a', b = 'b' }",
        "function() measure.sink(t.a .. t.b) end",
        string(2),
        1,
    ),
    "one of nine strings": (
        "local number = 0",
        "function() number = number % 9 + 1 measure.sink('a', ('%d'):format(number)) end",
        string(1),
        1,
    ),
    "such a string in a table": (
        "local t = { a = 'a', b = 'b' }",
        "function() measure.sink({ t.a .. t.b }) end",
        TABLE + 3 * SLOT + string(2),  # room for two elements at least
        2,
    ),
}

text = "local measure = require('measure')\n"
for name, (before, function, _, _) in KNOWN.items():
    text += f"do {before} measure.describe('{name}'):run({function}) end\n"
shown = lab.analysis("run", lab.suite("alloc.lua", text), "-r", 3, "--budget", "0.5s")
readings = {number: [] for number in range(len(KNOWN))}
for row in lab.observations(shown["executions"][0]["source"]):
    if "alloc" in row.get("values", {}):
        calls = row["iterations"]
        readings[row["benchmark"]].append((row["values"]["alloc"] / calls, row["values"]["allocs"] / calls))

figures = lab.Figures()
for (name, (_, _, size, count)), found in zip(KNOWN.items(), readings.values()):
    wrong = [reading for reading in found if reading != (size, count)]
    figures.plain(f"{name}, expected", f"{size} B in {count}")
    if wrong:
        print("  found " + ", ".join(f"{b:.4f} B in {n:.4f}" for b, n in wrong))
    figures.at_most(f"{name}: readings that differ, of {len(found)}", len(wrong) if found else 1, 0)
figures.end()
