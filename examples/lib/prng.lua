-- A small deterministic generator: the same sequence on every machine and interpreter.
-- Owns the sequence only; it is fit neither for secrets nor for statistics.
--
-- Lehmer's generator modulo 2^31 - 1 with multiplier 48271 (Park, Miller and Stockmeyer, CACM 36(7), 1993).
-- The largest product is below 2^47, so it is exact in doubles (Lua 5.1, LuaJIT) and in integers (5.3 and later).

local MODULUS, MULTIPLIER = 2147483647, 48271

local prng = {}
prng.__index = prng

-- A generator started with `seed`, an integer from 1 to 2^31 - 2.
function prng.new(seed)
    assert(seed >= 1 and seed < MODULUS and seed % 1 == 0, 'prng: the seed is an integer from 1 to 2147483646')
    return setmetatable({ state = seed }, prng)
end

-- The next integer from `lo` to `hi`, both included; spans far below 2^31, where the bias of `%` does not matter.
function prng:integer(lo, hi)
    self.state = self.state * MULTIPLIER % MODULUS
    return lo + self.state % (hi - lo + 1)
end

-- One element of the array `list`.
function prng:pick(list)
    return list[self:integer(1, #list)]
end

-- An array of `n` integers from `lo` to `hi`.
function prng:integers(n, lo, hi)
    local out = {}
    for i = 1, n do out[i] = self:integer(lo, hi) end
    return out
end

return prng
