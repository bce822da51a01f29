"""Lua suites whose cases differ by an exact amount of the same work.

Owns: the work, a loop that mixes as many numbers of a table as it is told. Refuses: anything but the
number to differ between cases.
"""

import lab

SUITE = """local measure = require('measure')
local bxor, rol = bit.bxor, bit.rol
local numbers = {}
for i = 1, 2048 do numbers[i] = i * 7919 %% 65536 end
for _, turns in ipairs({ %s }) do
    measure.describe(turns .. ' turns'):run(function()
        local mixed = 0
        for i = 1, turns do mixed = rol(bxor(mixed, numbers[i]), 5) end
        measure.sink(mixed)
    end)
end
"""


def suite(name, turns):
    return lab.suite(name, SUITE % ", ".join(map(str, turns)))
