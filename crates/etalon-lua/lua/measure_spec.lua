-- Tests of measure.lua and its parts: `luajit measure_spec.lua`, with any Lua 5.1 to 5.4, from any directory. Exit code 1 on a failure.
--
-- A refused suite is compared with its whole message, because the message is what the module is for. Suites here are one
-- statement a line: interpreters differ in the line they give to a call that is spread over several.

local directory = (arg and arg[0] or ''):match('^(.*)/[^/]*$') or '.'
local load_text = loadstring or load

-- The parts, read when they are asked for.
local chunks = setmetatable({}, {
    __index = function(_, name)
        return assert(loadfile(directory .. '/' .. name .. '.lua'))
    end,
})
local new = chunks.measure(chunks)

local passed, failed = 0, {}

local function check(what, ok, got)
    if ok then
        passed = passed + 1
    else
        failed[#failed + 1] = what .. '\n    got: ' .. tostring(got)
    end
end

local function equal(what, got, wanted)
    check(what .. '\n    wanted: ' .. tostring(wanted), got == wanted and type(got) == type(wanted), got)
end

-- Loads `code` as the file s_bench.lua and closes it, as a driver does: registry or nil, error or nil, module.
local function suite(code, environment)
    local module, registry = new(environment)
    local chunk = assert(load_text(code, '@s_bench.lua'))
    local ok, err = pcall(function()
        -- The result is kept from being a tail call, which would take this frame away.
        local result = chunk(module)
        registry.close()
        return result
    end)
    return ok and registry or nil, err, module, registry
end

local HEAD = 'local m = ... local f = function() end '

local function accepted(code)
    local registry, err = suite(HEAD .. code)
    check(code, registry ~= nil, err)
    return registry or { cases = {}, options = {}, hooks = {} }
end

local function refused(code, message)
    local registry, err = suite(HEAD .. code)
    if registry then
        check(code .. '\n    wanted: ' .. message, false, 'accepted')
    else
        equal(code, err, message)
    end
end

local function names(registry)
    local list = {}
    for i, case in ipairs(registry.cases) do
        local parts = {}
        for k, pair in ipairs(case.params) do
            parts[k] = pair[1] .. '=' .. pair[3]
        end
        list[i] = case.name .. '[' .. table.concat(parts, ',') .. ']'
    end
    return table.concat(list, ' ')
end

---------------------------------------------------------------------------------------------------------------------
-- Chains, dots and colons

do
    -- Every mixture of dot and colon registers the same two cases.
    for mask = 0, 31 do
        local function mark(bit)
            return math.floor(mask / 2 ^ bit) % 2 == 0 and '.' or ':'
        end
        local code = ("local m=... local f=function() end m%sdescribe('a')%ssetup(f)%srun(f)%sdescribe('b')%srun(f)"):format(
            mark(0), mark(1), mark(2), mark(3), mark(4))
        local registry, err = suite(code)
        check(code, registry ~= nil, err)
        equal(code, registry and names(registry), 'a[] b[]')
        check('setup is kept: ' .. code, registry and type(registry.cases[1].setup) == 'function' and not registry.cases[2].setup)
    end

    -- The template of the seed's README.
    local registry = accepted([[
        function m.before_all() return 'kept' end
        m.options({ confidence_level = 95, rciw = 5, warmup = 1 }).describe('my function'):run(function() end
        ).describe('alternative implementation'):run(function() end)]])
    equal('cases of the template', names(registry), 'my function[] alternative implementation[]')
    equal('options of the template', registry.options.confidence_level, 95)
    equal('an option that was not given', registry.options.gc_step, nil)
    equal('hook', registry.hooks.before_all(), 'kept')
    equal('hook that was not given', registry.hooks.after_all, nil)

    registry = accepted([[
        m:options({ warmup = 0 }):group('g'):describe('a'):setup_once(f):run_with_timer(f):teardown(f):bytes(10):items(2.5)
            :tags('x', 'y'):describe('b'):skip('no reason'):describe('c'):group('h').tags({ 'x' }).run(f)
        m.group()
        m.describe('d').run(f)]])
    local a, b, c, d = registry.cases[1], registry.cases[2], registry.cases[3], registry.cases[4]
    equal('group of the file', a.group, 'g')
    equal('bytes', a.bytes, 10)
    equal('items', a.items, 2.5)
    equal('tags', table.concat(a.tags, ' '), 'x y')
    check('functions', a.setup_once and a.run_with_timer and a.teardown and not a.run and not a.setup)
    equal('skip', b.skip, 'no reason')
    equal('no skip', a.skip, nil)
    equal('group of a skipped case', b.group, 'g')
    equal('own group', c.group, 'h')
    equal('tags as a table', table.concat(c.tags, ' '), 'x')
    equal('group ended', d.group, nil)
    equal('no params', #d.params, 0)
    equal('no params to pass', d.wants_params, false)

    -- Methods kept in locals, cases described before either is run.
    registry = accepted([[
        local describe = m.describe
        local a, b = describe('a'), describe('b')
        local run = b.run
        run(f) a.run(f) a.teardown(f)]])
    equal('order is that of describe', names(registry), 'a[] b[]')
    check('teardown of a', registry.cases[1].teardown and not registry.cases[2].teardown)
end

---------------------------------------------------------------------------------------------------------------------
-- Options

do
    for _, good in ipairs({ 'warmup = 0', 'warmup = 5', 'warmup = 0.25', 'gc_step = -1', 'gc_step = 0', 'gc_step = 1024',
        'gc_step = 100.0', 'gc_step = 4294967295', 'confidence_level = 100', 'confidence_level = 0.001', 'rciw = 100', 'rciw = 1e-3', 'context = {}',
        'context = function() return 1 end', '' }) do
        accepted('m.options({ ' .. good .. ' })')
    end
    local registry = accepted('m.options({ gc_step = 100.0, context = function() error("called while loading") end })')
    equal('an integer by value', tostring(registry.options.gc_step), '100')
    equal('without a context there is an empty one', next(accepted('m.describe("a"):run(f)').options.context), nil)
    equal('context is kept, not called', type(registry.options.context), 'function')

    local place = 's_bench.lua:1: '
    local known = '; the options are confidence_level, context, gc_step, rciw, warmup'
    for code, message in pairs({
        ['warmup = 5.01'] = 'warmup is 0 to 5 seconds (fractions work), not 5.01; write warmup = 0.5',
        ['warmup = -0.1'] = 'warmup is 0 to 5 seconds (fractions work), not -0.1; write warmup = 0.5',
        ['warmup = "1"'] = "warmup must be a number, not the string '1'; write warmup = 0.5",
        ['warmup = 0/0'] = 'warmup must be a finite number, not NaN; write warmup = 0.5',
        ['warmup = true'] = 'warmup must be a number, not true; write warmup = 0.5',
        ['gc_step = -2'] = 'gc_step is an integer: -1 (collector off), 0 (full collection before each sample) or a step of at '
            .. 'most 4294967295 KB, not -2; write gc_step = 0',
        ['gc_step = 0.5'] = 'gc_step is an integer: -1 (collector off), 0 (full collection before each sample) or a step of at '
            .. 'most 4294967295 KB, not 0.5; write gc_step = 0',
        ['gc_step = 2^32'] = 'gc_step is an integer: -1 (collector off), 0 (full collection before each sample) or a step of at '
            .. 'most 4294967295 KB, not 4294967296; write gc_step = 0',
        ['gc_step = math.huge'] = 'gc_step must be a finite number, not inf; write gc_step = 0',
        ['confidence_level = 0'] = 'confidence_level is a percentage above 0 and at most 100, not 0; write confidence_level = 95',
        ['confidence_level = 100.5'] =
            'confidence_level is a percentage above 0 and at most 100, not 100.5; write confidence_level = 95',
        ['rciw = 0/0'] = 'rciw must be a finite number, not NaN; write rciw = 5',
        ['rciw = "5"'] = "rciw must be a number, not the string '5'; write rciw = 5",
        ['context = 1'] = 'context must be a table, or a function that returns what setup and teardown get, not 1; '
            .. 'write context = { data = data }',
        ['wramup = 1'] = "there is no option 'wramup' (did you mean 'warmup'?)" .. known,
        ['confidence = 95'] = "there is no option 'confidence' (did you mean 'confidence_level'?)" .. known,
        ['GC_STEP = 0'] = "there is no option 'GC_STEP' (did you mean 'gc_step'?)" .. known,
        ['samples = 30'] = "there is no option 'samples'" .. known,
        ['[1] = 30'] = 'there is no option 1' .. known,
    }) do
        refused('m.options({ ' .. code .. ' })', place .. message)
    end
    local write = '; write measure.options({ warmup = 0.5, gc_step = 0, confidence_level = 95, rciw = 5, context = {} })'
    refused('m.options()', place .. 'options takes a table, not nothing (nil)' .. write)
    refused('m:options(1)', place .. 'options takes a table, not 1' .. write)
    refused('m.options({}, 1)', place .. 'options takes at most 1 argument, not 2' .. write)
    refused('m.options({})\nm.options({})',
        's_bench.lua:2: options are already given (s_bench.lua:1); write them in one call')
    refused('m.describe("a"):run(f)\nm.options({})', 's_bench.lua:2: options hold for all cases, and the first is already '
        .. 'described (s_bench.lua:1); write measure.options before the first describe')
end

---------------------------------------------------------------------------------------------------------------------
-- Hooks and unknown names

do
    local registry = accepted([[
        function m.before_all() end function m.after_all() end
        function m.before_each() end function m.after_each() end
        assert(type(m.before_all) == 'function')]])
    for _, name in ipairs({ 'before_all', 'after_all', 'before_each', 'after_each' }) do
        equal(name, type(registry.hooks[name]), 'function')
    end
    accepted('assert(m.before_all == nil) assert(m._VERSION)')
    refused('function m.before_all() end\nfunction m.before_all() end', 's_bench.lua:2: the hook before_all is already set '
        .. '(s_bench.lua:1); write one function that does both')
    refused('m.after_each = 1', 's_bench.lua:1: the hook after_each must be a function, not 1; write '
        .. 'function measure.before_all() ... end (or before_each, after_each, after_all)')
    refused('m.after_each = nil', 's_bench.lua:1: the hook after_each must be a function, not nothing (nil); write '
        .. 'function measure.before_all() ... end (or before_each, after_each, after_all)')
    local hooks = '; the hooks are after_all, after_each, before_all, before_each'
    refused('function m.befor_each() end', "s_bench.lua:1: there is no hook 'befor_each' (did you mean 'before_each'?)" .. hooks)
    refused('m.anything = 1', "s_bench.lua:1: there is no hook 'anything'" .. hooks)
    refused('m[1] = f', 's_bench.lua:1: there is no hook 1' .. hooks)
    refused('m.describe = f', 's_bench.lua:1: measure.describe cannot be replaced; call it, or choose a name of your own')
    refused('m.sink = f', 's_bench.lua:1: measure.sink cannot be replaced; call it, or choose a name of your own')
    refused('m.descrbe("x")', "s_bench.lua:1: measure has no 'descrbe' (did you mean 'describe'?); functions: describe, group, "
        .. 'metric, options, sink; hooks: after_all, after_each, before_all, before_each')
    local methods = '; it has bytes, describe, group, items, run, run_with_timer, setup, setup_once, skip, tags, teardown'
    refused('m.describe("x"):rum(f)', "s_bench.lua:1: a case has no 'rum' (did you mean 'run'?)" .. methods)
    refused('m.describe("x").before_each = f', 's_bench.lua:1: nothing can be assigned to a case' .. methods)
    refused('m.describe("x").run = f', 's_bench.lua:1: nothing can be assigned to a case; call it: run(function(is_warmup) '
        .. '... end)')
end

---------------------------------------------------------------------------------------------------------------------
-- Cases: order, duplicates, what is missing

do
    local name = '; write measure.describe(\'name\') or measure.describe(\'name\', { size = { 10, 1000 } })'
    refused('m.describe()', 's_bench.lua:1: the name of a case must be a string, not nothing (nil)' .. name)
    refused('m.describe(f)', 's_bench.lua:1: the name of a case must be a string, not a function' .. name)
    refused('m.describe(1)', 's_bench.lua:1: the name of a case must be a string, not 1' .. name)
    refused('m.describe(" ")', 's_bench.lua:1: the name of a case must not be empty' .. name)
    refused('m.describe("a\\nb")', 's_bench.lua:1: the name of a case must not hold control characters or line ends' .. name)
    refused('m.describe(m)', 's_bench.lua:1: the name of a case must be a string, not nothing (nil)' .. name)
    accepted('local c = m.describe("a"):run(f) assert(tostring(c) == "the case \'a\'", tostring(c))')
    refused('local c = m.describe("a") m.describe(c)', "s_bench.lua:1: the name of a case must be a string, not the case 'a'" .. name)
    refused('m.describe("a", {n=1}, 1)', 's_bench.lua:1: describe takes at most 2 arguments, not 3' .. name)
    for _, bytes in ipairs({ '\\128', '\\192\\128', '\\237\\160\\128', '\\244\\144\\128\\128', 'a\\195', '\\255' }) do
        refused('m.describe("' .. bytes .. '")', 's_bench.lua:1: the name of a case must be UTF-8' .. name)
    end
    accepted('m.describe("\195\164 \226\130\172 \240\159\154\128 \237\159\191 \239\191\189"):run(f)')

    refused('m.describe("a")', "s_bench.lua:1: case 'a' has no run; write describe('a'):run(function(is_warmup) ... end)")
    refused('m.describe("b"):run(f)\nm.describe("a"):setup(f)',
        "s_bench.lua:2: case 'a' has no run; write describe('a'):run(function(is_warmup) ... end)")
    refused('m.describe("a"):setup(f):describe("b"):run(f)', "s_bench.lua:1: case 'a' (s_bench.lua:1) has no run yet; "
        .. 'write run(function(is_warmup) ... end) before the next describe')
    refused('m.describe("a"):run()', 's_bench.lua:1: run takes a function, not nothing (nil); write run(function(is_warmup) ... end)')
    refused('m.describe("a"):run("f")', "s_bench.lua:1: run takes a function, not the string 'f'; "
        .. 'write run(function(is_warmup) ... end)')
    refused('m.describe("a").run_with_timer({})', 's_bench.lua:1: run_with_timer takes a function, not a table; '
        .. 'write run_with_timer(function(m) ... return m(target) end)')
    refused('m.describe("a"):run(f, f)', 's_bench.lua:1: run takes at most 1 argument, not 2; write run(function(is_warmup) ... end)')
    refused('local c = m.describe("a"):run(f)\nc:run(f)', "s_bench.lua:2: case 'a' already has run (s_bench.lua:1); keep one of them")
    refused('local c = m.describe("a"):run(f)\nc:run_with_timer(f)',
        "s_bench.lua:2: case 'a' has run (s_bench.lua:1) and run_with_timer; keep one of them")
    refused('local c = m.describe("a"):run_with_timer(f)\nc:run(f)',
        "s_bench.lua:2: case 'a' has run_with_timer (s_bench.lua:1) and run; keep one of them")
    refused('m.describe("a"):setup(f):setup_once(f)', "s_bench.lua:1: case 'a' has setup (s_bench.lua:1) and setup_once; keep one of them")
    refused('m.describe("a"):setup(f):setup(f)', "s_bench.lua:1: case 'a' already has setup (s_bench.lua:1); keep one of them")
    refused('m.describe("a"):run(f):setup(f)', 's_bench.lua:1: setup comes before run (s_bench.lua:1); '
        .. "write describe('a'):setup(...):run(...)")
    refused('m.describe("a"):teardown(f)', "s_bench.lua:1: teardown comes after run; write describe('a'):run(...):teardown(...)")
    refused('m.describe("a"):run(f):teardown(f):teardown(f)', "s_bench.lua:1: case 'a' already has teardown (s_bench.lua:1); keep one of them")

    local other = '; give it another name, other params or another group'
    refused('m.describe("a"):run(f)\nm.describe("a"):run(f)', "s_bench.lua:2: case 'a' is already described (s_bench.lua:1)" .. other)
    refused('m.group("g")\nm.describe("a"):run(f)\nm.group()\nm.describe("a"):run(f):group("g")',
        "s_bench.lua:4: case 'a' is already described (s_bench.lua:2) in group 'g'" .. other)
    refused('m.describe("a", {n={1,2}}):run(f)\nm.describe("a", {n=2}):run(f)',
        "s_bench.lua:2: case 'a' [n=2] is already described (s_bench.lua:1)" .. other)
    refused('m.describe("a", {{"x",1},{"y",2}}):run(f) m.describe("a", {{"y",2},{"x",1}}):run(f)',
        "s_bench.lua:1: case 'a' [y=2, x=1] is already described (s_bench.lua:1)" .. other)
    accepted('m.describe("a"):run(f) m.describe("a", {n=1}):run(f) m.describe("a"):group("g"):run(f) m.describe("a", {n=2}):run(f)')
    -- Texts that would be one if they were only strung together.
    accepted('m.describe("a", {x="1", y="2"}):run(f) m.describe("a", {x="1, y=2"}):run(f)')

    refused('local c = m.describe("a"):run(f):group("g")\nc:group("h")', "s_bench.lua:2: case 'a' already has group (s_bench.lua:1); keep one of them")
    refused('m.describe("a"):group(1)', "s_bench.lua:1: the name of a group must be a string, not 1; write group('name')")
    refused('m.group(nil)', "s_bench.lua:1: the name of a group must be a string, not nothing (nil); "
        .. "write measure.group('name'), and measure.group() to end the group")
    refused('m.describe("a"):tags()', "s_bench.lua:1: tags needs at least one tag; write tags('one', 'two')")
    refused('m.describe("a"):tags("x", 2)', "s_bench.lua:1: a tag must be a string, not 2; write tags('one', 'two')")
    refused('m.describe("a"):tags("x,y")', "s_bench.lua:1: a tag must not hold a comma, which separates tags: 'x,y'; write tags('one', 'two')")
    equal('a tag given twice is one tag', table.concat(accepted('m.describe("a"):tags("x"):run(f):tags("y", "x")').cases[1].tags, ' '), 'x y')
end

---------------------------------------------------------------------------------------------------------------------
-- Skips and amounts

do
    local write = "; write skip('why') or skip(not found, 'why')"
    refused('m.describe("a"):skip()', 's_bench.lua:1: the reason of skip must be a string, not nothing (nil)' .. write)
    refused('m.describe("a"):skip(true)', 's_bench.lua:1: the reason of skip must be a string, not true' .. write)
    refused('m.describe("a"):skip("x", "why")', "s_bench.lua:1: the condition of skip is true, false or a function of params, "
        .. "not the string 'x'; write skip(value ~= nil, 'why')")
    refused('m.describe("a"):skip(false, "why")', "s_bench.lua:1: case 'a' has no run; write describe('a'):run(function(is_warmup) ... end)")
    refused('m.describe("a", {n={1,2}}):skip(function(p) return p.n == 1 end, "why")',
        "s_bench.lua:1: case 'a' [n=2] has no run; write describe('a'):run(function(is_warmup) ... end)")
    local cases = accepted([[
        m.describe('a'):skip(nil, 'x'):skip(true, "two\nlines"):skip('third'):run(f)
        m.describe('b', { n = { 1, 2 } }):skip(function(p) return p.n == 2 end, 'too big'):run(f)]]).cases
    equal('the first reason that holds', cases[1].skip, 'two\nlines')
    equal('combination kept', cases[2].skip, nil)
    equal('combination skipped', cases[3].skip, 'too big')

    cases = accepted('m.describe("a", {n={3,4}}):bytes(function(p) return p.n * 10 end):run(f):items(7)').cases
    equal('bytes by params', cases[1].bytes .. ' ' .. cases[2].bytes, '30 40')
    equal('items of all', cases[1].items .. ' ' .. cases[2].items, '7 7')
    local bytes = '; write bytes(1024), or bytes(function(params) return params.size end) when it depends on params'
    refused('m.describe("a"):bytes(0)', 's_bench.lua:1: bytes of one call must be above 0, not 0' .. bytes)
    refused('m.describe("a"):bytes(1/0)', 's_bench.lua:1: bytes of one call must be a finite number, not inf' .. bytes)
    refused('m.describe("a"):bytes("1")', "s_bench.lua:1: bytes of one call must be a number, not the string '1'" .. bytes)
    refused('m.describe("a"):bytes(1):bytes(2)', "s_bench.lua:1: case 'a' already has bytes (s_bench.lua:1); keep one of them")
    refused('m.describe("a", {n={3,4}}):items(function(p) if p.n == 3 then return 1 end end)', 's_bench.lua:1: items of one call '
        .. "must be a number, not nothing (nil) (returned for 'a' [n=4]); write items(100), or items(function(params) return "
        .. 'params.count end) when it depends on params')
end

---------------------------------------------------------------------------------------------------------------------
-- Params

do
    equal('keys are sorted, arrays keep their order, the last varies fastest',
        names(accepted("m.describe('a', { z = { 2, 1 }, k = { 'q', 'b' } }):run(f)")),
        'a[k=q,z=2] a[k=q,z=1] a[k=b,z=2] a[k=b,z=1]')
    equal('pairs keep their order',
        names(accepted("m.describe('a', { { 'z', { 2, 1 } }, { 'k', 'q' }, { 'b', { true, false } } }):run(f)")),
        'a[z=2,k=q,b=true] a[z=2,k=q,b=false] a[z=1,k=q,b=true] a[z=1,k=q,b=false]')
    equal('texts are the same in every Lua',
        names(accepted("m.describe('a', { { 'n', { 1, 0.1, 2.0, 1e100, -3, 1/3, 9007199254740992, '' } } }):run(f)")),
        'a[n=1] a[n=0.1] a[n=2] a[n=1e+100] a[n=-3] a[n=0.3333333333333333] a[n=9007199254740992] a[n=]')
    equal('a pair with one value', names(accepted("m.describe('a', { { 'z', 1 } }):run(f)")), 'a[z=1]')

    local cases = accepted([[
        m.describe('one', { n = 1 }):run(function(is_warmup) end)
        m.describe('two', { n = 1, k = 'x' }):run(function(is_warmup, params) end)
        m.describe('many', { n = 1 }):run(function(...) end)
        m.describe('timer', { n = 1 }):run_with_timer(function(m, params) end)
        m.describe('none'):run(function(is_warmup, params) end)]]).cases
    equal('value', cases[1].params[1][2], 1)
    equal('params_table', cases[2].params_table.k .. cases[2].params_table.n, 'x1')
    equal('params_table of a case without', next(cases[5].params_table), nil)
    -- Lua 5.1 proper cannot tell how many parameters a function declares.
    local can_tell = debug.getinfo(1, 'u').nparams ~= nil
    equal('run without a second parameter', cases[1].wants_params, not can_tell)
    equal('run with a second parameter', cases[2].wants_params, true)
    equal('run with any parameters', cases[3].wants_params, true)
    equal('no params', cases[5].wants_params, false)
    check('combinations do not share a table', cases[1].params_table ~= cases[2].params_table)

    local write = "; write { size = { 10, 1000 }, kind = 'a' }, or { { 'size', { 10, 1000 } }, { 'kind', 'a' } } to choose the order"
    local place = 's_bench.lua:1: '
    for code, message in pairs({
        ['1'] = 'params must be a table, not 1' .. write,
        ['f'] = "params must be a table, not a function; write measure.describe('name'):run(function(is_warmup) ... end)",
        ['{}'] = "params are empty; leave them out: measure.describe('name')",
        ['{ 1, 2 }'] = 'params as a list need pairs { name, value or values }, element 1 is 1' .. write,
        ['{ { "n" } }'] = 'params as a list need pairs { name, value or values }, element 1 is a table' .. write,
        ['{ { "n", 1 }, { "n", 2 } }'] = "param 'n' is given twice; write all its values in one list",
        ['{ { 1, 1 } }'] = 'the name of a param must be a string, not 1' .. write,
        ['{ [true] = 1 }'] = 'the name of a param must be a string, not true' .. write,
        ['{ [""] = 1 }'] = 'the name of a param must not be empty' .. write,
        ['{ n = {} }'] = "param 'n' has no values" .. write,
        ['{ n = { 1, nil, 3 } }'] = "param 'n' has a table that is not an array without holes" .. write,
        ['{ n = { x = 1 } }'] = "param 'n' has a table that is not an array without holes" .. write,
        ['{ n = 0/0 }'] = "a value of param 'n' must be a finite number, not NaN" .. write,
        ['{ n = { 1, 1/0 } }'] = "a value of param 'n' must be a finite number, not inf" .. write,
        ['{ n = { {} } }'] = "a value of param 'n' must be a string, number or boolean, not a table" .. write,
        ['{ n = f }'] = "a value of param 'n' must be a string, number or boolean, not a function" .. write,
        ['{ n = "\\255" }'] = "a value of param 'n' must be UTF-8" .. write,
        ['{ n = { 1, 2, 1 } }'] = "param 'n' has the value 1 twice; write each value once",
        ['{ n = { 1, "1" } }'] = "param 'n' has the value 1 twice; write each value once",
        ['{ { "a", t }, { "b", t }, { "c", { 1, 2 } } }'] =
            'these params make 20000 cases, at most 10000 are possible; give fewer values, or describe fewer combinations',
    }) do
        refused('local t = {} for i = 1, 100 do t[i] = i end m.describe("a", ' .. code .. '):run(f)', place .. message)
    end
    equal('as many as possible', #accepted('local t = {} for i = 1, 100 do t[i] = i end m.describe("a", {x=t, y=t}):run(f)').cases, 10000)
end

---------------------------------------------------------------------------------------------------------------------
-- Places: the caller's own line, whatever lies between

do
    -- A helper module registers for a suite: the helper's line, but a case of the suite that is being loaded.
    local module, registry = new()
    local helper = assert(load_text('local m = ...\nreturn function(name, fn)\n  local c = m.describe(name)\n  c:run(fn)\nend',
        '@lib/helper.lua'))(module)
    assert(load_text('local m, add = ...\nadd("a", function() end)\nm.describe("b"):run(print)', '@s_bench.lua'))(module, helper)
    local ok, err = pcall(helper, 'c', 1)
    equal('a mistake in a helper', err, 'lib/helper.lua:4: run takes a function, not 1; write run(function(is_warmup) ... end)')
    check('helper raised', not ok)
    module, registry = new()
    helper = assert(load_text('local m = ...\nreturn function(name, fn)\n  local c = m.describe(name)\n  c:run(fn)\nend',
        '@lib/helper.lua'))(module)
    assert(load_text('local m, add = ...\nadd("a", function() end)\nm.describe("b"):run(print)', '@s_bench.lua'))(module, helper)
    registry.close()
    equal('source of a helper', registry.cases[1].source .. ':' .. registry.cases[1].line, 'lib/helper.lua:3')
    equal('source of the suite', registry.cases[2].source .. ':' .. registry.cases[2].line, 's_bench.lua:3')

    -- pcall and coroutines between.
    refused('\n\nassert(select(2, pcall(m.options, 1)):find("^s_bench.lua:3: options takes")) error("seen", 0)', 'seen')
    refused('local co = coroutine.create(function()\nm.options(1) end) error(select(2, coroutine.resume(co)), 0)', 
        's_bench.lua:2: options takes a table, not 1; write measure.options({ warmup = 0.5, gc_step = 0, confidence_level = 95, rciw = 5, context = {} })')

    -- A tail call leaves no frame of the suite: the last place known is named, never the driver's.
    local own = { [debug.getinfo(1, 'S').source] = true }
    local tail = 'local m = ...\nlocal c = m.describe("x")\nreturn c:run(1)'
    local _, message = suite(tail, { own = own })
    equal('a tail call', message, 's_bench.lua:2: run takes a function, not 1; write run(function(is_warmup) ... end)')
    _, message = suite('local m = ...\nreturn m.describe(1)', { own = own, suite = 's_bench.lua' })
    equal('a tail call before anything else', message, 's_bench.lua: the name of a case must be a string, not 1; '
        .. "write measure.describe('name') or measure.describe('name', { size = { 10, 1000 } })")
    check('a tail call that is right', suite('local m = ... return m.describe("x"):run(print)', { own = own }))

    -- Chunks that are no file.
    for chunk, shown in pairs({ ['=-e 1'] = '-e 1', ['local m = ...'] = '[string "local m = ..."]' }) do
        module = new()
        ok, err = pcall(assert(load_text('local m = ...\nm.options(1) return 1', chunk)), module)
        equal('chunk ' .. chunk, err:match('^(.-:%d+):'), shown .. ':2')
        check('refused', not ok)
    end

    -- A suite that breaks the standard library still gets its message.
    local keep, keep_meta, keep_type, keep_select, keep_next = string.format, getmetatable('').__index, type, select, next
    local _, broken = suite([[
        local m = ...
        string.format = nil getmetatable('').__index = nil type = nil select = nil next = nil
        m.options({ warmup = 9.5 })]])
    string.format, getmetatable('').__index, type, select, next = keep, keep_meta, keep_type, keep_select, keep_next
    equal('a broken standard library', broken, 's_bench.lua:3: warmup is 0 to 5 seconds (fractions work), not 9.5; write warmup = 0.5')
end

---------------------------------------------------------------------------------------------------------------------
-- After loading

do
    local registry, _, module = suite(HEAD .. 'm.describe("a"):run(f)')
    registry.close()
    equal('closing twice changes nothing', #registry.cases, 1)
    for what, act in pairs({
        describe = function() module.describe('b') end,
        options = function() module.options({}) end,
        group = function() module.group('g') end,
        before_all = function() module.before_all = print end,
    }) do
        local ok, err = pcall(act)
        check(what .. ' after loading is refused', not ok)
        equal(what, err:gsub('^.-:%d+: ', ''), what .. ' is called after the file was loaded; '
            .. 'register cases, hooks and options while it is loaded')
    end

    local seen
    local function metric(...)
        local ok, err = pcall(function(...)
            module.metric(...)
        end, ...)
        return ok or (err:gsub('^.-:%d+: ', ''))
    end
    equal('outside a case', metric('hits', 1, 'count'), "metric 'hits' is given outside a running case; call measure.metric in "
        .. 'before_all, before_each, setup, run, teardown, after_each or after_all')
    registry.metric = function(...)
        seen = { ... }
    end
    equal('accepted', metric('hits', 12, 'count'), true)
    equal('what is reported', ('%s %d %s %s'):format(seen[1], seen[2], seen[3], seen[4]), 'hits 12 count neither')
    equal('direction', metric('hits', 12, 'count', 'higher') and seen[4], 'higher')
    module:metric('size', 1.5, 'B')
    equal('with a colon', seen[1], 'size')
    local write = "; write measure.metric('name', 12, 'B') or measure.metric('name', 12, 'B', 'lower')"
    equal('NaN', metric('hits', 0 / 0, 'B'), "the value of metric 'hits' must be a finite number, not NaN" .. write)
    equal('infinity', metric('hits', -1 / 0, 'B'), "the value of metric 'hits' must be a finite number, not -inf" .. write)
    equal('a string', metric('hits', '1', 'B'), "the value of metric 'hits' must be a number, not the string '1'" .. write)
    equal('no unit', metric('hits', 1), "the unit of metric 'hits' must be a string, not nothing (nil)" .. write)
    equal('own name', metric('wall', 1, 'B'), "the name of a metric 'wall' is one that etalon measures itself" .. write)
    equal('odd name', metric('a b', 1, 'B'), "the name of a metric is letters, digits, '_', '.' and '-', beginning with a letter "
        .. "or '_', not the string 'a b'" .. write)
    equal('direction', metric('hits', 1, 'B', 'hihger'), "the direction of metric 'hits' is lower, higher, neither, not the string "
        .. "'hihger' (did you mean 'higher'?)" .. write)
    if math.type then
        metric('big', math.maxinteger, 'count')
        equal('integers stay exact', seen[2], math.maxinteger)
    end
end

---------------------------------------------------------------------------------------------------------------------
-- The sink

do
    local store = {}
    local module = new({ sink = store })
    local function kept(how)
        local weak = setmetatable({}, { __mode = 'k' })
        how(weak)
        collectgarbage()
        collectgarbage()
        local count = 0
        for _ in pairs(weak) do
            count = count + 1
        end
        return count
    end
    local function fresh(weak)
        local value = {}
        weak[value] = true
        return value
    end
    equal('a value is kept', kept(function(weak) module.sink(fresh(weak)) end), 1)
    equal('two values are kept', kept(function(weak) module.sink(fresh(weak), fresh(weak)) end), 2)
    equal('a value given with a colon is kept', kept(function(weak) module:sink(fresh(weak)) end), 1)
    equal('only the last is', kept(function(weak) module:sink(fresh(weak)) module:sink(fresh(weak)) end), 1)
    equal('the driver lets go', kept(function(weak) module:sink(fresh(weak)) store[1], store[2] = nil, nil end), 0)

    -- With the collector stopped every table that exists is memory: those a compiler dropped are not there.
    collectgarbage()
    collectgarbage('stop')
    local sink, before = module.sink, collectgarbage('count')
    for i = 1, 100000 do
        sink({ i })
    end
    local grown = collectgarbage('count') - before
    collectgarbage('restart')
    check('100000 tables given to the sink exist', grown > 100000 * 40 / 1024, grown)

    if type(jit) == 'table' and jit.status() then
        local util = require('jit.util')
        local keys = {}
        for i = 1, 100 do
            keys[i] = i
        end
        local register = load_text('local m, t = ... m.describe("a", { x = t, y = t }):run(print)')
        jit.flush()
        local traced, other = new()
        register(traced, keys)
        other.close()
        equal('registering 10000 cases leaves no trace', util.traceinfo(1), nil)
        jit.flush()
        assert(load_text('local sink = ... for i = 1, 1000 do sink(i) end'))(traced.sink)
        local compiled
        for trace = 1, 10 do
            local about = util.traceinfo(trace)
            compiled = compiled or about and about.linktype == 'loop'
        end
        equal('a loop with the sink is compiled', compiled, true)
    end
end

---------------------------------------------------------------------------------------------------------------------
-- Required by a plain interpreter (the rock): loads, and says how to run

do
    local searchers = package.searchers or package.loaders
    table.insert(searchers, 1, function(name)
        local part = name:match('^etalon%.measure%.(.+)$')
        return part and chunks['measure/' .. part] or 'no part of measure'
    end)
    local module = chunks.measure('etalon.measure')
    table.remove(searchers, 1)
    equal('require gives the module', type(module), 'table')
    local load_suite = assert(load_text('local m = ...\nm.describe("a"):run(print)', '@x_bench.lua'))
    check('a suite can be loaded', pcall(load_suite, module))
    local keep = arg
    arg = { [0] = 'x_bench.lua' }
    local ok, err = pcall(load_suite, module)
    arg = keep
    check('a suite cannot be run', not ok)
    equal('what to do', err, 'x_bench.lua:2: a plain interpreter measures nothing; write: etalon run x_bench.lua')
end

---------------------------------------------------------------------------------------------------------------------
-- docs/lua.md: its suites load, its messages are those given. A comment `--> text` is the message of the line it ends.

do
    local file = assert(io.open(directory .. '/../../../docs/lua.md'))
    local text = file:read('*a')
    file:close()
    local suites, messages = 0, 0
    for code in text:gmatch('```lua\n(.-)```') do
        suites = suites + 1
        local module, registry = new()
        package.loaded['measure'], package.loaded['etalon.measure'] = module, module
        local ok, err = pcall(assert(load_text(code, '@doc_bench.lua')))
        check('suite ' .. suites .. ' of docs/lua.md loads', ok, err)
        ok, err = pcall(registry.close)
        check('suite ' .. suites .. ' of docs/lua.md is complete', ok and #registry.cases > 0, err)
    end
    for code, message in text:gmatch('\n    ([^\n]*)\n    %-%-> ([^\n]*)') do
        messages = messages + 1
        local module, registry = new()
        package.loaded['measure'] = module
        local ok, err = pcall(function()
            local result = assert(load_text('local measure = require("measure") ' .. code, '@words_bench.lua'))()
            registry.close()
            return result
        end)
        check('refused: ' .. code, not ok)
        equal('message in docs/lua.md', err, message)
    end
    check('docs/lua.md has suites', suites >= 5, suites)
    check('docs/lua.md has messages', messages >= 5, messages)
    package.loaded['measure'], package.loaded['etalon.measure'] = nil, nil
end

for _, what in ipairs(failed) do
    io.stderr:write('FAILED ', what, '\n')
end
print(('%s: %d passed, %d failed'):format(type(jit) == 'table' and jit.version or _VERSION, passed, #failed))
os.exit(#failed == 0 and 0 or 1)
