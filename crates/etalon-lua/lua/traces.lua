-- What LuaJIT's compiler does while a case is executed: traces that it starts, completes and aborts, and why.
--
-- Owns the handler of trace events, which is called only where something is compiled and only counts; places and
-- reasons are looked up between batches (`settle`). Refuses to take the place of a handler of the suite's own: LuaJIT
-- has one for each kind of event. In a Lua without a JIT compiler nothing is watched.

if jit then jit.off(true, true) end

local jit, debug = jit, debug
local find, format, gsub, match = string.find, string.format, string.gsub, string.match
local huge, max, min = math.huge, math.max, math.min
local pairs, pcall, require, sort, sub = pairs, pcall, require, table.sort, string.sub
local tostring, type = tostring, type
local loaded = package.loaded

local found, util = pcall(require, "jit.util")
local attach = found and jit and jit.attach
local funcinfo, tracemc = found and util.funcinfo, found and util.tracemc
local registry = debug and debug.getregistry
local version = jit and jit.version

-- So many aborts of one batch are looked up, and so many different ones told; the others are only counted.
local LOOKED_UP, TOLD = 64, 16

-- What this LuaJIT calls the codes of aborts (`traceerr` of its jit/vmdef.lua), and names of six letters each for
-- its bytecodes (`bcnames`). Another version has its own file, which is read where it is installed.
local VERSION = "LuaJIT 2.1.1788856981"
local REASONS = {
    [0] = "error thrown or hook called during recording",
    "trace too short",
    "trace too long",
    "trace too deep",
    "too many snapshots",
    "blacklisted",
    "retry recording",
    "NYI: bytecode %s",
    "leaving loop in root trace",
    "inner loop in root trace",
    "loop unroll limit reached",
    "bad argument type",
    "JIT compilation disabled for function",
    "call unroll limit reached",
    "down-recursion, restarting",
    "NYI: unsupported variant of FastFunc %s",
    "NYI: return to lower frame",
    "store with nil or NaN key",
    "missing metamethod",
    "looping index lookup",
    "NYI: mixed sparse/dense table",
    "symbol not in cache",
    "NYI: unsupported C type conversion",
    "NYI: unsupported C function type",
    "guard would always fail",
    "too many PHIs",
    "persistent type instability",
    "failed to allocate mcode memory",
    "machine code too long",
    "hit mcode limit (retrying)",
    "too many spill slots",
    "inconsistent register allocation",
    "NYI: cannot assemble IR instruction %d",
    "NYI: PHI shuffling too complex",
    "NYI: register coalescing too complex",
}
local BYTECODES = ""
    .. "ISLT  ISGE  ISLE  ISGT  ISEQV ISNEV ISEQS ISNES ISEQN ISNEN ISEQP ISNEP ISTC  ISFC  IST   ISF   "
    .. "ISTYPEISNUM MOV   NOT   UNM   LEN   ADDVN SUBVN MULVN DIVVN MODVN ADDNV SUBNV MULNV DIVNV MODNV "
    .. "ADDVV SUBVV MULVV DIVVV MODVV POW   CAT   KSTR  KCDATAKSHORTKNUM  KPRI  KNIL  UGET  USETV USETS "
    .. "USETN USETP UCLO  FNEW  TNEW  TDUP  GGET  GSET  TGETV TGETS TGETB TGETR TSETV TSETS TSETB TSETM "
    .. "TSETR CALLM CALL  CALLMTCALLT ITERC ITERN VARG  ISNEXTRETM  RET   RET0  RET1  FORI  JFORI FORL  "
    .. "IFORL JFORL ITERL IITERLJITERLLOOP  ILOOP JLOOP JMP   BNOT  BAND  BOR   BXOR  BSHL  BSHR  BSAR  "
    .. "FUNCF IFUNCFJFUNCFFUNCV IFUNCVJFUNCVFUNCC FUNCCW"

local started, completed, aborted = 0, 0, 0
local first, last = huge, 0 -- numbers of completed traces
local own, own_numbers = 0, {} -- those of them that are etalon's, not the case's
local start_func, start_pc = false, false
local waiting, ended = 0, 0
local begun_in, begun_at, numbers = {}, {}, {}
local funcs, pcs, codes, infos = {}, {}, {}, {}
for index = 1, LOOKED_UP do
    funcs[index], pcs[index], codes[index], infos[index] = false, false, false, false
    begun_in[index], begun_at[index], numbers[index] = false, false, false
end

local function on_trace(what, number, func, pc, code, info)
    if what == "start" then
        started = started + 1
        start_func, start_pc = func, pc
    elseif what == "stop" then
        completed = completed + 1
        first, last = min(first, number), max(last, number)
        if ended < LOOKED_UP then
            ended = ended + 1
            begun_in[ended], begun_at[ended], numbers[ended] = start_func, start_pc, number
        end
    elseif what == "abort" then
        aborted = aborted + 1
        if waiting < LOOKED_UP then
            waiting = waiting + 1
            funcs[waiting], pcs[waiting], codes[waiting], infos[waiting] = func, pc, code, info
        end
    end
