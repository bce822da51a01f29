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
   },
   copy_directories = {},
}
