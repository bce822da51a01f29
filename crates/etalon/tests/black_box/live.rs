//! What stands on a terminal while something is measured: it is there, it is taken away, it follows the width,
//! and nothing of it is in a pipe. What it says is tested where it is worded (`etalon-report`).

use crate::support::{Lab, at_terminal, has, on_terminal, resize, skip, until};

/// Clears from the cursor on: what every drawing begins with, and the last thing that is done with it.
const CLEARS: &str = "\x1b[J";

/// What was drawn, one after the other, without colours; and what was shown after it.
fn drawings(shown: &str) -> (Vec<String>, String) {
    let moves = (1..9).map(|rows| format!("\x1b[{rows}A"));
    let signs = ["\r", "\x1b[1m", "\x1b[32m", "\x1b[2m", "\x1b[0m"].map(str::to_owned);
    let plain: Vec<String> = signs.into_iter().chain(moves).collect();
    let parts = shown
        .split(CLEARS)
        .map(|part| plain.iter().fold(part.to_owned(), |text, sign| text.replace(sign, "")));
    let mut parts: Vec<String> = parts.skip(1).collect();
    let report = parts.pop().unwrap_or_default();
    (parts, report)
}

/// Would catch lines that are left standing, a report that is disturbed by them, and progress written where
/// nobody looks.
#[test]
fn progress_is_shown_on_a_terminal_and_taken_away() {
    let lab = Lab::new();
    let arguments = ["cmd", "-N", "-r", "30", "-n", "nap", "sleep 0.03"];
    let Some((code, shown)) = on_terminal(lab.etalon(arguments), "") else {
        return skip("no pseudo-terminal: progress");
    };
    assert_eq!(code, Some(0), "{shown}");
    let (drawn, report) = drawings(&shown);
    assert!(drawn.len() > 2, "{shown:?}");
    has(
        drawn.last().expect("a drawing"),
        &["█", "of 30 blocks", "s left", "wall clock: nap 3", " ms ± "],
    );
    assert!(report.starts_with("nap") && !report.contains('█'), "{report}");
    let ended = lab.run(["cmd", "-N", "-r", "30", "sleep 0.03"]).expect(0);
    assert_eq!(ended.stderr, "saved; `etalon report @last` shows this again\n");
}

/// Would catch escapes and signs that were not wanted.
#[test]
fn colours_and_signs_are_those_asked_for() {
    let lab = Lab::new();
    let mut command = lab.etalon(["cmd", "-N", "-r", "20", "sleep 0.03"]);
    command.env("NO_COLOR", "1").env("LC_ALL", "C");
    let Some((code, shown)) = on_terminal(command, "") else {
        return skip("no pseudo-terminal: signs of progress");
    };
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.is_ascii(), "{shown:?}");
    assert!(!shown.contains("\x1b[32m") && !shown.contains("\x1b[2m"), "{shown:?}");
    has(&shown, &["[#", " of 20 blocks"]);
}

/// Would catch a width that is asked for once, and lines broken by a terminal that got narrower.
#[test]
fn progress_follows_the_width() {
    let lab = Lab::new();
    let command = "sh -c 'echo >> ran; sleep 0.03'";
    let arguments =
        ["cmd", "-N", "-r", "40", "-n", "a name that has to be cut to be shown here", command];
    let executed = |count: usize| lab.read("ran").len() >= count;
    let Some((code, shown)) = at_terminal(lab.etalon(arguments), |terminal| {
        until("the first executions", || executed(10));
        resize(terminal, 30);
    }) else {
        return skip("no pseudo-terminal: resizing");
    };
    assert_eq!(code, Some(0), "{shown}");
    let (drawn, _) = drawings(&shown);
    let width = |drawing: &String| drawing.lines().map(unicode_width::UnicodeWidthStr::width).max();
    let widths: Vec<usize> = drawn.iter().filter_map(width).collect();
    assert!(widths.first().is_some_and(|first| *first > 40), "{shown:?}");
    assert!(widths.last().is_some_and(|last| (20..30).contains(last)), "{shown:?}");
}

/// Would catch lines between those of commands that write to the terminal themselves.
#[test]
fn commands_that_write_to_the_terminal_have_it_to_themselves() {
    let lab = Lab::new();
    let arguments = ["cmd", "-N", "-r", "20", "--show-output", "sh -c 'echo out; sleep 0.02'"];
    let Some((code, shown)) = on_terminal(lab.etalon(arguments), "") else {
        return skip("no pseudo-terminal: progress beside output");
    };
    assert_eq!(code, Some(0), "{shown}");
    assert!(shown.starts_with(&"out\r\n".repeat(20)), "{shown:?}");
    assert!(!shown.contains(CLEARS), "{shown:?}");
}

/// Would catch suites without a count of cases, and without a name.
#[test]
fn suites_name_the_case_under_way() {
    let lab = Lab::new();
    lab.write(
        "two_bench.lua",
        "local measure = require 'measure'\n\
         measure.describe('one').run(function() return #tostring(1) end)\n\
         measure.describe('two').run(function() return #tostring(2) end)\n",
    );
    let arguments = ["run", "-r", "4", "--budget", "4s", "two_bench.lua"];
    let Some((code, shown)) = on_terminal(lab.etalon(arguments), "") else {
        return skip("no pseudo-terminal: progress of suites");
    };
    assert_eq!(code, Some(0), "{shown}");
    let (drawn, report) = drawings(&shown);
    let drawn = drawn.join("\n");
    has(&drawn, &["of 4 blocks", "of 2: ", "time/call"]);
    assert!(drawn.contains("case 1 of 2: one") || drawn.contains("case 2 of 2: two"), "{drawn}");
    assert!(!report.contains("case 1 of"), "{report}");
}
