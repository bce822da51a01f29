//! `etalon runs`: list, show, name and remove saved run sets.

use etalon_core::dataset::{Dataset, Group};
use etalon_core::metrics;
use etalon_record::Strictness;
use etalon_record::store::{Saved, State};
use etalon_report::number::counted;
use etalon_report::text::{clean, left};

use crate::cli::RunsAction;
use crate::failure::{Exit, Failure};
use crate::{output, saved};

/// Runs the subcommand.
pub(crate) fn run(action: Option<RunsAction>) -> Result<Exit, Failure> {
    match action.unwrap_or(RunsAction::List) {
        RunsAction::List => list()?,
        RunsAction::Show { run } => show(&run)?,
        RunsAction::Name { run, name } => set_name(&run, &name)?,
        RunsAction::Remove { runs } => {
            // All of them are looked up first: `@last` must not move while removing.
            let ids: Vec<String> = runs.iter().map(|run| id(run)).collect::<Result<_, _>>()?;
            for id in ids {
                saved::store()?.remove(&id).map_err(Failure::new)?;
                output::remark(&format!("removed {id}"));
            }
        }
    }
    Ok(Exit::Done)
}

/// The id behind a reference; the `@` may be left out.
fn id(reference: &str) -> Result<String, Failure> {
    let path = saved::resolve(reference)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let id = name.strip_suffix(".partial").unwrap_or(&name);
    Ok(id.strip_suffix(".jsonl").unwrap_or(id).to_owned())
}

fn list() -> Result<(), Failure> {
    let store = saved::store()?;
    let runs = store.list().map_err(Failure::new)?;
    if runs.is_empty() {
        output::remark(&format!("no saved runs in {}", store.home().display()));
        return Ok(());
    }
    let width = runs.iter().map(|run| run.id.chars().count()).max().unwrap_or(0);
    let line = |set: &str, id: &str, by: &str, typed: &str| {
        format!("{} {} {} {typed}", left(set, 7), left(id, width), left(by, 10))
    };
    let mut lines = vec![line("run set", "id", "stopped by", "command line")];
    for (place, run) in runs.iter().enumerate() {
        let reference = if place == 0 { "@last".to_owned() } else { format!("@-{}", place + 1) };
        let names: Vec<String> = run.names.iter().map(|n| format!("@{n}")).collect();
        let ended = match (&run.state, &run.end) {
            (State::Running, _) => "running".to_owned(),
            (State::Complete, Some(end)) => end.stopped_by.to_string(),
            (State::Complete, None) => "complete".to_owned(),
            (State::Interrupted, _) => "unfinished".to_owned(),
            (State::Unreadable { .. }, _) => "unreadable".to_owned(),
        };
        let typed = [names.join(" "), command_line(run)].join(" ");
        lines.push(line(&reference, &run.id, &ended, typed.trim()));
    }
    output::lines(&lines)
}

/// What was executed, as far as the header says.
fn command_line(run: &Saved) -> String {
    if let State::Unreadable { reason } = &run.state {
        return clean(reason);
    }
    let Some(header) = &run.header else { return String::new() };
    let words: Vec<String> =
        header.argv.iter().skip(1).map(|word| quoted(&word.to_string_lossy())).collect();
    words.join(" ")
}

/// A word as it would be typed.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", clean(word).replace('\'', "'\\''"))
    }
}

fn show(reference: &str) -> Result<(), Failure> {
    let path = saved::resolve(reference)?;
    let data = saved::read(&path, Strictness::Lenient)?;
    let [set] = &data.run_sets[..] else { return Err(Failure::about(reference, "is no record")) };
    let mut rows: Vec<(String, String)> = vec![
        ("file".into(), path.display().to_string()),
        ("started".into(), set.started.clone().unwrap_or_else(|| "unknown".into())),
        ("command line".into(), set.argv.iter().map(|w| quoted(w)).collect::<Vec<_>>().join(" ")),
    ];
    if let Some(plan) = &set.plan {
        rows.push(("seed".into(), plan.seed.to_string()));
    }
    let ended = set.end.as_ref().map_or_else(
        || "not said: unfinished".to_owned(),
        |end| format!("{}, by {}", end.at, end.stopped_by),
    );
    rows.push(("ended".into(), ended));
    for group in data.groups() {
        let counts = counts(&data, &group);
        rows.push((format!("benchmark {:?}", group.benchmark.label()), counts));
    }
    rows.extend(set.context.iter().map(|(key, value)| (key.clone(), value.clone())));
    for note in &set.notes {
        rows.push(("note".into(), format!("{}: {}", note.about, note.text)));
    }
    let width = rows.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0).min(40);
    let lines: Vec<String> = rows
        .iter()
        .map(|(key, value)| format!("{}  {}", left(&clean(key), width), clean(value)))
        .collect();
    output::lines(&lines)
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
    let columns = data.columns(&group.rows, &metrics);
    let times = metrics.iter().zip(&columns).find(|((metric, _), _)| metric.name == metrics::WALL);
    let samples = times.map_or(0, |(_, column)| column.rows.len());
    let others = counted_rows - samples;
    format!(
        "{}, {}, {} not ok",
        counted(samples, "sample", "samples"),
        counted(others, "other reading", "other readings"),
        outcomes.not_ok()
    )
}

fn set_name(reference: &str, name: &str) -> Result<(), Failure> {
    let id = id(reference)?;
    let before = saved::store()?.set_name(&id, name).map_err(Failure::new)?;
    let moved = before.filter(|old| *old != id).map(|old| format!(" (was {old})"));
    output::remark(&format!("@{name} is {id}{}", moved.unwrap_or_default()));
    Ok(())
}