end

-- Whether events come to the handler: a suite may have set its own.
local function is_attached()
    if not registry then return true end
    for _, handler in pairs(registry()._VMEVENTS or {}) do
        if handler == on_trace then return true end
    end
    return false
end

-- What a library calls a function of C.
local function name_of(func)
    for library, functions in pairs(loaded) do
        for name, value in pairs(type(functions) == "table" and functions or {}) do
            if value == func and type(name) == "string" then
                return library == "_G" and name or tostring(library) .. "." .. name
            end
        end
    end
    return "of C"
end

local tally, list = {}, {} -- aborts by what and where; the same in the order they came

local function place_of(func, pc, named)
    local known, what = pcall(funcinfo, func, pc)
    local source = known and what.source or ""
    local line = known and (what.currentline or what.linedefined)
    if source == "=etalon/loop" then return "the loop around the calls" end
    if find(source, "^=etalon/") then return "etalon's driver" end
    local file = sub(source, 1, 1) == "@" and named(sub(source, 2)) or sub(source, 2)
    if find(source, "^[^@=]") then file = match(source, "^[^\n]*") end
    return line and format("%s:%d", file, line) or file
end

-- Whether a trace begins in what stands around the loop of calls, which is compiled as soon as it was called often.
local LOOP_LINE = 4 -- in loops.lua
local function is_around_loop(func, pc)
    local known, what = pcall(funcinfo, func, pc)
    return known and what.source == "=etalon/loop" and what.currentline ~= LOOP_LINE
end

local function add(code, info, at)
    local key = tostring(code) .. "\0" .. tostring(info) .. "\0" .. at
    local entry = tally[key]
    if not entry then
        if #list == TOLD then return end
        entry = { code = code, info = info, at = at, count = 0 }
        tally[key], list[#list + 1] = entry, entry
    end
    entry.count = entry.count + 1
end

-- The words for codes, and names of bytecodes; nil where this LuaJIT's are not known.
local function words()
    if version == VERSION then return REASONS, BYTECODES end
    local known, definitions = pcall(require, "jit.vmdef")
    if known and type(definitions) == "table" then return definitions.traceerr, definitions.bcnames end
end

local function reason_of(entry, reasons, bytecodes)
    local code, info = entry.code, entry.info
    if type(code) ~= "number" then return sub(match(tostring(code), "^[^\n]*"), 1, 200) end
    local text = reasons and reasons[code]
    if not text then return format("code %d (%s has no jit.vmdef that says what this is)", code, version) end
    if find(text, "bytecode", 1, true) and type(info) == "number" and bytecodes then
        info = match(sub(bytecodes, 6 * info + 1, 6 * info + 6), "^%S*")
    end
    return (gsub(text, "%%[sdp]", function() return tostring(info) end))
end

local traces = { watching = false }

-- From now on; before the suite is loaded, so that a handler of its own is seen.
function traces.watch()
    if attach then attach(on_trace, "trace") end
    traces.watching = attach ~= nil
end

-- What came before does not count.
function traces.restart()
    traces.watching = traces.watching and is_attached()
    started, completed, aborted, waiting, ended = 0, 0, 0, 0, 0
    first, last, own, own_numbers = huge, 0, 0, {}
    tally, list = {}, {}
end

-- For a reading that must know of traces: events come to the handler, whoever had them.
function traces.insist()
    traces.watching = traces.watching and is_attached()
    if attach then attach(on_trace, "trace") end
end

function traces.started() return started end

-- Looks up what was aborted since the last call, and lets go of the functions. `named`: a path as it is told.
function traces.settle(named)
    for index = 1, waiting do
        local info = infos[index]
        if type(info) == "function" then info = name_of(info) end
        add(codes[index], info, place_of(funcs[index], pcs[index], named))
        funcs[index], infos[index] = false, false
    end
    for index = 1, ended do
        local number = numbers[index]
        local is_own = is_around_loop(begun_in[index], begun_at[index])
        if is_own then own = own + 1 end
        own_numbers[number] = is_own or nil
        begun_in[index] = false
    end
    waiting, ended = 0, 0
    start_func = false
end

-- Bytes of machine code in the traces that were completed and are still there.
local function machine_code()
    local bytes = 0
    for number = first, last do
        local known, code = pcall(tracemc, number)
        if known and code and not own_numbers[number] then bytes = bytes + #code end
    end
    return bytes
end

-- All that was counted; nil where nothing was watched.
function traces.counted()
    traces.watching = traces.watching and is_attached()
    if not traces.watching then return nil end
    return { started = started - own, completed = completed - own, aborted = aborted, bytes = machine_code() }
end

-- Aborts with their reasons, the most frequent first.
function traces.aborts()
    if #list == 0 then return list end
    local reasons, bytecodes = words()
    for _, entry in pairs(list) do entry.reason = reason_of(entry, reasons, bytecodes) end
    sort(list, function(a, b)
        if a.count ~= b.count then return a.count > b.count end
        return a.at .. a.reason < b.at .. b.reason
    end)
    return list
end

return traces
