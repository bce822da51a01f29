//! Loading suites: what one that does not load is, what loading may do, and whose `measure` it gets.

use crate::suites::{QUICK, broken, fixture, names, plain, run, samples};
use crate::support::{Lab, has};

const GOOD: &str = "require('measure').describe('good'):run(function() end)";

/// Would catch one bad file that stops the others, an exit of 0, and a reason that is not told or
/// not recorded. (lua-measure: one bad file stopped all others before any ran.)
#[test]
fn a_file_that_does_not_load_is_an_outcome_of_its_own() {
    let lab = Lab::new();
    let files = [
        ("syntax.lua", "local x = = 1", r#"{"failed":1}"#, "syntax.lua:1: unexpected symbol"),
        ("fails.lua", "\nerror('no data')", r#"{"failed":1}"#, "fails.lua:2: no data"),
        ("requires.lua", "require('no.such.module')", r#"{"failed":1}"#, "no.such.module"),
        ("opens.lua", "assert(io.open('gone.json'))", r#"{"failed":1}"#, "gone.json: No such file"),
        ("leaves.lua", "os.exit(0)", r#"{"failed":0}"#, "ended its process (os.exit)"),
        ("quits.lua", "os.exit(7)", r#"{"failed":7}"#, "exit code 7"),
        ("objects.lua", "error({ 1 })", r#"{"failed":1}"#, "table"),
        ("crashes.lua", "require('ffi').cast('int *', 0)[0] = 1", r#"{"killed":11}"#, "signal 11"),
        ("loops.lua", "while true do end", "timed_out", "took longer than 4 s: --timeout"),
        (
            "eats.lua",
            "local s = 'x' while true do s = s .. s end",
            r#"{"failed":1}"#,
            "not enough memory",
        ),
    ];
    let mut list = vec!["--timeout", "4s", "--memory-limit", "300MB", "good.lua"];
    for (name, code, ..) in files {
        lab.write(name, code);
        list.push(name);
    }
    lab.write("good.lua", GOOD);
    lab.write("too.lua", GOOD);
    list.push("too.lua");
    let ended = run(&lab, &list).expect(1);
    let record = lab.record();
    for (name, _, how, said) in files {
        let (outcome, message) = broken(&record, name);
        assert_eq!(outcome, how, "{name}: {message}");
        has(&message, &[said]);
        has(&ended.stdout, &[name]);
    }
    for case in [0, files.len() + 1] {
        assert!(record.of(case).len() > 1, "a good file was not measured");
    }
    lab.assert_nothing_left();
}

/// Would catch an error of several lines whose reason is not shown, cannot be shown, or is not recorded.
#[test]
fn errors_of_several_lines_keep_their_reason() {
    let lab = Lab::new();
    lab.write("torn.lua", "local x = = 1");
    lab.write("requires.lua", "require('torn')");
    lab.write("fails.lua", r"error('first\nsecond\n\tthird\nlast', 0)");
    let ended = run(&lab, &["requires.lua", "fails.lua"]).expect(1);
    let record = lab.record();
    let (_, torn) = broken(&record, "requires.lua");
    assert_eq!(
        torn,
        "error loading module 'torn' from file 'torn.lua':\n\ttorn.lua:1: unexpected symbol near '='"
    );
    assert_eq!(broken(&record, "fails.lua").1, "first\nsecond\n\tthird\nlast");
    has(
        &crate::support::joined(&ended.stdout),
        &[
            "requires.lua:failed:errorloadingmodule'torn'fromfile'torn.lua':torn.lua:1:unexpectedsymbolnear'='",
            "fails.lua:failed:first…last(--fullshowsall4lines)",
        ],
    );
    assert!(!ended.stdout.contains("second"), "{}", ended.stdout);
    let again = lab.done(["report", "@last", "--full"]);
    let whole = "  fails.lua: failed: first\n    second\n    \\tthird\n    last\n";
    has(&again, &[whole, "    \\ttorn.lua:1: unexpected symbol near '='\n"]);
    let full = run(&lab, &["--full", "fails.lua"]).expect(1).stdout;
    has(&full, &[whole]);
    let markdown = lab.done(["report", "@last", "--full", "--format", "markdown"]);
    has(&markdown, &["```\n  fails.lua: failed: first\n    second\n"]);
}

/// Would catch an experiment in which nothing could be loaded ending silently, and with 0, because
/// no number of blocks was asked for.
#[test]
fn nothing_loaded_is_a_failure_however_long_was_asked_for() {
    let lab = Lab::new();
    lab.write("bad.lua", "error('no data')");
    lab.write("errs.lua", "require('measure').describe('c'):run(function() error('no') end)");
    for amount in [&["-r", "2"][..], &[], &["--until", "decided"], &["--precision", "1%"]] {
        for file in ["bad.lua", "errs.lua"] {
            let ended = lab.run([&["run", "-w", "0"][..], amount, &[file]].concat()).expect(1);
            has(&ended.stdout, &["failed: ", file]);
            assert!(ended.stdout.starts_with("Nothing was measured"), "{}", ended.stdout);
            assert!(!ended.stderr.contains("-0"), "{}", ended.stderr);
            lab.run(["report", "@last"]).expect(0);
        }
    }
}

/// Would catch misuse that is taken and ignored (lua-measure: unknown options dropped, hooks accepted
/// and never called, fractional seconds that became 0), and messages without the place.
#[test]
fn misuse_is_refused_with_file_and_line() {
    let lab = Lab::new();
    plain(&lab, "good.lua", &["good"]);
    let f = "function() end";
    let wrong = [
        ("measure.options({ wramup = 1 })", "there is no option 'wramup' (did you mean 'warmup'?)"),
        ("measure.options({ warmup = '1' })", "warmup must be a number"),
        ("measure.options({ warmup = 5.5 })", "warmup"),
        ("measure.options({ warmup = 0/0 })", "warmup"),
        ("measure.options({ gc_step = 1.5 })", "gc_step"),
        ("measure.options({ gc_step = -2 })", "gc_step"),
        ("measure.options({ confidence_level = 0 })", "confidence_level"),
        ("measure.options({ confidence_level = 101 })", "confidence_level"),
        ("measure.options({ rciw = 0 })", "rciw"),
        ("measure.options({ context = 1 })", "context"),
        ("function measure.before_al() end", "there is no hook 'before_al'"),
        ("function measure.before_all() end function measure.before_all() end", "before_all"),
        (
            &format!("measure.describe('a'):run({f}) measure.describe('a'):run({f})"),
            "already described",
        ),
        ("measure.describe('a')", "case 'a' has no run"),
        (&format!("measure.describe('a'):run({f}):run_with_timer({f})"), "run"),
        (&format!("measure.describe('a'):setup({f}):setup_once({f}):run({f})"), "setup"),
        (&format!("measure.describe('a'):run({f}):setup({f})"), "setup comes before run"),
        (&format!("measure.describe('a'):rum({f})"), "rum"),
        ("measure.describe('a'):run(1)", "function"),
        ("measure.describe(' '):run(print)", "name"),
        ("measure.describe('a', { x = {} }):run(print)", "x"),
    ];
    let mut list = vec!["good.lua".to_owned()];
    for (number, (code, _)) in wrong.iter().enumerate() {
        let name = format!("wrong{number}.lua");
        lab.write(&name, format!("local measure = require('measure')\n\n{code}\n"));
        list.push(name);
    }
    run(&lab, &list.iter().map(String::as_str).collect::<Vec<_>>()).expect(1);
    let record = lab.record();
    for (number, (code, said)) in wrong.iter().enumerate() {
        let name = format!("wrong{number}.lua");
        let (outcome, message) = broken(&record, &name);
        assert_eq!(outcome, r#"{"failed":1}"#, "{code}");
        assert!(message.starts_with(&format!("{name}:3: ")), "{code}\n{message}");
        has(&message, &[said]);
    }
    assert!(samples(&record, "good") > 0);
}

/// Would catch what suites print while loading lost, printed once per process, or taken for what a
/// case printed.
#[test]
fn what_loading_prints_is_shown_once() {
    let lab = Lab::new();
    let code = "print('Loaded 0.7 MB') io.write('and more\\n') io.stderr:write('a warning\\n')\n";
    lab.write("s.lua", format!("{code}{GOOD}"));
    let ended = run(&lab, &["s.lua"]).expect(0);
    let record = lab.record();
    let outputs = record.of_type("output");
    assert_eq!(outputs.len(), 1, "{outputs:?}");
    assert_eq!(outputs[0]["file"], "s.lua");
    let full = lab.done(["report", "@last", "--full"]);
    for line in ["Loaded 0.7 MB", "and more", "a warning"] {
        has(outputs[0]["text"].as_str().expect("text"), &[line]);
        assert_eq!(full.matches(line).count(), 1, "{line}:\n{full}");
    }
    assert_eq!(lab.done(["report", "@last"]), ended.stdout);
}

/// Would catch an installed lua-measure winning over the one that measures.
#[test]
fn the_preloaded_measure_wins() {
    let lab = Lab::new();
    std::fs::create_dir(lab.path("etalon")).expect("a directory");
    for name in ["measure.lua", "etalon/measure.lua"] {
        lab.write(name, "error('the installed one')");
    }
    lab.write("s.lua", format!("assert(require('measure') == require('etalon.measure'))\n{GOOD}"));
    let mut command = lab.etalon([&["run"][..], &QUICK, &["s.lua"]].concat());
    command.env("LUA_PATH", format!("{}/?.lua;;", lab.path(".").display()));
    crate::support::Running::start(command).end().expect(0);
    assert!(samples(&lab.record(), "good") > 0);
}

/// Would catch modules beside a suite that are not found, cases that belong to the helper which
/// registered them, a line of the helper taken for one of the suite, and mistakes without a place.
#[test]
fn a_helper_registers_cases_for_a_suite() {
    let lab = Lab::new();
    std::fs::create_dir_all(lab.path("d/lib")).expect("a directory");
    let helper = "local measure = require('measure')
        return function(name, f)
            local case = measure.describe(name)
            if f then case:run(f) end
        end";
    lab.write("d/lib/helper.lua", helper);
    let head = "local case = require('lib.helper')\n";
    lab.write("d/one_bench.lua", format!("{head}case('one', function() end)\n"));
    lab.write("d/two_bench.lua", format!("{head}case('two', function() end)\n"));
    lab.write("d/wrong_bench.lua", format!("{head}case('wrong')\n"));
    run(&lab, &["d"]).expect(1);
    let record = lab.record();
    assert_eq!(names(&record), ["one", "two", "d/wrong_bench.lua"]);
    let case = &record.of_type("benchmark")[1]["case"];
    assert_eq!(case["file"], "d/two_bench.lua");
    assert_eq!(case.get("line"), None, "the helper's line is none of the suite's");
    let (_, message) = broken(&record, "d/wrong_bench.lua");
    assert!(message.starts_with("d/lib/helper.lua:3: case 'wrong' has no run"), "{message}");
}

/// Would catch the README's own template not running, with its dots or with colons throughout.
#[test]
fn the_template_of_lua_measure_runs_as_it_is() {
    let lab = Lab::new();
    let path = fixture(&lab, "seed_template_bench.lua");
    let code = std::fs::read_to_string(path).expect("the template");
    lab.write(
        "colons.lua",
        code.replace(").describe(", "):describe(").replace("e.options", "e:options"),
    );
    run(&lab, &["seed_template_bench.lua", "colons.lua"]).expect(0);
    let record = lab.record();
    let two = ["my function", "alternative implementation"];
    assert_eq!(names(&record), [two, two].concat());
    assert!((0..4).all(|case| !record.of(case).is_empty()));
}

/// Would catch one Lua state for all files, or for all cases of one: what a suite does to its state
/// is nobody else's. (lua-measure: the same function took 1.64 µs alone and 49 µs after another file.)
#[test]
fn a_suite_that_ruins_its_state_ruins_it_for_itself() {
    let lab = Lab::new();
    let ruins = "Ruined = true string.rep = nil table.concat = nil package.loaded.string = nil
        local all = _G for name in pairs(all) do all[name] = nil end";
    lab.write(
        "a_bench.lua",
        format!("local m = require('measure') {ruins} m.describe('ruins'):run(function() end)"),
    );
    lab.write(
        "b_bench.lua",
        "local measure = require('measure')
        assert(not Ruined and string.rep and table.concat and print)
        measure.describe('sets'):run(function() Set = true end)
        measure.describe('sees'):run(function() assert(not Set and not Ruined) end)",
    );
    run(&lab, &["a_bench.lua", "b_bench.lua"]).expect(0);
    let record = lab.record();
    for name in ["ruins", "sets", "sees"] {
        assert!(samples(&record, name) > 0, "{name}");
    }
}
