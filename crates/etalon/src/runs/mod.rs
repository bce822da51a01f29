//! `etalon runs`: list, show, label, hand on and remove saved runs.

mod answer;
mod bundle;
mod json;
mod labels;
mod list;
mod measured;
mod prune;
mod pull;
mod search;
mod show;
mod words;

use crate::cli::{Runs, RunsAction};
use crate::failure::{Exit, Failure};
use crate::{output, saved};

pub(crate) use answer::keep;

/// Runs the subcommand.
pub(crate) fn run(asked: Runs) -> Result<Exit, Failure> {
    match asked.action {
        None => list::run(&[], &asked.listing)?,
        Some(RunsAction::List { words, listing }) => list::run(&words, &listing)?,
        Some(RunsAction::Show { run }) => show::run(&run)?,
        Some(RunsAction::Name { run, name }) => labels::name(&run, &name)?,
        Some(RunsAction::Unname { name }) => labels::unname(&name)?,
        Some(RunsAction::Tag { run, tags }) => labels::tag(&run, &tags)?,
        Some(RunsAction::Untag { run, tags }) => labels::untag(&run, &tags)?,
        Some(RunsAction::Note { run, text }) => labels::note(&run, &text)?,
        Some(RunsAction::Bundle { runs, output, force }) => bundle::write(&runs, &output, force)?,
        Some(RunsAction::Import { files }) => bundle::import(&files)?,
        Some(RunsAction::Pull { host }) => pull::run(&host)?,
        Some(RunsAction::Prune(asked)) => prune::run(&asked)?,
        Some(RunsAction::Remove { runs }) => remove(&runs)?,
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

fn remove(runs: &[String]) -> Result<(), Failure> {
    // All of them are looked up first: `@last` must not move while removing.
    let ids: Vec<String> = runs.iter().map(|run| id(run)).collect::<Result<_, _>>()?;
    let store = saved::store()?;
    let runs = store.catalogue().map_err(Failure::new)?;
    let removal = store.removal().map_err(Failure::new)?;
    for id in ids {
        removal.remove(&id).map_err(Failure::new)?;
        output::remark(&format!("removed {}", runs.short(&id)));
    }
    Ok(())
}
