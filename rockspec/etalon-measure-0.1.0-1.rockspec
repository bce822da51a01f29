-- The module of benchmark suites, for interpreters that do not have it from etalon: editors, linters and tests can load a
-- suite. Measuring is done by `etalon run`, whose own copy wins over this one. Installed from a checkout:
--   luarocks make rockspec/etalon-measure-0.1.0-1.rockspec
rockspec_format = '3.0'
package = 'etalon-measure'
version = '0.1.0-1'
source = {
   url = 'file://.',
}
description = {
   summary = 'Declares Lua benchmark suites for etalon',
   detailed = [[
The module etalon.measure: options, hooks, cases with params, groups, tags and skips, every misuse named with file, line
and what to write instead. A suite that uses it loads in any interpreter and is measured by `etalon run`.]],
   license = 'MIT OR Apache-2.0',
   labels = { 'benchmark', 'performance' },
}
dependencies = {
   'lua >= 5.1, < 5.5',
}
build = {
   type = 'builtin',
   modules = {
      ['etalon.measure'] = 'crates/etalon-lua/lua/measure.lua',
      ['etalon.measure.calls'] = 'crates/etalon-lua/lua/measure/calls.lua',
      ['etalon.measure.case'] = 'crates/etalon-lua/lua/measure/case.lua',
      ['etalon.measure.checks'] = 'crates/etalon-lua/lua/measure/checks.lua',
      ['etalon.measure.describe'] = 'crates/etalon-lua/lua/measure/describe.lua',
      ['etalon.measure.lists'] = 'crates/etalon-lua/lua/measure/lists.lua',
      ['etalon.measure.metric'] = 'crates/etalon-lua/lua/measure/metric.lua',
      ['etalon.measure.module'] = 'crates/etalon-lua/lua/measure/module.lua',
      ['etalon.measure.options'] = 'crates/etalon-lua/lua/measure/options.lua',
      ['etalon.measure.params'] = 'crates/etalon-lua/lua/measure/params.lua',
      ['etalon.measure.places'] = 'crates/etalon-lua/lua/measure/places.lua',
      ['etalon.measure.registry'] = 'crates/etalon-lua/lua/measure/registry.lua',
      ['etalon.measure.spelling'] = 'crates/etalon-lua/lua/measure/spelling.lua',
      ['etalon.measure.words'] = 'crates/etalon-lua/lua/measure/words.lua',
   },
   copy_directories = {},
}
