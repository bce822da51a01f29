//! Hooks are called once, in order, with what they are promised, and never inside a sample.

use etalon_lua::Request;

use super::Test;
use super::lab::{Lab, quick};

pub(crate) const TESTS: &[Test] = &[
    ("hooks_are_called_once_and_in_order", hooks_are_called_once_and_in_order),
    ("hooks_get_their_arguments", hooks_get_their_arguments),
    ("run_gets_the_parameters_it_wants", run_gets_the_parameters_it_wants),
    ("metrics_are_handed_out", metrics_are_handed_out),
];

/// Every hook logs; `run` logs when it is called after something else was.
const LOGGED: &str = "local last
     local function log(event) if event ~= last then print(event) end last = event end
     for _, name in ipairs({ 'before_all', 'after_all', 'before_each', 'after_each' }) do
         measure[name] = function() log(name) end
     end
     measure.options({ context = function() log('context') return {} end })
     for _, name in ipairs({ 'first', 'second' }) do
         measure.describe(name).setup(function() log('setup ' .. name) end).run(function(is_warmup)
             log((is_warmup and 'warm-up ' or 'run ') .. name)
         end).teardown(function() log('teardown ' .. name) end)
     end";

/// Catches a hook that is called per sample, inside a batch, for another case, or not at all.
fn hooks_are_called_once_and_in_order() {
    let lab = Lab::new(LOGGED);
    let (mut talk, _) = lab.loaded();
    assert_eq!(talk.printed(), "");
    let mut prepare = quick();
    prepare.case = 2;
    talk.prepare(prepare);
    assert_eq!(
        talk.printed().lines().collect::<Vec<_>>(),
        ["before_all", "before_each", "context", "setup second", "warm-up second", "run second"]
    );
    for turn in 0..3 {
        talk.turn(turn);
    }
    talk.memory(2);
    assert_eq!(talk.printed(), "");
    talk.finish();
    let end = ["teardown second", "after_each", "after_all"];
    assert_eq!(talk.printed().lines().collect::<Vec<_>>(), end);
}

/// Catches values that are lost between a hook and its counterpart.
fn hooks_get_their_arguments() {
    let lab = Lab::new(
        "local made = 0
         measure.options({ context = function() made = made + 1 return { made = made } end })
         function measure.before_all() return 'kept' end
         function measure.after_all(value) print('after_all ' .. value) end
         measure.describe('a', { size = 10 }).setup_once(function(context, params)
             context.seen = 'yes'
             print('setup ' .. context.made .. ' ' .. params.size)
         end).run(function() end).teardown(function(context, params)
             print('teardown ' .. context.made .. ' ' .. params.size .. ' ' .. context.seen)
         end)",
    );
    let (mut talk, _) = lab.finished();
    assert_eq!(talk.printed(), "setup 1 10\nteardown 1 10 yes\nafter_all kept\n");
}

/// Catches parameters of another combination, and arguments that are passed to no one.
fn run_gets_the_parameters_it_wants() {
    let lab = Lab::new(
        "measure.describe('a', { size = { 10, 20 } })
             .run(function(is_warmup, params) assert(params.size == 20) end)
         measure.describe('b', { size = { 10, 20 } })
             .run_with_timer(function(m, params) assert(params.size == 20) return m(function() end) end)
         measure.describe('c', { size = 1 })
             .run(function(...) assert(select('#', ...) == 2 and type((...)) == 'boolean') end)
         measure.describe('d').run(function(...) assert(select('#', ...) == 1) end)",
    );
    for case in [2, 4, 5, 6] {
        let (mut talk, loaded) = lab.loaded();
        let mut prepare = quick();
        prepare.case = case;
        talk.prepare(prepare);
        talk.turn(0);
        assert!(loaded.cases[3].timer);
        talk.ask(&Request::Finish);
    }
}

/// Catches a metric that is lost, kept per call, or accepted where no case runs.
fn metrics_are_handed_out() {
    let lab = Lab::new(
        "local calls = 0
         measure.describe('a').run(function() measure.metric('ratio', 0.1, 'share', 'lower') end)
             .teardown(function()
                 measure.metric('size', 12, 'B')
                 measure.metric('ratio', 0.25, 'share', 'lower')
             end)",
    );
    let (_, finished) = lab.finished();
    let metrics: Vec<_> = finished
        .metrics
        .iter()
        .map(|m| (m.name.as_str(), m.value, m.unit.as_str(), m.direction.as_str()))
        .collect();
    assert_eq!(metrics, [("ratio", 0.25, "share", "lower"), ("size", 12.0, "B", "neither")]);
    let (_, failed) = Lab::new("measure.metric('size', 12, 'B')").failed();
    assert!(failed.message.contains("outside a running case"), "{}", failed.message);
}
