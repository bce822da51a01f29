//! The facts recorded with a saved run, and the remarks of people on it.

use etalon_core::dataset::{Dataset, Group};
use etalon_core::metrics as names;
use etalon_core::shell::copied;
use etalon_record::Strictness;
use etalon_record::store::Saved;
use etalon_report::number::counted;
use etalon_report::runs::{facts, in_words};
use etalon_report::text::named;

use super::answer::{self, Effort};
use super::{id, words};
use crate::failure::Failure;
use crate::{output, saved};

/// Shows it, a fact a line.
pub(super) fn run(reference: &str) -> Result<(), Failure> {
    let id = id(reference)?;
    let store = saved::store()?;
    let catalogue = store.catalogue().map_err(Failure::new)?;
    let found = catalogue.run(&id).ok_or_else(|| Failure::about(reference, "was removed"))?;
    let data = saved::read(&found.path, Strictness::Lenient)?;
    let [set] = &data.run_sets[..] else { return Err(Failure::about(reference, "is no record")) };
    let mut rows: Vec<(String, String)> = vec![
        ("file".into(), found.path.display().to_string()),
        ("id".into(), format!("{} (@{})", found.id, found.short)),
    ];
    rows.extend(said(&found));
    rows.push(("started".into(), set.started.clone().unwrap_or_else(|| "unknown".into())));
    rows.push((
        "command line".into(),
        set.argv.iter().map(|w| copied(w).into_owned()).collect::<Vec<_>>().join(" "),
    ));
    if let Some(plan) = &set.plan {
        rows.push(("seed".into(), plan.seed.to_string()));
    }
    let ended = set.end.as_ref().map_or_else(
        || "not said: unfinished".to_owned(),
        |end| format!("{}, by {}", end.at, end.stopped_by),
    );
    rows.push(("ended".into(), ended));
    let answer = answer::answer(&store, &found, Effort::Read);
    rows.push(("answer".into(), in_words(&answer)));
    for group in data.groups() {
        let counts = counts(&data, &group);
        rows.push((format!("benchmark {}", named(&group.benchmark.label())), counts));
    }
    rows.extend(set.context.iter().map(|(key, value)| (key.clone(), value.clone())));
    for note in &set.notes {
        rows.push(("note".into(), format!("{}: {}", note.about, note.text)));
    }
    output::lines(facts(&rows))
}

/// The remarks of people on it.
fn said(run: &Saved) -> Vec<(String, String)> {
    let label = words::label(run);
    let label = (!label.is_empty()).then(|| ("label".to_owned(), label));
    let note = run.labels.note.clone().map(|note| ("noted".to_owned(), note));
    label.into_iter().chain(note).collect()
}

/// How many of what there is: executions of a command; of a function samples, and readings that are
/// none of its time.
fn counts(data: &Dataset, group: &Group) -> String {
    let outcomes = group.outcomes(data);
    let counted_rows = group.rows.len();
    if group.benchmark.case.is_none() {
        return format!("{counted_rows} counted, {} ok, {} not ok", outcomes.ok, outcomes.not_ok());
    }
    let metrics = data.metrics(group.run_set);
    let times = metrics.iter().find(|(metric, _)| metric.name == names::WALL);
    let samples = times.map_or(0, |(_, times)| data.columns(&group.rows, &[times])[0].rows.len());
    let others = counted_rows - samples;
    format!(
        "{}, {}, {} not ok",
        counted(samples, "sample", "samples"),
        counted(others, "other reading", "other readings"),
        outcomes.not_ok()
    )
}
