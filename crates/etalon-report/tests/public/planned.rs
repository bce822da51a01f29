//! Goldens of what a pilot says: two subjects, several, one; what cannot be planned; the document for programs.

use std::sync::Arc;

use etalon_core::criteria::Criteria;
use etalon_core::pace::Pace;
use etalon_core::power::{DIFFERENCES, Pilot, Planned, PlannedCriteria, plan};
use etalon_core::sample::Sample;
use etalon_report::json::Settings;
use etalon_report::planned::{ByOther, Forecast, Precision, Subjects, json, write};
use etalon_report::text::width;
use etalon_report::view::View;

/// Ten blocks of something that scatters by a share.
fn pilot(scatter: f64) -> Pilot {
    let steps = [0.3, -1.2, 0.8, 0.1, -0.5, 1.4, -0.9, 0.6, -0.2, -0.4];
    let values = steps.map(|step| 0.1 * (1.0 + scatter * step)).to_vec();
    Pilot::from_sample(&Sample::new(values, Arc::new([])).unwrap()).unwrap()
}

const CRITERIA: PlannedCriteria =
    PlannedCriteria { strictest: 0.05, confidence: 0.95, margin: 0.01, at_least: None };

fn forecast<'a>(subjects: Subjects<'a>, differences: &'a [Planned], worst: Pilot) -> Forecast<'a> {
    Forecast {
        subjects,
        metric: "wall",
        differences,
        beside: None,
        precision: None,
        pilot: worst,
        pace: Pace { first: 0.6, others: 3.6, blocks: 10 },
        alpha: (0.05, 0.05),
        command: &|blocks| format!("etalon cmd -r {blocks} old new"),
    }
}

fn shown(forecast: &Forecast<'_>) -> String {
    let mut out = Vec::new();
    write(forecast, View::SCREEN, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(text.lines().all(|line| width(line) <= 80), "{text}");
    text
}

/// Would catch an answer that does not come first, and a number without the time it takes.
#[test]
fn two_subjects() {
    let pilot = pilot(0.02);
    let rows = plan(&[(pilot, CRITERIA)], &DIFFERENCES);
    insta::assert_snapshot!(shown(&forecast(Subjects::Two(["old", "new"]), &rows, pilot)));
}

/// Would catch a plan by wall clock alone where waiting is what scatters: 2,800 blocks, of which CPU time takes 9.
#[test]
fn by_cpu_time_besides() {
    let (wall, cpu) = (pilot(0.4), pilot(0.005));
    let rows = plan(&[(wall, CRITERIA)], &DIFFERENCES);
    let differences = &plan(&[(cpu, CRITERIA)], &DIFFERENCES)[..];
    let of = |option, rows| {
        let beside = Some(ByOther { metric: "cpu", differences, option });
        shown(&Forecast { beside, ..forecast(Subjects::Two(["old", "new"]), rows, wall) })
    };
    insta::assert_snapshot!(of(" with --metric cpu", &rows));
    assert!(of("", &rows).contains("By CPU time it takes 7 blocks, about 4 s: -r 7."));
    assert!(!of("", differences).contains("CPU time"), "as many by both");
}

/// Would catch a family that is planned as if each of its comparisons were alone.
#[test]
fn several_subjects() {
    let wanted = PlannedCriteria { strictest: 0.05 / 3.0, ..CRITERIA };
    let pilots = [0.01, 0.03, 0.015].map(|scatter| (pilot(scatter), wanted));
    let rows = plan(&pilots, &DIFFERENCES);
    let subjects = Subjects::Several { comparisons: 3, most: ["old", "new"] };
    let forecast = Forecast { alpha: (0.05, 0.05 / 3.0), ..forecast(subjects, &rows, pilots[1].0) };
    insta::assert_snapshot!(shown(&forecast));
}

/// Would catch a comparison with another one that is taken to cost no time.
#[test]
fn one_subject() {
    let pilot = pilot(0.02);
    let rows = plan(&[(pilot, CRITERIA)], &DIFFERENCES);
    let targets = [(0.01, Some(150)), (0.02, Some(38)), (0.05, None)];
    let precision = Some(Precision { reached: 0.039, targets: &targets });
    let subjects = Subjects::One { name: "old", of: 1 };
    insta::assert_snapshot!(shown(&Forecast { precision, ..forecast(subjects, &rows, pilot) }));
}

#[test]
fn what_is_not_called_a_difference() {
    let wanted = PlannedCriteria { margin: 0.03, at_least: Some(0.05), ..CRITERIA };
    let pilot = pilot(0.02);
    let rows = plan(&[(pilot, wanted)], &DIFFERENCES);
    insta::assert_snapshot!(shown(&forecast(Subjects::Two(["old", "new"]), &rows, pilot)));
}

#[test]
fn for_programs() {
    let pilot = pilot(0.02);
    let rows = plan(&[(pilot, PlannedCriteria { margin: 0.02, ..CRITERIA })], &DIFFERENCES);
    let mut out = Vec::new();
    let settings = Settings::new(&Criteria::default()).for_metric("wall", None);
    json(&forecast(Subjects::Two(["old", "new"]), &rows, pilot), (&[], settings), &mut out)
        .unwrap();
    insta::assert_snapshot!(String::from_utf8(out).unwrap());
}
