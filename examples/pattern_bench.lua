-- Counts a word in 16 KB of text. All cases find the same words; `setup` checks this before anything is timed.
-- LuaJIT compiles string.byte and the plain string.find. The other cases leave compiled code at every match.

local measure = require('measure')
local data = require('lib.data')
local sink = measure.sink
local find, gmatch, gsub, byte = string.find, string.gmatch, string.gsub, string.byte

local TEXTS, BYTES = 8, 16384
local WORDS = 556 -- in all texts, which are the same everywhere

local function by_plain_find(text)
    local count, from = 0, 1
    while true do
        local _, last = find(text, 'WARN', from, true)
        if not last then return count end
        count, from = count + 1, last + 1
    end
end

local function by_pattern_find(text)
    local count, from = 0, 1
    while true do
        local _, last = find(text, 'WAR%u', from)
        if not last then return count end
        count, from = count + 1, last + 1
    end
end

local function by_gmatch(text)
    local count = 0
    for _ in gmatch(text, 'WAR%u') do count = count + 1 end
    return count
end

local function by_gsub(text)
    local _, count = gsub(text, 'WAR%u', '%0')
    return count
end

local W, A, R, N = byte('WARN', 1, 4)
local function by_bytes(text)
    local count = 0
    for i = 1, #text - 3 do
        if byte(text, i) == W and byte(text, i + 1) == A and byte(text, i + 2) == R and byte(text, i + 3) == N then
            count = count + 1
        end
    end
    return count
end

-- Every `setup` receives the context. The calls cycle through several texts, so a compiler cannot reuse a result.
local texts, at
local function check(count)
    return function(context)
        texts, at = context.texts, 0
        local words = 0
        for _, text in ipairs(texts) do words = words + count(text) end
        assert(words == WORDS, 'found ' .. words .. ' words')
    end
end

local function next_text()
    at = at % TEXTS + 1
    return texts[at]
end

measure.options({
    warmup = 0.1,
    context = function()
        local list = {}
        for seed = 1, TEXTS do list[seed] = data.text(seed, BYTES, 'WARN', 40) end
        return { texts = list }
    end,
})
.describe('string.find, plain'):bytes(BYTES):setup(check(by_plain_find)):run(function()
    sink(by_plain_find(next_text()))
end)
.describe('string.find, pattern'):bytes(BYTES):setup(check(by_pattern_find)):run(function()
    sink(by_pattern_find(next_text()))
end)
.describe('string.gmatch'):bytes(BYTES):setup(check(by_gmatch)):run(function()
    sink(by_gmatch(next_text()))
end)
.describe('string.gsub'):bytes(BYTES):setup(check(by_gsub)):run(function()
    sink(by_gsub(next_text()))
end)
.describe('string.byte in a loop'):bytes(BYTES):setup(check(by_bytes)):run(function()
    sink(by_bytes(next_text()))
end)
