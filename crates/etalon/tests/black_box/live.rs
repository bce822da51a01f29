//! What stands on a terminal while something is measured: it is there, it is taken away, it follows the width,
//! and nothing of it is in a pipe. What it says is tested where it is worded (`etalon-report`).

use std::fs::File;
use std::io::Write;
use std::process::Command;

use crate::support::{Lab, attended, on_terminal, resize, skip};

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

/// Executes something that takes a minute on a terminal, and types Ctrl-C once `is_seen` says so of all that was
/// shown: how often progress is drawn depends on how busy the machine is. Nothing if there are no terminals here.
fn until_seen(
    command: Command,
    mut is_seen: impl FnMut(&str, &mut File) -> bool,
) -> Option<String> {
    let mut over = false;
    let (code, shown) = attended(command, |shown, terminal| {
        if !over && is_seen(shown, terminal) {
            over = true;
            terminal.write_all(b"\x03").expect("the terminal takes Ctrl-C");
        }
    })?;
    assert_eq!((code, over), (Some(130), true), "{shown}");
    Some(shown)
}

fn contains_all(text: &str, parts: &[&str]) -> bool {
    parts.iter().all(|part| text.contains(part))
}

/// Would catch lines that are left standing, and a report that is disturbed by them.
#[test]
fn progress_is_shown_on_a_terminal_and_taken_away() {
    let lab = Lab::new();
    let command = lab.etalon(["cmd", "-N", "-r", "2000", "-n", "nap", "sleep 0.03"]);
    let said = ["█", "of 2,000 blocks", " left", "wall clock: nap ", " ms ± "];
    let Some(shown) = until_seen(command, |shown, _| contains_all(shown, &said)) else {
        return skip("no pseudo-terminal: progress");
    };
    let (_, report) = drawings(&shown);
    assert!(report.starts_with("nap") && !report.contains('█'), "{report}");
}

/// Would catch progress written where nobody looks.
#[test]
fn a_pipe_gets_no_progress() {
    let lab = Lab::new();
    let ended = lab.run(["cmd", "-r", "30", "sleep 0.03"]).expect(0);
    assert_eq!(ended.stderr, "saved; `etalon report @last` shows this again\n");
}

/// Would catch escapes and signs that were not wanted.
#[test]
fn colours_and_signs_are_those_asked_for() {
    let lab = Lab::new();
    let mut command = lab.etalon(["cmd", "-N", "-r", "500", "sleep 0.03"]);
    command.env("NO_COLOR", "1").env("LC_ALL", "C");
    let Some(shown) =
        until_seen(command, |shown, _| contains_all(shown, &["[#", " of 500 blocks"]))
    else {
        return skip("no pseudo-terminal: signs of progress");
    };
    let (drawn, _) = drawings(&shown);
    assert!(drawn.iter().all(|drawing| drawing.is_ascii()), "{shown:?}");
    assert!(!shown.contains("\x1b[32m") && !shown.contains("\x1b[2m"), "{shown:?}");
}

/// Would catch a width that is asked for once, and lines broken by a terminal that got narrower.
#[test]
fn progress_follows_the_width() {
    let lab = Lab::new();
    let name = "a name that has to be cut to be shown here";
    let command = lab.etalon(["cmd", "-N", "-r", "2000", "-n", name, "sleep 0.03"]);
    let mut resized = None;
    let is_narrow = |drawing: &String| {
        let widths = drawing.lines().map(unicode_width::UnicodeWidthStr::width);
        drawing.contains('…') && widths.max() < Some(30)
    };
    // A drawing that was under way is as wide as the terminal was.
    let seen = until_seen(command, |shown, terminal| match resized {
        None if shown.contains(name) => {
            resize(terminal, 30);
            resized = Some(shown.len());
            false
        }
        None => false,
        Some(at) => drawings(shown.get(at..).unwrap_or_default()).0.iter().any(is_narrow),
    });
    if seen.is_none() {
        skip("no pseudo-terminal: resizing");
    }
}

/// Would catch lines between those of commands that write to the terminal themselves.
#[test]
fn commands_that_write_to_the_terminal_have_it_to_themselves() {
    let lab = Lab::new();
    let arguments = ["cmd", "-r", "20", "--show-output", "sh -c 'echo out; sleep 0.02'"];
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
    let command = lab.etalon(["run", "-r", "200", "--budget", "3s", "two_bench.lua"]);
    let of_one = ["of 200 blocks", "case 1 of 2: one  time/call"];
    let of_two = ["of 200 blocks", "case 2 of 2: two  time/call"];
    let Some(shown) = until_seen(command, |shown, _| {
        contains_all(shown, &of_one) || contains_all(shown, &of_two)
    }) else {
        return skip("no pseudo-terminal: progress of suites");
    };
    let (_, report) = drawings(&shown);
    assert!(!report.contains(" of 2: "), "{report}");
}

/// Would catch labels of builds, `p --depth=9 [side=base, build=1]`, that are cut until they say nothing.
#[test]
fn builds_of_one_command_are_told_apart_by_side_and_number() {
    let Some(lab) = crate::ab::lab() else { return };
    let command =
        crate::ab::command(&lab, "m", "old -r 500 --build make -- sh -c './p; sleep 0.03'");
    let said = ["wall clock: ", "base 1 ", " · base 2 ", " · head 1 ", " · head 2 "];
    let Some(shown) = until_seen(command, |shown, _| contains_all(shown, &said)) else {
        return skip("no pseudo-terminal: builds in progress");
    };
    assert!(!shown.contains("build=1]: "), "{shown}");
}
