//! An error anywhere is an answer that says where.

use etalon_core::model::Outcome;
use etalon_lua::{Answer, Request, Source, Stage};

use super::Test;
use super::lab::{Lab, quick};

pub(crate) const TESTS: &[Test] = &[
    ("every_stage_says_where_it_failed", every_stage_says_where_it_failed),
    ("tables_that_are_thrown_say_what_they_hold", tables_that_are_thrown_say_what_they_hold),
    ("a_long_message_is_cut", a_long_message_is_cut),
    ("errors_without_a_place_get_that_of_the_case", errors_without_a_place_get_that_of_the_case),
    ("what_was_set_up_is_put_away", what_was_set_up_is_put_away),
    ("suites_that_do_not_load", suites_that_do_not_load),
    ("requests_out_of_order_are_refused", requests_out_of_order_are_refused),
    ("cases_that_cannot_be_prepared", cases_that_cannot_be_prepared),
    ("misused_timers", misused_timers),
];

/// Catches a stage or line that is not the failing one's.
fn every_stage_says_where_it_failed() {
    let case = "measure.describe('a')";
    let boom = "function(...) local a = ...\nerror('boom') end";
    let suites = [
        (Stage::Load, "error('boom')".to_owned(), 2),
        (Stage::BeforeAll, format!("measure.before_all = {boom} {case}.run(print)"), 3),
        (Stage::BeforeEach, format!("measure.before_each = {boom} {case}.run(print)"), 3),
        (Stage::Setup, format!("measure.options({{ context = {boom} }}) {case}.run(print)"), 3),
        (Stage::Setup, format!("{case}.setup({boom}).run(print)"), 3),
        (Stage::Setup, format!("{case}.setup_once({boom}).run(print)"), 3),
        (Stage::Warmup, format!("{case}.run({boom})"), 3),
        (Stage::Run, format!("{case}.run(function(w) if not w then\nerror('boom') end end)"), 3),
        (Stage::Teardown, format!("{case}.run(function() end).teardown({boom})"), 3),
        (Stage::AfterEach, format!("measure.after_each = {boom} {case}.run(function() end)"), 3),
        (Stage::AfterAll, format!("measure.after_all = {boom} {case}.run(function() end)"), 3),
    ];
    for (stage, suite, line) in suites {
        let lab = Lab::new(&suite);
        let (_, failed) = lab.failed();
        assert_eq!(failed.stage, stage, "{suite}");
        let place = format!("suite.lua:{line}: boom");
        assert!(failed.message.ends_with(&place), "{stage}: {}", failed.message);
    }
}

/// Catches a message nobody can find the fault with, and an error object that breaks the driver.
fn errors_without_a_place_get_that_of_the_case() {
    let objects = [
        ("'plain', 0", "plain"),
        ("setmetatable({}, { __tostring = function() return 'told' end })", "told"),
        ("setmetatable({}, { __tostring = function() error('no') end })", "without words"),
        ("nil", "nil"),
        ("42", "42"),
    ];
    for (object, expected) in objects {
        let lab = Lab::new(&format!("measure.describe('a').run(function() error({object}) end)"));
        let (_, failed) = lab.failed();
        let message = failed.message;
        assert!(message.contains("suite.lua:2:") && message.contains(expected), "{message}");
    }
}

/// Catches the address of a table in place of what it says, anywhere.
fn tables_that_are_thrown_say_what_they_hold() {
    for (table, expected) in [
        ("{}", "(error object is a table value)"),
        ("{ code = 7, message = {} }", "(error object is a table value) code = 7"),
        ("{ message = 'no luck' }", "(error object is a table value) message = no luck"),
        ("setmetatable({ msg = 'm' }, { __metatable = 'hidden', __index = error })", "msg = m"),
    ] {
        for suite in [
            format!("error({table})"),
            format!("measure.describe('a').run(function() error({table}) end)"),
        ] {
            let message = Lab::new(&suite).failed().1.message;
            assert!(message.ends_with(expected) && !message.contains("table: 0x"), "{message}");
        }
    }
}

/// Catches a message that is longer than a line of a record may be.
fn a_long_message_is_cut() {
    let lab = Lab::new("measure.describe('a').run(function() error(('x'):rep(32000000), 0) end)");
    let message = lab.failed().1.message;
    assert!(message.contains("suite.lua:2: xxx") && message.len() < 5000, "{}", message.len());
    assert!(message.ends_with("x... (31995904 bytes more)"), "{}", &message[4000..]);
}

