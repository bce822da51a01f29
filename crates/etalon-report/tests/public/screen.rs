//! Goldens of the screen: the answer first, one table, the notes that change how it is read.

use crate::columns::{RunSet, data};
use crate::golden::{cost, run_set, terminal, three};
use etalon_core::analysis::{Analysis, analyse};
use etalon_core::notes::{ExecutionNote, Note, NoteKind};
use etalon_core::plan::{Order, Settings};
use etalon_report::view::{Again, Charset, Detail, Explanation, View};

fn analysed(sets: &[RunSet]) -> Analysis {
    analyse(&data(sets), &Settings::default()).unwrap()
}

fn on_screen(set: RunSet) -> String {
    terminal(&analysed(&[set]), View::SCREEN)
}

#[test]
fn one_command_is_a_line() {
    let one = run_set(&[cost("sleep 0.1", 0.95e-3, 1.7e6)], 10, Order::Blocks);
    insta::assert_snapshot!("screen_one", on_screen(one));
}

#[test]
fn two_commands() {
    let costs = [
        cost("gzip -1 -c Cargo.lock", 0.9e-3, 1.6e6),
        cost("gzip -9 -c Cargo.lock", 1.1e-3, 1.6e6),
    ];
    let set = run_set(&costs, 30, Order::Blocks);
    let saved = View { again: Again::Saved, ..View::SCREEN };
    insta::assert_snapshot!("screen_two", terminal(&analysed(std::slice::from_ref(&set)), saved));
    let same = [cost("a", 1e-3, 2e6), cost("b", 1.002e-3, 2e6)];
    insta::assert_snapshot!("screen_same", on_screen(run_set(&same, 200, Order::Blocks)));
    let close = [cost("a", 1e-3, 2e6), cost("b", 1.02e-3, 2e6)];
    insta::assert_snapshot!("screen_unclear", on_screen(run_set(&close, 12, Order::Blocks)));
    let ascii = View { charset: Charset::Ascii, ..saved };
    let report = terminal(&analysed(&[set]), ascii);
    assert!(report.is_ascii(), "{report}");
    insta::assert_snapshot!("screen_ascii", report);
}

#[test]
fn several_commands_at_two_widths() {
    for width in [80, 160] {
        let view = View { width, ..View::SCREEN };
        insta::assert_snapshot!(
            format!("screen_three_{width}"),
            terminal(&analysed(&[three()]), view)
        );
    }
    let full = View {
        detail: Detail::Full,
        statistics: etalon_report::view::Statistics::Full,
        explanation: Explanation::Full,
        ..View::SCREEN
    };
    insta::assert_snapshot!("screen_three_full", terminal(&analysed(&[three()]), full));
}

/// Would catch a torn row, or a verdict that is pushed out of it.
#[test]
fn long_names_lose_their_middle() {
    let mut set = three();
    for (at, benchmark) in set.benchmarks.iter_mut().enumerate() {
        benchmark.key.name = format!(
            "a very long command line number {at} that nobody could remember, not even its author"
        );
        benchmark.command = Some(benchmark.key.name.clone());
    }
    insta::assert_snapshot!("screen_long_names", on_screen(set));
}

#[test]
fn a_scan_has_a_column_for_each_parameter() {
    let mut set = three();
    for (at, benchmark) in set.benchmarks.iter_mut().enumerate() {
        let level = (at + 7).to_string();
        benchmark.key.name = format!("gzip -{level} -c Cargo.lock");
        benchmark.key.params = vec![("level".to_owned(), level)];
    }
    insta::assert_snapshot!("screen_scan", on_screen(set));
}

/// Would catch a report that is as long as its data.
#[test]
fn many_benchmarks_fit_on_a_screen() {
    let costs: Vec<_> =
        (0..60).map(|at| cost("x", 1e-3 * (1.0 + f64::from(at % 7)), 2e6)).collect();
    let mut set = run_set(&costs, 12, Order::Blocks);
    for (at, benchmark) in set.benchmarks.iter_mut().enumerate() {
        benchmark.key.name = format!("command {at}");
    }
    let report = on_screen(set);
    assert!(report.lines().count() <= 50, "{report}");
    insta::assert_snapshot!("screen_many", report);
}

/// Would catch a sum over commands that waited of which nobody knows which they were.
#[test]
fn commands_that_waited_for_a_cpu_are_named() {
    let noted = |names: &[&str]| {
        let mut analysis = analysed(&[three()]);
        let waited = ExecutionNote::Waited { disturbed: 3, of: 20 };
        analysis.notes.extend(names.iter().map(|name| Note {
            about: (*name).to_owned(),
            what: NoteKind::Executions(waited.clone()),
        }));
        terminal(&analysis, View::SCREEN).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let said = |many: &str, which: &str| {
        format!(
            "Note: {many} executions waited for a CPU for more than 10 % of their time ({which})."
        )
    };
    let two = noted(&["ls -l", "ps aux"]);
    assert!(two.contains(&said("6 of 40", "ls -l, ps aux")), "{two}");
    let all = noted(&["ls -lR", "ls -l", "ps aux"]);
    assert!(all.contains(&said("9 of 60", "all commands")), "{all}");
}
