//! Goldens of what an A/A experiment says: a command, several cases, one that was ended early; the document for programs.

use etalon_core::analysis::Noise;
use etalon_core::criteria::Criteria;
use etalon_core::estimate::{Estimate, Method};
use etalon_core::model::Metric;
use etalon_core::noise::{Alarms, InBlocks, InSequence, OneRunASide};
use etalon_core::stats::Interval;
use etalon_core::verdict::Verdict;
use etalon_report::json::Settings;
use etalon_report::noise::{Measured, json, write};
use etalon_report::text::width;
use etalon_report::view::View;

fn sequence() -> InSequence {
    InSequence {
        runs: 10,
        readings: 15,
        span: Some(42.3),
        scatter: 0.0312,
        explained: 0.0041,
        within: 0.0127,
        by_readings: Alarms { called: 31, of: 45 },
        by_runs: Alarms { called: 2, of: 45 },
        has_history: true,
        visible: OneRunASide {
            known: [Some(0.1234), Some(0.1221), Some(0.1219)],
            assumed: Some(0.171),
        },
    }
}

fn noise(name: &str) -> Noise {
    let ratio = Estimate {
        value: 1.0012,
        interval: Ok(Interval { lo: 0.995, hi: 1.0071, level: 0.95 }),
        method: Method::HodgesLehmannPaired,
    };
    Noise {
        name: name.to_owned(),
        file: None,
        metric: Metric::new("wall", "ns"),
        sequence: Some(sequence()),
        blocks: Some(InBlocks {
            blocks: 34,
            scatter: 0.0119,
            alarms: Alarms { called: 41, of: 1000 },
            visible: [Some(0.0267), Some(0.0136), Some(0.00721)],
            ratio: Some(ratio),
            verdict: Verdict::Same,
        }),
    }
}

fn measured(noise: &[Noise]) -> Measured<'_> {
    Measured { noise, alpha: 0.05, seed: 7, saved: true, cut_short: false }
}

fn shown(measured: &Measured<'_>) -> String {
    let mut out = Vec::new();
    write(measured, View::SCREEN, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.lines().all(|line| width(line) <= 80), "{text}");
    assert!(text.lines().count() <= 24, "{text}");
    text
}

/// Would catch an answer that does not come first, and shares without what they are of.
#[test]
fn one_command() {
    insta::assert_snapshot!(shown(&measured(&[noise("gzip -1 x")])));
}

/// Would catch an answer that names another one than the noisiest.
#[test]
fn several_cases() {
    let mut calm = noise("format n=1");
    calm.blocks.iter_mut().for_each(|it| it.visible = [Some(0.01), Some(0.005), Some(0.002)]);
    calm.sequence.iter_mut().for_each(|it| it.by_readings.called = 3);
    insta::assert_snapshot!(shown(&measured(&[calm, noise("concat n=1")])));
}

/// Would catch figures of what was not measured, and a history that is none.
#[test]
fn ended_early() {
    let mut few = noise("gzip -1 x");
    few.blocks = None;
    few.sequence.iter_mut().for_each(|it| {
        it.runs = 3;
        it.has_history = false;
        it.visible.known = [None; 3];
        it.by_readings = Alarms { called: 1, of: 3 };
        it.by_runs = Alarms { called: 0, of: 3 };
    });
    insta::assert_snapshot!(shown(&Measured { cut_short: true, saved: false, ..measured(&[few]) }));
}

#[test]
fn the_document() {
    let mut out = Vec::new();
    let settings = Settings::new(&Criteria::default()).for_metric("wall", None);
    json(&measured(&[noise("gzip -1 x")]), (&[], settings), &mut out).unwrap();
    insta::assert_snapshot!(String::from_utf8(out).unwrap());
}
