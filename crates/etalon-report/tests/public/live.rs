//! Goldens of what stands on a terminal while something is measured, and that it fits any width.

use etalon_core::estimate::{Estimate, Method};
use etalon_core::model::{Metric, Per};
use etalon_core::pace::TimeLeft;
use etalon_core::plan::Stopping;
use etalon_core::stats::Interval;
use etalon_report::live::{CaseUnderWay, Live, Row, lines};
use etalon_report::text::width;
use etalon_report::view::{Charset, Colour};

fn wall(per: Per) -> Metric {
    Metric { per, ..Metric::new("wall", "ns") }
}

/// A benchmark known to a share.
fn row(name: &str, median: f64, share: f64) -> Row<'_> {
    let interval = Interval { lo: median * (1.0 - share), hi: median * (1.0 + share), level: 0.95 };
    let method = Method::MedianOrderStatistics;
    Row { name, median: Some(Estimate { value: median, interval: Ok(interval), method }) }
}

fn unknown(name: &str) -> Row<'_> {
    Row { name, median: None }
}

const PRECISION: Stopping = Stopping::Precision { target: 0.02, budget: 10.0 };

/// Half of the width that suites are measured to.
const NARROW: Stopping = Stopping::Precision { target: 0.025, budget: 3.0 };

fn live<'a>(metric: &'a Metric, rows: Vec<Row<'a>>) -> Live<'a> {
    Live {
        executed: None,
        share: 0.4,
        warmup: false,
        blocks: 12,
        stopping: PRECISION,
        left: Some(TimeLeft::AtMost(11.2)),
        metric: Some(metric),
        rows,
        case: None,
    }
}

fn gzips() -> Vec<Row<'static>> {
    vec![row("gzip -1 -c Cargo.lock", 0.91e-3, 0.031), row("gzip -9 -c Cargo.lock", 1.1e-3, 0.038)]
}

/// Situations that differ in what is said.
fn situations(wall: &Metric) -> Vec<(&'static str, Live<'_>)> {
    let runs =
        |live| Live { stopping: Stopping::Runs(30), left: Some(TimeLeft::About(18.0)), ..live };
    let decided = Stopping::Decided { budget: 10.0 };
    let names = ["alpha", "beta, which has a longer name", "gamma", "delta", "epsilon", "zeta"];
    let many: Vec<Row<'_>> =
        (0..16).map(|i| row(names[i % 6], 1e-3 * (i + 1) as f64, 0.01 * i as f64)).collect();
    let cases = vec![row("string.rep", 845e-9, 0.02), unknown("table.concat")];
    let case = |row| Some(CaseUnderWay { row, number: 3 + row, of: 12 });
    vec![
        ("one", live(wall, vec![row("sleep 0.1", 0.1015, 0.006)])),
        ("two, a number of blocks", runs(live(wall, gzips()))),
        ("two, until decided", Live { stopping: decided, ..live(wall, gzips()) }),
        (
            "warming up",
            Live { warmup: true, share: 0.0, left: None, ..live(wall, vec![unknown("true")]) },
        ),
        (
            "nothing known",
            Live {
                blocks: 0,
                share: 0.0,
                left: None,
                ..live(wall, vec![unknown("true"), unknown("false")])
            },
        ),
        ("many", Live { share: 1.0, ..live(wall, many) }),
        ("a case", Live { case: case(0), stopping: NARROW, ..live(wall, cases.clone()) }),
        ("a case without a reading", Live { case: case(1), ..live(wall, cases) }),
        ("an hour", Live { left: Some(TimeLeft::About(5000.0)), ..runs(live(wall, gzips())) }),
        (
            "hostile",
            live(wall, vec![unknown("\x1b[2J\r漢字漢字漢字漢字漢字漢字漢字"), row("", 0.0, 0.0)]),
        ),
        ("of its own", Live { metric: None, ..live(wall, vec![unknown("requests")]) }),
    ]
}

#[test]
fn what_is_said_at_three_widths() {
    let wall = wall(Per::Observation);
    let mut shown = String::new();
    for (situation, live) in situations(&wall) {
        for columns in [40, 79, 159] {
            shown.push_str(&format!("{situation}, {columns}\n"));
            for line in lines(&live, columns, Charset::Unicode, Colour::Never) {
                shown.push_str(&format!("|{line}\n"));
            }
        }
    }
    insta::assert_snapshot!("live", shown);
}

#[test]
fn colours_and_ascii() {
    let wall = wall(Per::Iteration);
    let live = live(&wall, gzips());
    let ascii = lines(&live, 79, Charset::Ascii, Colour::Never).join("\n");
    let coloured = lines(&live, 79, Charset::Unicode, Colour::Ansi).join("\n");
    insta::assert_snapshot!("live_ascii", ascii);
    assert!(ascii.is_ascii());
    let plain = lines(&live, 79, Charset::Unicode, Colour::Never).join("\n");
    assert_eq!(
        coloured.replace("\x1b[32m", "").replace("\x1b[2m", "").replace("\x1b[0m", ""),
        plain
    );
    assert_ne!(coloured, plain);
}

/// Would catch a line that is broken by the terminal, whatever its width, and a number of lines that changes with
/// the figures.
#[test]
fn it_fits_every_width() {
    let wall = wall(Per::Observation);
    for (situation, live) in situations(&wall) {
        for charset in [Charset::Unicode, Charset::Ascii] {
            for columns in 1..220 {
                let shown = lines(&live, columns, charset, Colour::Never);
                let one = live.rows.len() == 1 && columns >= 100;
                assert_eq!(shown.len(), if one { 1 } else { 2 }, "{situation} in {columns}");
                for line in shown {
                    assert!(width(&line) <= columns, "{situation} in {columns}: {line}");
                    assert!(!line.contains(char::is_control), "{situation}: {line:?}");
                    assert!(charset == Charset::Unicode || line.is_ascii(), "{situation}: {line}");
                }
            }
        }
    }
}