/// Catches hooks that are left out when something failed, done twice, or done without their other half.
fn what_was_set_up_is_put_away() {
    let hooks =
        "for _, name in ipairs({ 'before_all', 'after_all', 'before_each', 'after_each' }) do
             measure[name] = function() print(name); if name == FAILS then error(name) end end
         end
         local function hook(name)
             return function() print(name); if name == FAILS then error(name) end end
         end
         measure.describe('a').setup(hook('setup')).run(function()
             if FAILS == 'run' then error('run') end
         end).teardown(hook('teardown'))";
    let whole = "before_all before_each setup teardown after_each after_all";
    let expected = [
        ("before_all", "before_all"),
        ("before_each", "before_all before_each after_all"),
        ("setup", "before_all before_each setup after_each after_all"),
        ("run", whole),
        ("teardown", whole),
        ("after_each", whole),
        ("after_all", whole),
    ];
    for (fails, events) in expected {
        let lab = Lab::new(&format!("local FAILS = '{fails}'\n{hooks}"));
        let (mut talk, _) = lab.failed();
        assert_eq!(
            talk.printed().split_whitespace().collect::<Vec<_>>().join(" "),
            events,
            "{fails}"
        );
    }
}

/// Catches a file that cannot be read or compiled and takes the worker along.
fn suites_that_do_not_load() {
    for (suite, stage, expected) in [
        ("x = = 1", Stage::Syntax, "suite.lua:2:"),
        ("require('no.such.module')", Stage::Load, "no.such.module"),
        ("measure.describe('a')", Stage::Load, "suite.lua:2: case 'a' has no run"),
    ] {
        let (_, failed) = Lab::new(suite).failed();
        assert_eq!(failed.stage, stage);
        assert!(failed.message.contains(expected), "{}", failed.message);
    }
    let lab = Lab::new("");
    std::fs::remove_file(lab.path("suite.lua")).unwrap();
    let (_, failed) = lab.failed();
    assert!(failed.message.contains("suite.lua"), "{}", failed.message);
}

/// Catches a driver that does something with half of what it needs.
fn requests_out_of_order_are_refused() {
    let lab = Lab::new("measure.describe('a').run(function() end)");
    let turn = Request::Turn { turn: 0, cpu: None };
    for request in
        [&turn, &Request::Finish, &Request::Memory { readings: 1 }, &Request::Prepare(quick())]
    {
        let mut talk = lab.start();
        let Answer::Failed(failed) = talk.ask(request) else { panic!("{request:?}") };
        assert_eq!(failed.stage, Stage::Request);
        assert_eq!(talk.end(), Outcome::Failed { code: 1 });
        if let Request::Prepare(_) = request {
            continue;
        }
        let (mut talk, _) = lab.loaded();
        let Answer::Failed(failed) = talk.ask(request) else { panic!("{request:?}") };
        assert_eq!(failed.stage, Stage::Request);
    }
    let (mut talk, _) = lab.loaded();
    assert!(matches!(talk.ask(&lab.request()), Answer::Failed(_)), "loaded twice");
}

/// Catches a case number beyond the end, a skipped case that runs, and code that is no Lua.
fn cases_that_cannot_be_prepared() {
    let lab = Lab::new("measure.describe('a').skip('why').run(print)");
    for case in [1, 2] {
        let (mut talk, _) = lab.loaded();
        let mut prepare = quick();
        prepare.case = case;
        let answer = talk.ask(&Request::Prepare(prepare));
        assert!(matches!(answer, Answer::Failed(_)), "{answer:?}");
    }
    for code in ["end x = 1 function y()", "1 +", "return ..."] {
        let source = Source::Chunk { code: code.to_owned(), name: "code".to_owned() };
        let load = lab.request_for(source);
        let answer = lab.start().ask(&load);
        let Answer::Failed(failed) = answer else { panic!("{code}: {answer:?}") };
        assert!(failed.message.starts_with("code:1:"), "{}", failed.message);
    }
}

/// Catches a run_with_timer that times nothing, or something else, unnoticed.
fn misused_timers() {
    for (body, expected) in [
        ("m(print)", "was not returned"),
        ("return 1", "m was not called"),
        ("m(type) return m(type)", "more than once"),
        ("return m()", "m was given a nil"),
        ("return m(print, 1)", "more than a function"),
        ("return m(print, nil)", "more than a function"),
    ] {
        let body = body.replace("type", "function() end").replace("print", "function() end");
        let lab =
            Lab::new(&format!("measure.describe('a').run_with_timer(function(m) {body} end)"));
        let (_, failed) = lab.failed();
        assert!(failed.message.contains("suite.lua:2: run_with_timer"), "{}", failed.message);
        assert!(failed.message.contains(expected), "{}", failed.message);
        assert!(failed.message.contains("return m(target)"), "{}", failed.message);
    }
}
